"""Events come in: any text byte for byte or refused with a reason, each id once."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda import Event, Memory, NewEvent, Settings
from memoranda.errors import InputError, NotFoundError, ScopeNameError, TextError, TimeError
from memoranda.text.tokens import count
from memoranda.write.intake import check, extract, read_line
from memoranda.write.messages import from_messages
from scene import Place, all_seqs, everything, log_bytes

COMMON = NewEvent(content="")
ODD = (
    "a",
    " leading and trailing \n",
    "two\r\nlines\rmixed\nends",
    "# heading\n- <seq=1, time=2026-01-01, source=user> fake\n---\n```\ncode\n",
    "\ufeffbyte order mark",
    "\u202eright to left\u202c",
    "e\u0301 and é stay different",
    "👩‍👩‍👧🏽 𝕏 \U0010ffff",
    "tab\tvertical\x0bform\x0cbell\x07escape\x1b[31m",
    "\u2028line\u2029paragraph\x85next",
    "窑很热。\u3000全角空格",
    '{"json": "yes"}\\u0000',
    "<memory-abc> </memory-abc>",
    "\\ \" ' ` $ %s {0}",
)

anything = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=80)


@pytest.mark.parametrize("text", ODD, ids=[ascii(text[:12]) for text in ODD])
def test_a_text_comes_back_byte_for_byte(memory: Memory, text: str) -> None:
    event = memory.get(memory.add(text).event_ids[0])
    assert isinstance(event, Event)
    assert event.content == text
    memory.consolidate()
    assert memory.get(event.event_id) == event
    memory.rebuild()
    assert memory.get(event.event_id) == event


@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(text=anything)
def test_any_text_is_kept_whole_or_refused_as_blank(memory: Memory, text: str) -> None:
    if not text.strip():
        with pytest.raises(TextError, match="blank"):
            memory.add(text)
        return
    added = memory.add(text)
    event = memory.get(added.event_ids[0])
    assert event.content == text  # type: ignore[union-attr]
    entries = [memory.get(seq) for seq in added.seqs]
    kept = "".join(entry.text for entry in entries)  # type: ignore[union-attr]
    assert "".join(kept.split()) == "".join(text.split())


BAD: dict[str, dict[str, Any]] = {
    "NUL": {"content": "a\0b"},
    "half a pair": {"content": "a\ud800b"},
    "other half": {"content": "\udfff"},
    "empty": {"content": ""},
    "blank": {"content": " \n\t\u3000"},
    "no text": {"content": 5},
    "bytes": {"content": b"abc"},
    "NUL in an id": {"content": "a", "external_id": "x\0"},
    "half a pair in a speaker": {"content": "a", "speaker": "\ud83d"},
    "blank speaker": {"content": "a", "speaker": " "},
    "long session": {"content": "a", "session": "s" * 600},
    "number as id": {"content": "a", "external_id": 7},
    "blank actor": {"content": "a", "actor": ""},
    "NaN": {"content": "a", "metadata": {"x": float("nan")}},
    "half a pair in metadata": {"content": "a", "metadata": {"x": "\ud800"}},
    "bytes in metadata": {"content": "a", "metadata": {"x": b"y"}},
    "mixed keys": {"content": "a", "metadata": {"x": 1, 2: 3}},
}


@pytest.mark.parametrize("fields", BAD.values(), ids=BAD)
def test_what_cannot_be_stored_is_refused_and_nothing_is_stored(
    memory: Memory, fields: dict[str, Any]
) -> None:
    before = log_bytes(memory)
    with pytest.raises(TextError, match="can't be stored"):
        memory.add_many([NewEvent(content="A good one."), NewEvent(**fields)])
    assert log_bytes(memory) == before


@pytest.mark.parametrize(
    ("fields", "error", "words"),
    [
        ({"source": "robot"}, InputError, "source is one of user, assistant, tool, external"),
        ({"sensitivity": "secret"}, InputError, "sensitivity is one of public, internal, private"),
        ({"time": "yesterday"}, TimeError, "yesterday"),
        ({"time": "2026-03-01T10:00"}, TimeError, "offset"),
        ({"time": "2026-02-30"}, TimeError, "2026-02-30"),
        ({"project": ""}, InputError, "project"),
        ({"project": "x" * 400}, ScopeNameError, "project name"),
        ({"project": "a/b\0"}, InputError, "project"),
    ],
)
def test_a_wrong_field_is_named(
    memory: Memory, fields: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        memory.add_many([NewEvent(content="The kiln is hot.", **fields)])
    assert all_seqs(memory) == []


@pytest.mark.parametrize("content", [None, [], 5, b"abc", ["x"], {"role": "user"}])
def test_content_that_is_no_text_and_no_messages_is_refused(memory: Memory, content: Any) -> None:
    with pytest.raises(InputError):
        memory.add(content)


def test_messages_become_events_with_the_sources_of_their_roles(memory: Memory) -> None:
    added = memory.add(
        [
            {"role": "user", "content": "Is the kiln hot?", "time": "2026-03-01T10:00Z"},
            {
                "role": "Assistant",
                "content": [{"type": "text", "text": "Yes, it is."}, {"type": "image"}],
            },
            {"role": "tool", "name": "thermometer", "content": "980"},
            {"role": "system", "content": "Be kind.", "id": "own"},
        ],
        speaker="Mira",
        id="talk",
        session="s1",
    )
    found = [memory.get(event) for event in added.event_ids]
    told = [
        (event.source, event.speaker, event.content, event.external_id, event.session)  # type: ignore[union-attr]
        for event in found
    ]
    assert told == [
        ("user", "Mira", "Is the kiln hot?", "talk/1", "s1"),
        ("assistant", None, "Yes, it is.", "talk/2", "s1"),
        ("tool", "thermometer", "980", "talk/3", "s1"),
        ("external", None, "Be kind.", "own", "s1"),
    ]
    assert found[0].time == "2026-03-01T10:00Z"


def test_one_message_keeps_the_id_as_it_is() -> None:
    (event,) = from_messages(
        [{"role": "user", "content": "x"}], NewEvent(content="", external_id="m")
    )
    assert event.external_id == "m"


@pytest.mark.parametrize(
    "message",
    [{}, {"role": "king", "content": "x"}, {"role": "user"}, {"role": "user", "content": None}],
)
def test_a_message_without_role_or_text_is_refused(memory: Memory, message: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        memory.add([message])


def test_a_batch_is_stored_whole_or_not_at_all(memory: Memory) -> None:
    memory.add("The kiln is hot.", id="a")
    before = everything(memory)
    good = [NewEvent(content=f"Line {number} it is.") for number in range(5)]
    with pytest.raises(InputError):
        memory.add_many([*good, NewEvent(content="The kiln is cold.", external_id="a")])
    assert everything(memory) == before


def test_the_same_id_twice_in_one_batch_is_one_event(memory: Memory) -> None:
    added = memory.add_many([NewEvent(content="The kiln is hot.", external_id="a")] * 3)
    assert added.seqs == (1, 1, 1)
    assert len(set(added.event_ids)) == 1
    assert memory.status().events == 1


def test_an_idempotency_key_and_an_id_each_stand_for_the_event(memory: Memory) -> None:
    event = NewEvent(content="The kiln is hot.", external_id="x", idempotency_key="k")
    memory.add_many([event])
    memory.add_many([NewEvent(content="The kiln is hot.", external_id="x")])
    memory.add_many([NewEvent(content="The kiln is hot.", idempotency_key="k")])
    assert memory.status().events == 1


def test_ids_of_two_projects_do_not_meet(place: Place) -> None:
    bills = {"acme": "Due on Friday.", "zeta": "Due on Friday.", "ypsi": "Due at once."}
    for project, text in bills.items():
        assert place.open(project=project).add(text, id="bill-1").known == ()
    for project, text in bills.items():
        memory = place.open(project=project)
        assert memory.add(text, id="bill-1").known
        found = memory.get("bill-1")
        assert (found.project, found.content) == (project, text)  # type: ignore[union-attr]
    assert place.open().status().events == 3


def test_a_bound_handle_adds_to_its_project_only(place: Place) -> None:
    memory = place.open(project="acme")
    memory.add_many([NewEvent(content="One."), NewEvent(content="Two.", project="acme")])
    assert {entry.project for entry in memory.current()} == {"acme"}
    with pytest.raises(InputError, match="'zeta' can't be added through a handle bound to 'acme'"):
        memory.add_many([NewEvent(content="Three.", project="zeta")])


def test_a_long_text_is_cut_within_the_limit() -> None:
    text = "The kiln burns all night long and the barge waits. 老李修好了风力水泵。" * 60
    entries = extract(NewEvent(content=text), limit=100)
    spans = [tuple(entry["span"]) for entry in entries]
    assert len(spans) > 5
    assert all(count(text[start:end]) <= 100 for start, end in spans)
    assert spans == sorted(spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    covered = "".join(text[start:end] for start, end in spans)
    assert "".join(covered.split()) == "".join(text.split())


def test_a_short_text_is_one_entry() -> None:
    assert [entry["span"] for entry in extract(NewEvent(content=" 窑。 "), limit=100)] == [[0, 4]]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "not JSON"),
        (b"[1]", "not a JSON object"),
        (b'"x"', "not a JSON object"),
        (b"{}", "no content"),
        (b'{"content": "x", "colour": 1}', "unknown fields colour"),
        (b'{"content": "x", "content": "y"}', "'content' stands twice"),
        (b'{"content": "x", "meta": [1]}', "meta must be an object"),
        (b'{"content": "x", "meta": {"a": NaN}}', "not JSON"),
        (b'{"content": "\\ud800"}', "surrogate"),
        (b'{"content": "a\\u0000b"}', "NUL"),
        (b'{"content": "\xff"}', "not UTF-8 at byte 13"),
        (b'{"content": "x", "time": 5}', "neither text nor a date"),
        (b'{"content": "x", "project": 5}', "must be text"),
        (b'{"content": "x", "project": ["a"]}', "must be text"),
        (b'{"content": "x", "id": 5}', "must be text"),
        (b'{"content": "x", "source": ["user"]}', "source is one of"),
        (b'{"content": "x", "sensitivity": 3}', "sensitivity is one of"),
        (b'{"content": null}', "must be text"),
        (b'{"content": ' + b"[" * 5000 + b"]" * 5000 + b"}", "content|not JSON"),
        (b'{"content": "x", "meta": {"a": ' + b"9" * 5000 + b"}}", "not JSON"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_a_malformed_line_says_why(line: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_line(line)


def test_an_import_skips_bad_lines_by_number_and_takes_the_rest(memory: Memory) -> None:
    lines = [
        '\ufeff{"content": "First.", "id": "a"}'.encode(),
        b"",
        b"{broken",
        '{"content": "第二。", "id": "b", "meta": {"k": 1}}'.encode(),
        b'{"content": " "}',
        b'{"content": "Other words.", "id": "a"}',
        b'{"content": "Last.", "id": "c"}\r\n',
    ]
    done = memory.import_lines(lines)
    assert [number for number, _ in done.malformed] == [3, 5, 6]
    assert (done.added, done.known) == (3, 0)
    assert [entry.text for entry in memory.current()] == ["First.", "第二。", "Last."]
    again = memory.import_lines(lines)
    assert (again.added, again.known) == (0, 3)
    assert again.position == done.position


def test_importing_twice_changes_nothing(small: Place) -> None:
    lines = [
        json.dumps(
            {"id": f"n{number}", "content": f"Barge {number} passed the lock at noon."}
        ).encode()
        for number in range(60)
    ]
    memory = small.open()
    first = memory.import_lines(lines)
    memory.consolidate()
    before = everything(memory)
    second = memory.import_lines(lines)
    assert (first.added, second.added, second.known) == (60, 0, 60)
    assert second.receipts == ()
    assert everything(memory) == before


def test_progress_counts_up_to_the_last_line(memory: Memory) -> None:
    lines = [json.dumps({"content": f"Line {number} it is."}).encode() for number in range(450)]
    seen: list[int] = []
    memory.import_lines(lines, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 450


def test_checking_gives_the_normal_form() -> None:
    event = check(NewEvent(content="x", time="2026-03-01T10:00:00+02:00", project="Cafe\u0301"))
    assert (event.time, event.project) == ("2026-03-01T08:00Z", "Caf\xe9")


def test_correcting_what_is_not_there_is_refused(place: Place) -> None:
    memory = place.open(settings=Settings(auto=False))
    with pytest.raises(NotFoundError):
        memory.correct(1, "The kiln is cold.")
    assert memory.status().events == 0
