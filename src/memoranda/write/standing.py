"""What policy looks at: the documents and entries that a plan names, as they stand before it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memoranda.store.log import CANONICAL, Log
from memoranda.store.operations import Create, Merge, Operation, Plan, Split, Supersede, Update
from memoranda.store.parking import named
from memoranda.store.view import View
from memoranda.values import DocumentInfo, Entry
from memoranda.write.admit import changed_documents
from memoranda.write.supersede import stated_keys

PERMISSION = frozenset(
    {
        "access", "acl", "allow", "allowed", "audience", "deny", "permission", "permissions",
        "readers", "roles", "visibility", "visible_to", "writers",
    }
)  # fmt: skip
"""Names in an event's metadata that say who may see or change it (R230)."""
CONFIRMED = frozenset({"confirmed", "confirmed_by"})
"""Names in an event's metadata that say that a user confirmed it (R231)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The documents and entries that a plan names; what a rule is given beside the plan."""

    documents: Mapping[str, DocumentInfo] = field(default_factory=dict)
    entries: Mapping[int, Entry] = field(default_factory=dict)
    """Entry -> its line as it stands: text, source, sensitivity, project, document."""
    permissions: Mapping[int, str] = field(default_factory=dict)
    """Entry -> what its event's metadata says of permissions, as JSON; entries without are missing."""
    restrictions: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Document -> what its lines say of permissions, "" for nothing; empty if the plan's say nothing."""
    stated: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Entry that replaces another or is replaced -> the keys that an extraction gave it, if any."""
    confirmed: frozenset[int] = frozenset()
    """Entries of which the metadata says that a user confirmed them."""
    mixed: frozenset[str] = frozenset()
    """Documents that would hold private lines that hold now, and others."""


NOTHING = Catalog()


def catalog_of(plan: Plan, view: View, log: Log) -> Catalog:
    """Collect what policy looks at. Entries that are not there are left out."""
    names = {name for operation in plan.operations for name in changed_documents(operation)}
    infos = {name: view.document(name) for name in sorted(names | set(plan.versions))}
    seqs = named(plan)
    places = view.places(seqs)
    lines = view.entries(place.line for place in places.values())
    entries = {seq: lines[place.line] for seq, place in places.items() if place.line in lines}
    permissions, confirmed = _metadata(seqs, log)
    secret = {seq for seq, place in places.items() if place.sensitivity == "private"}
    return Catalog(
        documents={name: info for name, info in infos.items() if info is not None},
        entries=entries,
        permissions=permissions,
        restrictions=_restrictions(sorted(names), log) if permissions else {},
        stated=stated_keys(view, _ends(plan)),
        confirmed=confirmed,
        mixed=_mixed(plan, log) if secret else frozenset(),
    )


def _ends(plan: Plan) -> list[int]:
    links = [op for op in plan.operations if isinstance(op, Supersede)]
    return sorted({seq for link in links for seq in (link.older, link.newer)})


def _metadata(seqs: Iterable[int], log: Log) -> tuple[dict[int, str], frozenset[int]]:
    rows = log.connection.execute(
        "SELECT entry_event.seq, iif(json_valid(body), json_extract(body, '$.metadata'), '{}') "
        "AS metadata FROM entry_event JOIN payload ON payload.position = event "
        "WHERE entry_event.seq IN (SELECT value FROM json_each(?)) AND metadata <> '{}' "
        "ORDER BY entry_event.seq, event",
        (json.dumps(sorted(seqs)),),
    )
    permissions: dict[int, str] = {}
    confirmed: set[int] = set()
    for seq, text in rows:
        given = {name.casefold(): value for name, value in json.loads(text).items()}
        said = {name: given[name] for name in sorted(PERMISSION & given.keys())}
        if said:
            permissions[seq] = CANONICAL.encode(said)
        if any(given[name] for name in CONFIRMED & given.keys()):
            confirmed.add(seq)
    return permissions, frozenset(confirmed)


def _restrictions(documents: Iterable[str], log: Log) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for name in documents:
        rows = log.connection.execute("SELECT seq FROM entry WHERE document_id = ?", (name,))
        seqs = [row[0] for row in rows]
        permissions, _ = _metadata(seqs, log)
        found[name] = frozenset(permissions.get(seq, "") for seq in seqs)
    return found


# --- private lines among others -----------------------------------------------------------------


def _mixed(plan: Plan, log: Log) -> frozenset[str]:
    """Name the documents in which lines that are not private would hold, beside private ones."""
    leaving = {op.older for op in plan.operations if isinstance(op, Supersede)}
    found: set[str] = set()
    for operation in plan.operations:
        moving = _moving(operation)
        for name, wheres in _contents(operation).items():
            levels = {
                row["sensitivity"] == "private"
                for column, values in wheres
                for row in log.connection.execute(
                    "SELECT seq, block, sensitivity FROM entry WHERE line = seq "
                    "AND superseded_by IS NULL AND retracted IS NULL "
                    f"AND {column} IN (SELECT value FROM json_each(?))",
                    (json.dumps(values),),
                )
                if row["seq"] not in leaving
                and not (column == "document_id" and row["block"] in moving)
            }
            if levels == {True, False}:
                found.add(name)
    return frozenset(found)


def _moving(operation: Operation) -> frozenset[int]:
    """Name the blocks that a split takes out of a document."""
    if not isinstance(operation, Split):
        return frozenset()
    return frozenset(block for part in operation.parts for block in part.blocks)


_Where = tuple[str, list[int] | list[str]]


def _contents(operation: Operation) -> dict[str, list[_Where]]:
    """Say where to find the lines that a document would hold: by column, and values of it."""
    match operation:
        case Create(document_id=name, blocks=blocks):
            return {name: [("seq", [seq for block in blocks for seq in block.seqs])]}
        case Update(document_id=name, blocks=blocks):
            new = [seq for block in blocks for seq in block.seqs]
            return {name: [("seq", new), ("document_id", [name])]}
        case Merge(document_id=name, absorbs=absorbs):
            return {name: [("document_id", [name, *absorbs])]}
        case Split(document_id=name, parts=parts):
            own: dict[str, list[_Where]] = {
                part.document_id: [("block", list(part.blocks))] for part in parts
            }
            return {name: [("document_id", [name])], **own}
        case _:
            return {}
