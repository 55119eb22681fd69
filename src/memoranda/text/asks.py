"""Requests to forget: a sentence that asks, in the speaker's own name, that something told be forgotten."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memoranda.text import asks_en as en
from memoranda.text import asks_zh as zh

Reach = Literal["named", "about", "last", "all"]
"""One thing that is named; all that is known about something; what was said last; simply everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request to forget."""

    start: int
    """Where its sentence begins and ends in the text."""
    end: int
    what: str
    """The words that name what is to be forgotten; "" for what was said last, and for everything."""
    reach: Reach


_SENTENCE = re.compile(r"[^.!?。！？；;\n]*(?:[.!?](?=\w)[^.!?。！？；;\n]*)*[.!?。！？；;]*")
_QUOTED = re.compile(
    r"\"[^\"\n]{0,400}\"|“[^”\n]{0,400}”|「[^」\n]{0,400}」|『[^』\n]{0,400}』|«[^»\n]{0,400}»|`[^`\n]{0,400}`"
    r"|‘[^’\n]{0,400}’(?![a-z])|(?<!\w)'[^'\n]{2,400}'(?!\w)|《[^》\n]{0,100}》"
)
_CLAUSE = re.compile(r"(?:[,，、]|(?<=\s)(?:so|and|but|therefore|hence|then)\s|——|--|\s-\s)\s*")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_HINT = re.compile(
    r"forg[eo]t|delet|eras|remov|wip|purg|discard|scrub|drop|clear|strike|rid of|throw away|take out|unlearn|"
    r"remember|keep|store|save|retain|know|忘|删|清|抹|擦|去掉|移除|销毁|消除|拿掉|记|知道|保存|保留|存",
    re.IGNORECASE,
)
LONGEST = 400
"""A longer sentence asks for nothing: it tells, or it was pasted."""


def asks(text: str) -> tuple[Ask, ...]:
    """Find the requests to forget in what a person said, in order.

    A request that is quoted, told of somebody else, or only sounds like one (`don't forget`,
    `I forget`, `别忘了`, `忘记密码`) is none. Whose text it is has to be looked at by the caller.
    """
    if not _HINT.search(text):
        return ()
    bare = _QUOTED.sub(lambda match: " " * len(match[0]), text)
    found: list[Ask] = []
    for match in _SENTENCE.finditer(bare):
        said = match[0]
        if not said.strip() or len(said) > LONGEST or said.lstrip().startswith((">", "|", "```")):
            continue
        ask = _asked(said)
        if ask is not None:
            start = match.start() + len(said) - len(said.lstrip())
            what, reach = ask
            found.append(Ask(start=start, end=match.end(), what=what, reach=reach))
    return tuple(found)


def may_ask(text: str) -> bool:
    """Say whether a text holds a word of forgetting at all: without one it asks for nothing."""
    return (
        re.search(r"forg[eo]t|delet|eras|remov|wip|purg|忘|删|清除|抹", text, re.IGNORECASE)
        is not None
    )


def _asked(said: str) -> tuple[str, Reach] | None:
    """Give what a sentence asks to be forgotten, if it asks."""
    lexicon = zh if _CHINESE.search(said) else en
    for start in (0, *(match.end() for match in _CLAUSE.finditer(said))):
        before, clause = said[:start], said[start:].strip()
        if start and lexicon.REPORTED.search(before):
            return None
        for pattern in lexicon.REQUESTS:
            match = pattern.match(clause)
            if match is not None:
                return _named(match["what"].strip(), clause, lexicon is zh)
    return None


def _named(what: str, clause: str, chinese: bool) -> tuple[str, Reach] | None:  # noqa: FBT001
    if chinese:
        return None if zh.IDIOM.match(what) else _in_chinese(what)
    keeps = re.search(r"\b(?:store|save|keep|retain)\b", clause, re.IGNORECASE) is not None
    if (en.IDIOM.match(what) and not (keeps and en.LAST.match(what))) or (
        re.search(r"\b(?:remember|know)\b", clause, re.IGNORECASE) and en.NOT_KEPT_IDIOM.match(what)
    ):
        return None
    return _in_english(what)


def _in_english(what: str) -> tuple[str, Reach]:
    if en.LAST.match(what):
        return "", "last"
    plain = en.TAIL.sub("", what).rstrip(" .!?…,")
    whole = en.WHOLE.match(plain) is not None
    matter = plain[len(m[0]) :] if (m := en.TELLING.match(plain)) else plain
    matter = matter[len(m[0]) :] if (m := en.ABOUT.match(matter)) else matter
    if whole and matter.strip().lower() in {"", "me", "myself", "us", "you"}:
        return "", "all"
    return matter.strip(), "about" if whole else "named"


def _in_chinese(what: str) -> tuple[str, Reach]:
    if zh.LAST.match(what):
        return "", "last"
    whole = zh.WHOLE.search(what) is not None
    matter = what[len(m[0]) :] if (m := zh.TELLING.match(what)) else what
    matter = zh.TAIL.sub("", matter)
    if whole and matter in {"", "我", "我们"}:
        return "", "all"
    return matter.strip(), "about" if whole else "named"
