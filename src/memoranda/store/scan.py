"""The byte-level scan: does any file or name below some folders still hold a piece of a text?"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal, Self

from memoranda.errors import StoreError
from memoranda.store import image
from memoranda.store.files import Disk, Files, real
from memoranda.store.needles import Needle, Needles, needles
from memoranda.store.scope import DATABASE, scopes
from memoranda.store.unpack import DEPTH, MAGIC, PackedError, held, members, packing, peeked
from memoranda.store.walk import Node, walk
from memoranda.text.forms import TERMS
from memoranda.text.pieces import Gram, Kept, grams, too_short
from memoranda.values import Value

Where = Literal["content", "name", "vocabulary"]

FAST_AFTER = 16 * 1024 * 1024
"""From so many bytes on the search that takes longer to prepare is the quicker one."""
_SMALL = 64 * 1024
_SIGNS = (b"USING fts5", b"using fts5", b"USING FTS5", b"using FTS5")
_WAL = "-wal"
_PAGES = (3_007_000).to_bytes(4, sys.byteorder)
"""How SQLite's list of the pages in a WAL begins: numbers of four bytes, one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanHit(Value):
    """A piece of a text that stands in a file, in a name, or in the vocabulary of an index."""

    file: str
    """Relative to the root it is under, with `/`; of a packed file's member `FILE!MEMBER`."""
    form: str
    """How it is written: `utf-8`, `utf-16le`, `json`, `base64`, `index terms` ..."""
    piece: str
    """What was found, cut after 60 characters."""
    where: Where
    count: int
    """How often, overlapping pieces counted once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned(Value):
    """What a scan found, and what it looked at."""

    hits: tuple[ScanHit, ...]
    """Sorted by file, where, form and piece."""
    files: int
    bytes: int
    """Bytes searched, unpacked ones included."""
    forms: tuple[str, ...]
    """The forms that were looked for."""
    unread: tuple[str, ...] = ()
    """`FILE: why` for all that could not be looked into."""
    links: tuple[str, ...] = ()
    """Links: their names were searched, and they were not followed."""
    not_searched: tuple[str, ...] = ()
    """Lines of the texts that are too short to be told from chance."""


def scan(
    roots: Sequence[Path],
    texts: Sequence[str],
    *,
    whole: bool = False,
    kept: Kept | None = None,
    disk: Disk | None = None,
) -> Scanned:
    """Search every file and name below the roots for pieces of the texts, in every form.

    Args:
        roots: folders (or files); what lies below two of them is searched once.
        texts: what must not be there. By default each line, each word and each part of eight
            letters (four Han, Kana or Hangul characters) of it is looked for, as bytes in all forms
            of `text.forms`, inside gzip, zlib and zip files too, and as terms in SQLite indexes.
        whole: look for whole lines only, where common words would be found everywhere.
        kept: says of a piece, or of an index term, that a text which stays holds it, in whatever
            case; such pieces are left out. `store.kept.kept_in` makes one.
        disk: the calls of the system; a test's may fail.

    Nothing is written, and no link is followed. What can't be looked into is in `unread`.
    """
    with _Scan(needles(texts, whole=whole, kept=kept, signs=_SIGNS), kept) as run:
        if not whole:
            run.grams = tuple(dict.fromkeys(g for text in texts for g in grams(text, kept=kept)))
        for root in _apart(roots):
            for node in walk(root, disk):
                run.look(node)
            run.asked.clear()
        return run.result(too_short(texts))


def everywhere(root: Path) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Name the folders that hold the memories of a data root, and what could not be asked for it.

    They are the root itself and the documents folders that its scopes have elsewhere.
    """
    found, unread = [root], []
    for scope in scopes(Files(root)):
        database = scope.folder / DATABASE
        try:
            folder = image.meta(database, "documents")
        except (StoreError, sqlite3.Error) as error:
            unread.append(f"{database}: where its documents are can't be read: {_reason(error)}")
            continue
        if folder:
            found.append(Path(folder.decode()))
    return tuple(dict.fromkeys(found)), tuple(unread)


def _apart(roots: Iterable[Path]) -> Iterator[Path]:
    """Leave out roots that lie below others."""
    places = sorted({real(root) for root in roots})
    return (p for p in places if not any(p != q and p.is_relative_to(q) for q in places))


class _Scan:
    """One scan in progress."""

    def __init__(self, wanted: Needles, kept: Kept | None) -> None:
        self.grams: tuple[Gram, ...] = ()
        self.asked: set[PurePosixPath] = set()
        self._wanted, self._kept = wanted, kept
        self._search = wanted.searcher()
        self._fast = False
        self._paged: set[str] = set()
        self._hits: Counter[tuple[str, str, str, Where]] = Counter()
        self._unread: list[str] = []
        self._links: list[str] = []
        self._files = self._bytes = 0
        self._workers = min(4, os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(self._workers)
        self._waiting: deque[Future[list[Needle]]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def result(self, not_searched: tuple[str, ...]) -> Scanned:
        """Give what was found."""
        hits = sorted((file, where, form, piece) for file, form, piece, where in self._hits)
        return Scanned(
            hits=tuple(
                ScanHit(
                    file=file,
                    form=form,
                    piece=piece,
                    where=where,
                    count=self._hits[file, form, piece, where],
                )
                for file, where, form, piece in hits
            ),
            files=self._files,
            bytes=self._bytes,
            forms=self._wanted.forms,
            unread=tuple(self._unread),
            links=tuple(self._links),
            not_searched=not_searched,
        )

    def look(self, node: Node) -> None:
        """Search a name, and a file's content."""
        label = str(node.path)
        name = node.name.encode("utf-8", "surrogateescape")
        self._add(label, self._search(name, 0), "name")
        if node.fault:
            self._unread.append(f"{label}: {node.fault}")
        elif node.kind == "link":
            self._links.append(label)
        elif node.kind == "file":
            self._files += 1
            if not self._fast and self._bytes + node.size() > FAST_AFTER:
                self._fast, self._search = True, self._wanted.searcher(fast=True)
            if self._content(label, node.parts):
                self._ask(node)

    def _add(self, file: str, found: Iterable[Needle], where: Where) -> bool:
        """Count what was found; say whether a sign of an index was among it.

        Page numbers in a row read as digits or letters in UTF-32: in a list of them that is no text.
        """
        counted = Counter(found)
        if file in self._paged:
            counted = Counter({n: c for n, c in counted.items() if not n.form.startswith("utf-32")})
        for needle, count in counted.items():
            if needle.form:
                self._hits[file, needle.form, needle.piece, where] += count
        return _SIGN in counted

    def _content(self, label: str, again: Callable[[], Iterable[bytes]], depth: int = 0) -> bool:
        """Search bytes, and what they pack; `again` reads them from the start."""
        try:
            start, parts = peeked(again(), MAGIC)
            if start.startswith(_PAGES):
                self._paged.add(label)
            signed = self._stream(label, parts)
            how = packing(start)
            if how is not None:
                self._unpack(label, again(), how, depth)
        except FileNotFoundError:
            return False  # it went while we looked
        except (OSError, PackedError) as error:
            self._unread.append(f"{label}: {_reason(error)}")
            return False
        return signed

    def _unpack(
        self, label: str, packed: Iterable[bytes], how: Literal["zip", "zlib"], depth: int
    ) -> None:
        if depth == DEPTH:
            raise PackedError("it is packed too deep")
        for member in members(packed, how):
            inside = f"{label}!{member.name}"
            start, parts = peeked(member.parts, MAGIC)
            if packing(start) is None:
                self._stream(inside, parts)
            else:
                kept = held(parts)
                self._content(inside, lambda kept=kept: kept, depth + 1)  # type: ignore[misc]

    def _stream(self, label: str, parts: Iterable[bytes]) -> bool:
        """Search a stream, each part together with the end of the one before."""
        tail, signed = b"", False
        try:
            for part in parts:
                data = tail + part
                self._bytes += len(part)
                if len(data) < _SMALL:
                    signed |= self._add(label, self._search(data, len(tail)), "content")
                else:
                    self._waiting.append(self._pool.submit(self._search, data, len(tail)))
                    signed |= self._drain(label, self._workers)
                tail = data[max(len(data) - self._wanted.longest + 1, 0) :]
        finally:
            signed |= self._drain(label, 0)
        return signed

    def _drain(self, label: str, left: int) -> bool:
        """Wait until at most so many searches of a file are not done."""
        signed = False
        while len(self._waiting) > left:
            signed |= self._add(label, self._waiting.popleft().result(), "content")
        return signed

    # --- vocabularies of indexes ---------------------------------------------------------------

    def _ask(self, node: Node) -> None:
        """Look into the vocabularies of a database that holds an index, or whose WAL does."""
        if node.name.endswith(_WAL):
            node = node.beside(node.name.removesuffix(_WAL))
        if not self.grams or node.path in self.asked:
            return
        self.asked.add(node.path)
        try:
            found = self._vocabulary(node)
        except FileNotFoundError:
            return
        except (OSError, PackedError, sqlite3.Error) as error:
            self._unread.append(f"{node.path}: its index can't be read: {_reason(error)}")
            return
        for gram, count in found.items():
            self._hits[str(node.path), TERMS, gram.shown, "vocabulary"] += count

    def _vocabulary(self, node: Node) -> dict[Gram, int]:
        """Read a database and its WAL; once more if another process moved pages in between."""
        try:
            return self._asked(node)
        except sqlite3.DatabaseError:
            return self._asked(node)

    def _asked(self, node: Node) -> dict[Gram, int]:
        data = b"".join(held(node.parts(), image.LIMIT))
        if not data.startswith(image.MAGIC):
            return {}
        wal: list[bytes] = []
        with suppress(FileNotFoundError):
            wal = held(node.beside(node.name + _WAL).parts(), image.LIMIT)
        with image.image(data, b"".join(wal)) as connection:
            return image.vocabulary(connection, self.grams, self._kept)


_SIGN = Needle("", "")


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
