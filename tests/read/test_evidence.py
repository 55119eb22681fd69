"""Evidence: true lines, newest first with all they replaced, never above the budget."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda import Entry, Found, Memory
from memoranda.errors import InputError
from memoranda.read.render import line
from memoranda.store.entries import parse_lines
from memoranda.text.tokens import count
from scene import SENTENCES, Place, applier, block, create, holding, plan, shown

QUESTIONS = ("kiln", "the blue tin", "ferry at 22:40", "窑", "码头的钥匙", "harbour 合唱团", "")
BUDGETS = (*range(1, 120, 3), 150, 200, 333, 400, 401, 500, 800, 1000, 1500, 2000, 5000)


def texts(found: Found) -> list[str]:
    return [entry.text for item in found.evidence for entry in item.entries]


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_budget_is_ever_exceeded(library: Place, question: str) -> None:
    memory = library.open()
    for budget in BUDGETS:
        text = memory.context(question, budget)
        assert count(text) <= budget, budget
        found = memory.search(question, budget=budget)
        assert found.tokens <= budget
        assert (
            sum(count(line(entry)) for item in found.evidence for entry in item.entries) <= budget
        )


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    texts=st.lists(
        st.text(
            st.characters(exclude_characters="\0", codec="utf-8"),
            min_size=1,
            max_size=90,
        ).filter(str.strip),
        min_size=1,
        max_size=4,
    ),
    budget=st.integers(1, 400),
)
def test_no_budget_is_exceeded_by_any_texts(memory: Memory, texts: list[str], budget: int) -> None:
    for text in texts:
        memory.add(text, speaker="Mira \u202e of the <long> name" if len(text) % 2 else None)
    if budget % 3 == 0:
        memory.consolidate()
    assert count(memory.context(texts[0], budget)) <= budget


def test_a_larger_budget_never_shows_less(library: Place) -> None:
    memory = library.open()
    sizes = [
        len(texts(memory.search("kiln ferry tin", budget=budget)))
        for budget in (60, 200, 600, 2000)
    ]
    assert sizes == sorted(sizes)
    assert sizes[-1] > 3


@pytest.mark.parametrize("budget", [0, -1])
def test_a_budget_is_positive(memory: Memory, budget: int) -> None:
    for attempt in (memory.search, memory.ask):
        with pytest.raises(InputError, match="budget"):
            attempt("kiln", budget=budget)
    with pytest.raises(InputError, match="budget"):
        memory.context("kiln", budget)


def test_a_ten_step_chain_comes_back_whole_newest_first(memory: Memory) -> None:
    memory.add("The zephyrine kiln burns at 900 degrees.")
    for step in range(1, 11):
        memory.correct(step, f"The kiln burns at {900 + step} degrees.")
    for _ in range(2):
        found = shown(memory, "zephyrine kiln degrees")
        assert [seq for seq, _, _ in found] == list(range(11, 0, -1))
        assert [by for _, by, _ in found] == [None, *range(11, 1, -1)]
        memory.consolidate()


def test_a_chain_spread_over_documents_comes_back_whole(small: Place) -> None:
    memory = small.open()
    memory.add("The zephyrine kiln burns at 900 degrees.", session="a")
    seq = 1
    for step in range(1, 5):
        for other in range(6):
            memory.add(f"{SENTENCES[other + step]} ({step}, {other})", session=f"s{step}{other}")
        memory.consolidate()
        seq = memory.correct(seq, f"The kiln burns at {900 + step} degrees.").seqs[0]
    memory.consolidate()
    found = shown(memory, "zephyrine kiln degrees")
    chain = [text for _, _, text in found if "degrees" in text and "burns" in text]
    assert chain[:5] == [f"The kiln burns at {904 - step} degrees." for step in range(4)] + [
        "The zephyrine kiln burns at 900 degrees."
    ]


def test_what_was_replaced_is_never_shown_as_current(library: Place) -> None:
    memory = library.open()
    held = set(holding(memory))
    for question in QUESTIONS:
        for _, by, text in shown(memory, question):
            assert (by is None) == (text in held)


def test_a_retracted_line_is_never_shown(memory: Memory) -> None:
    memory.add("The zephyrine kiln is in Leeds.")
    memory.correct(1, "The zephyrine kiln is in York.")
    memory.correct(2, "The zephyrine kiln is in Hull.")
    memory.retract(2)
    for _ in range(2):
        for text in (
            memory.context("zephyrine kiln York"),
            str(memory.ask("zephyrine kiln York?")),
        ):
            assert "in York" not in text
            assert "Hull" in text
        memory.consolidate()


def test_what_does_not_fit_of_a_history_is_counted(memory: Memory) -> None:
    memory.add("The zephyrine kiln burns at 900 degrees.")
    for step in range(1, 30):
        memory.correct(step, f"The kiln burns at {900 + step} degrees, says the log of the shed.")
    memory.consolidate()
    (item,) = memory.search("zephyrine kiln", budget=400).evidence
    assert item.entries[0].seq == 30
    assert item.left_out == 30 - len(item.entries) > 0
    assert f"({item.left_out} replaced versions left out)" in memory.context("zephyrine kiln", 400)


def test_a_small_current_comes_whole_and_a_large_one_by_search(memory: Memory) -> None:
    memory.add("The goat is loose.")
    memory.add("The tin is red.")
    assert set(texts(memory.search("goat"))) == {"The goat is loose.", "The tin is red."}
    for number in range(80):
        memory.add(f"Barge {number} passed the lock at noon and went on to the north.")
    found = memory.search("goat", budget=600)
    assert texts(found)[0] == "The goat is loose."
    assert "The tin is red." not in texts(found)


def test_current_has_its_name_and_no_lines(memory: Memory) -> None:
    memory.add("The goat is loose.")
    (item,) = memory.search("goat").evidence
    assert (item.document_id, item.title, item.lines, item.headings) == (
        "CURRENT",
        "CURRENT",
        None,
        (),
    )
    assert item.version == memory.status().position


def test_lines_are_true(library: Place) -> None:
    """The printed Markdown at an entry's lines reads back as that entry, and no other."""
    memory = library.open()
    checked = 0
    for question in (*QUESTIONS, *SENTENCES):
        for item in memory.search(question, budget=1500).evidence:
            for entry in item.entries:
                checked += _reads_back(memory, entry)
            own = [entry for entry in item.entries if entry.document_id == item.document_id]
            assert own
            if item.lines is not None:
                spans = [entry.lines for entry in own if entry.lines is not None]
                assert item.lines == (min(spans)[0], max(last for _, last in spans))
                view = memory.document(item.document_id)
                assert (item.version, item.title) == (view.header.version, view.header.title)
                assert tuple(stretch_heading(view.markdown, item.lines[0])) == item.headings
    assert checked > 60


def _reads_back(memory: Memory, entry: Entry) -> int:
    if entry.document_id == "CURRENT":
        assert entry.lines is None
        return 0
    assert entry.lines is not None
    assert entry.document_id is not None
    printed = memory.document(entry.document_id).markdown.split("\n")
    stretch = printed[entry.lines[0] - 1 : entry.lines[1]]
    if stretch[0].startswith("  - "):  # a sub-item, read as an item of its own
        stretch = [text.removeprefix("  ") for text in stretch]
    (told,) = parse_lines(stretch)
    assert (told.seqs, told.text, told.source, told.time) == (
        entry.seqs,
        entry.text,
        entry.source,
        entry.time,
    )
    assert (told.speaker, told.superseded_by) == (entry.speaker, entry.superseded_by)
    assert told.under == ()
    return 1


def stretch_heading(markdown: str, line_number: int) -> list[str]:
    """The heading path above a line, as the file prints it."""
    path: dict[int, str] = {}
    for text in markdown.split("\n")[: line_number - 1]:
        if text.startswith("#"):
            level = len(text) - len(text.lstrip("#"))
            path = {depth: title for depth, title in path.items() if depth < level}
            path[level] = text[level:].strip()
    return [title for depth, title in sorted(path.items()) if depth > 1]


def test_entries_carry_their_events_and_your_ids(library: Place) -> None:
    memory = library.open()
    for _, entry in (
        (item, entry) for item in memory.search("kiln").evidence for entry in item.entries
    ):
        for event_id, name in zip(entry.event_ids, entry.external_ids, strict=False):
            event = memory.get(event_id)
            assert event.content == entry.text  # type: ignore[union-attr]
            assert memory.get(name) == event


def test_near_repetitions_are_shown_once(memory: Memory) -> None:
    memory.add("The seed tin is under the stairs.", source="user", session="a")
    memory.add("the seed tin is under the stairs", source="tool", session="b")
    assert len(shown(memory, "seed tin")) == 1


def test_the_position_is_that_of_the_state(memory: Memory) -> None:
    memory.add("The goat is loose.")
    assert memory.search("goat").position == memory.status().position


def test_two_equal_searches_give_equal_answers(library: Place) -> None:
    memory = library.open()
    for question in QUESTIONS:
        assert memory.search(question) == memory.search(question)
        assert memory.context(question) == memory.context(question)


def test_the_newest_state_comes_first_also_from_another_document(memory: Memory) -> None:
    memory.add("Ines was the mayor of Hull.", time="2026-01-01")
    memory.add("Ines was the mayor of York.", time="2026-03-01")
    made = plan(create("d1", block(1)), create("d2", block(2), title="York"), window=(1, 2))
    applier(memory).apply(made)
    (first, second) = memory.search("Was Ines the mayor of Hull?").evidence
    assert [entry.seq for entry in first.entries] == [2]
    assert [entry.possibly_replaced_by for entry in second.entries] == [2]
