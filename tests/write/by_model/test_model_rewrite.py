"""A model names what changes in a window; each entry stays in exactly one place, whatever it names."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from librarian import Shown, asker, draft_of, entry, librarian

from memoranda import Entry
from memoranda.llm.doubles import ScriptedModel
from memoranda.store.operations import Duplicate, Supersede
from memoranda.write.by_model import Fallback, Rewriting, Window
from memoranda.write.by_model.rewrite import rewrite

TEXTS = (
    "I want to paint the fence in May.",
    "I want to finish it before the goats come back.",
    "渡轮周二停开。",
    "The paint for the fence is in the boathouse.",
    "The paint for the fence is in the boathouse!",
    "渡轮现在周二九点开。",
)
ENTRIES = tuple(entry(n, text, time="2026-05-02") for n, text in enumerate(TEXTS, start=1))
OLD = entry(91, "油漆在船屋里。", time="2026-01-01", document_id="d1", session="s0")
WINDOW = Window(entries=ENTRIES, draft=draft_of(ENTRIES), older=(OLD,))
JOINED = "I want to paint the fence in May. I want to finish it before the goats come back."


def accounted(rewriting: Rewriting) -> Counter[int]:
    found = Counter(e.seq for segment in rewriting.draft.segments for e in segment)
    found.update(item.seq for item in rewriting.draft.duplicates)
    found.update(seq for join in rewriting.joins for seq in join.seqs[1:])
    return found


def once(entries: tuple[Entry, ...] = ENTRIES) -> Counter[int]:
    return Counter(e.seq for e in entries)


def says(**parts: Any) -> Any:
    """Make a model that names entries by their numbers: lists of numbers become names."""

    def name(shown: Shown, value: Any) -> Any:
        if isinstance(value, tuple):
            return " ".join(shown.of((OLD if n == 91 else ENTRIES[n - 1]).text) for n in value)
        if isinstance(value, dict):
            return {key: name(shown, inner) for key, inner in value.items()}
        return [name(shown, inner) for inner in value] if isinstance(value, list) else value

    return librarian(lambda shown: {key: name(shown, value) for key, value in parts.items()})


def test_nothing_named_is_the_draft_of_the_rules() -> None:
    rewriting = rewrite(asker(ScriptedModel("{}")), WINDOW)
    assert rewriting.draft == WINDOW.draft
    assert set(rewriting.headings) == {()}
    assert (rewriting.joins, rewriting.possible, rewriting.report.used) == ((), (), 1)


def test_what_is_named_is_grouped_under_words_of_its_own() -> None:
    rewriting = rewrite(
        asker(
            says(blocks=[{"under": "Fence / Paint", "of": (1, 4)}, {"under": "渡轮", "of": (3, 6)}])
        ),
        WINDOW,
    )
    found = {
        tuple(e.seq for e in segment): tuple(text.text for text in path)
        for segment, path in zip(rewriting.draft.segments, rewriting.headings, strict=True)
    }
    assert found[1, 4] == ("Fence", "Paint")
    assert found[3, 6] == ("渡轮",)
    assert accounted(rewriting) == once()
    heading = rewriting.headings[0][0]
    assert heading.made_from == (1, 4)


def test_a_heading_of_the_models_own_is_not_taken() -> None:
    rewriting = rewrite(asker(says(blocks=[{"under": "Olek's roof", "of": (1, 4)}])), WINDOW)
    assert rewriting.headings[0] == ()
    assert [e.seq for e in rewriting.draft.segments[0]] == [1, 4]
    assert rewriting.report.reworded == 1


def test_a_repetition_is_taken_where_nothing_differs() -> None:
    rewriting = rewrite(asker(says(same=[(5, 4)])), WINDOW)
    assert rewriting.draft.duplicates == (Duplicate(seq=5, of=4),)
    assert accounted(rewriting) == once()


@pytest.mark.parametrize("pair", [(1, 2), (3, 6), (1, 91), (6, 4)])
def test_what_differs_is_no_repetition(pair: tuple[int, int]) -> None:
    rewriting = rewrite(asker(says(same=[pair])), WINDOW)
    assert rewriting.draft.duplicates == ()
    assert rewriting.report.reworded == 1


def test_adjacent_entries_become_one_line_of_the_exact_set() -> None:
    rewriting = rewrite(asker(says(join=[{"of": (1, 2), "text": JOINED}])), WINDOW)
    (join,) = rewriting.joins
    assert (join.seqs, join.text.text, join.text.made_from) == ((1, 2), JOINED, (1, 2))
    line = rewriting.draft.segments[0][0]
    assert (line.seqs, line.text) == ((1, 2), JOINED)
    assert accounted(rewriting) == once()


@pytest.mark.parametrize(
    ("seqs", "text"),
    [
        ((1, 2), "I want to paint the fence in May before the sheep come back."),
        ((1, 2), "I will paint the fence in June and finish it before the goats come back."),
        ((1, 4), "I want to paint the fence in May. The paint for the fence is in the boathouse."),
        ((3, 6), "渡轮周二停开。渡轮现在周二九点开。"),
    ],
)
def test_a_line_that_loses_invents_or_jumps_is_not_joined(seqs: tuple[int, int], text: str) -> None:
    rewriting = rewrite(asker(says(join=[{"of": seqs, "text": text}])), WINDOW)
    assert rewriting.joins == ()
    assert rewriting.draft == WINDOW.draft
    assert rewriting.report.reworded == 1


@pytest.mark.parametrize(
    "other",
    [
        {"speaker": "Olek"},
        {"source": "assistant"},
        {"project": "farm"},
        {"sensitivity": "private"},
        {"session": "s2"},
        {"superseded_by": 7},
        {"retracted": True},
    ],
)
def test_entries_of_two_voices_or_with_a_history_stay_two_lines(other: dict[str, Any]) -> None:
    entries = (ENTRIES[0], entry(2, TEXTS[1], time="2026-05-02", **other))
    window = Window(entries=entries, draft=draft_of(entries))
    rewriting = rewrite(asker(says(join=[{"of": (1, 2), "text": JOINED}])), window)
    assert rewriting.joins == ()
    assert accounted(rewriting) == once(entries)


def test_what_replaces_what_is_only_marked_and_stays_two_lines() -> None:
    rewriting = rewrite(asker(says(old=[(6, 3)], same=[(3, 6)])), WINDOW)
    assert rewriting.possible == (Supersede(older=3, newer=6),)
    assert rewriting.draft.duplicates == ()
    assert accounted(rewriting) == once()


def test_a_link_of_the_rules_is_not_named_twice_and_its_ends_are_not_joined() -> None:
    draft = draft_of(ENTRIES, supersedes=(Supersede(older=1, newer=2),))
    window = Window(entries=ENTRIES, draft=draft)
    rewriting = rewrite(asker(says(old=[(1, 2)], join=[{"of": (1, 2), "text": JOINED}])), window)
    assert (rewriting.possible, rewriting.joins) == ((), ())
    assert rewriting.draft.supersedes == draft.supersedes


def test_a_name_alone_is_no_pair_and_three_are_too_many() -> None:
    assert rewrite(asker(says(old=[(3,), (6,)])), WINDOW).possible == ()
    assert rewrite(asker(says(old=[(3, 4, 6)])), WINDOW).report.fallbacks != ()


def test_projects_are_not_mixed_in_one_block() -> None:
    entries = (*ENTRIES[:3], entry(4, TEXTS[3], project="farm"))
    window = Window(entries=entries, draft=draft_of(entries))
    rewriting = rewrite(asker(says(blocks=[{"under": "fence", "of": (1, 4)}])), window)
    assert all(len({e.project for e in segment}) == 1 for segment in rewriting.draft.segments)
    assert accounted(rewriting) == once(entries)


def test_an_entry_of_another_call_or_of_nobody_is_refused_and_the_rules_draft_stands() -> None:
    model = ScriptedModel('{"old": ["qqz zzq"]}', '{"blocks": [{"under": "a b", "of": "1"}]}')
    rewriting = rewrite(asker(model), WINDOW)
    assert rewriting.draft == WINDOW.draft
    assert rewriting.report.fallbacks == (Fallback(step="rewrite", reason="unknown_alias"),)


_NUMBERS = st.lists(st.integers(1, 6), min_size=2, max_size=6).map(tuple)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(_NUMBERS, st.sampled_from(["Fence", "渡轮", "May / fence"])), max_size=4),
    st.lists(st.sampled_from([(4, 5), (5, 4), (3, 6), (4, 91), (1, 2)]), max_size=4),
    st.sampled_from([[], [(1, 2)]]),
    st.lists(st.sampled_from([(1, 2), (5, 4), (91, 4), (6, 3)]), max_size=2),
)
def test_whatever_is_named_each_entry_is_in_exactly_one_place(
    blocks: Any, same: Any, join: Any, old: Any
) -> None:
    model = says(
        blocks=[{"under": heading, "of": seqs} for seqs, heading in blocks],
        same=list(dict.fromkeys(same)),
        join=[{"of": seqs, "text": JOINED} for seqs in join],
        old=list(dict.fromkeys(old)),
    )
    rewriting = rewrite(asker(model), WINDOW)
    assert accounted(rewriting) == once()
    assert len(rewriting.headings) == len(rewriting.draft.segments)
    ends = {end for link in rewriting.possible for end in (link.older, link.newer)}
    gathered = {seq for item in rewriting.draft.duplicates for seq in (item.seq, item.of)}
    gathered |= {seq for line in rewriting.joins for seq in line.seqs}
    assert not ends & gathered
