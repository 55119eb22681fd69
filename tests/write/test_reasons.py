"""Splits and merges say why, in figures (R221, R222)."""

from __future__ import annotations

from typing import Any

from memoranda import Memory, Settings
from scene import Place, applier, block, create, plan

SMALL = Settings(current_tokens=200, split_tokens=300, merge_tokens=60)
KILNS = "Kiln {0} of the pottery was fired at {1} degrees with the cobalt glaze and cooled slowly."


def shapes(memory: Memory) -> list[dict[str, Any]]:
    """Every split and merge in the log."""
    plans = [record.body or {} for record in memory.log(kind="plan")]
    return [
        operation
        for plan in plans
        for operation in plan["operations"]
        if operation["op"] in {"split", "merge"}
    ]


def test_a_split_says_over_which_limit_a_document_was(place: Place) -> None:
    memory = place.open(settings=SMALL)
    for number in range(24):
        memory.add(KILNS.format(number, 900 + number), session="firing")
    memory.consolidate()
    splits = [shape for shape in shapes(memory) if shape["op"] == "split"]
    assert splits
    for split in splits:
        tokens = int(split["why"].split()[0].replace(",", ""))
        assert tokens > SMALL.split_tokens
        assert split["why"].endswith("over the limit of 300")
    said = [
        words
        for plan in memory.log(kind="plan")
        for words in memory.plan(plan.record_id).operations
    ]
    assert any("(" in words and "over the limit" in words for words in said)


def test_a_merge_says_how_small_and_how_alike(place: Place) -> None:
    memory = place.open(settings=SMALL)
    memory.add("窑炉用钴釉烧到一千二百度。")
    memory.add("窑炉用钴釉烧到一千一百度，慢慢冷却。")
    first, second = create("d1", block(1), title="钴釉"), create("d2", block(2), title="窑炉")
    applier(memory).apply(plan(first, second, window=(1, 2)))
    memory.consolidate()
    (merge,) = shapes(memory)
    assert merge["op"] == "merge"
    assert "under 60 tokens" in merge["why"]
    assert 0.1 < float(merge["why"].split(" are ")[1].split()[0]) <= 1
