"""What a model may answer in a round of reading: tool calls, lines it names, or that it is done."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memoranda.errors import ModelRefusedError, ReplyError
from memoranda.llm.model import Reply, ToolSpec
from memoranda.llm.replies import prose_of, read, shown, value_of

FINISH = ToolSpec(
    name="finish",
    description="End the reading. Name the lines that answer the question, by their numbers.",
    parameters={
        "type": "object",
        "properties": {"lines": {"type": "array", "items": {"type": "integer"}}},
        "required": ["lines"],
        "additionalProperties": False,
    },
)
MOST_CALLS = 16
"""A reply with more calls is refused."""
MOST_LINES = 100
"""A reply that names more lines is refused."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tool call, read."""

    name: str
    arguments: Mapping[str, Any]
    call_id: str = ""

    @property
    def key(self) -> str:
        """Name the call: equal calls have equal keys."""
        arguments = json.dumps(self.arguments, ensure_ascii=False, sort_keys=True)
        return f"{self.name} {arguments}"


@dataclass(frozen=True, slots=True)
class Step:
    """What a model wants next."""

    calls: tuple[Wanted, ...] = ()
    lines: tuple[int, ...] = ()
    done: bool = False
    prose: bool = False
    """It answered in words, without any call: it may not know how to call tools."""


def schema(specs: Sequence[ToolSpec]) -> dict[str, Any]:
    """Give the JSON schema of a step, for models that don't call tools natively."""
    calls = [
        {
            "type": "object",
            "properties": {
                "tool": {"type": "string", "enum": [spec.name]},
                "arguments": dict(spec.parameters),
            },
            "required": ["tool", "arguments"],
            "additionalProperties": False,
        }
        for spec in specs
    ]
    return {
        "type": "object",
        "properties": {
            "calls": {"type": "array", "items": {"anyOf": calls}},
            "lines": {"type": "array", "items": {"type": "integer"}},
            "done": {"type": "boolean"},
        },
        "required": ["calls", "lines", "done"],
        "additionalProperties": False,
    }


def typed_step(reply: Reply) -> Step:
    """Read a step from JSON of our form.

    Raises:
        ReplyError: it does not fit.
        ModelRefusedError: the model declined.
    """
    return _step(value_of(reply))


def native_step(reply: Reply) -> Step:
    """Read a step from tool calls; without any, from JSON of our form, else it is the end.

    Raises:
        ReplyError: the arguments of a call can't be read, or the reply was cut.
        ModelRefusedError: the model declined.
    """
    if reply.stop == "refused":
        raise ModelRefusedError(reply.model)
    if not reply.tool_calls:
        text = prose_of(reply)
        try:
            return _step(read(text))
        except ReplyError as error:
            if error.reason == "refused":
                raise ModelRefusedError(reply.model) from None
            return Step(done=True, prose=True)
    if len(reply.tool_calls) > MOST_CALLS:
        raise ReplyError("shape", f"it has {len(reply.tool_calls)} calls; {MOST_CALLS} is the most")
    calls = [
        Wanted(call.name, _arguments(read(call.arguments or "{}")), call.call_id)
        for call in reply.tool_calls
    ]
    ends = [call for call in calls if call.name == FINISH.name]
    lines = tuple(line for call in ends for line in _lines(call.arguments.get("lines", [])))
    rest = tuple(call for call in calls if call.name != FINISH.name)
    return Step(calls=rest, lines=lines, done=bool(ends) and not rest)


def _step(value: object) -> Step:
    if not isinstance(value, dict):
        raise ReplyError("shape", "the reply must be an object with calls, lines and done")
    odd = sorted(set(value) - {"calls", "lines", "done"})
    if odd or not value:
        found = shown(odd[0]) if odd else "nothing"
        raise ReplyError("unknown_field", f"it holds {found}; offered: calls, done, lines")
    calls = value.get("calls", [])
    done = value.get("done", not calls)
    if not isinstance(calls, list) or not isinstance(done, bool):
        raise ReplyError("shape", "calls must be a list, and done true or false")
    if len(calls) > MOST_CALLS:
        raise ReplyError("shape", f"it has {len(calls)} calls; {MOST_CALLS} is the most")
    wanted = tuple(_wanted(call) for call in calls)
    return Step(calls=wanted, lines=_lines(value.get("lines", [])), done=done and not wanted)


def _wanted(call: object) -> Wanted:
    if not isinstance(call, dict) or set(call) - {"tool", "arguments"}:
        raise ReplyError("shape", "each of calls must be an object with tool and arguments")
    if not isinstance(call.get("tool"), str):
        raise ReplyError("missing_field", "a call has no tool")
    return Wanted(call["tool"], _arguments(call.get("arguments", {})))


def _arguments(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ReplyError("shape", "the arguments of a call must be an object")
    return value


def _lines(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > MOST_LINES:
        raise ReplyError("shape", f"lines must be a list of at most {MOST_LINES} numbers")
    if any(not isinstance(line, int) or isinstance(line, bool) for line in value):
        raise ReplyError("shape", "lines must hold whole numbers only")
    return tuple(dict.fromkeys(value))
