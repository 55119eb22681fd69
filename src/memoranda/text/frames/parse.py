"""One statement, read once: its asserting sentences, words, quantities and names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import ModuleType

from memoranda.text.frames import chinese, english
from memoranda.text.frames.statement import Statement
from memoranda.text.frames.wording import digits, fold, language, sentences
from memoranda.text.frames.words import content

LONGEST = 450
"""Characters; a longer statement tells more than one state and is left to the reader."""
_IDLE_KINDS = ("question", "hypothetical", "unsure", "suggestion", "past")
_OLD_KINDS = ("same", "additive", "denied")


@dataclass(frozen=True, eq=False)
class Parsed:
    """A statement with what the rules ask of it, each read when it is first asked for."""

    statement: Statement
    lang: str
    whole: tuple[str, ...]
    """All sentences, number words as digits."""

    @property
    def lexicon(self) -> ModuleType:
        """The word lists of the statement's language."""
        return chinese if self.lang == "zh" else english

    @cached_property
    def held(self) -> tuple[str, ...]:
        """The sentences that assert something: what may be replaced."""
        return tuple(s for s in self.whole if self._sure(s) or self.lexicon.TURN_TO.search(s))

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Those of them that may replace: nothing restated, added, temporary or heard."""
        kinds = self.lexicon.SENTENCE
        if any(p.search(s) for s in self.whole for p in self.lexicon.WHOLE.values()):
            return ()
        sure = (s for s in self.whole if self._sure(s))
        return tuple(s for s in sure if not any(kinds[k].search(s) for k in _OLD_KINDS))

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Content stems of `said` in order (English), or runs between function characters."""
        return content(self.text, self.lang)

    @cached_property
    def old(self) -> str:
        """What may be replaced, as one string."""
        return " ".join(self.held)

    @cached_property
    def text(self) -> str:
        """What is asserted, as one string."""
        return " ".join(self.said)

    def _sure(self, sentence: str) -> bool:
        kinds = self.lexicon.SENTENCE
        return not any(kinds[kind].search(sentence) for kind in _IDLE_KINDS)


def stating(sentences: tuple[str, ...], parsed: Parsed) -> tuple[str, ...]:
    """Give the sentences that are neither small talk nor orders."""
    return tuple(s for s in sentences if _states(s, parsed.lang))


@lru_cache(maxsize=8192)
def _states(sentence: str, lang: str) -> bool:
    lex = chinese if lang == "zh" else english
    idle = (lex.CHAT, lex.REQUEST, lex.REQUEST_ANYWHERE)
    return not any(p.search(sentence) for p in idle)


@lru_cache(maxsize=4096)
def parse(statement: Statement) -> Parsed:
    """Read a statement; Japanese and Korean ones assert nothing that the rules know."""
    text = fold(statement.text)
    lang = language(text)
    if lang == "other" or len(text) > LONGEST:
        return Parsed(statement, lang, ())
    return Parsed(statement, lang, sentences(digits(text, lang)))
