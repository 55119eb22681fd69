"""What can be named to be forgotten: each part alone, parts together, and what stays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda import Entry, Memory, NewEvent, Selector
from memoranda.errors import InputError, NotFoundError, PreviewError
from memoranda.store.operations import Join, NewBlock, Text
from scene import QUIET, Place, applier, create, home, plan, rows, said

MIRA = "The kiln at Brask runs at 1,040 degrees."
TOOL = "Sensor 9 of the kiln read 988 degrees."
HAN = "窑炉的密码是芝麻开门，请别外传。"
PLUMS = "The apprentice brought a jar of plums."
STRASSE = "Die STRASSE zum Ofen ist gesperrt."


def filled(place: Place, **given: object) -> Memory:
    """Five entries of different people, days and projects."""
    memory = place.open(settings=QUIET, **given)
    memory.add_many(
        [
            NewEvent(content=MIRA, speaker="Mira", session="s1", time="2026-05-01"),
            NewEvent(content=TOOL, source="tool", session="s1", time="2026-05-02"),
            NewEvent(content=HAN, speaker="Mira", session="s2", time="2026-05-03T08:00Z"),
            NewEvent(content=STRASSE, source="external", project="acme", external_id="x-1"),
            NewEvent(content=PLUMS, project="acme", session="s2", time="2026-05-04"),
        ]
    )
    return memory


def texts(memory: Memory) -> set[str]:
    """What the entries say that are left."""
    found = home(memory).log.connection.execute("SELECT text FROM entry WHERE erased IS NULL")
    return {row[0] for row in found}


ALL = {MIRA, TOOL, HAN, STRASSE, PLUMS}
CASES: tuple[tuple[dict[str, object], set[str]], ...] = (
    ({"entry": 1}, {MIRA}),
    ({"seq": "1-2,5"}, {MIRA, TOOL, PLUMS}),
    ({"seq": "2"}, {TOOL}),
    ({"external_id": "x-1"}, {STRASSE}),
    ({"source": "tool"}, {TOOL}),
    ({"speaker": "Mira"}, {MIRA, HAN}),
    ({"project": "acme"}, {STRASSE, PLUMS}),
    ({"session": "s2"}, {HAN, PLUMS}),
    ({"since": "2026-05-03", "until": "2026-05-04"}, {HAN, PLUMS}),
    ({"since": "2026-06"}, {STRASSE}),
    ({"until": "2026-05-02"}, {MIRA, TOOL}),
    ({"query": "芝麻开门"}, {HAN}),
    ({"query": "strasse ZUM"}, {STRASSE}),
    ({"query": "straße zum"}, {STRASSE}),
    ({"query": "DEGREES"}, {MIRA, TOOL}),
    ({"all": True}, ALL),
    ({"session": "s1", "source": "user"}, {MIRA}),
    ({"query": "kiln", "source": "tool"}, {TOOL}),
    ({"seq": "1-4", "speaker": "Mira"}, {MIRA, HAN}),
    ({"seq": "1-4", "project": "acme"}, {STRASSE}),
    ({"external_id": "x-1", "seq": "4"}, {STRASSE}),
    ({"all": True, "source": "external"}, {STRASSE}),
)


@pytest.mark.parametrize(("parts", "gone"), CASES, ids=[str(parts) for parts, _ in CASES])
@pytest.mark.parametrize("consolidated", [False, True], ids=["current", "documents"])
def test_each_part_takes_what_fits_and_nothing_else(
    place: Place, parts: dict[str, object], gone: set[str], *, consolidated: bool
) -> None:
    memory = filled(place)
    if consolidated:
        memory.consolidate()
    shown = memory.selected(**parts)  # type: ignore[arg-type]
    assert {entry.text for entry in shown.entries} == gone
    assert texts(memory) == ALL
    done = memory.forget(expect=shown.preview.token, **parts)  # type: ignore[arg-type]
    assert texts(memory) == ALL - gone | ({""} & texts(memory))
    assert (done.left, done.since, done.seqs) == ((), 0, shown.preview.seqs)
    assert memory.verify_forgotten(done).ok
    for text in gone:
        assert memory.verify_forgotten(done, text=text).ok


def test_a_document_goes_by_title_or_id_with_all_its_entries(place: Place) -> None:
    memory = filled(place)
    for name, title, seqs in (("d1", "Kilns", (1, 2)), ("d2", "Secrets", (3,))):
        block = NewBlock(headings=(said(title),), seqs=seqs)
        applier(memory).apply(plan(create(name, block, title=title), window=seqs))
    assert memory.forget(document="kilns").seqs == (1, 2)
    assert memory.forget(document="d2", source="user").seqs == (3,)
    assert memory.documents() == ()
    assert memory.forget(document="current").seqs == (4, 5)
    with pytest.raises(NotFoundError):
        memory.forget(document="Kilns")


def test_a_document_is_narrowed_by_other_parts(place: Place) -> None:
    memory = filled(place)
    block = NewBlock(headings=(said("Kilns"),), seqs=(1, 2))
    applier(memory).apply(plan(create("d1", block), window=(1, 2)))
    assert memory.forget(document="d1", source="tool").seqs == (2,)
    assert texts(memory) >= {MIRA, HAN}


def test_the_memory_can_be_used_after_all_is_forgotten(place: Place) -> None:
    memory = filled(place)
    memory.consolidate()
    done = memory.forget(all=True, by="Ines")
    assert (len(done.events), done.by) == (5, "Ines")
    assert memory.check(full=True).ok
    added = memory.add("A new kiln.").seqs
    assert added == (6,)
    memory.consolidate()
    assert [entry.text for item in memory.search("kiln").evidence for entry in item.entries] == [
        "A new kiln."
    ]
    before = rows(memory)
    memory.rebuild()
    assert rows(memory) == before


def test_nothing_that_fits_is_an_error_and_changes_nothing(place: Place) -> None:
    memory = filled(place)
    before = (rows(memory), home(memory).log.position())
    for parts in ({"source": "assistant"}, {"query": "芝麻关门"}, {"seq": "90-99"}, {"entry": 44}):
        with pytest.raises(NotFoundError):
            memory.forget(**parts)  # type: ignore[arg-type]
    assert (rows(memory), home(memory).log.position()) == before


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"all": False},
        {"seq": "5-2"},
        {"seq": "0"},
        {"seq": "1;2"},
        {"source": "me"},
        {"query": "  "},
        {"since": "soon"},
        {"entry": 0},
    ],
    ids=str,
)
def test_what_can_not_be_used_is_refused(place: Place, parts: dict[str, object]) -> None:
    memory = filled(place)
    with pytest.raises(InputError):
        memory.forget(**parts)  # type: ignore[arg-type]
    assert texts(memory) == ALL


def test_a_project_beyond_the_handles_reach_holds_nothing_for_it(place: Place) -> None:
    filled(place)
    zeta = place.open(settings=QUIET, project="zeta")
    for parts in ({"project": "acme"}, {"external_id": "x-1"}, {"seq": "4"}, {"query": "Ofen"}):
        with pytest.raises(NotFoundError):
            zeta.forget(**parts)  # type: ignore[arg-type]
    assert zeta.forget(all=True).seqs == (1, 2, 3)
    assert texts(place.open(settings=QUIET)) == {STRASSE, PLUMS}


# --- a look, then the deed -------------------------------------------------------------------


def test_what_comes_to_fit_after_the_look_stays_and_is_counted(place: Place) -> None:
    memory = filled(place)
    token = memory.selected(source="tool").preview.token
    memory.add("Sensor 9 is new.", source="tool")
    done = memory.forget(source="tool", expect=token)
    assert (done.seqs, done.since) == ((2,), 2)
    assert "Sensor 9 is new." in texts(memory)


def test_a_token_of_something_else_or_of_a_past_state_forgets_nothing(place: Place) -> None:
    memory = filled(place)
    token = memory.selected(speaker="Mira").preview.token
    for wrong in ("", "x", "5-00", token.replace("-", "-0"), f"1{token}"):
        with pytest.raises(PreviewError):
            memory.forget(speaker="Mira", expect=wrong)
    with pytest.raises(PreviewError):
        memory.forget(source="tool", expect=token)
    memory.forget(entry=1)
    with pytest.raises(PreviewError, match="nothing was forgotten"):
        memory.forget(speaker="Mira", expect=token)
    assert HAN in texts(memory)


def test_a_long_list_is_shown_in_pages(place: Place) -> None:
    memory = place.open(settings=QUIET)
    memory.add_many(NewEvent(content=f"Shard number {n} of the pot.") for n in range(7))
    pages = [memory.selected(all=True, limit=3, after=after) for after in (0, 3, 6)]
    assert [len(page.entries) for page in pages] == [3, 3, 1]
    assert [page.more for page in pages] == [4, 1, 0]
    assert [entry.seq for page in pages for entry in page.entries] == [1, 2, 3, 4, 5, 6, 7]


# --- a query ------------------------------------------------------------------------------------


LONG = "The vault code is 4471. " + " ".join(f"Door {n} has a brass lock." for n in range(30))


def test_a_query_takes_only_the_part_of_a_long_event_that_holds_it(place: Place) -> None:
    memory = place.open(settings=replace(QUIET, entry_tokens=50))
    seqs = memory.add(LONG).seqs
    assert len(seqs) > 2
    done = memory.forget(query="code is 4471")
    assert done.seqs == seqs[:1]
    assert "4471" not in str(memory.get(done.events[0]))
    assert "brass lock" in str(memory.get(done.events[0]))


def test_a_query_that_no_entry_holds_alone_takes_the_event(place: Place) -> None:
    memory = place.open(settings=replace(QUIET, entry_tokens=50))
    seqs = memory.add(LONG).seqs
    first = memory.get(seqs[0])
    assert isinstance(first, Entry)
    across = LONG[len(first.text) - 12 : len(first.text) + 14]
    assert all(across not in memory.get(seq).text for seq in seqs)  # type: ignore[union-attr]
    assert memory.forget(query=across).seqs == seqs


def test_a_query_takes_of_a_joined_line_only_what_holds_it(place: Place) -> None:
    memory = place.open(settings=QUIET)
    memory.add_many(NewEvent(content=text) for text in (MIRA, "The kiln of Brask is red."))
    joint = Text(text="The red kiln at Brask runs at 1,040 degrees.", made_from=(1, 2))
    block = NewBlock(headings=(said("Kilns"),), seqs=(1,))
    join = Join(seqs=(1, 2), text=joint, tokens=9)
    applier(memory).apply(plan(join, create("d1", block), window=(1, 2)))
    assert memory.forget(query="1,040 degrees").seqs == (1,)
    left = memory.get(2)
    assert isinstance(left, Entry)
    assert (left.text, left.seqs) == ("The kiln of Brask is red.", (2,))


def test_a_query_takes_those_who_say_the_same(place: Place) -> None:
    memory = place.open(settings=QUIET)
    memory.add_many(NewEvent(content=text) for text in (HAN, HAN.replace("。", "！"), MIRA))
    memory.consolidate()
    assert memory.forget(query="芝麻").seqs == (1, 2)


@given(st.text(alphabet="aAbBßſＡ 芝麻é", min_size=1, max_size=6))
def test_a_selector_keeps_its_words_out_of_its_digest_and_gives_them_back(query: str) -> None:
    if not query.strip():
        return
    selector = Selector(query=query)
    assert selector.to_dict() == {"query": query}
    assert Selector(**selector.to_dict()) == selector
