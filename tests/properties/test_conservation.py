"""Whatever was done: each event is cited, each entry is in one place, signatures stay."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from histories import Step, histories, live, settle, sizes
from hypothesis import HealthCheck, given, settings

from memoranda import Memory, Settings
from memoranda.store.documents import parse_current, parse_document
from scene import Place, all_seqs, everywhere, fast, home, rows, signatures

QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def printed(place: Place) -> list[int]:
    """Each seq once for every place where the files print it."""
    found: list[int] = []
    for name, data in place.files().items():
        read = data.decode()
        blocks = parse_current(read) if name == "CURRENT.md" else parse_document(read).blocks
        for block in blocks:
            for line in block.lines:
                found += line.seqs
                found += [seq for older in line.under for seq in older.seqs]
    return sorted(found)


def cited(memory: Memory) -> set[int]:
    db = home(memory).log.connection
    return {row[0] for row in db.execute("SELECT event FROM entry_event")}


def forgotten(memory: Memory) -> set[int]:
    db = home(memory).log.connection
    return {row[0] for row in db.execute("SELECT seq FROM entry WHERE erased IS NOT NULL")}


def seqs_given(memory: Memory) -> int:
    return int(home(memory).view.counter("seq"))


def events(memory: Memory) -> set[int]:
    return {record.position for record in memory.log(kind="event")}


@QUICK
@given(history=histories, size=sizes)
def test_every_entry_stands_in_exactly_one_place(history: list[Step], size: Settings) -> None:
    with tempfile.TemporaryDirectory(dir=fast()) as folder:
        place = Place(Path(folder).resolve() / "root", size)
        memory = live(history, place)
        before = signatures(memory)
        for _ in range(2):
            memory.state()
            known = all_seqs(memory)
            assert sorted({*known, *forgotten(memory)}) == list(range(1, seqs_given(memory) + 1))
            assert everywhere(memory) == known
            assert printed(place) == known
            assert cited(memory) == events(memory)
            assert signatures(memory) == before
            memory.consolidate()
        memory.close()
        memory = place.open(settings=replace(size, mode="auto"))
        settle(memory)
        assert memory.current() == ()
        assert everywhere(memory) == known
        assert signatures(memory) == before
        _consistent(memory)
        place.close()


def _consistent(memory: Memory) -> None:
    """Supersession has no circle, projects are apart, headers tell the truth."""
    view = home(memory).view
    entries = {row[0]: row for row in rows(memory)["entry"]}
    places = view.places(entries)
    gone = forgotten(memory)
    for place in (place for place in places.values() if place.seq not in gone):
        seen = {place.seq}
        step = place
        while step.superseded_by is not None:
            assert step.superseded_by not in seen
            seen.add(step.superseded_by)
            step = places[step.superseded_by]
            assert step.project == place.project
        assert place.final == (None if place.superseded_by is None else step.seq)
        assert place.superseded_by is None or not step.retracted
        assert step.seq in {step.line, place.seq} | gone
        line = places[place.line]
        assert (place.document_id, place.block) == (line.document_id, line.block)
        assert line.line == line.seq
    for info in memory.documents():
        seqs = Counter(
            place.project for place in places.values() if place.document_id == info.document_id
        )
        assert set(seqs) == {info.project}
    titles = [info.title.casefold() for info in memory.documents()]
    assert len(titles) == len(set(titles))


@QUICK
@given(history=histories, size=sizes)
def test_a_search_never_shows_what_was_replaced_or_retracted_as_current(
    history: list[Step], size: Settings
) -> None:
    with tempfile.TemporaryDirectory(dir=fast()) as folder:
        place = Place(Path(folder).resolve() / "root", size)
        memory = live(history, place)
        places, gone = home(memory).view.places(all_seqs(memory)), forgotten(memory)
        for question in ("phone number", "deployment limit", "我的电话", "kiln ferry", "窑"):
            for evidence in memory.search(question, budget=1500).evidence:
                for entry in evidence.entries:
                    assert not entry.retracted
                    assert entry.superseded_by == places[entry.seq].superseded_by
                    final = places[entry.seq].final
                    assert final not in gone
                    assert final is None or final in [other.seq for other in evidence.entries]
        place.close()
