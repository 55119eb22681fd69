"""Asking for a typed reply: one repair, then a typed failure."""

from __future__ import annotations

import json

import pytest
from forms_in_use import FORM, OFFERED, RIGHT, WANTED, Draft, request

from memoranda.errors import (
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    ReplyError,
)
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Reply, Usage
from memoranda.llm.typed import ask

SAID = json.dumps(RIGHT)


def test_the_schema_of_the_form_is_sent() -> None:
    model = ScriptedModel(SAID)
    ask(model, request(), FORM, offered=OFFERED)
    assert model.requests[0].schema == FORM.schema()


def test_a_schema_that_is_there_stays() -> None:
    model = ScriptedModel(SAID)
    ask(model, request(schema=FORM.schema(OFFERED)), FORM, offered=OFFERED)
    assert model.requests[0].schema == FORM.schema(OFFERED)


def test_the_repair_shows_the_reply_and_what_is_wrong_with_it() -> None:
    model = ScriptedModel('{"operations": [{"op": "erase\\u202e"}]}', SAID)
    got = ask(model, request(), FORM, offered=OFFERED)
    first, second = model.requests
    assert got.value == WANTED
    assert second.messages[:2] == first.messages
    said, asked = second.messages[2:]
    assert (said.role, said.content) == ("assistant", '{"operations": [{"op": "erase\\u202e"}]}')
    assert asked.role == "user"
    assert "operations[0] asks for 'erase\\u202e', which is not offered" in asked.content
    assert second.calls == first.calls - 1


def test_the_repair_lists_the_names_in_its_schema() -> None:
    model = ScriptedModel('{"operations": [{"op": "keep", "entries": ["e9"]}]}', SAID)
    got = ask(model, request(), FORM, offered=OFFERED, listed=OFFERED)
    assert got.repaired == "unknown_alias"
    assert [one.schema for one in model.requests] == [
        FORM.schema(),
        FORM.schema(OFFERED, bounds=True),
    ]


def test_a_reply_that_ran_on_within_bounds_is_not_asked_for_again() -> None:
    model = ScriptedModel(Reply(text="{", stop="length"), SAID)
    narrow = request(schema=FORM.schema(OFFERED, bounds=True))
    with pytest.raises(ReplyError, match="cut"):
        ask(model, narrow, FORM, offered=OFFERED, listed=OFFERED)
    assert len(model.requests) == 1


def test_what_was_used_is_added_up() -> None:
    one = Usage(input_tokens=10, output_tokens=2, cached_tokens=1)
    model = ScriptedModel(Reply(text="{", usage=one, calls=2), Reply(text=SAID, usage=one, calls=1))
    got = ask(model, request(), FORM, offered=OFFERED)
    assert got.reply.usage == Usage(input_tokens=20, output_tokens=4, cached_tokens=2)
    assert got.reply.calls == 3
    assert got.repaired == "syntax"


def test_no_repair_is_asked_for_where_no_call_is_left() -> None:
    model = ScriptedModel(Reply(text="{", calls=4), SAID)
    with pytest.raises(ReplyError) as caught:
        ask(model, request(), FORM, offered=OFFERED)
    assert caught.value.calls == 4
    assert len(model.requests) == 1


def test_a_check_of_the_callers_is_repaired_too() -> None:
    def check(draft: Draft) -> None:
        if draft.mood == "sure":
            raise ReplyError("shape", "be unsure")

    model = ScriptedModel(json.dumps({**RIGHT, "mood": "sure"}), SAID)
    got = ask(model, request(), FORM, offered=OFFERED, check=check)
    assert got.value == WANTED
    assert "be unsure" in model.requests[1].messages[-1].content


@pytest.mark.parametrize(
    "said",
    [
        "Es tut mir leid, das geht nicht.",
        Reply(text="", stop="refused"),
        SAID.replace(json.dumps("渡轮周二停开。"), '"I cannot help with that request."'),
    ],
)
def test_a_refusal_is_never_asked_again(said: str | Reply) -> None:
    model = ScriptedModel(said, SAID)
    with pytest.raises(ModelRefusedError):
        ask(model, request(), FORM, offered=OFFERED)
    assert len(model.requests) == 1


def test_a_refusal_to_repair_is_a_refusal() -> None:
    with pytest.raises(ModelRefusedError) as caught:
        ask(ScriptedModel("{", "抱歉，我做不到。"), request(), FORM, offered=OFFERED)
    assert caught.value.calls == 2


@pytest.mark.parametrize(
    "error", [ModelTimeoutError("m", 1), ModelUnavailableError("m", "server", "it fell")]
)
def test_a_fault_during_the_repair_counts_both_calls(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        ask(ScriptedModel("{", error), request(), FORM, offered=OFFERED)  # type: ignore[arg-type]
    assert caught.value.calls == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["", "\ud800", "x" * 100_000, "[" * 100_000])
def test_a_useless_reply_is_shown_again_in_part_and_in_writable_words(text: str) -> None:
    model = ScriptedModel(text, SAID)
    assert ask(model, request(), FORM, offered=OFFERED).value == WANTED
    shown = model.requests[1].messages[-2].content
    assert 0 < len(shown.encode()) < 4100
