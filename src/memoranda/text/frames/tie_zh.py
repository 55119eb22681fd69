"""How strongly two Chinese sentences are tied: one subject, one matter, nothing that names."""

from __future__ import annotations

import re
from functools import lru_cache

from memoranda.text.frames.pattern import Lazy

_RELATIVE = Lazy(
    "爸爸?|妈妈?|父亲|母亲|哥哥?|姐姐?|弟弟?|妹妹?|儿子|女儿|孩子|老公|老婆|爱人|爷爷|奶奶|外公|外婆|"
    "同事|朋友|邻居|室友|舅舅|姑姑|叔叔|阿姨|表[姐妹哥弟]"
)
_OPENS = Lazy("[我咱](?:们)?(?:家)?(?:的)?")
_SAME_RELATIVE = {
    "爸": "爸爸",
    "妈": "妈妈",
    "哥": "哥哥",
    "姐": "姐姐",
    "弟": "弟弟",
    "妹": "妹妹",
}
_NAMING = Lazy(
    r"第\d+|^[\u4e00-\u9fff]{1,4}?\d+(?=[在是有修崩的已被停])|\d+(?=号[机楼桌车线馆厅门库仓会窗柜床房井泵炉店院窑驳])|\d+(?=[组班楼栋期线区队院室厅层章](?![是有]))|"
    r"(?:周|星期)[1-7一二三四五六日末天](?=的)|\d+月(?=的)|^\d+月|\d{2,4}年|"
    r"[A-Za-z]+-?\d+|[红蓝黑白绿黄灰紫](?=色?的?[\u4e00-\u9fff]{1,3})|[东西南北](?=[门院区楼])|"
    r"[大小新旧老](?=[门窑楼车船箱队接系库服机])"
)
_PRONOUN = Lazy(
    "(?:我们?|咱们?|你们?|他们?|她们?|这|那|自己|家里?|现在|今天|目前|这边|那边|公司|线上)$"
)
_OF = Lazy(
    r"([\u4e00-\u9fffA-Za-z0-9.-]+?)的([\u4e00-\u9fffA-Za-z]{2,4}?)(?=[挪改换搬调升降延推取是在有从由已也都就变停撤退,加减涨跌扩缩增到卖要用能会不没被归，。、;：:]|$)"
)
_OPEN_WORD = Lazy("预约|票|行程|安排|计划|预订|机票|事|时候|人|那|这|话|都|是|了|在")
_VERB = Lazy(
    "(?:改|换|设|定|固定|放|住|部署|安排|写|存|搬|迁)(?:成|为|在|于|到|去)|位于|(?<![但还就可老凡])是|叫|姓|归|由|有|用|走|保留|剩|要|"
    "(?<![现正存实])在"
)
_DONE_TO = Lazy(
    "[把将]([^，。、,]{1,10}?)(?:搬|改|换|升|降|调|移|挪|迁|卖|停|关|推迟|延|提|放|取消|退)"
)
_SUFFIX = "[器机池鞋店馆片书包台站员费卡券表单费室车线图本盒厅库证]"
_TITLE = Lazy("(?:客户)?(?:经理|医生|老师|大夫|师傅|教练|律师|主任|阿姨|护士|老板)")
_OWN = Lazy("[用走跑住开吃喝看]的$")
_LEAD = Lazy(
    "^(?:把|将|给|现在|今天|今早|刚刚?|新的?|那|这|我们?|他们|咱们?|以后|所以|后来|又|也|因为|对|在)+"
)


@lru_cache(maxsize=4096)
def relatives(text: str) -> frozenset[str]:
    """Give the relatives and others of whom a text speaks."""
    return frozenset(_SAME_RELATIVE.get(m, m) for m in _RELATIVE.findall(text))


@lru_cache(maxsize=4096)
def of_whom(text: str) -> str | None:
    """Name the relative with whom a text opens, "" for the speaker himself, None for anything else."""
    opens = _OPENS.match(text)
    if not opens:
        return None
    kin = _RELATIVE.match(text, opens.end())
    if kin:
        return _SAME_RELATIVE.get(kin[0], kin[0])
    return "" if opens[0] in {"我", "咱"} else None


@lru_cache(maxsize=4096)
def subject(sentence: str) -> str:
    """Give what stands before the verb of a state in the first clause."""
    clause = re.split(r"[，,：:。]", sentence, maxsplit=1)[0].replace(" ", "")
    match = _VERB.search(clause, 2) or re.search(r"\d", clause)
    return clause[: match.start()] if match and match.start() <= 16 else ""


@lru_cache(maxsize=4096)
def named(text: str) -> frozenset[str]:
    """Give what tells one thing from another of its kind: numbers, months, colours, codes."""
    return frozenset(m[0] for m in _NAMING.finditer(text))


def named_apart(old: str, new: str) -> bool:
    """Numbers, months or colours that name stand in one of two sentences only."""
    a, b = named(subject(old) or old[:10]), named(new)
    return any(x not in new for x in a) or (bool(b) and not any(x in old for x in b))


def _done_elsewhere(old: str, new: str) -> bool:
    """`把X搬到...`: the older does not name X."""
    done = _DONE_TO.findall(new)
    named = (part for thing in done for part in thing.split("的") if not _PRONOUN.fullmatch(part))
    return any(part[-2:] not in old for part in named)


def _parallel(old: str, new: str) -> bool:
    """Two sentences that end alike and begin with two things."""
    a, b = old.rstrip("。！!.了"), new.rstrip("。！!.了")
    n = 0
    while n < min(len(a), len(b)) and a[-1 - n] == b[-1 - n]:
        n += 1
    first, second = a[: len(a) - n], b[: len(b) - n]
    return n >= 4 and bool(first and second) and not re.search(r"[\d，,]", first + second)


def strangers(old: str, new: str) -> bool:
    """Something that names stands in one of two sentences and nowhere in the other."""
    if named_apart(old, new) or _parallel(old, new) or _done_elsewhere(old, new):
        return True
    kin, others = relatives(old), relatives(new)
    return bool(others - kin) or bool(relatives(subject(old)) - others)


def tied(old: str, new: str, both: tuple[str, ...], clash: tuple[str, ...]) -> bool:
    """Tell whether the newer speaks of the older's subject, and of the same side of it."""
    both = tuple(p for p in both if _one_word(p, old, new) and not _TITLE.fullmatch(p))
    if not both or strangers(old, new) or other_side(old, new) or not covered(old, new):
        return False
    return len(both) > 1 or _tied_by_one(old, new, both[0], clash)


def _tied_by_one(old: str, new: str, piece: str, clash: tuple[str, ...]) -> bool:
    """One word is shared: it makes up the older's subject, or opens a clause with a value."""
    about = subject(old)
    if about and not any(pair in about for pair in _raw(piece)):
        return False
    if 2 * len(piece) < len(about) and "的" not in about:
        return False
    weight = min(len(piece), 2) if piece.isascii() else len(piece)
    if weight >= 4 and old.find(piece) <= 3:
        return True
    return bool(clash) and leads(new, (piece,))


def _one_word(piece: str, old: str, new: str) -> bool:
    """The piece is not the beginning of another word in one of the two: service, server."""
    longer = re.escape(piece) + _SUFFIX
    return bool(re.search(longer, old)) == bool(re.search(longer, new))


def covered(old: str, new: str, *, last: bool = False) -> bool:
    """Both halves of `the X's Y` of the older's subject stand in the newer, or (last) the Y."""
    parts = _OWN.sub("", subject(old)).split("的")
    if len(parts) < 2 or not parts[-1]:
        return True
    parts = parts[-1:] if last else parts
    return all(
        any(pair in new for pair in _raw(part))
        for part in parts
        if len(part) > 1 and not _PRONOUN.fullmatch(part)
    )


def _raw(text: str) -> tuple[str, ...]:
    return tuple(text[n : n + 2] for n in range(len(text) - 1))


def other_side(old: str, new: str) -> bool:
    """The newer speaks of another part of what the older names: `the board's meeting`."""
    for match in _OF.finditer(new):
        whole, part = match[1], match[2]
        if _OPEN_WORD.match(part) or _PRONOUN.search(whole):
            continue
        if whole[-2:] in old and part[:2] not in old:
            return True
    return False


def leads(new: str, both: tuple[str, ...]) -> bool:
    """The shared word opens a clause of the newer, with nothing before it that the older lacks."""
    clauses = (_LEAD.sub("", c.strip()) for c in re.split(r"[，,、：:。;]", new))
    return any(clause.startswith(piece) for clause in clauses for piece in both)
