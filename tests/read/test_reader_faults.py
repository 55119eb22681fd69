"""Forty ways in which a model can fail: whatever it says, an answer comes, and nothing false is cited."""

from __future__ import annotations

import pytest

from memoranda import Memory
from memoranda.answers import READERS, ReaderName
from memoranda.llm.doubles import FAMILIES, FaultyModel
from memoranda.llm.doubles.faulty import HARMLESS
from memoranda.read.readers.desk import Limits
from readers_scene import (
    CHINESE,
    LIBRARY,
    Cast,
    asked,
    call,
    natively,
    picking,
    quoting,
    step,
    stocked,
    texts,
)
from scene import Place

QUESTION = "What is the name of the captain of the night ferry to Skarholm?"
LIMITS = Limits(budget=300)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    return stocked(Place(tmp_path_factory.mktemp("faulty") / "root").open())


def right(*, native: bool = False) -> Cast:
    """A model that does everything right."""
    find = call("search", query="captain night ferry")
    end = natively(call("finish", lines=[2])) if native else step(lines=[2], done=True)
    return Cast(
        hops={"hops": ["What is the captain of the night ferry?", "What is the name of #1?"]},
        select=picking("harbour"),
        tools=[natively(find) if native else step(find), end],
        answer=quoting("Captain Ylva", "Captain Ylva"),
    )


@pytest.mark.parametrize("reader", READERS)
def test_every_family_of_faults_gets_an_answer(library: Memory, reader: ReaderName) -> None:
    before = library.status()
    sound = set(LIBRARY)
    for family in sorted(FAMILIES):
        for native in (False, True) if reader == "agentic" else (False,):
            model = FaultyModel(right(native=native), seed=7, family=family)
            answer = asked(library, QUESTION, model, reader=reader, limits=LIMITS)
            assert answer.trace is not None, family
            assert set(texts(answer)) <= sound, family
            assert answer.tokens <= 300, family
            assert answer.tokens > 0 or reader == "summary", family
            assert all(any(c.quote in text for text in sound) for c in answer.claims), family
            assert answer.text in {None, "Captain Ylva"}, family
            if answer.trace.stop == "failed":
                assert answer.note, family
    after = library.status()
    assert (before.entries, before.documents) == (after.entries, after.documents)


@pytest.mark.parametrize("reader", ["summary", "hybrid", "agentic"])
def test_a_model_that_is_right_is_heard_through_harmless_faults(
    library: Memory, reader: ReaderName
) -> None:
    for family in sorted(HARMLESS):
        model = FaultyModel(right(), seed=7, family=family)
        answer = asked(library, QUESTION, model, reader=reader)
        assert answer.text == "Captain Ylva", family


@pytest.mark.parametrize("reader", ["summary", "hybrid", "agentic"])
def test_an_outage_falls_back_to_the_lexical_reader_and_says_so(
    library: Memory, reader: ReaderName
) -> None:
    answer = asked(library, QUESTION, FaultyModel(right(), seed=1, family="outage"), reader=reader)
    assert answer.trace is not None
    assert (answer.trace.stop, answer.partial) == ("failed", True)
    assert f"The lexical reader answered in place of {reader}" in answer.note
    assert LIBRARY[0] in texts(answer)
    assert answer.known


@pytest.mark.parametrize("reader", ["summary", "hybrid", "agentic"])
def test_without_a_model_the_lexical_reader_answers_and_says_so(
    library: Memory, reader: ReaderName
) -> None:
    answer = asked(library, QUESTION, None, reader=reader)
    assert "no model is configured" in answer.note
    assert answer.known


def test_a_model_that_can_not_be_made_fails_when_it_is_asked(place: Place) -> None:
    memory = stocked(place.open(), LIBRARY[:4])
    reader = place.open(model="command:no-such-program-anywhere --x")
    answer = reader.ask("When does the night ferry leave?")
    assert answer.claims[0].quote == LIBRARY[0]
    assert answer.trace is not None
    assert (answer.trace.stop, answer.trace.reader) == ("failed", "agentic")
    assert memory.status().entries == 4


@pytest.mark.parametrize("reader", READERS)
def test_chinese_questions_are_answered_by_every_reader(place: Place, reader: ReaderName) -> None:
    memory = stocked(place.open(), CHINESE)
    model = Cast(
        select=picking("渡轮"),
        tools=[step(call("search", query="钥匙")), step(lines=[2], done=True)],
        answer=quoting("蓝箱子下面"),
    )
    answer = asked(memory, "码头的钥匙放在哪里？", model, reader=reader)
    assert answer.text == "蓝箱子下面"
    assert answer.claims[0].seqs == (2,)
    assert CHINESE[1] in texts(answer)
