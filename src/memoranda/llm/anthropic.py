"""Anthropic's messages, as Anthropic and what imitates it speak them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memoranda.llm.endpoint import EndpointModel
from memoranda.llm.keys import Key
from memoranda.llm.ladder import Dialect, Rung
from memoranda.llm.model import Message, Reply, Request, Stop, ToolCall, ToolSpec, Usage
from memoranda.llm.replies import read
from memoranda.llm.retry import Rhythm
from memoranda.llm.told import REPLY, tokens, with_form
from memoranda.llm.wire import Address

BASE_URL = "https://api.anthropic.com"
KEY = "ANTHROPIC_API_KEY"
VERSION = "2023-06-01"
"""What all that speak this language know; nothing that we send differs in later ones."""

_STOPS: dict[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}


def anthropic(
    name: str,
    *,
    base_url: str = BASE_URL,
    key: str | None = None,
    proxy: str | None = None,
    rhythm: Rhythm | None = None,
) -> EndpointModel:
    """Make a model of an endpoint that speaks Anthropic's messages.

    No temperature is sent: newer models take none.

    Args:
        name: the model's name, as the endpoint knows it.
        base_url: without the version.
        key: sent as `x-api-key`; None sends none.
        proxy: `http://HOST:PORT`.
        rhythm: the clocks.

    Raises:
        InputError: the base URL or the proxy can't be used.
    """
    return EndpointModel(
        name,
        kind="anthropic",
        speech=_Speech(),
        address=Address(base_url, proxy),
        key=Key(key, KEY),
        dialect=Dialect(temperature=False),
        rhythm=rhythm,
    )


class _Speech:
    path = "/v1/messages"
    rungs: tuple[Rung, ...] = ("schema", "tool", "plain")

    def headers(self, key: str | None) -> dict[str, str]:
        return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}

    def body(self, name: str, request: Request, dialect: Dialect) -> dict[str, Any]:
        rung = dialect.rung if request.schema else "plain"
        turns = with_form(request) if rung == "plain" else request.messages
        system = "\n\n".join(turn.content for turn in turns if turn.role == "system")
        made: dict[str, Any] = {
            "model": name,
            "max_tokens": request.max_tokens,
            "messages": _turns([turn for turn in turns if turn.role != "system"]),
        }
        if system:
            block = {"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}
            made["system"] = [block]
        if request.tools:
            made["tools"] = [_tool(tool) for tool in request.tools]
        return {**made, **_structure(request, rung)}

    def reply(self, found: Mapping[str, Any]) -> Reply:
        blocks = found["content"]
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        calls = tuple(_call(block) for block in blocks if block["type"] == "tool_use")
        forced = next((call for call in calls if call.name == REPLY), None)
        stop = _STOPS.get(found.get("stop_reason") or "", "other")
        return Reply(
            text=forced.arguments if forced else text,
            tool_calls=tuple(call for call in calls if call is not forced),
            usage=_usage(found["usage"]),
            stop="end" if forced and stop == "tool" else stop,
            model=str(found.get("model") or ""),
        )


def _structure(request: Request, rung: Rung) -> dict[str, Any]:
    """Say how the reply is to be held to its form."""
    match rung:
        case "schema":
            return {"output_config": {"format": {"type": "json_schema", "schema": request.schema}}}
        case "tool":
            tool = ToolSpec(
                name=REPLY, description="Give the reply.", parameters=request.schema or {}
            )
            forced = {"type": "tool", "name": REPLY}
            return {
                "tools": [_tool(each) for each in (*request.tools, tool)],
                "tool_choice": {"type": "any"} if request.tools else forced,
            }
        case _:
            return {}


def _turns(turns: list[Message]) -> list[dict[str, Any]]:
    """Say the turns; results of tools are the user's, and results side by side are one turn."""
    made: list[dict[str, Any]] = []
    for turn in turns:
        role = "assistant" if turn.role == "assistant" else "user"
        blocks = _blocks(turn)
        if made and made[-1]["role"] == role:
            made[-1]["content"] += blocks
        else:
            made.append({"role": role, "content": blocks})
    return made


def _blocks(turn: Message) -> list[dict[str, Any]]:
    if turn.role == "tool":
        return [{"type": "tool_result", "tool_use_id": turn.call_id or "", "content": turn.content}]
    said = [{"type": "text", "text": turn.content}] if turn.content.strip() else []
    return said + [
        {
            "type": "tool_use",
            "id": call.call_id,
            "name": call.name,
            "input": read(call.arguments),
        }
        for call in turn.tool_calls
    ]


def _tool(tool: ToolSpec) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": dict(tool.parameters),
    }


def _call(block: Mapping[str, Any]) -> ToolCall:
    if not isinstance(block["name"], str):
        raise TypeError
    arguments = json.dumps(block.get("input") or {}, ensure_ascii=False)
    return ToolCall(call_id=str(block.get("id") or ""), name=block["name"], arguments=arguments)


def _usage(found: Mapping[str, Any]) -> Usage:
    cached = tokens(found.get("cache_read_input_tokens"))
    written = tokens(found.get("cache_creation_input_tokens"))
    return Usage(
        input_tokens=tokens(found["input_tokens"]) + cached + written,
        output_tokens=tokens(found["output_tokens"]),
        cached_tokens=cached,
        written_tokens=written,
    )
