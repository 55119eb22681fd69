"""How far two libraries made of the same events differ: what stands together, what replaces what (R202)."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

from memoranda.store.home import Home
from memoranda.values import LOG


@dataclass(frozen=True, slots=True)
class Shape:
    """What is compared of a library, in terms of the events that it was made of."""

    together: Mapping[str, str]
    """Event id -> the document that holds most of its entries; an event in none is missing."""
    replaced: frozenset[tuple[str, str]]
    """(event id of what was replaced, event id of what replaced it)."""
    documents: int
    entries: int
    """Lines that hold now."""
    catalog: tuple[str, ...]


def shape_of(home: Home, names: Mapping[str, str]) -> Shape:
    """Look at a library as it stands.

    Args:
        home: the scope, inside a snapshot.
        names: event id -> the id under which it is compared; those without one are left out.
    """
    db = home.log.connection
    rows = db.execute(
        "SELECT event_id, seq, line, document_id FROM entry JOIN entry_event USING (seq) "
        "WHERE erased IS NULL AND line > 0 ORDER BY seq, event"
    ).fetchall()
    held: dict[str, Counter[str]] = {}
    events: dict[int, str] = {}
    for row in rows:
        name = names.get(row["event_id"])
        if name is None:
            continue
        events.setdefault(row["seq"], name)
        if row["document_id"] not in {None, LOG}:
            held.setdefault(name, Counter())[row["document_id"]] += 1
    links = db.execute(
        "SELECT entry.seq, head.superseded_by FROM entry JOIN entry AS head ON head.seq = entry.line "
        "WHERE head.superseded_by IS NOT NULL"
    )
    return Shape(
        together={name: _most(counts) for name, counts in held.items()},
        replaced=frozenset(
            (events[older], events[newer])
            for older, newer in links
            if older in events and newer in events
        ),
        documents=home.view.count("documents"),
        entries=_holding(home),
        catalog=tuple(_catalog(home)),
    )


def _most(counts: Counter[str]) -> str:
    return min(counts, key=lambda name: (-counts[name], len(name), name))


def _holding(home: Home) -> int:
    row = home.log.connection.execute(
        "SELECT count(*) FROM entry WHERE line = seq AND superseded_by IS NULL "
        "AND retracted IS NULL AND erased IS NULL AND document_id IS NOT ?",
        (LOG,),
    ).fetchone()
    return int(row[0])


def _catalog(home: Home) -> list[str]:
    infos = sorted(home.view.documents(), key=lambda info: (info.title, info.document_id))
    lines = []
    for info in infos:
        number = "1 entry" if info.entry_count == 1 else f"{info.entry_count} entries"
        project = f", project {info.project}" if info.project else ""
        lines += [f"{info.title} ({number}{project})", f"    {info.summary}"]
    return lines


def agreement(one: Mapping[str, str], two: Mapping[str, str]) -> float:
    """Say how far two groupings agree: 0 to 1; 1 when no two events stand together in either.

    Of all pairs of events that stand in one document, in one grouping or the other, it is the part
    that does in both.
    """
    both = _pairs(Counter((one[name], two[name]) for name in one.keys() & two.keys()))
    either = _pairs(Counter(one.values())) + _pairs(Counter(two.values())) - both
    return both / either if either else 1.0


def _pairs(sizes: Counter[tuple[str, str]] | Counter[str]) -> int:
    return sum(comb(size, 2) for size in sizes.values())


def differences(one: Shape, two: Shape) -> str:
    """Compare two catalogs, line by line; "" when they are the same."""
    found = difflib.unified_diff(
        one.catalog, two.catalog, "as it stands", "made again", lineterm="", n=1
    )
    return "\n".join(found)
