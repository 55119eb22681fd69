"""One statement, read once: its asserting sentences, words, quantities and names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType

from memoranda.text.frames import chinese, english
from memoranda.text.frames.statement import Statement
from memoranda.text.frames.wording import digits, fold, language, sentences
from memoranda.text.frames.words import content

LONGEST = 450
"""Characters; a longer statement tells more than one state and is left to the reader."""
_IDLE_KINDS = ("question", "hypothetical", "unsure", "suggestion", "past")
_OLD_KINDS = ("same", "additive", "denied")


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


@lru_cache(maxsize=4096)
def parse(statement: Statement) -> Parsed:
    """Read a statement; Japanese and Korean ones assert nothing that the rules know."""
    text = fold(statement.text)
    lang = language(text)
    if lang == "other" or len(text) > LONGEST:
        return Parsed(statement, lang, (), (), (), ())
    lexicon = chinese if lang == "zh" else english
    whole = sentences(digits(text, lang))
    sure = tuple(s for s in whole if not any(lexicon.SENTENCE[k].search(s) for k in _IDLE_KINDS))
    said = tuple(s for s in sure if not any(lexicon.SENTENCE[k].search(s) for k in _OLD_KINDS))
    held = tuple(s for s in whole if s in sure or lexicon.TURN_TO.search(s))
    if any(p.search(s) for s in whole for p in lexicon.WHOLE.values()):
        said = ()
    return Parsed(statement, lang, whole, held, said, content(" ".join(said), lang))
