"""What a scan looks for: every piece of the texts in every form, found in one pass over the bytes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from memoranda.store.documents import slug
from memoranda.text.analyse import terms
from memoranda.text.forms import TERMS, Form, forms
from memoranda.text.pieces import PIECE, Kept, Piece, pieces

SHOWN = 60
"""Longer pieces are shown cut."""
FAST_BYTES = 256 * 1024
"""Patterns of more bytes together are not searched with a table of all transitions."""
_UNTITLED = slug("").encode()
_ESCAPED_IN_FOLDERS = re.compile(rb"[^a-z0-9_.@-]")


@dataclass(frozen=True, slots=True)
class Needle:
    """One byte string to look for: in which form it writes which piece."""

    form: str
    piece: str


Search = Callable[[bytes, int], list[Needle]]
"""Find the needles in some bytes that end behind the first so many of them."""


class Needles:
    """All byte strings of a scan, to be found in one pass; of two that begin together the longer."""

    def __init__(self, found: Mapping[bytes, Needle]) -> None:
        self._needles = tuple(found.values())
        self._patterns = tuple(found)
        self.longest = max(map(len, found), default=1)

    @property
    def forms(self) -> tuple[str, ...]:
        """The names of the forms, in the order of the alphabet."""
        return tuple(sorted({needle.form for needle in self._needles if needle.form}))

    def searcher(self, *, fast: bool = False) -> Search:
        """Give a function that searches; a `fast` one takes longer to make, and more memory."""
        from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind  # noqa: PLC0415

        if not self._patterns:
            return _nothing
        fast = fast and sum(map(len, self._patterns)) <= FAST_BYTES
        automaton = BytesAhoCorasick(
            self._patterns,
            matchkind=MatchKind.LeftmostLongest,
            implementation=Implementation.DFA if fast else Implementation.ContiguousNFA,
        )

        def search(data: bytes, after: int = 0) -> list[Needle]:
            found = automaton.find_matches_as_indexes(data)
            return [self._needles[which] for which, _, end in found if end > after]

        return search


def _nothing(_data: bytes, _after: int = 0) -> list[Needle]:
    return []


def needles(
    texts: Iterable[str],
    *,
    whole: bool = False,
    kept: Kept | None = None,
    signs: Iterable[bytes] = (),
) -> Needles:
    """Write every piece of the texts in every form; `signs` are found too, as needles without form."""
    found: dict[bytes, Needle] = {}
    done: set[Piece] = set()
    for text in texts:
        for piece in pieces(text, whole=whole, kept=kept):
            if piece in done:
                continue
            done.add(piece)
            shown = piece.text if len(piece.text) <= SHOWN else piece.text[: SHOWN - 1] + "…"
            for form in _written(piece, kept):
                found.setdefault(form.data, Needle(form.name, shown))
    if found:
        found |= {sign: Needle("", "") for sign in signs if sign not in found}
    return Needles(found)


def _written(piece: Piece, kept: Kept | None) -> Iterator[Form]:
    """Give the forms of a piece that are long enough to be told from chance."""
    wide = {"window": False, "anchor": True}.get(piece.kind, False if piece.cut else None)
    written = [Form("utf-8", piece.text.encode("utf-8", "surrogatepass"))]
    if not piece.cut:
        written = [*forms(piece.text, wide=wide), *_in_names(piece, kept)]
    elif piece.kind == "word":
        written.append(Form(TERMS, " ".join(terms(piece.text)).encode("utf-8", "surrogatepass")))
    for form in written:
        stays = form.name == TERMS and kept is not None and kept(form.data.decode())
        if len(form.data) >= PIECE and not stays:
            yield form


_EDGES = re.compile(r"\A[\W_]+|[\W_]+\Z")


def named(piece: Piece) -> str:
    """Give as much of a piece as a file that is called after it shows: no signs around it, no tail."""
    text = piece.text
    if piece.kind in {"window", "anchor"}:
        return _EDGES.sub("", text) or text
    whole = slug(text)
    end = bisect_left(range(len(text)), True, key=lambda end: slug(text[:end]) == whole)
    return text[:end] or text


def _in_names(piece: Piece, kept: Kept | None) -> Iterator[Form]:
    """Write a piece as names of files and folders have it."""
    text = piece.text
    if piece.kind == "anchor" or (text.isascii() and text.isalnum() and text.islower()):
        return
    data = slug(text).encode("utf-8", "replace")
    if data != _UNTITLED and not (kept is not None and kept(named(piece))):
        yield Form("file name", data)
    data = text.encode("utf-8", "surrogatepass")
    yield Form("folder name", _ESCAPED_IN_FOLDERS.sub(lambda m: b"%%%02x" % m[0][0], data))
