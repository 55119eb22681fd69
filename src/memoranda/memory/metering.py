"""The measuring part of a memory: its ten figures, and the count of which entries were shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Unpack

from memoranda.answers import Answer, Round
from memoranda.errors import InputError, MemorandaError
from memoranda.memory.asking import BUDGET, Asked, Asking
from memoranda.memory.forgetting import Forgetting
from memoranda.read.filters import Filters, Known, When
from memoranda.store.shown import Shown
from memoranda.values import Evidence, Found

if TYPE_CHECKING:
    from memoranda.measures import Metrics

SAMPLE = 100


class Metering(Forgetting, Asking):
    """Measures, and counts what it shows where the setting `count_shown` is on."""

    def metrics(
        self,
        *,
        questions: Sequence[Mapping[str, Any]] = (),
        label: str | None = None,
        sample: int = SAMPLE,
        points: int = 0,
        limits: str = "",
    ) -> Metrics:
        """Measure the ten figures of this memory (R249-R258), from its log, views and receipts.

        Changes nothing and asks no model; the same memory gives the same figures. Takes time as the
        log is long, which is replayed once. What each figure says stands in `docs/metrics.md`.

        Args:
            questions: labelled questions for evidence coverage: each has `question` and `evidence`, a
                list of entry numbers, event ids or your ids. Without them coverage counts events.
            label: a metadata field that tells the topic of an event, for topic purity; None lets the
                words tell.
            sample: how many lines, pairs and blocks are looked at for figures that need searches.
            points: measure at so many earlier positions too, evenly spaced over the log, now included.
            limits: such as `coverage>=0.9, backlog<=5`, besides those of the setting `metric_limits`.

        Raises:
            InputError: a question or a limit can't be used, or the handle is bound to a project.
        """
        from memoranda.memory.measuring import measured  # noqa: PLC0415 - start-up time

        self._may("metrics")
        if not self._reach.all_projects:
            raise InputError("metrics span all projects; open the memory with all_projects=True")
        if sample < 1 or points < 0:
            raise InputError("sample is a number from 1 on, points one from 0 on")
        return measured(
            self, questions=questions, label=label, sample=sample, points=points, limits=limits
        )

    def search(
        self,
        query: str,
        *,
        budget: int = BUDGET,
        known_at: Known | None = None,
        true_at: When | None = None,
        **filters: Unpack[Filters],
    ) -> Found:
        """Find evidence, as `Asking.search`; with `count_shown` its entries count as shown."""
        found = super().search(query, budget=budget, known_at=known_at, true_at=true_at, **filters)
        self._was_shown(found.evidence)
        return found

    def ask(self, question: str, **options: Unpack[Asked]) -> Answer:
        """Answer, as `Asking.ask`; with `count_shown` its evidence counts as shown."""
        answer = super().ask(question, **options)
        self._was_shown(answer.evidence)
        return answer

    def ask_events(self, question: str, **options: Unpack[Asked]) -> Iterator[Round | Answer]:
        """Answer as it comes about, as `Asking.ask_events`; with `count_shown` its evidence counts."""
        given = super().ask_events(question, **options)
        return self._counting(given) if self._home.settings.count_shown else given

    def _counting(self, given: Iterator[Round | Answer]) -> Iterator[Round | Answer]:
        for item in given:
            if isinstance(item, Answer):
                self._was_shown(item.evidence)
            yield item

    def _shown(self) -> Shown:
        return Shown(self._home.folder, busy_seconds=self._home.settings.busy_seconds)

    def _was_shown(self, evidence: Iterable[Evidence]) -> None:
        """Count; a count that can't be kept takes no answer away."""
        if not self._home.settings.count_shown:
            return
        seqs = {seq for item in evidence for entry in item.entries for seq in entry.seqs}
        with suppress(MemorandaError), self._using():
            self._shown().add(seqs, self._home.log.position())
