"""What is said to a model and what comes back: frozen values and one small protocol."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from memoranda.values import Value

Role = Literal["system", "user", "assistant", "tool"]
Stop = Literal["end", "tool", "length", "refused", "other"]
"""Why a reply ended: by itself, to call tools, cut at the limit, declined, or by a reason we don't know."""
Outcome = Literal[
    "ok", "cut", "refused", "unreadable", "unavailable", "timeout", "rate_limited", "failed"
]

CALLS = 4
"""At most so many calls to an endpoint for one job: retries, probing and repair together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall(Value):
    """A tool that a model wants called."""

    call_id: str
    name: str
    arguments: str
    """JSON as the model wrote it; `replies.read` makes it a value, or refuses it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(Value):
    """One turn: `system` and `user` are ours, `assistant` the model's, `tool` the result of a call."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """Of an assistant's turn only."""
    call_id: str | None = None
    """Of a tool's turn only: the call that it answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec(Value):
    """A tool that a model may call."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON schema of its arguments: an object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Value):
    """All that one question to a model consists of."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    schema: Mapping[str, Any] | None = None
    """JSON schema of the wanted reply: an object. None = free text."""
    max_tokens: int = 2048
    """The longest reply, in the model's own tokens."""
    timeout: float = 120.0
    """Seconds for all of it: waits and retries included."""
    temperature: float = 0.0
    calls: int = CALLS
    """How many calls this may cost at most, retries and probing included."""

    @property
    def prompt_hash(self) -> str:
        """Name the prompt: a hash of messages, tools and schema, in hexadecimal."""
        said = self.to_dict()
        parts = [said["messages"], said["tools"], said["schema"]]
        text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage(Value):
    """The tokens of a call, or of several."""

    input_tokens: int = 0
    """All of the prompt, what came from the provider's cache included."""
    output_tokens: int = 0
    cached_tokens: int = 0
    """The part of `input_tokens` that the provider had in its cache."""
    written_tokens: int = 0
    """The part of `input_tokens` that the provider put into its cache."""
    estimated: bool = False
    """The endpoint did not tell; counted by our own counter."""

    @property
    def tokens(self) -> int:
        """Tokens of prompt and reply together."""
        return self.input_tokens + self.output_tokens

    def plus(self, other: Usage) -> Usage:
        """Add two."""
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            written_tokens=self.written_tokens + other.written_tokens,
            estimated=self.estimated or other.estimated,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Value):
    """What a model answered."""

    text: str
    """Its words; when a schema was asked for, the JSON as the model wrote it."""
    parsed: Any = None
    """The JSON value of `text` when a schema was asked for and it can be read strictly; else None."""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    stop: Stop = "end"
    model: str = ""
    """The model's name as the endpoint told it."""
    endpoint: str | None = None
    """The base URL that answered; None for what has none."""
    calls: int = 1
    """How many calls it took, failed ones included."""


class Model(Protocol):
    """Something that answers."""

    @property
    def name(self) -> str:
        """How people know it: `openai:NAME`, `command:PROGRAM`, a double's name."""
        ...

    def ask(self, request: Request) -> Reply:
        """Answer one request; any thread may ask.

        Raises:
            ModelUnavailableError: it can't be reached, or does not take the request.
            ModelTimeoutError: the request's time is over.
            ModelRateLimitedError: it wants to be asked later than the request's time allows.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Value):
    """The record of one `ask`: figures only; its texts are kept when asked for, else None."""

    purpose: str
    """The step and the prompt's version: `extract@1`."""
    prompt_hash: str
    model: str
    usage: Usage
    calls: int
    seconds: float
    price: float | None
    """US dollars; None when it is not known, never a guess."""
    outcome: Outcome
    at: str
    """When it was made: UTC, `YYYY-MM-DDTHH:MM:SSZ`."""
    plan_id: str | None = None
    """The plan that it was made for, if there was one already."""
    prompt: str | None = None
    reply: str | None = None
