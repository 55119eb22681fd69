"""Limits on calls, tokens and money, a run and a day: checked before each call, never exceeded by it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Literal

from memoranda.errors import BudgetError, InputError
from memoranda.reports import Spent
from memoranda.values import Value

Span = Literal["run", "day"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(Value):
    """The most that may be used; None = no limit.

    Raises:
        InputError: a limit is negative.
    """

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    """US dollars."""

    def __post_init__(self) -> None:
        """Refuse limits that can't be."""
        for field in fields(self):
            limit = getattr(self, field.name)
            if limit is not None and not limit >= 0:
                raise InputError(f"a limit on {field.name} must not be negative, not {limit}")


class Budget:
    """What a run, and the day, may still use; shared by all threads of the run.

    A call reserves its estimate before it is made and settles it after. So calls side by side don't
    pass a limit together, and reaching one stops before anything is sent.
    """

    def __init__(
        self,
        *,
        run: Limits | None = None,
        day: Limits | None = None,
        spent: Spent | None = None,
        today: Callable[[], str] = str,
    ) -> None:
        """Take the limits.

        Args:
            run: of this run.
            day: of the day, in UTC.
            spent: what earlier runs have used today.
            today: gives the date; when it changes, the day's use begins at nothing again.
        """
        self._limits: dict[Span, Limits] = {"run": run or Limits(), "day": day or Limits()}
        self._spent: dict[Span, Spent] = {"run": Spent(), "day": Spent()}
        self._others = spent or Spent()
        self._held = Spent()
        self._today = today
        self._date = today()
        self._lock = threading.Lock()

    @property
    def spent(self) -> Spent:
        """What this run has used so far."""
        return self._spent["run"]

    def reserve(self, estimate: Spent, *, calls: int = 1) -> int:
        """Set the most that a call will use aside; give how many calls it may take.

        Args:
            estimate: of one call that is answered.
            calls: how many it would like to be able to take, retries included; as many as the
                limits leave are set aside.

        Raises:
            BudgetError: a limit would be passed, or a limit on money can't be kept as the price
                is not known. Nothing was set aside.
        """
        with self._lock:
            self._turn_day()
            for span, limits in self._limits.items():
                spent = self._spent[span].plus(self._held)
                spent = spent.plus(self._others) if span == "day" else spent
                _refuse_beyond(span, limits, spent, estimate)
                if limits.calls is not None:
                    calls = min(calls, limits.calls - spent.calls)
            self._held = self._held.plus(replace(estimate, calls=calls))
            return calls

    def settle(self, estimate: Spent, used: Spent) -> None:
        """Put what a call has used in the place of its estimate, which has the calls set aside."""
        with self._lock:
            self._turn_day()
            left = Spent(
                calls=self._held.calls - estimate.calls,
                tokens=self._held.tokens - estimate.tokens,
                money=_less(self._held.money, estimate.money),
            )
            self._held = left if left.calls else Spent()
            for span, spent in self._spent.items():
                self._spent[span] = spent.plus(used)

    def others_used(self, spent: Spent) -> None:
        """Take what others have used today by now."""
        with self._lock:
            self._turn_day()
            self._others = spent

    def _turn_day(self) -> None:
        if (date := self._today()) != self._date:
            self._date = date
            self._spent["day"] = self._others = Spent()


def _less(held: float | None, part: float | None) -> float | None:
    return None if held is None or part is None else max(0.0, held - part)


def _refuse_beyond(span: Span, limits: Limits, spent: Spent, more: Spent) -> None:
    whole = spent.plus(more)
    if limits.calls is not None and whole.calls > limits.calls:
        raise BudgetError(span, "calls", f"{spent.calls} of {limits.calls} calls are used")
    if limits.tokens is not None and whole.tokens > limits.tokens:
        detail = (
            f"{spent.tokens} of {limits.tokens} tokens are used, and the next call may need "
            f"{more.tokens}"
        )
        raise BudgetError(span, "tokens", detail)
    if limits.money is None:
        return
    if whole.money is None:
        detail = (
            "the model's price is not known, so a limit on money can't be kept; "
            "state the price, install memoranda[prices], or limit tokens"
        )
        raise BudgetError(span, "money", detail)
    if whole.money > limits.money:
        detail = (
            f"${spent.money or 0:.4f} of ${limits.money:.4f} are used, and the next call may cost "
            f"${more.money or 0:.4f}"
        )
        raise BudgetError(span, "money", detail)
