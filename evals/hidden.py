"""Secrets: made-up ones of 40 kinds must go, plain texts and real conversations must stay as they are."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evals.secrets_kinds import made_up
from evals.secrets_plain import plain
from memoranda import Memory, NewEvent, Settings
from memoranda.text.secrets import find, hidden

NUMBER = 1000
PLAIN = 10_000
SEED = 8
LEAST = 12
"""So many characters in a row of a secret that is left count as the secret."""


def left(secret: str, text: str) -> bool:
    """Say whether a secret, or a long piece of it, still stands in a text."""
    size = min(LEAST, len(secret))
    return any(secret[at : at + size] in text for at in range(len(secret) - size + 1))


def run(data: Path, *, limit: int | None = None) -> dict[str, Any]:
    """Measure recall by kinds seen and unseen, false alarms, and canaries in files after an add."""
    number = limit or NUMBER
    missed: Counter[str] = Counter()
    for kinds, unseen in (("seen", False), ("unseen", True)):
        found = list(made_up(number, SEED, unseen=unseen))
        missed[kinds] = sum(left(item.secret, hidden(item.text)[0]) for item in found)
    alarms = sum(bool(find(text)) for text in plain(PLAIN, SEED))
    turns = list(_turns(data))
    said = sum(bool(find(text)) for text in turns)
    rows = [
        {"figure": f"recall, {kinds} kinds", "value": round(1 - missed[kinds] / number, 4)}
        for kinds in ("seen", "unseen")
    ]
    rows += [
        {"figure": f"false alarms on {PLAIN:,} plain texts", "value": alarms / PLAIN},
        {"figure": f"marks in {len(turns):,} turns of LoCoMo", "value": said / max(1, len(turns))},
        {"figure": "canaries in files after add", "value": _canaries(number)},
    ]
    for row in rows:
        print(f"{row['figure']}: {row['value']}")
    signs = (">= 0.95", ">= 0.95", "<= 0.001", "<= 0.001", "== 0")
    bounds = [
        {**row, "bound": sign, "met": _met(row["value"], sign)}
        for row, sign in zip(rows, signs, strict=True)
    ]
    return {"rows": rows, "bounds": bounds}


def _met(value: float, sign: str) -> bool:
    how, bound = sign.split()
    return value >= float(bound) if how == ">=" else value <= float(bound)


def _turns(data: Path) -> Iterator[str]:
    path = data / "locomo" / "locomo_dev.json.gz"
    if not path.is_file():
        return
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for item in json.load(stream):
            for name, session in item["conversation"].items():
                if name.startswith("session_") and isinstance(session, list):
                    yield from (turn["text"] for turn in session)


def _canaries(number: int) -> int:
    """Add texts with secrets that are found, and count those of which a file holds a long piece."""
    items = [
        item
        for item in made_up(number, SEED)
        if len(item.secret) >= LEAST and not left(item.secret, hidden(item.text)[0])
    ]
    with tempfile.TemporaryDirectory() as folder:
        with Memory.open(folder, settings=Settings(auto=False)) as memory:
            memory.add_many(NewEvent(content=item.text) for item in items)
            memory.consolidate()
        held = b"".join(
            path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()
        )
    return sum(
        any(form in held for form in (item.secret.encode(), item.secret[:LEAST].encode()))
        for item in items
    )
