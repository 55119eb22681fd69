"""What stands inside packed files: gzip, zlib and zip, also inside each other, in parts."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal

PART: Final = 1024 * 1024
"""Unpacked bytes come in parts of at most so many."""
LIMIT: Final = 1024 * 1024 * 1024
"""A file is unpacked up to so many bytes, all that is inside of it together."""
ZIP_LIMIT: Final = 256 * 1024 * 1024
"""A zip archive may be so large: it is taken into memory."""
DEPTH: Final = 4
"""Packed files inside packed files are followed so deep."""
MAGIC: Final = 2
"""So many bytes tell that a file is packed."""
_GZIP: Final = b"\x1f\x8b"
_CHANCE: Final = 4096

Packing = Literal["zip", "zlib"]


class PackedError(Exception):
    """A packed file that can't be unpacked (to its end): damaged, locked or too large."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside a packed one: `name` is "" where the packing keeps none."""

    name: str
    parts: Iterable[bytes]


def packing(start: bytes) -> Packing | None:
    """Say by its first bytes how a file is packed, if it may be."""
    if start[:4] in {b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"}:
        return "zip"
    gzipped = start[:2] == _GZIP
    zipped = len(start) >= 2 and start[0] == 0x78 and int.from_bytes(start[:2], "big") % 31 == 0
    return "zlib" if gzipped or zipped else None


def members(parts: Iterable[bytes], how: Packing) -> Iterator[Member]:
    """Give what a packed file holds, one after the other; read each before the next.

    Raises:
        PackedError: it can't be unpacked; what came before stands.
    """
    try:
        if how == "zip":
            yield from _zipped(parts)
        else:
            yield Member("", _inflated(parts))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise PackedError(str(error) or type(error).__name__) from error


def _inflated(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack gzip (each of its members) or a zlib stream.

    What only looks like zlib, as a text that begins with `x^`, is no fault until much came out.
    """
    total, gzipped = 0, False
    machine = zlib.decompressobj(wbits=47)
    try:
        for part in parts:
            gzipped = gzipped or (total == 0 and part[:2] == _GZIP)
            rest = part
            while rest and not (machine.eof and packing(rest) != "zlib"):
                if machine.eof:
                    machine = zlib.decompressobj(wbits=47)
                out = machine.decompress(rest, PART)
                rest = machine.unused_data if machine.eof else machine.unconsumed_tail
                total += len(out)
                yield out
                _limit(total)
    except zlib.error as error:
        if gzipped or total > _CHANCE:
            raise PackedError(str(error)) from error
    if not machine.eof and (gzipped or total > _CHANCE):
        raise PackedError("it ends too early")


def _limit(total: int) -> None:
    if total > LIMIT:
        raise PackedError(f"it unpacks to more than {LIMIT} bytes")


def _zipped(parts: Iterable[bytes]) -> Iterator[Member]:
    held = io.BytesIO()
    for part in parts:
        if held.write(part) and held.tell() > ZIP_LIMIT:
            raise PackedError(f"it is larger than {ZIP_LIMIT} bytes")
    total = 0
    with zipfile.ZipFile(held) as archive:
        for info in archive.infolist():
            total += info.file_size
            _limit(total)
            with archive.open(info) as stream:
                yield Member(info.filename, iter(lambda s=stream: _next(s), b""))  # type: ignore[misc]


def _next(stream: io.BufferedIOBase) -> bytes:
    try:
        return stream.read(PART)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise PackedError(str(error)) from error


def held(parts: Iterable[bytes], limit: int = ZIP_LIMIT) -> list[bytes]:
    """Take a stream into memory.

    Raises:
        PackedError: it is longer than the limit.
    """
    taken, total = [], 0
    for part in parts:
        total += len(part)
        if total > limit:
            raise PackedError(f"it is larger than {limit} bytes")
        taken.append(part)
    return taken


def peeked(parts: Iterable[bytes], size: int) -> tuple[bytes, Iterator[bytes]]:
    """Give the first bytes of a stream (at least `size`, if there are), and the whole stream."""
    rest = iter(parts)
    start = b""
    for part in rest:
        start += part
        if len(start) >= size:
            break
    return start, chain([start], rest)
