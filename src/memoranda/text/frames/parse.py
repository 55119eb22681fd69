"""One statement, read once: its asserting sentences, words, quantities and names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import ModuleType

from memoranda.text.frames import chinese, english
from memoranda.text.frames.statement import Statement
from memoranda.text.frames.wording import digits, fold, language, sentences
from memoranda.text.stopwords import ENGLISH

_IDLE = ENGLISH | frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april june
    july august september october november december morning afternoon evening night noon week
    weekend month year day hour minute second today number way people person
    ready support start work working plan planning sure idea step dream goal life love feel feeling
    bring amazing awesome cool fun happy excited hard important special new old big small real
    lately finally totally hope believe wait moment matter point question everyone joy picture
    read whole rest long stuff lot ever gonna euro dollar pound percent megabyte gigabyte
    kilometre mile kilo metre litre change switch move update upgrade replace longer back instead
    mr mrs ms dr
    """.split()
)
_IDLE_KINDS = ("question", "hypothetical", "unsure", "suggestion", "past")
_OLD_KINDS = ("same", "additive", "denied")
_WORD = re.compile(r"[A-Za-z][A-Za-z'\u00c0-\u024f]*(?:[-_.]\w+)*|\d+(?:[.:-]\d+)*\w*|@\S+")
_NUMERIC = re.compile(r"\d+(?:[.:,-]\d+)*(?:st|nd|rd|th|[a-z]{1,2})?$")
_IDLE_ZH = re.compile(
    r"[的了是在我你他她它们这那就都也还又很太吗呢吧啊把被给跟和与到从去来说个一不没有人上下里"
    r"要会能得着过做为]|用(?![户例途品法量])|现在|今天|大家|时候|一下|以后|已经|所有|什么|自己|知道|觉得|可以|需要"
    r"|[\d点号]+|[^\u4e00-\u9fffA-Za-z0-9_]+"
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A statement with what the rules ask of it."""

    statement: Statement
    lang: str
    whole: tuple[str, ...]
    """All sentences, number words as digits."""
    held: tuple[str, ...]
    """The sentences that assert something: what may be replaced."""
    said: tuple[str, ...]
    """Those of them that may replace: nothing restated, added, temporary or heard."""
    terms: tuple[str, ...]
    """Content stems of `said` in order (English), or runs between function characters."""

    @property
    def lexicon(self) -> ModuleType:
        """The word lists of the statement's language."""
        return chinese if self.lang == "zh" else english

    @property
    def old(self) -> str:
        """What may be replaced, as one string."""
        return " ".join(self.held)

    @property
    def text(self) -> str:
        """What is asserted, as one string."""
        return " ".join(self.said)


def stating(sentences: tuple[str, ...], parsed: Parsed) -> tuple[str, ...]:
    """Give the sentences that are neither small talk nor orders."""
    lex = parsed.lexicon
    idle = (lex.CHAT, lex.REQUEST, lex.REQUEST_ANYWHERE)
    return tuple(s for s in sentences if not any(p.search(s) for p in idle))


def parse(statement: Statement) -> Parsed:
    """Read a statement; Japanese and Korean ones assert nothing that the rules know."""
    text = fold(statement.text)
    lang = language(text)
    if lang == "other":
        return Parsed(statement, lang, (), (), (), ())
    lexicon = chinese if lang == "zh" else english
    whole = sentences(digits(text, lang))
    sure = tuple(s for s in whole if not any(lexicon.SENTENCE[k].search(s) for k in _IDLE_KINDS))
    said = tuple(s for s in sure if not any(lexicon.SENTENCE[k].search(s) for k in _OLD_KINDS))
    held = tuple(s for s in whole if s in sure or lexicon.TURN_TO.search(s))
    if any(p.search(s) for s in whole for p in lexicon.WHOLE.values()):
        said = ()
    return Parsed(statement, lang, whole, held, said, content(" ".join(said), lang))


def content(text: str, lang: str) -> tuple[str, ...]:
    """Give the content stems (English) or content runs (Chinese) of a text, in order."""
    if lang == "zh":
        runs = _IDLE_ZH.sub(" ", text.casefold()).split()
        return tuple(run for run in runs if len(run) > 1)
    words = (w.casefold().removesuffix("'s").strip("'") for w in _WORD.findall(text))
    return tuple(
        stem(w) for w in words if len(w) > 1 and not _NUMERIC.match(w) and not {w, stem(w)} & _IDLE
    )


def stem(word: str) -> str:
    """Cut the commonest English endings; a word with digits stays whole."""
    if len(word) < 4 or not word.isalpha():
        return word
    for ending, put in (("ies", "y"), ("sses", "ss"), ("ings", ""), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: len(word) - len(ending)] + put
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 4 else word


def common(older: str, newer: str, lang: str) -> tuple[str, ...]:
    """Give the content words (or longest common strings of Chinese) that two texts share."""
    old, new = content(older, lang), content(newer, lang)
    if lang == "en":
        seen = frozenset(old)
        return tuple(dict.fromkeys(t for t in new if t in seen))
    found = (part for run in new for part in _commons(run, old))
    return tuple(dict.fromkeys(found))


def _commons(run: str, others: tuple[str, ...]) -> list[str]:
    found, i = [], 0
    while i < len(run) - 1:
        j = i + 2
        if not any(run[i:j] in other for other in others):
            i += 1
            continue
        while j < len(run) and any(run[i : j + 1] in other for other in others):
            j += 1
        found.append(run[i:j])
        i = j
    return found
