"""Why a plan should wait for a person: each risk as a sentence and the entries that it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from memoranda.store.operations import (
    Create,
    Duplicate,
    Join,
    Merge,
    Plan,
    Split,
    Supersede,
    Text,
    Update,
)
from memoranda.text.risk import asks_to_forget, kinds
from memoranda.values import SENSITIVITIES, Entry
from memoranda.write.standing import Catalog

Risk = tuple[str, frozenset[int]]
"""A sentence without a word of any entry, and the entries to hold back; none: the whole plan."""
LARGE = 0.2
"""A larger part of a document's lines is not replaced by one plan that rules did not make."""
FEW = 3
"""So few replaced lines are never a large part."""


def by_rules(plan: Plan) -> bool:
    """Say whether rules made a plan, by deciding in code what replaces what."""
    return plan.by.startswith("rules/")


def risks(plan: Plan, catalog: Catalog) -> Iterator[Risk]:
    """Give every risk of a plan beyond projects and voices (R228-R231, R271, R272)."""
    for operation in plan.operations:
        match operation:
            case Supersede():
                yield from _confirmed(operation, plan, catalog)
                yield from _high_risk(operation, plan, catalog)
                if _differ(operation.older, operation.newer, catalog):
                    pair = f"entry {operation.newer} would replace {operation.older}"
                    yield f"{pair}, which has other permissions", window_side(operation, plan)
            case Duplicate(seq=seq, of=of):
                yield from _less_sensitive(seq, of, catalog)
                yield from _in_line(of, (seq,), catalog)
            case Join(seqs=seqs):
                yield from _in_line(seqs[0], seqs[1:], catalog)
            case Create() | Update() | Merge() | Split():
                yield from _names(operation, catalog)
    yield from _placements(plan, catalog)
    yield from _large(plan, catalog)


def requests(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Warn of entries that ask for a deletion: an event never deletes anything (R229)."""
    return tuple(
        f"entry {entry.seq} asks that something be deleted or forgotten: nothing was; "
        "use forget or retract"
        for entry in entries
        if asks_to_forget(entry.text)
    )


# --- what replaces what -------------------------------------------------------------------------


def window_side(link: Supersede, plan: Plan) -> frozenset[int]:
    """Name the entry to hold back so that a replacement waits: the newer one, if it is to be placed."""
    return frozenset({link.newer if link.newer in plan.window else link.older})


def _confirmed(link: Supersede, plan: Plan, catalog: Catalog) -> Iterator[Risk]:
    newer = catalog.entries.get(link.newer)
    if link.older in catalog.confirmed and newer is not None and newer.source != "user":
        text = f"entry {link.newer} ({newer.source}) would replace {link.older}, which a user confirmed"
        yield text, window_side(link, plan)


def _high_risk(link: Supersede, plan: Plan, catalog: Catalog) -> Iterator[Risk]:
    """Let what replaces high-risk information wait, unless rules read it in a user's own words."""
    older, newer = catalog.entries.get(link.older), catalog.entries.get(link.newer)
    if older is None or newer is None or (by_rules(plan) and newer.source == "user"):
        return
    found = kinds(older.text)
    if found:
        text = f"entry {link.newer} would replace {link.older} (high risk: {', '.join(found)})"
        yield text, window_side(link, plan)


def _large(plan: Plan, catalog: Catalog) -> Iterator[Risk]:
    """Let a plan wait that would make much of a document a thing of the past."""
    if by_rules(plan):
        return
    links = {op.older: op.newer for op in plan.operations if isinstance(op, Supersede)}
    lost: Counter[str] = Counter()
    for older in links:
        entry = catalog.entries.get(older)
        if entry is not None and entry.superseded_by is None and entry.document_id is not None:
            lost[entry.document_id] += 1
    for name in sorted(lost):
        info = catalog.documents.get(name)
        whole = info.entry_count if info is not None else 0
        if lost[name] >= FEW and lost[name] > LARGE * whole > 0:
            yield (
                f"{lost[name]} of {whole} lines of {name} would be replaced by one plan",
                frozenset(),
            )


# --- who may see what ---------------------------------------------------------------------------


def _less_sensitive(seq: int, of: int, catalog: Catalog) -> Iterator[Risk]:
    one, two = catalog.entries.get(seq), catalog.entries.get(of)
    if one is None or two is None:
        return
    if SENSITIVITIES.index(one.sensitivity) > SENSITIVITIES.index(two.sensitivity):
        text = (
            f"entry {seq} ({one.sensitivity}) would stand in the line of {of} ({two.sensitivity})"
        )
        yield text, frozenset({seq})


def _differ(one: int, two: int, catalog: Catalog) -> bool:
    return catalog.permissions.get(one) != catalog.permissions.get(two)


def _in_line(of: int, seqs: Iterable[int], catalog: Catalog) -> Iterator[Risk]:
    for seq in seqs:
        if _differ(of, seq, catalog):
            text = f"entry {seq} would stand in the line of {of}, which has other permissions"
            yield text, frozenset({seq})


def _names(operation: Create | Update | Merge | Split, catalog: Catalog) -> Iterator[Risk]:
    """Look at what titles and summaries are made of: catalogs show them to all who read."""
    texts: list[tuple[str, Text | None]] = [
        (operation.document_id, operation.title),
        (operation.document_id, operation.summary),
    ]
    if isinstance(operation, Split):
        texts += [(part.document_id, part.title) for part in operation.parts]
        texts += [(part.document_id, part.summary) for part in operation.parts]
    for name, text in texts:
        made_from = () if text is None else text.made_from
        entries = [catalog.entries[seq] for seq in made_from if seq in catalog.entries]
        secret = [entry.seq for entry in entries if entry.sensitivity == "private"]
        if secret and name in catalog.mixed:
            yield (
                f"title or summary of {name} would be made from private entries {secret}",
                frozenset(),
            )


def _placements(plan: Plan, catalog: Catalog) -> Iterator[Risk]:
    """Keep entries with unlike permissions in documents of their own."""
    if not catalog.permissions:
        return
    for operation in plan.operations:
        if isinstance(operation, Create | Update):
            seqs = [seq for block in operation.blocks for seq in block.seqs]
            own = Counter(catalog.permissions.get(seq, "") for seq in seqs)
            usual = {max(sorted(own), key=lambda kind: own[kind])} if own else set()
            there = catalog.restrictions.get(operation.document_id) or usual
            for seq in seqs:
                if {catalog.permissions.get(seq, "")} != there:
                    text = f"entry {seq} would enter {operation.document_id}, which has other permissions"
                    yield text, frozenset({seq})
