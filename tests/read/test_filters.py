"""Filters: what fits is found however much else matches; what does not fit is never shown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda import Entry, Memory, NewEvent
from memoranda.errors import InputError, NotFoundError
from memoranda.store.query import understand
from memoranda.store.sift import Filter, sift
from memoranda.text.days import period
from memoranda.text.times import normalise
from scene import PHONE, Place, home

PACIFIC = timezone(timedelta(hours=-8))


def entries(memory: Memory, query: str, **filters: Any) -> list[Entry]:
    found = memory.search(query, budget=20_000, **filters)
    return [entry for item in found.evidence for entry in item.entries]


def seqs(memory: Memory, query: str, **filters: Any) -> list[int]:
    return sorted(seq for entry in entries(memory, query, **filters) for seq in entry.seqs)


@pytest.fixture(params=["in CURRENT", "in documents", "half and half"])
def stocked(request: pytest.FixtureRequest, memory: Memory) -> Memory:
    """Eight lines on one matter; seq 8 waits in CURRENT unless all are in documents."""
    rows: tuple[dict[str, Any], ...] = (
        {"time": "2026-03-01", "speaker": "Olek", "session": "a"},
        {"time": "2026-03-15T23:30Z", "speaker": "米拉", "session": "a", "source": "assistant"},
        {"time": "2026-04-01", "speaker": "Olek", "session": "b", "sensitivity": "private"},
        {"time": "2025-12-31", "speaker": "米拉", "session": "b", "sensitivity": "public"},
        {"time": "2026-03-02", "session": "c", "source": "tool", "project": "acme"},
        {"time": None, "session": "c", "source": "external"},
    )
    texts = (
        "The kiln was lit by hand.",
        "The kiln cooled down over night.",
        "The kiln was sold, they said.",
        "The kiln smoked in the yard.",
        "The kiln ran with sensor seven.",
        "The kiln stands in a register.",
    )
    for text, row in zip(texts, rows, strict=True):
        memory.add_many([NewEvent(content=text, **row)])
    memory.add("The kiln will be moved on May 3rd.", time="2026-03-20", session="d")
    if request.param == "half and half":
        memory.consolidate()
    memory.add("窑在去年五月三日修过,kiln 的门也换了。", time="2026-06-20", session="e")
    if request.param == "in documents":
        memory.consolidate()
    return memory


@pytest.mark.parametrize(
    ("filters", "fitting"),
    [
        ({}, [1, 2, 3, 4, 5, 6, 7, 8]),
        ({"on": "2026-03"}, [1, 2, 5, 7]),
        ({"on": "2026-03-01"}, [1]),
        ({"on": date(2026, 3, 15)}, [2]),
        ({"on": "2026-03-15T23:30Z"}, [2]),
        ({"on": datetime(2026, 3, 15, 15, 30, tzinfo=PACIFIC)}, [2]),
        ({"on": "2025"}, [4, 8]),
        ({"on": "2026-05-03"}, [7]),
        ({"on": "2026-05"}, [7]),
        ({"on": "2025-05-03"}, [8]),
        ({"on": "2026-06-01"}, [6]),
        ({"since": "2026-04-01"}, [3, 6, 7, 8]),
        ({"since": "2026-03-15T23:30Z", "until": "2026-03-31"}, [2, 7]),
        ({"since": "2026-03-15T23:31Z", "until": "2026-03-31"}, [7]),
        ({"until": "2026-03-01"}, [1, 4, 8]),
        ({"until": "2026-03-01T00:00Z"}, [1, 4, 8]),
        ({"until": "2025"}, [4, 8]),
        ({"since": "2026-03", "until": "2026-03"}, [1, 2, 5, 7]),
        ({"source": "tool"}, [5]),
        ({"source": ["tool", "assistant", "tool"]}, [2, 5]),
        ({"sensitivity": "private"}, [3]),
        ({"sensitivity": {"public", "private"}}, [3, 4]),
        ({"speaker": "米拉"}, [2, 4]),
        ({"session": "c"}, [5, 6]),
        ({"project": "acme"}, [5]),
        ({"speaker": "Olek", "on": "2026-03"}, [1]),
        ({"speaker": "Olek", "sensitivity": "public"}, []),
        ({"on": "2019-01-01"}, []),
    ],
)
def test_what_fits_is_found_and_nothing_else(
    stocked: Memory, filters: dict[str, Any], fitting: list[int]
) -> None:
    assert seqs(stocked, "kiln", **filters) == fitting


def test_a_document_is_named_by_id_title_or_file(stocked: Memory) -> None:
    waiting = [entry.seq for entry in stocked.current()]
    for info in stocked.documents():
        inside = stocked.document(info.document_id)
        held = sorted(s for b in inside.blocks for e in b.entries for s in e.seqs)
        for ref in (info.document_id, info.title, info.file, info.title.upper()):
            assert seqs(stocked, "kiln", document=ref) == held
    assert seqs(stocked, "kiln", document="CURRENT") == waiting


def test_ask_and_context_take_the_same_filters(stocked: Memory) -> None:
    answer = stocked.ask("Who lit the kiln?", on="2026-03-01")
    assert [claim.quote for claim in answer.claims] == ["The kiln was lit by hand."]
    text = stocked.context("kiln", 2000, speaker="Olek", source="user", on="2026-04")
    assert "sold" in text
    assert "lit" not in text
    assert not stocked.ask("kiln", on="2019").known
    assert stocked.context("kiln", on="2019") == ""


def test_thousands_of_better_hits_hide_nothing(memory: Memory) -> None:
    memory.add(
        "In the long meeting somebody said that the invoice of the harbour is late.",
        time="2025-01-05",
    )
    memory.add(
        "At length and with many words they spoke of the invoice of May 3rd, 2019, the old one."
    )
    memory.consolidate()  # CURRENT would come along by itself
    memory.add_many(
        [
            NewEvent(content=f"Invoice {n} invoice.", speaker="Bo", time="2026-01-01")
            for n in range(3000)
        ]
    )
    assert seqs(memory, "invoice", on="2025-01") == [1]
    assert seqs(memory, "invoice", on="2019-05-03") == [2]
    assert seqs(memory, "invoice", since="2026-02") == [2]


@pytest.mark.parametrize(
    "filters",
    [
        {"on": "yesterday"}, {"on": "2026-13"}, {"on": ""}, {"since": "2026-03-01T09:00"},
        {"until": datetime(2026, 3, 1)},  # noqa: DTZ001 - that is the point
        {"on": 2026}, {"since": "2026-02", "until": "2026-01"},
        {"on": "2026", "since": "2027"}, {"source": "users"}, {"source": ["user", "me"]},
        {"source": []}, {"source": ""}, {"source": 7}, {"sensitivity": "secret"}, {"document": ""},
        {"document": 1}, {"speaker": ""}, {"session": ["a"]}, {"project": ""},
    ],
    ids=str,
)  # fmt: skip
def test_a_value_that_cannot_be_used_is_refused(stocked: Memory, filters: dict[str, Any]) -> None:
    for call in (stocked.search, stocked.ask, stocked.context):
        with pytest.raises(InputError) as caught:
            call("kiln", **filters)
        assert all(word in str(caught.value) for word in [*filters][:1])


@pytest.mark.parametrize(
    ("filters", "near"),
    [
        ({"speaker": "olek"}, "Olek"), ({"session": "aa"}, ""), ({"project": "acne"}, "acme"),
        ({"document": "d99"}, ""), ({"speaker": "米"}, "米拉"), ({"speaker": "Olek' OR 1 --"}, ""),
    ],
    ids=str,
)  # fmt: skip
def test_an_unknown_name_is_an_error_with_near_names(
    stocked: Memory, filters: dict[str, Any], near: str
) -> None:
    with pytest.raises(NotFoundError) as caught:
        stocked.search("kiln", **filters)
    assert near in ", ".join(caught.value.near)


def test_an_unknown_filter_is_an_error(stocked: Memory) -> None:
    with pytest.raises(TypeError, match="colour"):
        stocked.search("kiln", colour="red")  # type: ignore[call-arg]


def test_a_project_beyond_the_reach_is_refused_and_its_names_are_not_told(place: Place) -> None:
    place.open(project="zeta").add("The kiln of zeta.", speaker="Zoran")
    acme = place.open(project="acme")
    acme.add("The kiln of acme.")
    place.open().add("The kiln of nobody.")
    assert seqs(acme, "kiln") == [2, 3]
    assert seqs(acme, "kiln", project="acme") == [2]
    with pytest.raises(InputError, match="all_projects"):
        acme.search("kiln", project="zeta")
    with pytest.raises(NotFoundError) as caught:
        acme.search("kiln", speaker="Zoram")
    assert caught.value.near == ()
    assert seqs(place.open(project="acme", all_projects=True), "kiln", project="zeta") == [1]
    assert seqs(place.open(project="new"), "kiln", project="new") == []


def test_an_old_state_whose_successor_does_not_fit_says_that_it_was_replaced(
    memory: Memory,
) -> None:
    memory.add(PHONE.format(1111), time="2026-01-01")
    memory.add(PHONE.format(2222), time="2026-02-01")
    memory.consolidate()
    (old,) = entries(memory, "phone number", on="2026-01")
    assert (old.seq, old.superseded_by) == (1, 2)
    assert "[outdated, replaced by 2]" in memory.context("phone number", on="2026-01")
    (claim,) = memory.ask("What is my phone number?", on="2026-01").claims
    assert claim.superseded_by == 2
    assert seqs(memory, "phone number", on="2026-02") == [2]
    assert seqs(memory, "phone number 1111", since="2026-02") == [2]
    assert seqs(memory, "phone number") == [1, 2]


def test_an_old_wording_leads_to_what_fits(memory: Memory) -> None:
    memory.add("The zephyrine kiln is in Leeds.", time="2026-01-01")
    memory.correct(1, "It is in York now.", time="2026-02-01")
    assert seqs(memory, "zephyrine", since="2026-02") == [2]
    assert seqs(memory, "zephyrine", on="2026-01") == [1]
    assert seqs(memory, "york", on="2026-01") == []


def test_the_index_counts_its_limit_among_what_fits(memory: Memory) -> None:
    for number in range(5):
        memory.add(f"Invoice {number}." + " More words." * number, session=str(number))
    hits = home(memory).with_index(
        lambda index: index.search(understand("invoice"), limit=1, projects=None, units={4, 99})
    )
    assert [hit.unit for hit in hits] == [4]


def test_the_commonest_word_counts_among_what_fits(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoranda.store.bm25.READ", 20)
    memory.add("The invoice is late.", time="2025-01-05")
    memory.consolidate()  # CURRENT would come along by itself
    memory.add_many([NewEvent(content=f"Harbour {n} invoice.") for n in range(40)])
    memory.add_many([NewEvent(content=f"Invoice {n}.") for n in range(40)])
    assert seqs(memory, "harbour invoice", on="2025-01") == [1]


def test_history_under_a_line_fits_the_filter_too(memory: Memory) -> None:
    memory.add(PHONE.format(1111), time="2026-01-01", sensitivity="private")
    memory.add(PHONE.format(2222), time="2026-02-01", sensitivity="public")
    memory.consolidate()
    assert [e.text for e in entries(memory, "phone", sensitivity="public")] == [PHONE.format(2222)]


def test_a_neighbour_that_does_not_fit_is_not_shown(memory: Memory) -> None:
    memory.add("Is the zephyrine kiln safe?", session="s", time="2026-05-01", speaker="Olek")
    memory.add("No.", source="assistant", session="s", time="2026-05-01")
    memory.consolidate()
    assert seqs(memory, "zephyrine kiln") == [1, 2]
    assert seqs(memory, "zephyrine kiln", source="user") == [1]


def test_what_was_said_twice_fits_by_either_time(memory: Memory) -> None:
    for day in ("2026-01-05", "2026-03-05"):
        memory.add("The seed tin is under the stairs.", time=day, session=day)
    memory.consolidate()
    for day in ("2026-01-05", "2026-03-05"):
        assert seqs(memory, "seed tin", on=day) == [1, 2]
        assert seqs(memory, "seed tin", session=day) == [1, 2]
    assert seqs(memory, "seed tin", on="2026-02") == []


def test_retracted_lines_stay_hidden(memory: Memory) -> None:
    memory.add("The kiln is hot.", time="2026-03-01")
    memory.retract(1)
    assert seqs(memory, "kiln", on="2026-03-01") == []


def test_a_year_in_a_text_is_too_wide_for_a_day(memory: Memory) -> None:
    memory.add("We lived by the harbour in 2019.", time="2026-03-01")
    assert seqs(memory, "harbour", on="2019") == [1]
    assert seqs(memory, "harbour", since="2019-06", until="2020") == [1]
    assert seqs(memory, "harbour", on="2019-06-01") == []
    assert seqs(memory, "harbour", on="2019-06") == []


def test_a_relative_date_counts_from_when_it_was_said(memory: Memory) -> None:
    memory.add("昨天 we fired the kiln.", time="2026-03-01")
    memory.add("We fired the kiln last Friday.")
    assert seqs(memory, "kiln", on="2026-02-28") == [1]
    assert seqs(memory, "kiln", on="2026-05-29") == [2]


def test_what_is_added_later_is_read_too(memory: Memory) -> None:
    memory.add("The kiln of May 3rd.", time="2026-01-01")
    assert seqs(memory, "kiln", on="2026-05-03") == [1]
    memory.add("The other kiln, 5月3日.", time="2026-01-01")
    assert seqs(memory, "kiln", on="2026-05-03") == [1, 2]
    memory.forget(entry=1)
    assert seqs(memory, "kiln", on="2026-05-03") == [2]
    rows = home(memory).with_index(lambda index: index.said.rows())
    assert {row[0] for row in rows} == {2}


def test_an_event_that_no_entry_cites_is_filtered_too(memory: Memory) -> None:
    memory.add("The zephyrine kiln.", time="2026-03-01", speaker="Olek")
    memory.add("The zephyrine barge of 2026-03-01.", time="2026-04-01", speaker="米拉")
    db = home(memory).log.connection
    db.execute("DELETE FROM entry_event")
    db.execute("DELETE FROM entry")
    assert [e.document_id for e in entries(memory, "zephyrine")] == ["LOG", "LOG"]

    def texts(**filters: Any) -> list[str]:
        return sorted(entry.text for entry in entries(memory, "zephyrine", **filters))

    assert len(texts(on="2026-03-01")) == 2
    assert texts(on="2026-04-01") == texts(speaker="米拉") == ["The zephyrine barge of 2026-03-01."]
    assert texts(document="CURRENT") == []
    assert texts(source="tool") == []
    with pytest.raises(NotFoundError, match="Olek"):
        texts(speaker="Ole")


TIMES = st.one_of(
    st.dates(date(2026, 2, 27), date(2026, 3, 3)).map(date.isoformat),
    st.datetimes(datetime(2026, 2, 27), datetime(2026, 3, 3)).map(  # noqa: DTZ001 - UTC follows
        lambda at: at.replace(microsecond=at.microsecond % 2 * 500_000, tzinfo=UTC).isoformat()
    ),
    st.sampled_from(["2026-03-01T00:00Z", "2026-02-28T23:59:59Z", "2026-03-01T09:30Z"]),
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    times=st.lists(TIMES, min_size=1, max_size=8),
    since=st.none() | TIMES | st.sampled_from(["2026", "2026-03"]),
    until=st.none() | TIMES | st.sampled_from(["2026", "2026-03"]),
)
def test_times_are_compared_as_times_whatever_their_form(
    memory: Memory, times: list[str], since: str | None, until: str | None
) -> None:
    wanted = Filter(
        start=None if since is None else period(since).start,
        end=None if until is None else period(until).end,
    )
    if wanted.start is not None and wanted.end is not None and wanted.start >= wanted.end:
        return
    seqs = [memory.add(f"The kiln {at}.".replace("-", "x"), time=at).seqs[0] for at in times]
    fitting = {seq for seq, at in zip(seqs, times, strict=True) if wanted.meets(normalise(at))}
    db = home(memory).log.connection
    shown = home(memory).with_index(lambda index: sift(wanted, db, index.said)).lines
    assert shown & set(seqs) == fitting


WORDS = st.sampled_from(
    ["kiln", "hot", '"', "*", "AND", "(", "terms:", "窑", "-", "\0", "NEAR(", "'; DROP"]
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=st.lists(WORDS, max_size=6).map(" ".join), speaker=st.sampled_from([None, "Olek"]))
def test_any_query_is_safe_under_filters(place: Place, query: str, speaker: str | None) -> None:
    if not place.database.exists():
        place.open().add("The kiln is hot. 窑很热。", speaker="Olek", time="2026-03-01")
    with place.open() as memory:
        assert set(seqs(memory, query, speaker=speaker, on="2026-03")) <= {1}


@pytest.mark.parametrize("field", ["document", "project", "speaker", "session"])
def test_half_of_a_surrogate_pair_is_no_name(memory: Memory, field: str) -> None:
    with pytest.raises(InputError, match=f"{field} is a name"):
        memory.search("kiln", **{field: "\ud800"})  # type: ignore[arg-type]


@pytest.fixture(params=["America/Los_Angeles", "Asia/Kolkata", "UTC"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def test_a_day_is_a_utc_day_wherever_the_host_stands(place: Place, zone: str) -> None:  # fc-029
    """The clocks change in Los Angeles on 2026-03-08; 00:30 UTC is still the 7th there."""
    memory = place.open()
    memory.add("The ferry left.", time=datetime(2026, 3, 8, 0, 30, tzinfo=UTC))
    memory.add("The ferry came back.", time="2026-03-07T23:59-00:00")
    memory.add("The ferry will leave again tomorrow.", time="2026-03-08T23:30Z")
    memory.consolidate()
    assert seqs(memory, "ferry", on="2026-03-08") == [1, 3]
    assert seqs(memory, "ferry", on=date(2026, 3, 8)) == [1, 3]
    assert seqs(memory, "ferry", on="2026-03-07") == [2]
    assert seqs(memory, "ferry", on="2026-03-09") == [3]
    assert {entry.time for entry in entries(memory, "ferry")} == {
        "2026-03-08T00:30Z", "2026-03-07T23:59Z", "2026-03-08T23:30Z",
    }  # fmt: skip
    memory.close()
    marks = [zone.encode(), b"-08:00", b"-07:00", b"+05:30"] if zone != "UTC" else []
    held = [path.read_bytes() for path in place.root.rglob("*") if path.is_file()]
    assert held
    assert [mark for mark in marks if any(mark in data for data in held)] == []
