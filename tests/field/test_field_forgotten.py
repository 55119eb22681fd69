"""Field cases: what is forgotten is gone from every place, and success is said only then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from processes import bytes_below

from cli_command import Command
from memoranda import Memory
from memoranda.errors import NotFoundError
from memoranda.store.operations import NewBlock, Text
from memoranda.store.scan import scan
from scene import Place, applier, create, index_rows, plan, rows

CANARY = "zorvelkin"
A = f"The vault code of the mill is {CANARY} since spring."
B = "The vault of the mill has an oak door."
ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le")


def left_of(place: Place, word: str = CANARY) -> list[str]:
    """Name the files, or names, below the data folder that hold a word, in any of its bytes."""
    wanted = [form.encode(code) for form in (word, word.upper()) for code in ENCODINGS]
    found = [
        name
        for name, data in bytes_below(place.root).items()
        if any(piece in data or piece in data.lower() for piece in wanted) or word in name.lower()
    ]
    return found + [hit.file for hit in scan([place.root], [word]).hits]


def merged(place: Place, memory: Memory) -> None:
    """Facts A and B in one document whose summary and headings were made of both."""
    memory.add(A, id="fact-a", session="one")
    memory.add(B, id="fact-b", session="one")
    both = Text(text=f"The vault: {CANARY}, behind an oak door.", made_from=(1, 2))
    made = create("d1", NewBlock(headings=(both,), seqs=(1, 2)))
    applier(memory).apply(plan(replace(made, title=both, summary=both), window=(1, 2)))
    memory.search("vault")


WAYS = ("What is the vault code of the mill?", CANARY, "vault code spring")


def answers(memory: Memory) -> str:
    """All that three questions are answered, in every form there is."""
    found: list[object] = []
    for question in WAYS:
        found += [memory.search(question), memory.ask(question).claims, memory.context(question)]
    return repr(found)


@pytest.mark.parametrize("then", ["consolidated", "rebuilt", "rebuilt by the command"])
def test_a_fact_merged_with_another_is_forgotten_alone_and_stays_so(
    place: Place, memoranda: Command, then: str
) -> None:  # fc-047
    memory = place.open()
    merged(place, memory)
    assert CANARY in answers(memory)
    assert left_of(place)
    done = memory.forget(external_id="fact-a")
    assert (done.seqs, done.left) == ((1,), ())
    memory.add("The mill was sold in autumn.")
    memory.consolidate()
    if then == "rebuilt":
        memory.rebuild()
    memory.close()
    if then == "rebuilt by the command":
        place.drop()
        memoranda.ok("rebuild")
    again = place.open()
    assert CANARY not in answers(again)
    assert B in answers(again)
    (info,) = [info for info in again.documents() if info.document_id == "d1"]
    assert CANARY not in info.title + info.summary + info.file
    assert [entry.text for part in again.document("d1").blocks for entry in part.entries] == [B]
    for question in WAYS:
        for command in ("search", "ask", "context"):
            assert A not in memoranda(command, question).output
            assert B in memoranda.ok(command, "vault door")
    again.close()
    assert left_of(place) == []


def test_the_merged_summary_is_redone_from_what_is_left(place: Place) -> None:  # fc-047
    memory = place.open()
    merged(place, memory)
    memory.forget(entry=1)
    (info,) = memory.documents()
    assert "vault" in info.title.casefold() or "vault" in info.summary.casefold()
    files = place.files()
    place.drop()
    memory.rebuild()
    assert place.files() == files


def in_three_places(place: Place) -> tuple[Memory, str]:
    """One fact as an event, a line and an index row; gives the handle and the event's id."""
    memory = place.open()
    added = memory.add(A, id="fact-a")
    memory.add(B)
    memory.consolidate()
    memory.search("vault")
    assert any(CANARY in str(row) for row in index_rows(memory))
    assert any(CANARY in data.decode() for data in place.files().values())
    return memory, added.event_ids[0]


@pytest.mark.parametrize("way", ["event", "external id", "entry", "text"])
def test_each_way_to_forget_empties_all_three_places(place: Place, way: str) -> None:  # fc-050
    memory, event = in_three_places(place)
    done = memory.forget(
        **{  # type: ignore[arg-type]
            "event": {"event": event},
            "external id": {"external_id": "fact-a"},
            "entry": {"entry": 1},
            "text": {"query": CANARY},
        }[way]
    )
    assert done.events == (event,)
    assert done.seqs == (1,)
    assert done.left == ()
    assert done.scanned_files > 0
    assert done.forms
    assert CANARY not in str(index_rows(memory)) + str(rows(memory)) + answers(memory)
    for ref in (1, event, "fact-a"):
        with pytest.raises(NotFoundError, match="forgotten"):
            memory.get(ref)
    assert memory.get(2).text == B  # type: ignore[union-attr]
    memory.close()
    assert left_of(place) == []


@pytest.mark.parametrize("way", ["--event", "--external-id", "--entry"])
def test_the_command_forgets_in_each_way_and_prints_the_scan(
    place: Place, memoranda: Command, way: str
) -> None:  # fc-050
    memory, event = in_three_places(place)
    memory.close()
    ref = {"--event": event, "--external-id": "fact-a", "--entry": "1"}[way]
    done = memoranda.json("forget", way, ref, "--yes")
    assert (done["events"], done["left"], done["records"] > 0) == ([event], [], True)
    assert done["scanned_files"] > 0
    assert left_of(place) == []
    assert memoranda("forget", way, ref, "--yes").exit_code == 3
    assert memoranda("get", "1").exit_code == 3
    assert B in memoranda.ok("search", "vault door")


@pytest.mark.parametrize("named", [{"event": "e" + "0" * 24}, {"external_id": "x"}, {"entry": 99}])
def test_an_unknown_name_is_an_error_and_removes_nothing(
    place: Place, memoranda: Command, named: dict[str, object]
) -> None:  # fc-050
    memory, _ = in_three_places(place)
    before = (rows(memory), index_rows(memory), place.files(), memory.status().position)
    with pytest.raises(NotFoundError):
        memory.forget(**named)  # type: ignore[arg-type]
    assert (rows(memory), index_rows(memory), place.files(), memory.status().position) == before
    ((name, value),) = named.items()
    done = memoranda("forget", f"--{name.replace('_', '-')}", str(value), "--yes")
    assert done.exit_code == 3
    assert done.stdout == ""
    assert (rows(memory), place.files()) == (before[0], before[2])


def test_what_stays_in_a_file_that_is_not_ours_is_told_and_is_no_plain_success(
    place: Place, memoranda: Command
) -> None:  # fc-050
    memory, event = in_three_places(place)
    memory.close()
    note = place.folder / "topics" / "my-own.md"
    note.write_text(f"My own note: {A}\n", encoding="utf-8")
    done = memoranda("forget", "--event", event, "--yes")
    assert done.exit_code == 4
    assert "my-own.md" in done.output
    assert {Path(name).name for name in left_of(place)} == {"my-own.md"}
    note.unlink()
    assert left_of(place) == []
