"""A window is cut into segments of one session on one matter."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.values import Entry, Source
from memoranda.write.segments import segments

BOILER = "The boiler in the cellar leaks water from the pressure valve near the copper pipe joint."
PLUMBER = "A plumber should replace the boiler valve and the copper pipe joint before water leaks."
POEM = (
    "My daughter recites sonnets about autumn orchards, foxes and moonlight for her school stage."
)
ACTOR = (
    "School stage rehearsals help: sonnets about orchards, foxes and moonlight need slow breath."
)


def entry(seq: int, text: str, source: Source = "user", **fields: str | None) -> Entry:
    known = {"session": "s1", "time": "2026-03-01", **fields}
    return Entry(seqs=(seq,), text=text, source=source, **known)  # type: ignore[arg-type]


def seqs(*entries: Entry) -> list[list[int]]:
    return [[one.seq for one in segment] for segment in segments(entries)]


def test_two_matters_of_one_session_are_two_segments() -> None:
    found = seqs(
        entry(1, BOILER),
        entry(2, PLUMBER, "assistant"),
        entry(3, POEM),
        entry(4, ACTOR, "assistant"),
    )
    assert found == [[1, 2], [3, 4]]


def test_one_matter_stays_together() -> None:
    assert seqs(entry(1, BOILER), entry(2, PLUMBER), entry(3, BOILER)) == [[1, 2, 3]]


def test_a_segment_ends_with_its_session_and_its_project() -> None:
    found = seqs(
        entry(1, BOILER),
        entry(2, BOILER, session="s2"),
        entry(3, BOILER, session="s2", project="house"),
    )
    assert found == [[1], [2], [3]]


def test_without_a_session_a_segment_ends_with_its_day() -> None:
    found = seqs(
        entry(1, BOILER, session=None, time="2026-03-01T08:00Z"),
        entry(2, BOILER, session=None, time="2026-03-01T22:00Z"),
        entry(3, BOILER, session=None, time="2026-03-02T08:00Z"),
    )
    assert found == [[1, 2], [3]]


def test_an_answer_stays_with_its_question_whatever_it_speaks_of() -> None:
    assert seqs(entry(1, BOILER), entry(2, POEM, "assistant")) == [[1, 2]]
    assert seqs(
        entry(1, BOILER + " 怎么办？", speaker="Ana"), entry(2, POEM, "external", speaker="Bo")
    ) == [[1, 2]]


def test_a_greeting_goes_with_its_neighbour() -> None:
    assert seqs(entry(1, "Hello!"), entry(2, POEM), entry(3, "Thanks.")) == [[1, 2, 3]]


def test_ten_entries_on_one_matter_are_parted_evenly_and_between_exchanges() -> None:
    talk = [entry(n, BOILER, "user" if n % 2 else "assistant") for n in range(1, 11)]
    assert [len(segment) for segment in segments(talk)] == [6, 4]
    assert segments(talk[:8]) == (tuple(talk[:4]), tuple(talk[4:8]))


def test_nothing_gives_nothing() -> None:
    assert segments([]) == ()


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                [BOILER, PLUMBER, POEM, ACTOR, "Hi", "好的", "发票开错了，请重开。", ""]
            ),
            st.sampled_from(["user", "assistant", "tool"]),
            st.sampled_from(["s1", "s2", None]),
            st.sampled_from(["house", None]),
        ),
        max_size=30,
    )
)
def test_every_entry_is_in_one_segment_and_in_order(
    talk: list[tuple[str, Source, str | None, str | None]],
) -> None:
    entries = [
        entry(n, text, source, session=session, project=project)
        for n, (text, source, session, project) in enumerate(talk)
    ]
    cut = segments(entries)
    assert [one for segment in cut for one in segment] == entries
    assert all(1 <= len(segment) <= 6 for segment in cut)
    assert all(len({(one.session, one.project) for one in segment}) == 1 for segment in cut)
