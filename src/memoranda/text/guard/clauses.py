"""The tokens of a text that the wording guard compares, and the clauses they stand in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TokenKind = Literal[
    "number", "date", "unit", "money", "percentage", "name", "link", "negation", "hedge",
    "modality", "quantifier", "speaker",
    "word", "filler", "function", "opener", "person", "break", "stop",
]  # fmt: skip
"""The first twelve tell something; a `word` is content; a `filler` may be dropped, not added; an
`opener` (article, pronoun) begins a subject; a `person` is `he` or `she`; `break` ends a clause,
`stop` a sentence."""

FIXED = frozenset({"number", "date", "unit", "money", "percentage", "name", "link"})
"""Kinds of which the key alone must survive."""
BOUND = frozenset({"negation", "hedge", "modality", "quantifier"})
"""Kinds that bear on the words beside them."""


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of text; equal keys of one kind say the same."""

    kind: TokenKind
    key: str
    shown: str
    start: int
    end: int
    loose: bool = False
    """It may be lost (an `I`, a `one`), or left out of what must be found beside others."""

    @property
    def telling(self) -> bool:
        """Whether it is content, or an item whose key must survive."""
        return self.kind == "word" or self.kind in FIXED


@dataclass(frozen=True, slots=True)
class Clause:
    """Tokens between two joints, the join before it, and the subject it takes from the one before."""

    tokens: tuple[Token, ...]
    joint: str = ""
    inherited: tuple[Token, ...] = ()
    sentence: int = 0

    def of(self, *kinds: str) -> tuple[Token, ...]:
        """Give its tokens of some kinds, in order."""
        return tuple(token for token in self.tokens if token.kind in kinds)

    @property
    def telling(self) -> tuple[Token, ...]:
        """Its content words and fixed items, in order."""
        return tuple(token for token in self.tokens if token.telling)

    @property
    def wide(self) -> tuple[Token, ...]:
        """Its telling tokens with those of an inherited subject."""
        return self.telling + self.inherited


TAKEN, COUNTED = "\x01", "\x02"
"""What is put in the place of what was taken; numbers leave the second."""
_COUNTS = frozenset({"number", "unit", "money", "percentage"})


class Canvas:
    """A text of which finders take stretches, best first; what is taken is no longer seen."""

    __slots__ = ("_chars", "_left", "tokens")

    def __init__(self, text: str) -> None:
        self._chars = list(text)
        self._left: str | None = text
        self.tokens: list[Token] = []

    @property
    def left(self) -> str:
        """The text with taken stretches blotted out; positions stay."""
        if self._left is None:
            self._left = "".join(self._chars)
        return self._left

    def take(self, token: Token) -> None:
        """Take a stretch as a token."""
        self.tokens.append(token)
        mark = COUNTED if token.kind in _COUNTS else TAKEN
        self._chars[token.start : token.end] = mark * (token.end - token.start)
        self._left = None
