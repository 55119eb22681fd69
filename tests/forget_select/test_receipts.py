"""A receipt says what was done in numbers, and a later look finds whatever it says wrongly."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from memoranda import Forgotten, Memory, NewEvent
from memoranda.errors import NotFoundError
from memoranda.store.operations import NewBlock, Text
from memoranda.write import forget, steps
from scene import QUIET, SENTENCES, Place, applier, create, home, plan

KEEPING = replace(QUIET, adopt=False)
HIDDEN = "The deployment limit of Quenwick is 40 pods."
HAN = "昆维克的钥匙藏在滚轮箱底下。"


def filled(place: Place) -> Memory:
    """A key, a title, a backup, an edited copy and an index hold what goes."""
    memory = place.open(settings=KEEPING)
    memory.add(HIDDEN, id="hidden", speaker="Quenwick", time="2026-05-02")
    memory.add(HAN, id="han", speaker="Quenwick", time="2026-05-03")
    name = Text(text="Quenwick's pods", made_from=(1,))
    memory.add_many(NewEvent(content=text) for text in SENTENCES[:3])
    block = NewBlock(headings=(name,), seqs=(1, 2, 3))
    made = replace(create("d1", block), title=name, summary=name)
    applier(memory).apply(plan(made, window=(1, 2, 3)))
    memory.consolidate()
    memory.search("pods")
    memory.backup()
    for path in (place.folder / "topics").iterdir():
        path.write_text(path.read_text("utf-8") + "\nMine.\n", "utf-8")
    memory.state()
    assert place.copies()
    return memory


def test_a_receipt_tells_who_when_what_and_how_much_in_numbers_alone(place: Place) -> None:
    memory = filled(place)
    before = memory.status().position
    done = memory.forget(speaker="Quenwick", by="Ines")
    assert (done.by, done.time[:10], done.position) == ("Ines", "2026-06-01", before + 1)
    assert done.counts == {
        "events": (2, 0),
        "extractions": (2, 0),
        "plans": (1, 0),
        "calls": (0, 0),
        "current": (0, 0),
        "documents": (2, 0),
        "keys": (2, 0),
        "joined": (0, 0),
        "names": (3, 0),
        "index": (2, 0),
        "vectors": (0, 0),
        "files": (1, 0),
        "copies": (1, 0),
        "backups": (1, 0),
        "commits": (0, 0),
    }
    rows = home(memory).log.connection.execute(
        "SELECT lower(hex(chain)) FROM record WHERE position IN (?, ?) ORDER BY position",
        (before, before + 1),
    )
    assert done.chain == tuple(row[0] for row in rows)
    assert len(done.selector) == 64
    assert memory.forget(entry=3).selector != done.selector
    told = json.dumps([record.to_dict() for record in memory.log()], ensure_ascii=False)
    for word in ("Quenwick", "deployment limit", "昆维克"):
        assert word not in told


def test_receipts_are_listed_newest_first_and_read_back(place: Place) -> None:
    memory = filled(place)
    done = [memory.forget(entry=seq) for seq in (1, 3)]
    assert [item.receipt_id for item in memory.receipts()] == [
        item.receipt_id for item in reversed(done)
    ]
    first = memory.receipts()[1]
    assert first == done[0]
    assert Forgotten.from_dict(json.loads(json.dumps(done[0].to_dict()))) == done[0]
    for name in (first, first.receipt_id, first.forget_id, first.to_dict()):
        found = memory.verify_forgotten(name)
        assert (found.ok, found.forget_id) == (True, first.forget_id)
    with pytest.raises(NotFoundError):
        memory.verify_forgotten("r404")


LEFT_OUT = {
    "copies": "copies",
    "events": "events",
    "extractions": "extractions",
    "plans": "plans",
    "names": "names",
    "payloads": "events",
    "views": "documents",
    "backups": "backups",
}
HEALED = ("index", "files")
"""What the next look at it mends by itself; the receipt tells of it all the same."""


@pytest.mark.parametrize(("name", "seen"), LEFT_OUT.items())
def test_a_later_look_sees_each_step_that_was_left_out(
    place: Place, name: str, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = filled(place)
    monkeypatch.setattr(forget, "STEPS", tuple(step for step in steps.STEPS if step.name != name))
    done = memory.forget(speaker="Quenwick")
    found = memory.verify_forgotten(done)
    assert not found.ok
    assert found.places[seen] > 0
    assert done.counts[seen][1] > 0


@pytest.mark.parametrize("name", HEALED)
def test_the_receipt_tells_of_a_step_that_left_something(
    place: Place, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = filled(place)
    monkeypatch.setattr(forget, "STEPS", tuple(step for step in steps.STEPS if step.name != name))
    done = memory.forget(speaker="Quenwick")
    assert done.counts[name][1] > 0
    assert done.left


def test_a_later_look_sees_a_missing_line_of_the_ledger(place: Place) -> None:
    memory = filled(place)
    done = memory.forget(external_id="hidden")
    (place.folder / "erased.jsonl").write_bytes(b"")
    found = memory.verify_forgotten(done)
    assert (found.ok, found.left) == (False, (f"event {done.events[0]} is not in erased.jsonl",))


def test_a_later_look_sees_a_log_that_is_another(place: Place) -> None:
    memory = filled(place)
    done = memory.forget(external_id="hidden")
    assert not memory.verify_forgotten(replace(done, chain=("", "00" * 32))).ok


@pytest.mark.parametrize("text", [HIDDEN, HAN])
def test_with_a_text_every_byte_is_searched(place: Place, text: str) -> None:
    memory = filled(place)
    done = memory.forget(speaker="Quenwick")
    found = memory.verify_forgotten(done, text=text)
    assert found.ok
    assert found.scanned_files > 3
    (place.folder / "topics" / "mine.md").write_text(text, "utf-8")
    found = memory.verify_forgotten(done, text=text)
    assert (found.ok, found.left) == (False, ("topics/mine.md holds a piece of the text",))
    assert memory.verify_forgotten(done).ok


def test_a_receipt_holds_after_the_memory_has_gone_on(place: Place) -> None:
    memory = filled(place)
    done = memory.forget(speaker="Quenwick")
    memory.add(HIDDEN, speaker="Quenwick")
    memory.consolidate()
    memory.rebuild()
    memory.backup()
    memory.forget(entry=4)
    assert memory.verify_forgotten(done).ok


def test_of_shared_entries_only_what_was_forgotten_is_looked_for(place: Place) -> None:
    memory = place.open(settings=QUIET)
    memory.add_many(NewEvent(content=text, external_id=text[:4]) for text in (HIDDEN, HAN))
    memory.consolidate()
    done = memory.forget(external_id=HIDDEN[:4])
    memory.add(SENTENCES[0])
    memory.consolidate()
    assert memory.verify_forgotten(done).ok
