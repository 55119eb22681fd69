"""Hand edits against consolidation: no word is lost, and no line goes that a person did not take out."""

from __future__ import annotations

import pytest
from editing_place import LINES, sound
from races import LONG, RACES, everything, race, retracted

from scene import Place


@pytest.mark.parametrize("seed", range(10 if LONG else 2))
def test_no_word_is_lost_in_races_with_consolidation(shelf: Place, seed: int) -> None:
    person = race(shelf, RACES // (10 if LONG else 2), seed)
    for _ in range(2):
        shelf.open().close()
    with shelf.open() as memory:
        text = everything(shelf, memory)
        assert [word for word in person.words if word not in text] == []
        assert [line for line in LINES if line not in text] == []
        assert retracted(memory) <= person.removed | corrected(memory, person.removed)
        sound(shelf, memory)


def corrected(memory: object, removed: set[int]) -> set[int]:
    """Lines in whose place a removed one stands: nothing of them is taken by itself."""
    from memoranda import Memory  # noqa: PLC0415

    assert isinstance(memory, Memory)
    found: set[int] = set()
    for record in memory.log(kind="plan"):
        for operation in (record.body or {})["operations"]:
            if operation["op"] == "replace" and set(operation["old"]) & removed:
                found |= set(operation["new"])
    return found
