"""OpenAI's chat completions, as OpenAI, Ollama, llama.cpp, vLLM and gateways speak them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoranda.llm.endpoint import EndpointModel
from memoranda.llm.keys import Key
from memoranda.llm.ladder import RUNGS, Dialect, Rung
from memoranda.llm.model import Message, Reply, Request, Stop, ToolCall, ToolSpec, Usage
from memoranda.llm.retry import Rhythm
from memoranda.llm.told import REPLY, tokens, with_form
from memoranda.llm.wire import Address
from memoranda.text.tokens import count

BASE_URL = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"

_STOPS: dict[str, Stop] = {
    "stop": "end",
    "tool_calls": "tool",
    "function_call": "tool",
    "length": "length",
    "content_filter": "refused",
}


def openai(
    name: str,
    *,
    base_url: str = BASE_URL,
    key: str | None = None,
    proxy: str | None = None,
    rhythm: Rhythm | None = None,
) -> EndpointModel:
    """Make a model of an endpoint that speaks OpenAI's chat completions.

    Args:
        name: the model's name, as the endpoint knows it.
        base_url: with the version: `http://127.0.0.1:11434/v1`.
        key: sent as a bearer token; None sends none.
        proxy: `http://HOST:PORT`.
        rhythm: the clocks.

    Raises:
        InputError: the base URL or the proxy can't be used.
    """
    own = base_url.rstrip("/") == BASE_URL
    return EndpointModel(
        name,
        kind="openai",
        speech=_Speech(),
        address=Address(base_url, proxy),
        key=Key(key, KEY),
        dialect=Dialect(long_name=own),
        rhythm=rhythm,
    )


class _Speech:
    path = "/chat/completions"
    rungs: tuple[Rung, ...] = RUNGS

    def headers(self, key: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, name: str, request: Request, dialect: Dialect) -> dict[str, Any]:
        rung = dialect.rung if request.schema else "plain"
        turns = with_form(request) if rung in {"json", "plain"} else request.messages
        limit = "max_completion_tokens" if dialect.long_name else "max_tokens"
        made: dict[str, Any] = {
            "model": name,
            "messages": [_turn(turn) for turn in turns],
            limit: request.max_tokens,
        }
        if dialect.temperature:
            made["temperature"] = request.temperature
        if request.tools:
            made["tools"] = [_tool(tool) for tool in request.tools]
        return {**made, **_structure(request, rung)}

    def reply(self, found: Mapping[str, Any]) -> Reply:
        choice = found["choices"][0]
        said = choice["message"]
        text = said.get("content") or ""
        calls = tuple(_call(call) for call in said.get("tool_calls") or ())
        if not isinstance(text, str):
            raise TypeError
        forced = next((call for call in calls if call.name == REPLY), None)
        stop = _STOPS.get(choice.get("finish_reason"), "other")
        return Reply(
            text=forced.arguments if forced else text,
            tool_calls=tuple(call for call in calls if call is not forced),
            usage=_usage(found.get("usage"), text),
            stop="refused" if said.get("refusal") else _stop(stop, forced),
            model=str(found.get("model") or ""),
        )


def _structure(request: Request, rung: Rung) -> dict[str, Any]:
    """Say how the reply is to be held to its form."""
    match rung:
        case "schema":
            form = {"name": REPLY, "schema": request.schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": form}}
        case "tool":
            tool = ToolSpec(
                name=REPLY, description="Give the reply.", parameters=request.schema or {}
            )
            choice = {"type": "function", "function": {"name": REPLY}}
            return {
                "tools": [_tool(each) for each in (*request.tools, tool)],
                "tool_choice": "required" if request.tools else choice,
            }
        case "json":
            return {"response_format": {"type": "json_object"}}
        case _:
            return {}


def _stop(stop: Stop, forced: ToolCall | None) -> Stop:
    return "end" if forced and stop == "tool" else stop


def _turn(turn: Message) -> dict[str, Any]:
    made: dict[str, Any] = {"role": turn.role, "content": turn.content}
    if turn.tool_calls:
        made["tool_calls"] = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in turn.tool_calls
        ]
    if turn.call_id:
        made["tool_call_id"] = turn.call_id
    return made


def _tool(tool: ToolSpec) -> dict[str, Any]:
    made = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
    }
    return {"type": "function", "function": made}


def _call(call: Mapping[str, Any]) -> ToolCall:
    function = call["function"]
    arguments = function.get("arguments") or "{}"
    if not isinstance(arguments, str) or not isinstance(function["name"], str):
        raise TypeError
    return ToolCall(call_id=str(call.get("id") or ""), name=function["name"], arguments=arguments)


def _usage(found: object, text: str) -> Usage:
    if not isinstance(found, Mapping):
        return Usage(output_tokens=count(text), estimated=True)
    details = found.get("prompt_tokens_details") or {}
    return Usage(
        input_tokens=tokens(found["prompt_tokens"]),
        output_tokens=tokens(found.get("completion_tokens")),
        cached_tokens=tokens(details.get("cached_tokens")),
    )
