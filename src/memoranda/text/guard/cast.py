"""Who speaks in the sources: whom `I`, `you`, `the user` and a speaker's name mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memoranda.text.guard import lexicon_zh as zh
from memoranda.text.guard.verdict import Said

_PARTS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Cast:
    """The persons of a reading: the author of the text, the user, the assistant, all speakers."""

    author: str
    user: str
    you: str | None
    people: tuple[tuple[str, str], ...]
    known: tuple[str, ...] = ()
    """Chinese names, longest first."""

    def person(self, name: str) -> str | None:
        """Give the speaker whom a word names."""
        return dict(self.people).get(name.casefold())


def casts(sources: Sequence[Said], known: Iterable[str]) -> tuple[tuple[Cast, ...], Cast]:
    """Give the cast of each source, and that of what was typed from them.

    `I` in what was typed is the one author of the sources, `the user` the one user among them; where
    there are several, neither means anybody.
    """
    people = tuple(
        dict.fromkeys(
            (part.casefold(), _key(said))
            for said in sources
            if said.speaker
            for part in _parts(said.speaker)
        )
    )
    names = tuple(sorted(set(known), key=lambda name: (-len(name), name)))
    users = sorted({_key(said) for said in sources if said.source == "user"})
    user = users[0] if len(users) == 1 else "@user"
    authors = sorted({_key(said) for said in sources})
    heard = tuple(
        Cast(_key(said), user, user if said.source == "assistant" else None, people, names)
        for said in sources
    )
    return heard, Cast(authors[0] if len(authors) == 1 else "@?", user, None, people, names)


def _key(said: Said) -> str:
    return "@" + (said.speaker or said.source).strip().casefold()


def _parts(speaker: str) -> list[str]:
    return [part for part in _PARTS.findall(speaker) if part.casefold() not in {"user", "the"}]


_FOLLOWED = (
    "的是在说住有会想要和跟与给把被也都不没很去来到从喜打借买卖告让请已可觉曾常将每经叫教学做用爱讨开养刚最昨今明"
    "上下周负担毕换搬那这,。、;!?：:"
)
_GIVEN = (
    "(?![的是在说住有会想要和跟与给把被也都不没很去来到从打借买卖让请已可那这内里上下了吗呢吧每我你他她它])"
    "[\u4e00-\u9fff]"
)
_NOT = re.compile(
    "高[兴中铁级大度考峰低原温速]|方[法便向面式案]|马[上路桶]|白[天色菜酒板领]|任[何务性]|石头|江[苏西湖]|"
    "常[常州去来用]|黄[色金油瓜]|周[末围内期岁转身一二三四五六日边年]|钱包|王国|李子|金[额色融牌]|余[额下]|"
    "夏[天季]|段时间|武[汉器术]|文[件章化字学]|史料|程[序度师员]|雷[雨达]|姜汤|顾[客问]|成[都功为绩]|毛[病衣巾]|"
    "安[排装全静]|温[度州]|于是|许[多可]|龙虾|田[野地]|谢谢|孔子|胡[椒萝同]|曾[经在是有]|张[照纸票床桌]|段[路话]|"
    "林[业区]|杜绝|贺卡|汤[里面]|秦岭|丁语|范围|郑重|严|叶子|梁上"
)
_INSIDE = "一两三四五六七八九十几每这那"
_BEFORE = {
    "钟": "分点秒时",
    "方": "平立地对东南西北官",
    "金": "奖资现基黄租佣押",
    "石": "宝岩",
    "江": "长",
}
"""What makes a word of a surname's character when it stands before it."""
_CUED = re.compile(
    rf"(?:名叫|叫做|叫|姓名是|名字是|介绍)(?P<a>[\u4e00-\u9fff]{{2,3}})(?=[,。、;!?\s的]|$)"
    rf"|(?P<b>[{zh.SURNAMES}](?:{_GIVEN}){{1,2}}?)(?=[{_FOLLOWED}]|$|[A-Za-z0-9\s])"
    rf"|(?P<c>[小老阿][{zh.SURNAMES}明红丽芳强华军梅兰](?![\u4e00-\u9fff]?[学说区组时]))"
    rf"|(?P<d>[{zh.SURNAMES}](?:先生|女士|老师|医生|经理|教授|总|师傅|阿姨|叔叔|律师|主任))"
)


def chinese_names(texts: Iterable[str]) -> set[str]:
    """Collect what looks like a Chinese person's name: after a cue, by surname, with a title."""
    found: set[str] = set()
    for text in texts:
        for match in _CUED.finditer(text):
            name = next(part for part in match.groups() if part)
            before = text[match.start() - 1 : match.start()] if match.start() else ""
            if not _NOT.match(name) and (
                not before or before not in _INSIDE + _BEFORE.get(name[0], "")
            ):
                found.add(name)
    return {name for name in found if not any(name[:size] in found for size in range(2, len(name)))}
