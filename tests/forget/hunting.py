"""A hunt through all bytes below some folders, which shares no line of code with the product's scan.

The scan writes what it looks for in every form and looks for that; the hunt goes the other way: it
takes bytes apart (packed files, base64, escapes, vocabularies of indexes) and looks at what comes out.
"""

from __future__ import annotations

import base64
import html
import io
import re
import sqlite3
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote_to_bytes

from ahocorasick_rs import AhoCorasick, BytesAhoCorasick

BYTES = 8
"""So many bytes of UTF-8 in a row, of one word, are a piece."""
_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_JSON = re.compile(rb"\\+u([0-9a-fA-F]{4})")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{12,}")
_HEX = re.compile(rb"[0-9a-fA-F]{16,}")
_OCTAL = re.compile(rb"\\([0-3][0-7]{2})")
_LOGS = frozenset(f"{name}.db-wal" for name in ("memory", "index", "vectors", "shown"))
_SQLITE = b"SQLite format 3\0"


class Prey:
    """The pieces of some texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        found: dict[str, None] = {}
        for text in texts:
            for spelled in (text, unicodedata.normalize("NFC", text)):
                for word in re.split(r"[\s，。、]+", spelled):
                    found |= dict.fromkeys(_windows(fold(word)))
        self._narrow = AhoCorasick(found)
        wide = {
            variant.encode(encoding, "surrogatepass")
            for piece in found
            for variant in (piece, piece.upper(), unicodedata.normalize("NFD", piece))
            for encoding in _WIDE
        }
        self._wide = BytesAhoCorasick(sorted(wide))

    def within(self, text: str) -> Iterator[str]:
        """Name the pieces that stand in a text."""
        yield from self._narrow.find_matches_as_strings(fold(text))

    def wide(self, data: bytes) -> Iterator[str]:
        """Name the pieces that stand in some bytes, two or four bytes a letter."""
        for _, start, end in self._wide.find_matches_as_indexes(data):
            yield data[start:end].hex()


def fold(text: str) -> str:
    """Bring spellings of one text together: case, and how accents are written."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def _windows(word: str) -> Iterator[str]:
    """Slide over a word: as many letters as make up eight bytes."""
    for start in range(len(word)):
        for end in range(start + 2, len(word) + 1):
            if len(word[start:end].encode("utf-8", "surrogatepass")) >= BYTES:
                yield word[start:end]
                break


# --- looking --------------------------------------------------------------------------------------


def hunting(roots: Iterable[Path], texts: Iterable[str]) -> Iterator[str]:
    """Name the places below some folders where a piece of a text stands, each once."""
    prey = Prey(texts)
    found: set[str] = set()
    for root in roots:
        for path in sorted(root.rglob("*")):
            for one in _of(prey, path, str(path.relative_to(root))):
                if one not in found:
                    found.add(one)
                    yield one


def _of(prey: Prey, path: Path, name: str) -> Iterator[str]:
    for how in _in_bytes(prey, name.encode("utf-8", "surrogateescape")):
        yield f"{name}: its name, {how}"
    if path.is_file() and not path.is_symlink():
        for how in _in_file(prey, path):
            yield f"{name}: {how}"


def _in_file(prey: Prey, path: Path) -> Iterator[str]:
    data = path.read_bytes()
    yield from _in_bytes(prey, data)
    for inner in _unpacked(data):
        yield from (f"packed, {how}" for how in _in_bytes(prey, inner))
    if path.name in _LOGS and data:
        yield "a log beside a database is not empty"
    if data.startswith(_SQLITE):
        yield from _in_database(prey, path)


def _in_bytes(prey: Prey, data: bytes) -> Iterator[str]:
    for piece in prey.within(data.decode("utf-8", "replace")):
        yield f"as it is ({piece})"
    for piece in prey.wide(data):
        yield f"wide ({piece})"
    for how, inner in _decoded(data):
        for piece in prey.within(inner.decode("utf-8", "replace")):
            yield f"{how} ({piece})"
        for piece in prey.wide(inner):
            yield f"{how}, wide ({piece})"


def _decoded(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Take escapes and encodings away, each in a reading of its own."""
    if _JSON.search(data):
        yield "JSON", _unescaped(data)
    if b"%" in data:
        yield "URL", unquote_to_bytes(data)
    if b"&" in data:
        yield "HTML", html.unescape(data.decode("utf-8", "replace")).encode("utf-8", "replace")
    if _OCTAL.search(data):
        yield "octal", _OCTAL.sub(lambda match: bytes([int(match[1], 8)]), data)
    yield from _based(data)


def _based(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Read what may be base64 or hexadecimal, from each offset at which it may begin."""
    runs = [match[0] for match in _BASE64.finditer(data)]
    for offset in range(4):
        yield f"base64+{offset}", b"\n\n".join(_debased(run[offset:]) for run in runs)
    digits = [match[0] for match in _HEX.finditer(data)]
    for offset in range(2):
        cut = [run[offset : len(run) - (len(run) - offset) % 2] for run in digits]
        yield "hex", b"\n".join(bytes.fromhex(run.decode()) for run in cut)


def _unescaped(data: bytes) -> bytes:
    def runs() -> Iterator[bytes]:
        last, units = 0, b""
        for match in _JSON.finditer(data):
            if match.start() != last:
                yield units.decode("utf-16-be", "replace").encode()
                yield data[last : match.start()]
                units = b""
            units += bytes.fromhex(match[1].decode())
            last = match.end()
        yield units.decode("utf-16-be", "replace").encode()
        yield data[last:]

    return b"".join(runs())


def _debased(run: bytes) -> bytes:
    whole = run[: len(run) // 4 * 4].translate(bytes.maketrans(b"-_", b"+/"))
    return base64.b64decode(whole)


def _unpacked(data: bytes, depth: int = 0) -> Iterator[bytes]:
    """Give what is packed in a file: zip, gzip, zlib; also inside each other."""
    if depth == 3:
        return
    for inner in _members(data):
        yield inner
        yield from _unpacked(inner, depth + 1)


def _members(data: bytes) -> Iterator[bytes]:
    if data[:2] == b"PK" and zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield name.encode()
                yield archive.read(name)
    elif data[:2] == b"\x1f\x8b" or (data[:1] == b"\x78" and len(data) > 2):
        while data:
            machine = zlib.decompressobj(wbits=47)
            try:
                yield machine.decompress(data)
            except zlib.error:
                return
            data = machine.unused_data


def _in_database(prey: Prey, path: Path) -> Iterator[str]:
    """Look into vocabularies, which keep words in parts, and at the pages that nothing uses."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as db:
        size = db.execute("PRAGMA page_size").fetchone()[0]
        if _used(path.read_bytes(), size):
            yield "a free page that is not empty"
        for (table,) in db.execute(
            "SELECT name FROM sqlite_master WHERE sql LIKE '%using fts5%'"
        ).fetchall():
            terms = _vocabulary(path, table)
            for piece in prey.within("\n".join(terms)):
                yield f"a term of {table} ({piece})"
        for (table,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%virtual%'"
        ).fetchall():
            for piece in prey.within("\n".join(map(str, _texts(db, table)))):
                yield f"a row of {table} ({piece})"


def _used(data: bytes, size: int) -> bool:
    """Say whether pages that nothing uses hold more than the list of such pages."""

    def number(at: int) -> int:
        return int.from_bytes(data[at : at + 4], "big")

    trunk, pages = number(32), len(data) // size
    while trunk:
        start = (trunk - 1) * size
        if any(number(at) > pages for at in range(start + 8, start + size, 4)):
            return True
        leaves = [number(start + 8 + 4 * at) for at in range(number(start + 4))]
        if any(any(data[(leaf - 1) * size : leaf * size]) for leaf in leaves):
            return True
        trunk = number(start)
    return False


def _vocabulary(path: Path, table: str) -> list[str]:
    with closing(sqlite3.connect("file::memory:", uri=True)) as db:
        db.execute("ATTACH ? AS found", (f"file:{path}?mode=ro&immutable=1",))
        db.execute(f'CREATE VIRTUAL TABLE temp.said USING fts5vocab("found", "{table}", "row")')
        return [row[0] for row in db.execute("SELECT term FROM temp.said")]


def _texts(db: sqlite3.Connection, table: str) -> Iterator[object]:
    for row in db.execute(f'SELECT * FROM "{table}"'):
        for value in row:
            if isinstance(value, bytes):
                yield value.decode("utf-8", "replace")
            elif value is not None:
                yield value
