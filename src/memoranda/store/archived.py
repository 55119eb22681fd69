"""An archive, read: what it gives is checked against its manifest, its hashes and its commitments."""

from __future__ import annotations

import hashlib
import hmac
import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from memoranda.errors import DamagedError, FormatError
from memoranda.store import schema
from memoranda.store.log import LETTERS, Record, link

FORMAT = 1
MANIFEST, RECORDS, DIGESTS, SCOPE, FORGOTTEN = (
    "manifest.json", "records.jsonl", "digests.jsonl", "scope.json", "erased.jsonl",
)  # fmt: skip
LONGEST = 256 * 1024 * 1024
"""A longer line is none of ours."""
_BROKEN = (KeyError, zipfile.BadZipFile, NotImplementedError, OSError, EOFError, zlib.error)
"""What reading a damaged zip file raises."""


class Archive:
    """An archive that is open to read. What it gives is not verified before `verify` has ended."""

    def __init__(self, path: Path, packed: zipfile.ZipFile) -> None:
        self._path = path
        self._packed = packed
        self.manifest = self._json(MANIFEST)
        if not isinstance(self.manifest, dict) or "memoranda_archive" not in self.manifest:
            raise self._fault("it has no manifest of ours")
        if self.manifest["memoranda_archive"] > FORMAT:
            raise self._fault("a newer version made it; upgrade memoranda")
        if self.manifest.get("database_format", 0) > schema.FORMAT:
            raise self._fault("a newer version made it; upgrade memoranda")

    def _fault(self, reason: str) -> FormatError:
        return FormatError(str(self._path), f"can't be used as an archive: {reason}")

    def _json(self, name: str) -> Any:  # noqa: ANN401 - what JSON holds
        try:
            with self._packed.open(name) as stream:
                return json.loads(stream.read(LONGEST))
        except (*_BROKEN, ValueError, RecursionError) as error:
            raise self._fault(f"{name} can't be read") from error

    def lines(self, name: str) -> Iterator[bytes]:
        """Give the lines of a member; ends with an error if its bytes are not those of the manifest."""
        told = self.manifest["members"].get(name) or {}
        digest, size = hashlib.sha256(), 0
        try:
            with self._packed.open(name) as stream:
                for line in _split(stream):
                    if len(line) > LONGEST:
                        raise self._fault(f"{name} has a line that is too long")
                    digest.update(line)
                    size += len(line)
                    yield line
        except _BROKEN as error:
            raise self._fault(f"{name} can't be read: {error}") from error
        if (size, digest.hexdigest()) != (told.get("bytes"), told.get("sha256")):
            raise self._fault(f"{name} is not what the manifest says; it is damaged or cut")

    def records(self) -> Iterator[Mapping[str, Any]]:
        """Give the records, each checked against its commitment and the chain of hashes."""
        scope = self.scope()["scope_id"].decode()
        kinds: Counter[str] = Counter()
        chain, last = b"", 0
        for line in self.lines(RECORDS):
            item = self._parsed(line)
            if item["position"] != last + 1:
                raise self._fault(f"record {last + 1} is missing")
            if item["kind"] not in LETTERS:
                raise self._fault(f"record {last + 1} is of a kind that this version does not know")
            chain = link(chain, _envelope(item), bytes.fromhex(item["commitment"]), scope)
            if chain.hex() != item["chain"]:
                raise self._fault(f"record {last + 1} does not fit the chain of hashes")
            _sound_item(item)
            last += 1
            kinds[item["kind"]] += 1
            yield item
        told = self.manifest
        found = (last, dict(kinds), chain.hex())
        if found != (told["position"], dict(told["kinds"]), told["chain"]):
            raise self._fault("records are missing at its end")

    def _parsed(self, line: bytes) -> Any:  # noqa: ANN401 - what JSON holds
        try:
            return json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self._fault("a line is not JSON") from error

    def digests(self) -> Iterator[tuple[str, bytes, int]]:
        """Give the keyed digests by which events are found again."""
        for line in self.lines(DIGESTS):
            kind, digest, position = self._parsed(line)
            yield kind, bytes.fromhex(digest), position

    def scope(self) -> dict[str, bytes]:
        """Give the id and the key of the scope."""
        data = self._parsed(b"".join(self.lines(SCOPE)))
        return {name: bytes.fromhex(data[name]) for name in ("scope_id", "key")}

    def ledger(self) -> bytes:
        """Give the ledger of what was forgotten."""
        return b"".join(self.lines(FORGOTTEN))

    def read_through(self) -> None:
        """Read, and so verify, all of it."""
        for _ in self.records():
            pass
        for _ in self.digests():
            pass
        self.ledger()


@contextmanager
def unzipped(path: Path, stream: IO[bytes]) -> Iterator[Archive]:
    """Open an archive.

    Args:
        path: its name, for messages.
        stream: its bytes.

    Raises:
        FormatError: it is none, or a newer version made it.
    """
    try:
        packed = zipfile.ZipFile(stream)
    except (*_BROKEN, ValueError) as error:
        raise FormatError(str(path), "it is no archive, or a damaged one") from error
    with packed:
        yield Archive(path, packed)


def _split(stream: IO[bytes]) -> Iterator[bytes]:
    while line := stream.readline(LONGEST + 1):
        yield line


def _envelope(item: Mapping[str, Any]) -> Record:
    return Record(
        position=item["position"],
        kind=item["kind"],
        record_id=item["id"],
        recorded=item["recorded"],
        size=item["size"],
        body=None,
    )


def _sound_item(item: Mapping[str, Any]) -> None:
    gone = item["erased"]
    vouched = (gone or {}).get("commitment") or item["commitment"]
    key = bytes.fromhex(item["key"] or "")
    body = None if item["body"] is None else item["body"].encode()
    sound(item["position"], key, body, bytes.fromhex(vouched), gone=gone)


def sound(position: int, key: Any, body: bytes | None, vouched: bytes, *, gone: Any) -> None:  # noqa: ANN401
    """Refuse a payload that does not match its commitment, or is missing without a tombstone."""
    if body is None:
        if gone is None:
            raise DamagedError(position, "its payload is missing")
        return
    if not hmac.compare_digest(hmac.digest(bytes(key), body, "sha256"), bytes(vouched)):
        raise DamagedError(position, "its payload does not match its commitment")
