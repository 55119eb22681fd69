"""Two customers' billing projects in one scope: how many of 200 facts land with the other customer's."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from typing import Any

from memoranda import Memory, NewEvent, Settings

CUSTOMERS = ("Fernhollow", "Quillmark")
THINGS = (
    *("invoice run", "credit limit", "payment term", "dunning letter", "VAT number", "late fee"),
    *("billing contact", "discount", "purchase order", "refund", "invoice template", "currency"),
    *("billing API key", "webhook", "retry policy", "tax rate", "cost centre", "price list"),
)
VERBS = ("is set to", "must stay at", "will move to", "is reviewed by finance at")
VALUES = (
    *("30 days", "the 3rd of the month", "5 percent", "EUR", "10,000", "PDF", "quarterly"),
    *("net 14", "the new portal", "two approvals", "CSV", "weekly", "staging first"),
)
SMALL = Settings(current_tokens=600, split_tokens=900, merge_tokens=200)


def run(*, seeds: int = 3) -> dict[str, Any]:
    """Place 200 facts with and without project labels, and count those that cross."""
    rows = []
    for labelled, sessions, named in (
        (True, 1, 0.0),
        (True, 4, 0.5),
        (False, 4, 1.0),
        (False, 4, 0.7),
        (False, 1, 1.0),
        (False, 1, 0.7),
    ):
        crossed = [_crossed(seed, labelled, sessions, named) for seed in range(1, seeds + 1)]
        rows.append(
            {"labelled": labelled, "facts_a_session": sessions, "named": named, "crossed": crossed}
        )
        print(
            f"two customers, 200 facts, {'project labels' if labelled else 'no labels'}, {sessions} "
            f"a session, customer named in {named:.0%}: {', '.join(map(str, crossed))} cross"
        )
    kept = all(not any(row["crossed"]) for row in rows if row["labelled"])
    return {
        "rows": rows,
        "bound": {
            "figure": "crossed with labels",
            "value": sum(sum(row["crossed"]) for row in rows if row["labelled"]),
            "bound": "== 0",
            "met": kept,
        },
    }


def _crossed(seed: int, labelled: bool, sessions: int, named: float) -> int:  # noqa: FBT001
    chance = random.Random(seed)  # noqa: S311 - made-up text
    events = []
    for number in range(200):
        customer = CUSTOMERS[(number // sessions) % 2]
        name = f"{customer} " if chance.random() < named else ""
        what = f"{chance.choice(THINGS)} {chance.choice(VERBS)} {chance.choice(VALUES)}"
        events.append(
            NewEvent(
                content=f"The {name}billing {what}.",
                time="2026-03-01",
                session=f"s{number // sessions}",
                project=f"billing-{customer.lower()}" if labelled else None,
                external_id=f"{customer}:{number}",
            )
        )
    crossed = 0
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, settings=SMALL) as memory:
        memory.add_many(events)
        memory.consolidate()
        for info in memory.documents():
            blocks = memory.document(info.document_id).blocks
            owners = Counter(
                name.partition(":")[0]
                for block in blocks
                for entry in block.entries
                for name in entry.external_ids
            )
            crossed += sum(owners.values()) - max(owners.values())
    return crossed
