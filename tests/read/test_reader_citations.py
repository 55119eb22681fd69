"""Citations hold: through splits, merges, corrections, retractions, undo, and forgetting."""

from __future__ import annotations

from pathlib import Path

import pytest

from memoranda import Memory
from memoranda.answers import Claim
from memoranda.errors import InputError, NotFoundError
from memoranda.read.citing import parse
from reader_histories import LONG, QUESTIONS, lived
from scene import PHONE, SMALL, Place

QUESTION = "What is my phone number?"


def holds(memory: Memory, claim: Claim) -> None:
    """Check that a citation resolves, verbatim or with the day on which its text was forgotten."""
    found = memory.resolve(claim.citation)
    named = [entry for entry in found.entries if set(entry.seqs) & set(claim.seqs)]
    assert {seq for entry in named for seq in entry.seqs} >= set(claim.seqs)
    assert {name for entry in named for name in entry.event_ids} >= set(claim.event_ids)
    (entry, *_) = named
    if "[erased " in entry.text:
        day = entry.text.splitlines()[0].removeprefix("[erased ").removesuffix("]")
        assert len(day) == len("2026-06-01")
        assert entry.erased is None or entry.erased[:10] == day
    else:
        assert claim.quote in entry.text
        assert entry.erased is None
    if claim.lines is not None:
        assert found.lines == claim.lines
        assert found.version == claim.version
        first, _, rest = entry.text.partition("\n")
        assert first in found.text[0]
        assert len(found.text) == 1 + len(rest.splitlines()) if rest else len(found.text) == 1
    elif claim.document_id != "CURRENT":
        pytest.fail(f"{claim.citation} names no lines")


@pytest.mark.parametrize("seed", range(100 if LONG else 10))
def test_every_citation_of_a_random_history_resolves_ever_after(root: Path, seed: int) -> None:
    place = Place(root, SMALL)
    cited: dict[str, Claim] = {}

    def look(memory: Memory, number: int) -> None:
        for question in QUESTIONS if number % 5 == 4 else ():
            cited.update((claim.citation, claim) for claim in memory.ask(question).claims)

    memory = lived(place, seed, 45, look)
    assert len(cited) > 8
    for claim in sorted(cited.values(), key=lambda claim: claim.citation)[:: 1 if LONG else 3]:
        holds(memory, claim)
    place.close()


def test_a_citation_says_what_was_there_and_where_it_is_now(place: Place) -> None:
    memory = place.open()
    memory.add(PHONE.format(1111), time="2026-05-01")
    memory.consolidate()
    old = memory.ask(QUESTION).claims[0]
    memory.add(PHONE.format(2222), time="2026-05-02")
    memory.consolidate()
    found = memory.resolve(old.citation)
    (entry,) = found.entries
    assert (entry.text, entry.superseded_by) == (PHONE.format(1111), 2)
    assert PHONE.format(1111) in found.text[0]
    now = memory.resolve(entry.now)
    assert (now.entries[0].seqs, now.entries[0].text) == ((1,), PHONE.format(1111))
    assert now.version > found.version


def test_what_was_forgotten_says_when(place: Place) -> None:
    memory = place.open()
    memory.add(PHONE.format(1111))
    memory.add("The kiln reaches 1,240 degrees.\nIt is fired twice a week.")
    memory.consolidate()
    kiln, phone = memory.ask("How hot is the kiln?").claims[0], memory.ask(QUESTION).claims[0]
    place.clock.tick(86_400)
    memory.forget(entry=2)
    found = memory.resolve(kiln.citation)
    day = place.clock().date().isoformat()
    assert found.entries[0].text == f"[erased {day}]\n[erased {day}]"
    assert found.entries[0].erased is not None
    assert "1,240" not in str(found.to_dict())
    assert memory.resolve(phone.citation).entries[0].text == PHONE.format(1111)


def test_a_retired_document_names_its_heir(root: Path) -> None:
    place = Place(root, SMALL)
    seen: dict[str, str] = {}

    def look(memory: Memory, number: int) -> None:
        if number % 3 == 0:
            for info in memory.documents():
                seen.setdefault(info.document_id, f"{info.document_id}@{info.version}")

    for seed in range(12):
        memory = lived(place, seed, 40, look)
        names = {info.document_id for info in memory.documents()}
        gone = [name for name in seen if name not in names]
        found = [memory.resolve(seen[name]) for name in gone]
        heirs = [one for one in found if one.heir]
        if heirs:
            assert all(one.heir in names and "was merged into" in one.note for one in heirs)
            return
    pytest.fail("no document was merged into another")


def test_what_is_no_citation_or_not_there_is_told(place: Place) -> None:
    memory = place.open()
    memory.add(PHONE.format(1111))
    memory.consolidate()
    claim = memory.ask(QUESTION).claims[0]
    for text in ("", "d1", "d1@x", "d1@1:0", "d1@1:5-2", "d1 @1", "../x@1", "d1@1:1 seq 1-99999"):
        with pytest.raises(InputError):
            memory.resolve(text)
    for text in (
        f"d99@{claim.version}",
        f"{claim.document_id}@99999",
        f"{claim.document_id}@1",
        f"{claim.document_id}@{claim.version}:900",
        f"{claim.document_id}@{claim.version} seq 77",
        "LOG@1 event nobody",
    ):
        with pytest.raises(NotFoundError):
            memory.resolve(text)


def test_a_citation_of_another_project_is_not_there(place: Place) -> None:
    other = place.open(project="harbour")
    other.add(PHONE.format(1111))
    other.consolidate()
    claim = other.ask(QUESTION).claims[0]
    mine = place.open(project="pottery")
    with pytest.raises(NotFoundError):
        mine.resolve(claim.citation)
    assert other.resolve(claim.citation).entries[0].seqs == claim.seqs


def test_the_forms_of_a_citation() -> None:
    whole = parse(" d3@41:12-14  seq 4-6,9 event a1,b2 ")
    assert (whole.name, whole.version, whole.lines) == ("d3", 41, (12, 14))
    assert (whole.seqs, whole.event_ids) == ((4, 5, 6, 9), ("a1", "b2"))
    assert parse("D3@41:12").lines == (12, 12)
    assert parse("current@7 seq 2").name == "CURRENT"
    assert parse("d3@41 seq 4 event ").event_ids == ()
