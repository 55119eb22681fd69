"""The readers that select by summary: what the model is shown, what it may pick, what is added."""

from __future__ import annotations

import pytest

from memoranda import Memory
from memoranda.read.readers.desk import Limits
from readers_scene import LIBRARY, Cast, asked, picking, quoting, stocked, texts
from scene import Place

QUESTION = "Who keeps bees?"


@pytest.fixture
def library(place: Place) -> Memory:
    return stocked(place.open())


def test_the_summary_reader_gives_the_documents_that_were_picked_and_current(
    library: Memory,
) -> None:
    library.add("A line that waits.")
    answer = asked(library, QUESTION, Cast(select=picking("Osei")), reader="summary")
    assert set(texts(answer)) == {*LIBRARY[8:], "A line that waits."}
    assert answer.trace is not None
    assert (answer.trace.stop, answer.trace.guard) == ("complete", 0)


def test_summaries_alone_miss_what_hybrid_finds(library: Memory) -> None:
    question = "How hot does the kiln get?"
    wrong = Cast(select=picking("Osei"))
    alone = asked(library, question, wrong, reader="summary")
    both = asked(library, question, wrong, reader="hybrid")
    assert LIBRARY[4] not in texts(alone)
    assert LIBRARY[4] in texts(both)
    assert both.trace is not None
    assert both.trace.guard > 0


def test_hybrid_puts_the_picked_documents_first(library: Memory) -> None:
    question = "What do Osei and Mira and Ylva do?"
    for name, lines in (("Osei", LIBRARY[8:]), ("Mira", LIBRARY[4:8])):
        answer = asked(library, question, Cast(select=picking(name)), reader="hybrid")
        assert texts(answer)[0] in lines


def test_the_catalog_is_given_page_by_page_the_likeliest_documents_first(library: Memory) -> None:
    model = Cast(select={"documents": []})
    limits = Limits(inline=1, page=1, pages=2)
    answer = asked(library, "Osei and his hives", model, reader="hybrid", limits=limits)
    pages = [request.messages[1].content for request in model.requests if request.schema]
    assert "Osei" in pages[0]
    assert model.asked.count("read_select") == 2
    assert answer.trace is not None
    assert answer.trace.rounds[-1].note == "1 further pages were not shown"


def test_no_more_documents_are_taken_than_the_limit(library: Memory) -> None:
    model = Cast(select=picking("Osei", "Mira", "harbour"))
    answer = asked(library, QUESTION, model, reader="summary", limits=Limits(picks=1))
    assert set(texts(answer)) == set(LIBRARY[8:])


def test_a_document_that_is_not_offered_can_not_be_picked(library: Memory) -> None:
    answer = asked(library, QUESTION, Cast(select={"documents": ["d1"]}), reader="hybrid")
    assert answer.trace is not None
    assert (answer.trace.stop, answer.trace.rounds[0].note) == ("failed", "unknown_alias")
    assert answer.trace.fallback


def test_the_same_memory_is_read_by_every_reader(library: Memory) -> None:
    before = library.state()
    model = Cast(select=picking("Osei"), answer=quoting("forty hives"))
    for reader in ("lexical", "summary", "hybrid", "agentic"):
        answer = asked(library, QUESTION, model, reader=reader)  # type: ignore[arg-type]
        assert answer.trace is not None
        assert answer.trace.reader == reader
    assert library.state() == before


def test_other_projects_are_not_in_the_catalog(place: Place) -> None:
    stocked(place.open(project="secret"), LIBRARY[4:8])
    memory = stocked(place.open(project="bees"), LIBRARY[8:])
    model = Cast(select=picking("Osei"))
    asked(memory, QUESTION, model, reader="hybrid")
    assert "kiln" not in model.requests[0].messages[1].content
