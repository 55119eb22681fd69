"""A model with a meter: each call is checked against the budget before, and recorded after."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol, get_args

from memoranda.errors import (
    ModelError,
    ModelTimeoutError,
)
from memoranda.llm.budget import Budget
from memoranda.llm.model import Call, Model, Outcome, Reply, Request, Usage
from memoranda.llm.prices import Pricer, Use, unknown
from memoranda.llm.reasons import reason_of
from memoranda.llm.told import prompt_tokens
from memoranda.reports import Spent

_HALF = re.compile("[\ud800-\udfff]")


class Clocks(Protocol):
    """The clocks of a meter."""

    def seconds(self) -> float:
        """Give seconds that only grow."""
        ...

    def now(self) -> datetime:
        """Give the time, with its zone."""
        ...


class SystemClocks:
    """This machine's clocks."""

    def seconds(self) -> float:
        """Give seconds that only grow."""
        return time.monotonic()

    def now(self) -> datetime:
        """Give the time in UTC."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """What the calls of one run go through.

    Attributes:
        budget: what may be used.
        price: the price of a usage.
        record: takes the record of each call, from any thread.
        keep_text: put prompt and reply into the records.
        clocks: the clocks.
    """

    budget: Budget
    record: Callable[[Call], None]
    price: Pricer = unknown
    keep_text: bool = False
    clocks: Clocks = field(default_factory=SystemClocks)


class Metered:
    """A model whose calls go through a meter, for one purpose."""

    def __init__(
        self, model: Model, meter: Meter, *, purpose: str, plan_id: str | None = None
    ) -> None:
        """Put a meter before a model.

        Args:
            model: who answers.
            meter: the run's meter.
            purpose: the step and its prompt, `Prompt.label`: `extract@1`.
            plan_id: the plan that the calls are for, for their records.
        """
        self.model = model
        self.meter = meter
        self.purpose = purpose
        self.plan_id = plan_id

    @property
    def name(self) -> str:
        """The name of the model behind."""
        return self.model.name

    def ask(self, request: Request) -> Reply:
        """Answer one request.

        Raises:
            BudgetError: a limit would be passed; nothing was sent.
            ModelError: as the model behind says; such a call is recorded as well.
        """
        meter = self.meter
        estimate = self.estimate(request)
        calls = meter.budget.reserve(estimate, calls=request.calls)
        estimate = replace(estimate, calls=calls)
        begun, at = meter.clocks.seconds(), meter.clocks.now()
        reply, failure, used = None, None, estimate
        try:
            reply = self.model.ask(replace(request, calls=calls))
        except ModelError as error:
            failure = error
            worked = isinstance(error, ModelTimeoutError) and error.calls > 0
            used = Spent(calls=error.calls, tokens=estimate.tokens if worked else 0)
            raise
        finally:
            usage = reply.usage if reply else Usage()
            price = meter.price(self._use(reply, usage)) if reply else None
            if reply:
                used = Spent(calls=reply.calls, tokens=usage.tokens, money=price)
            meter.budget.settle(estimate, used)
            call = Call(
                purpose=self.purpose,
                prompt_hash=request.prompt_hash,
                model=_valid(self.name),
                usage=usage,
                calls=used.calls,
                seconds=round(meter.clocks.seconds() - begun, 3),
                price=price,
                outcome=_outcome(request, reply, failure),
                at=at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
                plan_id=self.plan_id,
            )
            meter.record(self._with_text(call, request, reply) if meter.keep_text else call)
        return reply

    def estimate(self, request: Request) -> Spent:
        """Give the most that one call is expected to use: the whole reply's limit is counted."""
        usage = Usage(
            input_tokens=prompt_tokens(request), output_tokens=request.max_tokens, estimated=True
        )
        return Spent(calls=1, tokens=usage.tokens, money=self.meter.price(self._use(None, usage)))

    def _use(self, reply: Reply | None, usage: Usage) -> Use:
        """Give what a price hangs on, before there is a reply and after."""
        if reply and reply.endpoint:
            return Use(model=reply.model, endpoint=reply.endpoint, usage=usage)
        return use_of(self.model, usage)

    @staticmethod
    def _with_text(call: Call, request: Request, reply: Reply | None) -> Call:
        said = json.dumps([turn.to_dict() for turn in request.messages], ensure_ascii=False)
        return replace(call, prompt=_valid(said), reply=_valid(reply.text) if reply else None)


def _valid(text: str) -> str:
    """Give a text that can be stored: half of a surrogate pair in it becomes U+FFFD."""
    return _HALF.sub("\ufffd", text)


class Named(Protocol):
    """What has a name."""

    @property
    def name(self) -> str:
        """How people know it."""
        ...


def use_of(model: Named, usage: Usage) -> Use:
    """Give what the price of a usage hangs on, as far as the model itself tells it."""
    address = getattr(model, "address", None)
    name = getattr(model, "model", model.name)
    named = name if isinstance(name, str) else model.name
    return Use(model=named, endpoint=address.shown if address else None, usage=usage)


def _outcome(request: Request, reply: Reply | None, failure: ModelError | None) -> Outcome:
    if reply:
        if reply.stop in {"length", "refused"}:
            return "cut" if reply.stop == "length" else "refused"
        unread = request.schema is not None and reply.parsed is None and not reply.tool_calls
        return "unreadable" if unread else "ok"
    found = reason_of(failure) if failure else "failed"
    return next((outcome for outcome in get_args(Outcome) if outcome == found), "failed")
