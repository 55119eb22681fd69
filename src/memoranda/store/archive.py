"""One portable archive of a scope: every record with payload, key and commitment, and the ledger."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from memoranda.errors import InputError, StoreError
from memoranda.inspections import Exported, Unpacked
from memoranda.store import schema
from memoranda.store.archived import (
    DIGESTS,
    FORGOTTEN,
    FORMAT,
    MANIFEST,
    RECORDS,
    SCOPE,
    Archive,
    sound,
    unzipped,
)
from memoranda.store.backup import checked_target, remember
from memoranda.store.files import Files, look, opened
from memoranda.store.home import Home
from memoranda.store.ledger import LEDGER, parse, print_items
from memoranda.store.log import LETTERS

EVERY = 500
"""Records between two calls of `progress`."""
_WHEN = (1980, 1, 1, 0, 0, 0)
_RECORDS = (
    "SELECT record.position, kind, id, recorded, size, record.commitment AS commitment, chain, key,"
    " CAST(body AS BLOB) AS body, erased.by AS by, erased.at AS at, erased.commitment AS left "
    "FROM record LEFT JOIN payload USING (position) LEFT JOIN erased USING (position) "
    "ORDER BY record.position"
)

Progress = Callable[[int, int], None]


# --- making ---------------------------------------------------------------------------------------


def export(home: Home, target: Path, *, progress: Progress | None = None) -> Exported:
    """Write the whole log of a scope into a new file, and verify it before it gets its name.

    Args:
        home: the scope; others may go on writing.
        target: the new file, outside the data folder, in a folder that exists.
        progress: called with (records done, all records).

    Raises:
        InputError: the target exists, is a folder, or lies in a folder of a scope.
        DamagedError: a record fails its check: an archive without it would be a lie.
        StoreError: a record is of a kind that can't be exported, or the file can't be written.
    """
    path = checked_target(home, target)
    packed = BytesIO()
    with home.log.snapshot() as position:
        made = _written(home, packed, position, progress)
    _verify(path, packed, made)
    remember(home, path, position)
    data = packed.getvalue()
    if not Files(path.parent).create(path, data):
        raise InputError(f"{path} exists already; an export never replaces anything")
    return Exported(
        path=str(path),
        position=position,
        records=sum(made["kinds"].values()),
        kinds=made["kinds"],
        bytes=len(data),
        chain=made["chain"],
    )


def _written(
    home: Home, packed: BytesIO, position: int, progress: Progress | None
) -> Mapping[str, Any]:
    """Write every member, then the manifest with their hashes; gives the manifest."""
    ledger = home.files.read(home.folder / LEDGER) or b""
    kinds: Counter[str] = Counter()
    chain = [""]
    sources: dict[str, Iterator[bytes]] = {
        RECORDS: _record_lines(home, position, kinds, chain, progress),
        DIGESTS: _digest_lines(home),
        SCOPE: iter([_line({name: home.log.meta(name).hex() for name in ("scope_id", "key")})]),
        FORGOTTEN: iter([ledger]),
    }
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        told = {name: _member(archive, name, lines) for name, lines in sources.items()}
        manifest = {
            "memoranda_archive": FORMAT,
            "database_format": schema.FORMAT,
            "made": home.log.now(),
            "position": position,
            "chain": chain[0],
            "kinds": dict(sorted(kinds.items())),
            "members": told,
        }
        _member(archive, MANIFEST, iter([_line(manifest)]))
    return manifest


def _member(archive: zipfile.ZipFile, name: str, lines: Iterator[bytes]) -> dict[str, int | str]:
    digest, size = hashlib.sha256(), 0
    info = zipfile.ZipInfo(name, _WHEN)
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
    with archive.open(info, "w", force_zip64=True) as stream:
        for line in lines:
            stream.write(line)
            digest.update(line)
            size += len(line)
    return {"bytes": size, "sha256": digest.hexdigest()}


def _line(value: Any) -> bytes:  # noqa: ANN401 - what JSON holds
    return json.dumps(value, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def _record_lines(
    home: Home,
    total: int,
    kinds: Counter[str],
    chain: list[str],
    progress: Progress | None,
) -> Iterator[bytes]:
    """Give a line for each record, checked; counts them by kind and keeps the last hash."""
    for row in home.log.connection.execute(_RECORDS):
        position, kind = row["position"], row["kind"]
        if kind not in LETTERS:
            raise StoreError(f"record {position} is of kind {kind!r}, which can't be exported")
        body = None if row["body"] is None else bytes(row["body"])
        sound(position, row["key"], body, row["left"] or row["commitment"], gone=row["by"])
        kinds[kind] += 1
        chain[0] = bytes(row["chain"]).hex()
        yield _line(
            {
                "position": position,
                "kind": kind,
                "id": row["id"],
                "recorded": row["recorded"],
                "size": row["size"],
                "commitment": bytes(row["commitment"]).hex(),
                "chain": chain[0],
                "key": None if body is None else bytes(row["key"]).hex(),
                "body": None if body is None else body.decode(),
                "erased": _erased(row),
            }
        )
        if progress is not None and (position % EVERY == 0 or position == total):
            progress(position, total)


def _erased(row: Any) -> dict[str, Any] | None:  # noqa: ANN401 - a row
    if row["by"] is None:
        return None
    left = None if row["left"] is None else bytes(row["left"]).hex()
    return {"by": row["by"], "at": row["at"], "commitment": left}


def _digest_lines(home: Home) -> Iterator[bytes]:
    rows = home.log.connection.execute(
        "SELECT kind, digest, position FROM digest ORDER BY kind, digest, position"
    )
    for kind, digest, position in rows:
        yield _line([kind, bytes(digest).hex(), position])


def _verify(path: Path, packed: BytesIO, made: Mapping[str, Any]) -> None:
    """Read back what was written."""
    with unzipped(path, packed) as archive:
        if archive.manifest != json.loads(json.dumps(made)):
            raise StoreError(f"{path}: what was written does not read the same; try again")
        archive.read_through()


# --- taking in ------------------------------------------------------------------------------------


def unpack(home: Home, source: Path, *, progress: Progress | None = None) -> Unpacked:
    """Take an archive into an empty scope, whole or not at all. Call it under the scope's lock.

    A scope that holds the archive's records already, and perhaps more, is left as it is.

    Raises:
        InputError: the scope holds something else.
        FormatError: it is no archive, a damaged one, or a newer version's.
        DamagedError: one of its records fails its check.
    """
    if look(source) != "file":
        raise InputError(f"{source} is no file; name an archive that `export` made")
    with opened(source) as stream, unzipped(source, stream) as archive:
        added = 0 if _is_known(home, archive) else _taken(home, archive, progress)
        if added:
            _merge_ledger(home, archive)
        told = archive.manifest
    remember(home, source.absolute(), told["position"])
    return Unpacked(
        path=str(source.absolute()),
        added=added,
        position=home.log.position(),
        kinds=told["kinds"],
        chain=told["chain"],
    )


def _is_known(home: Home, archive: Archive) -> bool:
    """Say whether the scope holds the archive's log already; refuse one that holds another."""
    have, told = home.log.position(), archive.manifest
    if not have:
        return not told["position"]
    archive.read_through()
    row = home.log.connection.execute(
        "SELECT hex(chain) FROM record WHERE position = ?", (told["position"],)
    ).fetchone()
    if row is not None and row[0].lower() == told["chain"]:
        return True
    raise InputError(
        "this scope holds other memories; take the archive into an empty one "
        "(another --user, --workspace or --root)"
    )


def _taken(home: Home, archive: Archive, progress: Progress | None) -> int:
    """Write all records, then fold them: one transaction."""
    try:
        with home.log.transaction():
            done = _folded(home, archive, progress)
    except BaseException:
        home.log.recall()
        raise
    home.view.forget_prints()
    home.drop_index()
    return done


def _folded(home: Home, archive: Archive, progress: Progress | None) -> int:
    log, total, done = home.log, archive.manifest["position"], 0
    if log.position():
        raise InputError("another process has begun to use this scope; try again with another")
    archive.ledger()  # which is verified with the rest, before anything stands
    log.adopt(archive.scope())
    for item in archive.records():
        _insert(home, item)
    log.connection.executemany("INSERT INTO digest VALUES (?, ?, ?)", archive.digests())
    for record in log.records():
        home.fold.apply(record)
        done += 1
        if progress is not None and (done % EVERY == 0 or done == total):
            progress(done, total)
    return done


def _insert(home: Home, item: Mapping[str, Any]) -> None:
    db, position = home.log.connection, item["position"]
    db.execute(
        "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            position,
            item["kind"],
            item["id"],
            item["recorded"],
            item["size"],
            bytes.fromhex(item["commitment"]),
            bytes.fromhex(item["chain"]),
        ),
    )
    gone = item["erased"]
    if gone is not None:
        left = None if gone["commitment"] is None else bytes.fromhex(gone["commitment"])
        db.execute(
            "INSERT INTO erased VALUES (?, ?, ?, ?)", (position, gone["by"], gone["at"], left)
        )
    if item["body"] is not None:
        db.execute(
            "INSERT INTO payload VALUES (?, ?, ?)",
            (position, bytes.fromhex(item["key"]), item["body"]),
        )


def _merge_ledger(home: Home, archive: Archive) -> None:
    """Add what the archive knows to be forgotten to what the scope's folder knows already."""
    known = home.files.read(home.folder / LEDGER) or b""
    items = {**parse(archive.ledger()), **parse(known)}
    wanted = print_items(items.values())
    if wanted and wanted != known:
        home.files.write(home.folder / LEDGER, wanted)
