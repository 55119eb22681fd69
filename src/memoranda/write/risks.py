"""Why a plan should wait for a person: each risk as a sentence and the entries that it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from memoranda.store.operations import (
    Arrange,
    Classify,
    Create,
    Duplicate,
    Gathers,
    Join,
    Key,
    LeaveOut,
    Merge,
    Plan,
    Release,
    Replace,
    Reword,
    Split,
    Supersede,
    Text,
    Update,
    Withdraw,
    Withhold,
)
from memoranda.text.risk import asks_to_forget, kinds
from memoranda.values import SENSITIVITIES, Entry
from memoranda.write.standing import Catalog
from memoranda.write.supersede import is_sure

Risk = tuple[str, frozenset[int]]
"""A sentence without a word of any entry, and the entries to hold back; none: the whole plan."""
Trust = Literal["rules", "model"]
"""Whose word on what replaces what needs no approval."""
LARGE = 0.2
"""A larger part of a document's lines is not replaced by one plan that rules did not make."""
FEW = 3
"""So few replaced lines are never a large part."""
_NO_KEYS: frozenset[str] = frozenset()


def by_rules(plan: Plan) -> bool:
    """Say whether rules made a plan, by deciding in code what replaces what."""
    return plan.by.startswith("rules/")


def risks(plan: Plan, catalog: Catalog, *, trust: Trust = "rules") -> Iterator[Risk]:
    """Give every risk of a plan beyond projects and voices (R228-R231, R271, R272)."""
    for operation in plan.operations:
        match operation:
            case Supersede():
                if trust == "rules" and not by_rules(plan):
                    yield from _on_a_models_word(operation, plan, catalog)
                yield from _replacing(operation, plan, catalog)
            case Create() | Update() | Merge() | Split():
                yield from _names(operation, catalog)
            case Classify() | Withhold() | Arrange() | Release() | Replace() | Withdraw():
                pass  # policy looks at the first; the others are not proposed by anyone
            case _:
                yield from _gathering(operation, catalog)
    yield from _placements(plan, catalog)
    yield from _large(plan, catalog)


def _replacing(link: Supersede, plan: Plan, catalog: Catalog) -> Iterator[Risk]:
    yield from _confirmed(link, plan, catalog)
    yield from _high_risk(link, plan, catalog)
    if _differ(link.older, link.newer, catalog):
        pair = f"entry {link.newer} would replace {link.older}"
        yield f"{pair}, which has other permissions", window_side(link, plan)


def _gathering(operation: Gathers, catalog: Catalog) -> Iterator[Risk]:
    match operation:
        case Duplicate(seq=seq, of=of):
            yield from _less_sensitive(seq, of, catalog)
            yield from _in_line(of, (seq,), catalog)
        case Join(seqs=seqs) | Reword(seqs=seqs):
            yield from _in_line(seqs[0], seqs[1:], catalog)
        case LeaveOut(seq=seq) if seq in catalog.permissions:
            yield f"entry {seq} has permissions and would be left out", frozenset({seq})
        case LeaveOut() | Key():
            pass


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


def _is_sure(link: Supersede, catalog: Catalog) -> bool:
    """Say whether code can see for itself that one statement replaces the other, or sees neither."""
    older, newer = catalog.entries.get(link.older), catalog.entries.get(link.newer)
    keys = catalog.stated
    stated = bool(keys.get(link.older, _NO_KEYS) & keys.get(link.newer, _NO_KEYS))
    return older is None or newer is None or is_sure(older, newer, stated=stated)


def _on_a_models_word(link: Supersede, plan: Plan, catalog: Catalog) -> Iterator[Risk]:
    """Let a replacement wait that code can't see for itself."""
    if _is_sure(link, catalog):
        return
    text = f"entry {link.newer} would replace {link.older}, on the word of a model only"
    yield text, window_side(link, plan)


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
    links = {
        op.older: op.newer
        for op in plan.operations
        if isinstance(op, Supersede) and not _is_sure(op, catalog)
    }
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
