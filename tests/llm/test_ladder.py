"""How an endpoint is found out and remembered, over real sockets."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from fake_endpoint import FakeEndpoint, Kind, Seen, Step, way_of
from forms_in_use import FORM, OFFERED, RIGHT, WANTED, request

from memoranda.errors import ModelRefusedError, ModelUnavailableError, ReplyError
from memoranda.llm.anthropic import anthropic
from memoranda.llm.endpoint import EndpointModel
from memoranda.llm.ladder import RUNGS, Dialect
from memoranda.llm.model import Message, ToolCall, ToolSpec
from memoranda.llm.openai import openai
from memoranda.llm.retry import Rhythm
from memoranda.llm.typed import ask

SAID = json.dumps(RIGHT, ensure_ascii=False)
QUICK = Rhythm(pause=0.001)
TOOL = ToolSpec(name="search", description="Find lines.", parameters={"type": "object"})


def model_of(kind: Kind, endpoint: FakeEndpoint) -> EndpointModel:
    make = openai if kind == "openai" else anthropic
    return make("fake-1", base_url=endpoint.url, key="k-123456", rhythm=QUICK)


def ways(endpoint: FakeEndpoint) -> list[str]:
    return [way_of(endpoint.kind, seen.body) for seen in endpoint.seen]


@pytest.mark.parametrize(
    ("kind", "knows", "climbed"),
    [
        ("openai", {"schema", "tool", "json"}, ["schema"]),
        ("openai", {"tool", "json"}, ["schema", "tool"]),
        ("openai", {"json"}, ["schema", "tool", "json"]),
        ("openai", set(), ["schema", "tool", "json", "plain"]),
        ("anthropic", {"schema", "tool"}, ["schema"]),
        ("anthropic", {"tool"}, ["schema", "tool"]),
        ("anthropic", set(), ["schema", "tool", "plain"]),
    ],
)
def test_an_endpoint_is_probed_once_and_remembered(
    kind: Kind, knows: set[str], climbed: list[str]
) -> None:
    with FakeEndpoint(kind, [Step(text=SAID)], knows=frozenset(knows)) as endpoint:
        model = model_of(kind, endpoint)
        first = ask(model, request(), FORM, offered=OFFERED)
        second = ask(model, request("Again?"), FORM, offered=OFFERED)
    assert (first.value, second.value) == (WANTED, WANTED)
    assert (first.reply.calls, second.reply.calls) == (len(climbed), 1)
    assert ways(endpoint) == [*climbed, climbed[-1]]
    assert model.dialect.rung == climbed[-1]
    assert model.dialect.probed


def test_an_endpoint_that_ignores_the_schema_is_found_out() -> None:
    def script(seen: Seen) -> Step:
        return Step(text="Sure, here it is." if way_of("openai", seen.body) == "schema" else SAID)

    with FakeEndpoint("openai", script) as endpoint:
        got = ask(model_of("openai", endpoint), request(), FORM, offered=OFFERED)
    assert got.value == WANTED
    assert ways(endpoint) == ["schema", "tool"]
    assert got.reply.usage.output_tokens == 40  # both answers are counted


def test_an_endpoint_that_fails_with_500_at_the_schema_is_asked_in_another_way() -> None:
    def script(seen: Seen) -> Step:
        return Step(status=500) if way_of("openai", seen.body) == "schema" else Step(text=SAID)

    with FakeEndpoint("openai", script) as endpoint:
        got = ask(model_of("openai", endpoint), request(), FORM, offered=OFFERED)
    assert got.value == WANTED
    assert ways(endpoint) == ["schema", "schema", "tool"]


def test_what_a_newer_model_does_not_take_is_left_out_and_remembered() -> None:
    def script(seen: Seen) -> Step:
        if "temperature" in seen.body:
            return Step(status=400, error="Unsupported value: 'temperature' does not support 0")
        if "max_tokens" in seen.body:
            return Step(
                status=400, error="'max_tokens' is not supported, use 'max_completion_tokens'"
            )
        return Step(text=SAID)

    with FakeEndpoint("openai", script) as endpoint:
        model = model_of("openai", endpoint)
        got = ask(model, request(), FORM, offered=OFFERED)
        model.ask(request("Again?"))
    assert got.value == WANTED
    assert got.reply.calls == 3
    assert len(endpoint.seen) == 4
    assert model.dialect == Dialect(probed=True, long_name=True, renamed=True, temperature=False)


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
@pytest.mark.parametrize("word", ["pattern", "maxItems", "Regex"])
def test_an_endpoint_that_takes_no_bounds_in_a_schema_is_asked_without(
    kind: Kind, word: str
) -> None:
    narrow = {
        "type": "object",
        "properties": {"pattern": {"type": "string", "pattern": "^(gat|kit)$", "maxLength": 3}},
        "required": ["pattern"],
        "additionalProperties": False,
    }
    wide = {**narrow, "properties": {"pattern": {"type": "string"}}}

    def script(seen: Seen) -> Step:
        if "^(gat|kit)$" in json.dumps(seen.body):
            return Step(status=400, error=f"Invalid schema: '{word}' is not supported")
        return Step(text='{"pattern": "gat"}')

    with FakeEndpoint(kind, script) as endpoint:
        model = model_of(kind, endpoint)
        assert model.ask(request(schema=narrow)).parsed == {"pattern": "gat"}
        model.ask(request(schema=narrow))
    assert len(endpoint.seen) == 3, "it is remembered"
    assert json.dumps(wide) in json.dumps(endpoint.seen[1].body)
    assert model.dialect.rung == "schema", "what the endpoint can do is not given up with it"


def test_probing_and_repair_stay_within_four_calls() -> None:
    with FakeEndpoint("openai", [Step(text='{"odd": 1}')], knows=frozenset()) as endpoint:
        with pytest.raises(ReplyError) as caught:
            ask(model_of("openai", endpoint), request(), FORM, offered=OFFERED)
        assert len(endpoint.seen) == 4
    assert caught.value.calls == 4


def test_a_too_long_request_is_not_tried_in_other_ways() -> None:
    said = "This model's maximum context length is 8192 tokens, json_schema included"
    with FakeEndpoint("openai", [Step(status=400, error=said)]) as endpoint:
        with pytest.raises(ModelUnavailableError) as caught:
            ask(model_of("openai", endpoint), request(), FORM, offered=OFFERED)
        assert len(endpoint.seen) == 1
    assert caught.value.reason == "too_long"


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_key_or_name_is_said_at_once(status: int) -> None:
    with FakeEndpoint("openai", [Step(status=status, error="no: k-123456 is wrong")]) as endpoint:
        with pytest.raises(ModelUnavailableError, match=r"check the") as caught:
            ask(model_of("openai", endpoint), request(), FORM, offered=OFFERED)
        assert len(endpoint.seen) == 1
    assert caught.value.reason == ("missing" if status == 404 else "key")
    assert "k-123456" not in str(caught.value)
    assert "[key]" in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "stop"),
    [("openai", "length"), ("anthropic", "max_tokens")],
)
def test_a_cut_reply_is_refused_even_if_it_reads_well(kind: Kind, stop: str) -> None:
    with FakeEndpoint(kind, [Step(text=SAID, stop=stop)]) as endpoint:
        with pytest.raises(ReplyError) as caught:
            ask(model_of(kind, endpoint), request(), FORM, offered=OFFERED)
        assert len(endpoint.seen) == 2  # asked, and once more with the error
    assert caught.value.reason == "cut"


@pytest.mark.parametrize(("kind", "stop"), [("openai", "content_filter"), ("anthropic", "refusal")])
def test_a_refusal_by_its_stop_reason_is_a_refusal(kind: Kind, stop: str) -> None:
    with FakeEndpoint(kind, [Step(text=SAID, stop=stop)]) as endpoint:
        with pytest.raises(ModelRefusedError):
            ask(model_of(kind, endpoint), request(), FORM, offered=OFFERED)
        assert len(endpoint.seen) == 1


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_the_prompt_begins_the_same_for_the_same_rules(kind: Kind) -> None:
    with FakeEndpoint(kind, [Step(text=SAID)]) as endpoint:
        model = model_of(kind, endpoint)
        for text in ("one", "two"):
            ask(model, request(text), FORM, offered=OFFERED)
    first, second = (json.dumps(seen.body) for seen in endpoint.seen)
    at = next(i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b)
    assert first.startswith('{"model"')
    assert "Be brief." in (first[:at] if kind == "openai" else first)


def test_anthropic_gets_its_key_version_and_a_cached_system_turn() -> None:
    with FakeEndpoint("anthropic", [Step(text="ok")]) as endpoint:
        reply = model_of("anthropic", endpoint).ask(request())
    seen = endpoint.seen[0]
    assert seen.path == "/v1/messages"
    assert seen.headers["x-api-key"] == "k-123456"
    assert seen.headers["anthropic-version"] == "2023-06-01"
    assert seen.body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert "temperature" not in seen.body
    assert reply.text == "ok"  # thinking is no part of it
    assert (reply.usage.input_tokens, reply.usage.cached_tokens) == (100, 64)


def test_openai_gets_its_key_and_tells_what_was_cached() -> None:
    with FakeEndpoint("openai", [Step(text="ok")]) as endpoint:
        reply = model_of("openai", endpoint).ask(request(max_tokens=77))
    seen = endpoint.seen[0]
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == "Bearer k-123456"
    assert (seen.body["max_tokens"], seen.body["temperature"]) == (77, 0.0)
    assert (reply.usage.input_tokens, reply.usage.cached_tokens) == (100, 64)
    assert not reply.usage.estimated
    assert reply.endpoint == endpoint.url


def raw_call(kind: Kind) -> bytes:
    """Give an answer that calls a tool."""
    if kind == "openai":
        function = {"name": "search", "arguments": '{"query": "渡轮"}'}
        message = {"content": None, "tool_calls": [{"id": "c7", "function": function}]}
        return json.dumps(
            {"choices": [{"message": message, "finish_reason": "tool_calls"}]}
        ).encode()
    block = {"type": "tool_use", "id": "c7", "name": "search", "input": {"query": "渡轮"}}
    usage = {"input_tokens": 1, "output_tokens": 1}
    return json.dumps({"content": [block], "stop_reason": "tool_use", "usage": usage}).encode()


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_tool_is_called_and_its_result_told(kind: Kind) -> None:
    with FakeEndpoint(kind, [Step(raw=raw_call(kind)), Step(text="周二。")]) as endpoint:
        model = model_of(kind, endpoint)
        asked = request(tools=(TOOL,))
        reply = model.ask(asked)
        (call,) = reply.tool_calls
        told = (
            Message(role="assistant", content="", tool_calls=(call,)),
            Message(role="tool", content="line 3", call_id=call.call_id),
        )
        last = model.ask(replace(asked, messages=asked.messages + told))
    assert (call.call_id, call.name) == ("c7", "search")
    assert json.loads(call.arguments) == {"query": "渡轮"}
    assert reply.stop == "tool"
    assert last.text == "周二。"
    turns = json.dumps(endpoint.seen[1].body["messages"])
    assert "line 3" in turns
    assert turns.count('"c7"') == 2


def test_a_call_of_a_tool_is_an_answer_where_a_form_is_asked_for_too() -> None:
    with FakeEndpoint("openai", [Step(raw=raw_call("openai"))]) as endpoint:
        reply = model_of("openai", endpoint).ask(request(tools=(TOOL,), schema=FORM.schema()))
        assert len(endpoint.seen) == 1
    assert reply.tool_calls == (
        ToolCall(call_id="c7", name="search", arguments='{"query": "渡轮"}'),
    )


def test_a_refusal_in_its_own_field_is_a_refusal() -> None:
    message = {"content": None, "refusal": "No.", "role": "assistant"}
    raw = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
    with FakeEndpoint("openai", [Step(raw=raw)]) as endpoint:
        with pytest.raises(ModelRefusedError):
            ask(model_of("openai", endpoint), request(), FORM, offered=OFFERED)
        assert len(endpoint.seen) == 1


def test_a_lower_rung_is_probed_anew() -> None:
    lower = Dialect(probed=True).lower(RUNGS)
    assert lower == Dialect(rung="tool", probed=False)


def test_the_ladder_ends() -> None:
    dialect: Dialect | None = Dialect()
    seen = []
    while dialect:
        seen.append(dialect.rung)
        dialect = dialect.after(400, "no such json_schema", rungs=RUNGS)
    assert tuple(seen) == RUNGS
