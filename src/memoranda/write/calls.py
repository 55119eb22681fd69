"""The calls of a run: counted against the budgets, put into the log, and summed up for status."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from time import monotonic

from memoranda.llm.budget import Budget, Limits
from memoranda.llm.metered import Clocks, Meter
from memoranda.llm.model import Call, Usage
from memoranda.llm.prices import Pricer, Tariff, listed
from memoranda.reports import Run, Spent
from memoranda.settings import Settings
from memoranda.store.calls import KEEPER, RUN, bodies, forgot_since, spent_on
from memoranda.store.home import Home
from memoranda.store.log import Log


class Ledger:
    """Collects the records of calls, from any thread, until they can be put into the log."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._all = Spent()
        self._lock = threading.Lock()
        self._read_at = 0
        self._logged: tuple[str, Spent] = ("", Spent())
        self.budget: Budget | None = None
        """Told what others have used, whenever that is looked up."""
        self.at_once: Callable[[], None] | None = None
        """Called after each call, to settle it; None leaves all of them to the end."""

    def take(self, call: Call) -> None:
        """Take the record of a call."""
        used = Spent(calls=call.calls, tokens=call.usage.tokens, money=call.price)
        with self._lock:
            self._calls.append(call)
            self._all = self._all.plus(used)
        if self.at_once is not None:
            self.at_once()

    def read(self, home: Home) -> None:
        """Remember the position at which is read what the next calls show. The scope must be held."""
        self._read_at = home.log.position()
        self._look_up(home)

    def spent(self) -> Spent:
        """Say what all calls of the run have used."""
        with self._lock:
            return self._all

    def settle(self, home: Home) -> None:
        """Put what was collected into the log. The scope must be held.

        Where something was forgotten since it was read, the texts of calls are not kept: they may
        hold it.
        """
        with self._lock:
            calls = tuple(self._calls)
        if not calls:
            return
        with home.log.transaction():
            bare = forgot_since(home.log.connection, self._read_at)
            for call in calls:
                kept = replace(call, prompt=None, reply=None) if bare else call
                home.fold.apply(home.log.append("call", kept.to_dict()))
        with self._lock:
            del self._calls[: len(calls)]
        self._own(calls, _today(home)())
        self._look_up(home)

    def _own(self, calls: Iterable[Call], today: str) -> None:
        """Count which of the day's records are this ledger's."""
        day, own = self._logged
        own = own if day == today else Spent()
        for call in calls:
            if call.at.startswith(today):
                used = Spent(calls=call.calls, tokens=call.usage.tokens, money=call.price or 0.0)
                own = own.plus(used)
        self._logged = (today, own)

    def _look_up(self, home: Home) -> None:
        """Tell the budget what others have used today."""
        settings = home.settings
        if self.budget is None or (
            settings.day_calls is settings.day_tokens is settings.day_money is None
        ):
            return
        day, own = self._logged
        whole, own = _of_day(home), own if day == _today(home)() else Spent()
        money = None if whole.money is None else max(0.0, whole.money - (own.money or 0.0))
        others = Spent(calls=whole.calls - own.calls, tokens=whole.tokens - own.tokens, money=money)
        self.budget.others_used(others)

    @staticmethod
    def note(home: Home, run: Run) -> None:
        """Keep what a run came to, for `status`. The scope must be held."""
        told = {name: value for name, value in run.to_dict().items() if name != "receipts"}
        with home.log.transaction():
            home.log.set_meta(RUN, json.dumps(told, ensure_ascii=False).encode())
            home.log.set_meta(KEEPER, b"model")


def meter_of(home: Home, ledger: Ledger, *, limits: Limits, clocks: Clocks | None = None) -> Meter:
    """Make the meter of one run: its budgets, with what the day has used before.

    Args:
        home: the scope; it must be held.
        ledger: takes the records.
        limits: of the run.
        clocks: default the scope's, so that a call counts for the day on which it is recorded.

    Raises:
        InputError: the setting `price` can't be read.
    """
    settings = home.settings
    budget = Budget(
        run=limits,
        day=Limits(calls=settings.day_calls, tokens=settings.day_tokens, money=settings.day_money),
        spent=_of_day(home),
        today=_today(home),
    )
    ledger.budget = budget
    ledger.read(home)
    return Meter(
        budget=budget,
        record=ledger.take,
        price=pricer_of(settings),
        keep_text=settings.keep_calls,
        clocks=clocks or _ScopeClocks(home),
    )


@dataclass(frozen=True, slots=True)
class _ScopeClocks:
    """The scope's clock for dates, this machine's for seconds."""

    home: Home

    @staticmethod
    def seconds() -> float:
        return monotonic()

    def now(self) -> datetime:
        return datetime.fromisoformat(self.home.log.now())


def pricer_of(settings: Settings) -> Pricer:
    """Give the prices that are stated, else those that are listed."""
    return Tariff.parse(settings.price) if settings.price is not None else listed()


def run_limits(settings: Settings) -> Limits:
    """Give the limits of a run."""
    return Limits(calls=settings.run_calls, tokens=settings.run_tokens, money=settings.run_money)


def logged(log: Log, *, limit: int | None = None) -> Iterator[Call]:
    """Give the records of calls, newest first."""
    for body in islice(bodies(log.connection), limit):
        yield Call(**{**body, "usage": Usage(**body["usage"])})


def _of_day(home: Home) -> Spent:
    return spent_on(home.log.connection, _today(home)())


def _today(home: Home) -> Callable[[], str]:
    return lambda: home.log.now()[:10]
