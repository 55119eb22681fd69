"""The course of one question: its time, its calls of the model, and what they took."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from memoranda.answers import Round, Spending, Stop, ToolUse
from memoranda.errors import (
    BudgetError,
    ModelError,
    ModelUnavailableError,
    ReplyError,
)
from memoranda.llm.budget import Budget
from memoranda.llm.metered import Meter, Metered
from memoranda.llm.model import Call, Model, Reply, Request
from memoranda.llm.reasons import reason_of
from memoranda.llm.typed import repair
from memoranda.read.readers.desk import Desk
from memoranda.text.visible import show

T = TypeVar("T")
Part = Literal["retrieval", "answering"]
READING_SHARE = 0.7
"""So much of a deadline reading may take; the rest is for the answer."""
MIN_SECONDS = 0.05
"""With less time left a call is not begun."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A question to the model that was not answered."""

    stop: Stop
    """`deadline`, `spent` or `failed`."""
    reason: str
    """A code; it holds no text of anybody."""
    away: str = ""
    """Of a model that can't be used: why, in our own words."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where the tally stood when a round began."""

    tokens: int
    seconds: float


class Run:
    """Asks the model within the time and budget of one question, and keeps the trace."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.rounds: list[Round] = []
        self.calling: Literal["native", "typed", ""] = ""
        self.away = ""
        """Why the model could not be used when it was asked last, in our own words."""
        self._began = desk.seconds()
        self._spent: dict[Part, Spending] = {"retrieval": Spending(), "answering": Spending()}
        self._part: Part = "retrieval"

    # --- time ---------------------------------------------------------------------------------

    @property
    def seconds(self) -> float:
        """Give the seconds since the question came."""
        return self.desk.seconds() - self._began

    def left(self, part: Part = "retrieval") -> float:
        """Give the seconds that are left to a part; at most the limit of one call."""
        deadline = self.desk.limits.deadline
        most = self.desk.limits.timeout
        if deadline is None:
            return most
        share = READING_SHARE if part == "retrieval" else 1.0
        return min(most, share * deadline - self.seconds)

    def over(self, part: Part = "retrieval") -> bool:
        """Say whether the time of a part is over, or nobody waits for it any more."""
        listener = self.desk.listener
        return self.left(part) < MIN_SECONDS or (listener is not None and listener.left())

    # --- the model ----------------------------------------------------------------------------

    def ask(
        self, request: Request, read: Callable[[Reply], T], *, label: str, part: Part = "retrieval"
    ) -> T | Failure:
        """Ask once, and once more when the reply can't be used. No error of a model gets out.

        Args:
            request: its time is cut to what is left.
            read: makes a value of the reply; it raises ReplyError, and that is repaired once.
            label: the prompt's name and version.
            part: to which part of the trace it counts.
        """
        if self.desk.model is None:
            return Failure("failed", "no_model")
        if self.over(part):
            return Failure("deadline", "deadline")
        self._part = part
        model = self._metered(self.desk.model, label)
        try:
            return self._asked(model, request, read)
        except BudgetError:
            return Failure("spent", "budget")
        except ModelError as error:
            if isinstance(error, ModelUnavailableError):
                self.away = error.ours
            stop: Stop = "deadline" if self.over(part) else "failed"
            return Failure(stop, reason_of(error), away=getattr(error, "ours", ""))

    def _asked(self, model: Model, request: Request, read: Callable[[Reply], T]) -> T:
        first = model.ask(replace(request, timeout=self.left(self._part)))
        try:
            return read(first)
        except ReplyError as problem:
            left = request.calls - first.calls
            if left < 1 or self.over(self._part) or problem.reason == "refused":
                raise
            again = replace(request, calls=left, timeout=self.left(self._part))
            return read(model.ask(repair(again, first, problem)))

    def _metered(self, model: Model, label: str) -> Model:
        meter = self.desk.meter
        inner = meter or Meter(budget=Budget(), record=lambda _: None)

        def record(call: Call) -> None:
            self._count(call)
            inner.record(call)

        return Metered(model, replace(inner, record=record), purpose=label)

    def _count(self, call: Call) -> None:
        spent = self._spent[self._part]
        price = None
        if call.price is not None and (spent.calls == 0 or spent.price is not None):
            price = call.price + (spent.price or 0.0)
        self._spent[self._part] = Spending(
            calls=spent.calls + call.calls,
            input_tokens=spent.input_tokens + call.usage.input_tokens,
            output_tokens=spent.output_tokens + call.usage.output_tokens,
            seconds=round(spent.seconds + call.seconds, 3),
            price=price,
        )

    def spent(self, part: Part) -> Spending:
        """Give what the calls of one part took."""
        return self._spent[part]

    # --- the trace ----------------------------------------------------------------------------

    def mark(self) -> Mark:
        """Remember where the tally stands: a round begins."""
        return Mark(self.spent("retrieval").tokens, self.seconds)

    def note(
        self,
        purpose: str,
        since: Mark,
        *,
        calls: Iterable[ToolUse] = (),
        chosen: Iterable[str] = (),
        note: str = "",
    ) -> None:
        """Put a round into the trace."""
        self.rounds.append(
            Round(
                number=len(self.rounds) + 1,
                purpose=purpose,
                calls=tuple(calls),
                chosen=tuple(chosen),
                note=note,
                tokens=self.spent("retrieval").tokens - since.tokens,
                seconds=round(self.seconds - since.seconds, 3),
            )
        )
        if self.desk.listener is not None:
            self.desk.listener.told(self.rounds[-1])


def unseen(nonce: str, texts: Iterable[str]) -> str:
    """Give a nonce that stands in none of the texts: the nonce itself, or one derived from it."""
    shown = show("\n".join(texts))
    while nonce in shown:
        nonce = hashlib.sha256(nonce.encode()).hexdigest()[:16]
    return nonce
