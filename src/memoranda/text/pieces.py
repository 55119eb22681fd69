"""The pieces of a text that a scan looks for: lines, phrases, words, and parts of words."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from memoranda.text.analyse import fold, is_cjk, plain_text, terms, tokens

PIECE = 8
"""A piece is as long as eight letters, or four Chinese, Japanese or Korean characters."""
ANCHOR = 6
"""Where each letter takes two bytes or more, every run of eight letters holds one piece of six."""
WORD = 6
"""Shorter words are not looked for in vocabularies."""
PHRASE = 3
"""So many short words in a row are looked for, where none is long enough by itself."""
LINE = 256
"""Longer lines are looked for in parts of so many characters."""

_EDGES = (
    "".join(map(chr, range(33, 48))) + ":;<=>?[\\]^_`{|}~" + "\u3001\u3002\uff0c\uff01\uff1f\u2026"
)

_FIRST_COMBINING = "\u0300"
"""Every character before it is a letter, or as wide as one."""

Kind = Literal["line", "phrase", "word", "window", "anchor"]
Kept = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text that tells it from others.

    A `window` stands for eight letters of a word, an `anchor` for six: the one is looked for in
    narrow forms (about a byte a letter), the other in wide ones; other kinds in all.
    """

    text: str
    kind: Kind
    cut: bool = False
    """Parts of it are looked for in all forms, so that it need be looked for as it is only."""


@dataclass(frozen=True, slots=True)
class Gram:
    """What a vocabulary would hold of a word, or of four unspaced characters: terms in a row."""

    shown: str
    terms: tuple[str, ...]


def weight(text: str) -> int:
    """Measure a text in letters; a Han, Kana or Hangul character or an emoji counts two."""
    return sum(map(_weight, text))


def _weight(char: str) -> int:
    if char < _FIRST_COMBINING:
        return 1
    if is_cjk(char) or char >= "\U0001f000":
        return 2
    return 0 if unicodedata.combining(char) else 1


def pieces(text: str, *, whole: bool = False, kept: Kept | None = None) -> tuple[Piece, ...]:
    """Cut a text into the pieces to look for, each once, longest kinds first.

    `whole` gives lines only. What `kept` (default: nothing) says of a piece decides whether it is
    left out, because a text that stays holds it. Pieces shorter than `PIECE` are left out too.
    """
    spellings = dict.fromkeys((text, unicodedata.normalize("NFC", text)))
    return tuple(
        dict.fromkeys(
            piece
            for spelled in spellings
            for piece in _pieces(spelled, whole=whole, kept=kept or _never)
        )
    )


def _never(_: str) -> bool:
    return False


def _pieces(text: str, *, whole: bool, kept: Kept) -> Iterator[Piece]:
    for line in text.splitlines():
        inside = [] if whole else list(_inside(line, kept))
        for part in _parts(line.strip()):
            if not kept(part):
                yield Piece(part, "line", cut=bool(inside) and len(line) <= LINE)
        yield from inside


def _parts(line: str) -> Iterator[str]:
    for start in range(0, len(line), LINE):
        part = line[max(min(start, len(line) - LINE), 0) :][:LINE]
        if weight(part) >= PIECE:
            yield part


def _inside(line: str, kept: Kept) -> Iterator[Piece]:
    run: list[str] = []
    for written in line.split():
        word = written.strip(_EDGES)
        found = list(_of_word(word, kept))
        yield from found
        run = [] if found else [*run, written][-PHRASE:]
        if len(run) == PHRASE:
            phrase = " ".join(run).strip(_EDGES)
            if weight(phrase) >= PIECE and not kept(phrase):
                yield Piece(phrase, "phrase")


def _of_word(word: str, kept: Kept) -> Iterator[Piece]:
    if weight(word) < PIECE:
        return
    windows = [part for part in _windows(word, PIECE, 1) if not kept(part)]
    if len(word) <= LINE and not kept(word):
        yield Piece(word, "word", cut=bool(windows))
    yield from (Piece(part, "window") for part in windows)
    if any(_weight(char) == 2 for char in word):
        yield from (Piece(part, "anchor") for part in windows)
    else:
        yield from (Piece(p, "anchor") for p in _windows(word, ANCHOR, 3) if not kept(p))


def _windows(word: str, size: int, step: int) -> list[str]:
    """Slide over a word: parts of `size` letters, so that any eight letters in a row hold one."""
    weights = [_weight(char) for char in word]
    found = []
    for start, own in enumerate(weights):
        if own == 0:
            continue
        end, measured = start, 0
        while measured < size and end < len(word):
            measured += weights[end]
            end += 1
        while end < len(word) and weights[end] == 0:
            end += 1
        if measured < size:
            break
        found.append(word[start:end])
    return found[PIECE - size :: step]


def grams(text: str, *, kept: Kept | None = None) -> tuple[Gram, ...]:
    """Give what the vocabularies of indexes may hold of a text, each once, in a fixed order.

    For a word its index terms, its folded spelling and its runs of three characters; for unspaced
    scripts each run of four characters, as pairs and as threes; for short words phrases. `kept` as
    in `pieces`.
    """
    kept = kept or _never
    found: dict[tuple[str, ...], Gram] = {}
    for gram in _grams(unicodedata.normalize("NFC", text), kept):
        if gram.terms and not kept(gram.shown):
            found.setdefault(gram.terms, gram)
    return tuple(found.values())


def _grams(text: str, kept: Kept) -> Iterator[Gram]:
    for piece in pieces(text, kept=kept):
        found = tuple(terms(piece.text)) if piece.kind == "phrase" else ()
        if not all(map(kept, found)):  # other words of the same terms may stand so in a row
            yield Gram(piece.text, found)
    for written in text.split():
        word = written.strip(_EDGES)
        folded = fold(word)
        for run in _runs(folded):
            for at in range(len(run) - 3):
                part = run[at : at + 4]
                yield Gram(part, tuple(a + b for a, b in pairwise(part)))
                yield Gram(part, (part[:3], part[1:]))
        if not any(map(is_cjk, folded)):
            yield from _spaced(word, folded, kept)


def _spaced(word: str, folded: str, kept: Kept) -> Iterator[Gram]:
    """Give the terms of a word, four in a row where all are short, and its runs of three."""
    cut = tokens(word)
    found = [term for token in cut for term in token.terms]
    for term in dict.fromkeys((*found, folded)):
        if len(term) >= WORD and not kept(term):
            yield Gram(word, (term,))
    if not any(len(term) >= WORD for term in found):
        plain = plain_text(word)
        for at in range(len(cut) - 3):
            four = cut[at : at + 4]
            yield Gram(
                plain[four[0].start : four[-1].end], tuple(t for token in four for t in token.terms)
            )
    if len(folded) >= PIECE:
        yield Gram(word, tuple(folded[at : at + 3] for at in range(len(folded) - 2)))


def _runs(text: str) -> Iterator[str]:
    run = ""
    for char in (*text, " "):
        if is_cjk(char):
            run += char
        elif run:
            yield run
            run = ""


def too_short(texts: Iterable[str]) -> tuple[str, ...]:
    """Name the lines that are too short to be told from chance: no piece of them is looked for."""
    lines = (line.strip() for text in texts for line in text.splitlines())
    return tuple(dict.fromkeys(line for line in lines if line and weight(line) < PIECE))
