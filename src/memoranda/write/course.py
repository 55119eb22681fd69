"""What has happened so far in a run of maintenance by a model, and what is told of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from memoranda.errors import BudgetError
from memoranda.reports import LeftToRules, Run, Spent
from memoranda.values import Receipt
from memoranda.write.by_model import Fallback, Maintainer, Report
from memoranda.write.intake import BY

AWAY = frozenset({"unavailable", "rate_limited"})
"""Reasons for which a run ends: the model is not there. A reply that is no use is left to the rules."""


LATE = 2
"""So many questions in a row without an answer in time end a run; the first is left to the rules."""


class AwayError(Exception):
    """The model is not there."""


@dataclass(slots=True)
class Course:
    """What has happened in a run so far."""

    receipts: list[Receipt] = field(default_factory=list)
    report: Report = field(default_factory=Report)
    stopped: str = ""
    late: int = 0
    """How many questions in a row were not answered in time."""
    over: BudgetError | None = None
    """The limit that was reached while something was still to be applied: then the run ends."""

    def note(self, report: Report) -> None:
        """Add what became of some questions."""
        self.report = self.report.plus(report)

    def fell(self, step: str, reason: str) -> None:
        """Add that a question was left to the rules."""
        self.note(Report(fallbacks=(Fallback(step=step, reason=reason),)))

    def told(self, *, at: str, spent: Spent) -> Run:
        """Sum the run up."""
        report = self.report
        left = Counter((item.step, item.reason) for item in report.fallbacks)
        return Run(
            at=at,
            receipts=tuple(self.receipts),
            used=report.used,
            repaired=report.repaired,
            halved=report.halved,
            reworded=report.reworded,
            left_to_rules=tuple(
                LeftToRules(step=step, reason=reason, times=left[step, reason])
                for step, reason in sorted(left)
            ),
            spent=spent,
            stopped=self.stopped,
        )


def by_whom(maintainer: Maintainer) -> str:
    """Name who made a plan: the model if any of its replies could be used."""
    report = maintainer.report
    return maintainer.name if report.used or report.repaired else BY


def must_be_there(maintainer: Maintainer, course: Course) -> None:
    """End the run when the model is not there: what is left waits for it.

    Raises:
        AwayError: it can't be reached, or did not answer in time twice in a row.
    """
    late = any(item.reason == "timeout" for item in maintainer.report.fallbacks)
    course.late = course.late + 1 if late else 0
    if course.late >= LATE:
        raise AwayError(
            f"{maintainer.name} did not answer in time, {LATE} times in a row; what was not "
            "maintained stays in CURRENT: allow it more time (model_seconds), show it less at once "
            "(prompt_tokens), or run consolidate with --model rules"
        )
    away = [item for item in maintainer.report.fallbacks if item.reason in AWAY]
    if away:
        why = f"can't be used: {away[0].detail}" if away[0].detail else "can't be reached"
        why = "wants to be asked later" if away[0].reason == "rate_limited" else why
        raise AwayError(
            f"{maintainer.name} {why}; what was not maintained stays in CURRENT: "
            "run consolidate again later, or with --model rules; "
            "memoranda doctor --model-call tells more"
        )
