"""A pair of sentences, and what they share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import ModuleType

from memoranda.text.frames import tie, tie_zh
from memoranda.text.frames.pattern import Lazy
from memoranda.text.frames.slots import tells_event
from memoranda.text.frames.values import fresh, typed
from memoranda.text.frames.words import common, content

CLAUSE = Lazy(r"[,，、;:]| (?:and|but|because|since) ")
PART = Lazy(r"[,，、;]| (?:and|but|because|since) ")
_PAST = Lazy(r"\b(?:was|were|went|did|had)\b")
_PRESENT = Lazy(r"\b(?:is|are|am|has|have|'s|'re|'m|'ve)\b")


@dataclass(frozen=True, eq=False)
class Pair:
    """One sentence of the older and one of the newer, with what they share."""

    old: str
    new: str
    lang: str
    lex: ModuleType

    @cached_property
    def both(self) -> tuple[str, ...]:
        """The content words of both."""
        return common(self.old, self.new, self.lang)

    @cached_property
    def clash(self) -> tuple[str, ...]:
        """The kinds of value that both give and of which the newer has one of its own."""
        return fresh(typed(self.old, self.lang), typed(self.new, self.lang))

    @cached_property
    def restated(self) -> bool:
        """The newer gives a value that the older gave, and no other of its kind."""
        old, new = typed(self.old, self.lang), typed(self.new, self.lang)
        return not self.clash and any(old[kind] & new.get(kind, frozenset()) for kind in old)

    @cached_property
    def switched(self) -> bool:
        """On in one, off in the other."""
        a, b = (frozenset(re.findall(r"\b(on|off)\b", text)) for text in (self.old, self.new))
        return a != b

    @cached_property
    def tied(self) -> bool:
        """The newer speaks of the older's subject, and of the same side of it."""
        if self.lang == "zh":
            return tie_zh.tied(self.old, self.new, self.both, self.clash)
        return tie.tied(self.old, self.new, frozenset(self.both), self.clash)

    @cached_property
    def past(self) -> bool:
        """The older tells of an event, or of what was."""
        gone = _PAST.search(self.old) and not _PRESENT.search(self.old)
        event = self.lang == "en" and tells_event(self.old)
        happened = self.lang == "zh" and re.search(r"[^成]了\d", self.old)
        return bool(self.lex.EVENT.search(self.old) or gone or event or happened)


def strange(p: Pair) -> bool:
    """Something names another thing, or another person, in one of the two."""
    side = tie_zh if p.lang == "zh" else tie
    return bool(side.strangers(p.old, p.new))


@lru_cache(maxsize=8192)
def cued(text: str, cue: Lazy) -> bool:
    """A cue stands in a clause of the text: without it, nothing is near it."""
    return any(cue.search(clause) for clause in PART.split(text))


def near(p: Pair, cue: Lazy) -> bool:
    """A shared word stands in the cue's clause, in English at most four words away."""
    for clause in PART.split(p.new):
        both = common(p.old, clause, p.lang)
        spots = [(m.start(), m.end()) for m in cue.finditer(clause)]
        if both and spots and (p.lang == "zh" or any(_close(clause, spot, both) for spot in spots)):
            return True
    return False


def _close(clause: str, spot: tuple[int, int], both: tuple[str, ...]) -> bool:
    before, after = clause[: spot[0]].split()[-4:], clause[spot[1] :].split()[:4]
    inside = clause[spot[0] : spot[1]]
    near = content(" ".join([*before, inside, *after]), "en")
    return bool(frozenset(near) & frozenset(both))
