"""What one question is read with: a way to look at memory, the model, the tools and the limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Protocol, TypeVar

from memoranda.answers import Round
from memoranda.errors import InputError
from memoranda.llm.metered import Meter
from memoranda.llm.model import Model, ToolSpec
from memoranda.read.lexical import Source
from memoranda.read.tools.results import ToolResult
from memoranda.values import Value

T = TypeVar("T")
Calling = Literal["auto", "native", "typed"]
"""How a model calls tools: as its endpoint does, or by JSON of our form; `auto` finds out."""


class Looking(Protocol):
    """Gives a function one consistent state of memory, caught up, for as long as it runs."""

    def __call__(self, work: Callable[[Source], T], /) -> T:
        """Do something with the state; no model is asked meanwhile, so that nobody waits for one."""
        ...


class Tools(Protocol):
    """What a reader needs of a toolbox."""

    def specs(self) -> tuple[ToolSpec, ...]:
        """Give the tools that a model may call."""
        ...

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call a tool; what is wrong with the call is told in the result, never raised."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(Value):
    """How much a reader may do (R171-R174, R192).

    Raises:
        InputError: a number is below 1, or the deadline is not above 0.
    """

    budget: int = 2000
    """Tokens of evidence."""
    deadline: float | None = None
    """Seconds for the whole answer; None = as long as it takes."""
    rounds: int = 7
    """Rounds of tool calls."""
    calls: int = 4
    """Tool calls in one round; what is beyond them is told to the model and not run."""
    dry: int = 2
    """So many rounds in a row without a new line of evidence end the reading."""
    evidence: int = 4000
    """Tokens of lines that tools bring together; when they are reached, the reading ends."""
    inline: int = 100
    """A catalog of at most so many documents is given whole."""
    page: int = 50
    """Documents on a page of a larger catalog."""
    pages: int = 4
    """Pages of a larger catalog that a model is shown, the likeliest documents first."""
    picks: int = 8
    """Documents that a model may select in all."""
    offered: int = 24
    """Lines without a place in the evidence that a model is shown, to name those that answer."""
    hops: int = 5
    """Steps of a question that hangs on several facts."""
    reply_tokens: int = 1024
    """The longest reply, in the model's own tokens."""
    timeout: float = 120.0
    """Seconds for one call of the model."""

    def __post_init__(self) -> None:
        """Refuse limits that can't be."""
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "deadline" and value is None:
                continue
            if not value > 0:
                raise InputError(f"{field.name} must be above 0, not {value!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """Who hears of a reading while it goes on."""

    told: Callable[[Round], None]
    """Called with each round when it is done."""
    left: Callable[[], bool]
    """Says whether nobody waits for the answer any more: then no further call is begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """All that a reader works with.

    What a model looks at in its rounds may be newer from one to the next; the evidence of an answer
    is collected at the end, at one log position.

    Attributes:
        looking: gives the state of memory, as it is then.
        limits: how much may be done.
        model: who reads; None leaves every question to the rules.
        tools: for the agentic reader; None = it falls back to the lexical reader.
        nonce: 8 to 32 hexadecimal digits that stored text can't know.
        meter: budget and records of the model's calls; None = without limits and records.
        seconds: a clock that only grows.
        calling: how the model calls tools.
        listener: who hears of each round; None = nobody.
    """

    looking: Looking
    limits: Limits
    seconds: Callable[[], float]
    nonce: str
    model: Model | None = None
    tools: Tools | None = None
    meter: Meter | None = None
    calling: Calling = "auto"
    listener: Listener | None = None
