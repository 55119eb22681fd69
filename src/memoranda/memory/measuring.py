"""How a memory is measured: at its head in one snapshot, at earlier positions in copies of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from memoranda.errors import InputError
from memoranda.measures import Metric, Metrics, Point, limits, missed
from memoranda.metrics import Question, Replayed, State, measure, replayed
from memoranda.metrics.state import spread
from memoranda.read import lexical, lint
from memoranda.read.reach import Reach
from memoranda.read.then import known_at
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.log import Log
from memoranda.store.shown import Shown
from memoranda.store.view import View
from memoranda.text.tokens import count
from memoranda.values import Found

if TYPE_CHECKING:
    from memoranda.memory.metering import Metering


def measured(
    memory: Metering,
    *,
    questions: Sequence[Mapping[str, Any]],
    label: str | None,
    sample: int,
    points: int,
    limits: str,
) -> Metrics:
    """Measure; arguments and errors are those of `Metering.metrics`."""
    home, using = memory._home, memory._using  # noqa: SLF001 - one facade
    wanted = _limits(home, limits)
    asked = tuple(_question(item) for item in questions)
    with using(), home.locked():
        home.projection.sync(check=True)
        done = replayed(home)
    shown = Shown(home.folder, busy_seconds=home.settings.busy_seconds)
    look = _Look(home, asked, label, sample, shown if home.settings.count_shown else None)

    def now(index: FtsIndex) -> tuple[int, tuple[Metric, ...]]:
        with home.log.snapshot() as position:
            state = look.at(home.log, home.view, index, position, copies=True)
            return position, measure(state, done, head=True)

    with using():
        position, found = home.reading(now)
    history = _history(look, done, position, points, using) if points else ()
    if history:
        history = (*history, _point(home, position, found))
    return Metrics(position=position, metrics=found, history=history, missed=missed(wanted, found))


def _limits(home: Home, given: str) -> tuple[Any, ...]:
    """Give the limits in force: those given win over those of the setting, name by name."""
    own = limits(given)
    named = {(limit.name, limit.sign) for limit in own}
    kept = limits(home.settings.metric_limits or "")
    return (*(limit for limit in kept if (limit.name, limit.sign) not in named), *own)


def _question(item: Mapping[str, Any]) -> Question:
    text, evidence = item.get("question"), item.get("evidence")
    if not isinstance(text, str) or not isinstance(evidence, Sequence) or not evidence:
        raise InputError("a labelled question is an object with `question` and a list `evidence`")
    return Question(text=text, evidence=frozenset(map(str, evidence)))


class _Look:
    """Makes states of one scope to be measured."""

    def __init__(
        self,
        home: Home,
        questions: Sequence[Question],
        label: str | None,
        sample: int,
        shown: Shown | None,
    ) -> None:
        self.home = home
        self._questions = questions
        self._label = label
        self._sample = sample
        self._shown = shown

    def at(
        self, log: Log, view: View, index: FtsIndex, position: int, *, copies: bool = False
    ) -> State:
        """Give the state that tables hold."""
        reach = Reach(project=None, all_projects=True)
        source = lexical.Source(log=log, view=view, index=index, reach=reach, count=count)

        def search(question: str, budget: int) -> Found:
            return lexical.look(question, source, budget=budget)[0]

        shown = self._shown
        return State(
            log=log,
            view=view,
            position=position,
            search=search,
            sample=self._sample,
            conflicts=lambda: lint.conflicts(source),
            shown=lambda until: None if shown is None else shown.times(until),
            questions=self._questions,
            label=self._label,
            copies=len(self.home.projection.conflicts()) if copies else 0,
        )


def _history(
    look: _Look,
    done: Replayed,
    position: int,
    points: int,
    using: Callable[[], AbstractContextManager[None]],
) -> tuple[Point, ...]:
    """Measure at earlier positions."""
    found = []
    for earlier in spread(range(1, position + 1), points)[:-1]:
        with using(), known_at(look.home, earlier) as past:
            state = look.at(past.log, past.view, past.index, earlier)
            found.append(_point(look.home, earlier, measure(state, done, head=False)))
    return tuple(found)


def _point(home: Home, position: int, found: Sequence[Metric]) -> Point:
    record = home.log.record(position)
    return Point(
        position=position,
        recorded="" if record is None else record.recorded,
        values={metric.name: metric.value for metric in found},
    )
