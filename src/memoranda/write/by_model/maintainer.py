"""The steps of maintenance by one model, as the wiring calls them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from memoranda.llm.metered import Meter
from memoranda.llm.model import Model
from memoranda.values import NewEvent
from memoranda.write import reshape as by_rules
from memoranda.write.by_model import extract, reshape, rewrite, route, summarize
from memoranda.write.by_model.asking import Asker, Report
from memoranda.write.by_model.extract import Extraction
from memoranda.write.by_model.places import Block, Routing
from memoranda.write.by_model.reshape import LargeBlock, Merging, Small, Splitting
from memoranda.write.by_model.rewrite import Rewriting, Window
from memoranda.write.by_model.summarize import Summaries, Whole


class Maintainer:
    """Asks one model for each step of maintenance.

    Every method raises BudgetError when a limit is reached, and gives nothing of its step then; every
    other failure of the model ends in what the rules say, and in `report`.

    Attributes:
        report: what became of all questions so far; status shows its `fallbacks`.
    """

    def __init__(  # noqa: PLR0913 - the public signature
        self,
        model: Model,
        *,
        nonce: Callable[[], str],
        meter: Meter | None = None,
        plan_id: str | None = None,
        entry_tokens: int,
        prompt_tokens: int = 6000,
        reply_tokens: int = 4096,
        timeout: float = 120.0,
        lists: set[str] | None = None,
    ) -> None:
        """Take the model.

        Args:
            model: who answers; any thread may ask it.
            nonce: gives 8 to 32 random hexadecimal digits, new each time.
            meter: budget, prices and records of the run.
            plan_id: for the records of the calls.
            entry_tokens: an extracted text above this many tokens is cut into several entries.
            prompt_tokens: the most tokens of entries in one call.
            reply_tokens: the longest reply.
            timeout: seconds for one call, its retries included.
            lists: steps at which the model needs the names one by one in its schema; what is learned
                is put in.
        """
        self._model = model
        self._nonce = nonce
        self._meter = meter
        self._plan_id = plan_id
        self._entry_tokens = entry_tokens
        self._prompt_tokens = prompt_tokens
        self._reply_tokens = reply_tokens
        self._timeout = timeout
        self._lists: set[str] = set() if lists is None else lists
        self.report = Report()

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model.name

    def _asker(self) -> Asker:
        return Asker(
            model=self._model,
            nonce=self._nonce(),
            meter=self._meter,
            plan_id=self._plan_id,
            reply_tokens=self._reply_tokens,
            timeout=self._timeout,
            lists=self._lists,
        )

    def _most(self, of_a_step: int) -> int:
        """Say how many tokens of entries one call of a step shows."""
        return min(of_a_step, self._prompt_tokens)

    def _noted(self, report: Report) -> None:
        self.report = self.report.plus(report)

    def extract(self, events: Sequence[NewEvent], *, keys: Sequence[str] = ()) -> Extraction:
        """Extract entries from a batch of events.

        The caller logs one extraction record: `events` are the positions of these events in order,
        `entries` each item's `to_json()` with a `seq`; `by` should name model and prompt.

        Args:
            events: checked by `intake.check`; without a time, put the recorded time in for dates.
            keys: the k nearest keys there are, of the same project.
        """
        made = extract.extract(
            self._asker(),
            events,
            keys=keys,
            entry_tokens=self._entry_tokens,
            batch=self._most(extract.BATCH),
        )
        self._noted(made.report)
        return made

    def rewrite(self, window: Window) -> Rewriting:
        """Put a window in order.

        The caller places `draft.segments` as blocks under `headings` (the dated heading where they
        are empty), adds `draft.duplicates`, `joins` and `draft.supersedes`, and decides which of
        `possible` are allowed.
        """
        made = rewrite.rewrite(self._asker(), window, batch=self._most(rewrite.BATCH))
        self._noted(made.report)
        return made

    def route(self, blocks: Sequence[Block], *, taken: Collection[str] = ()) -> Routing:
        """Find a place for each block.

        The caller makes a document for each of `new` (rules choose a title or summary that is None),
        gives known documents the summary of `summaries` or that of the rules, and decides which of
        `possible` are allowed.
        """
        batch = self._most(route.BATCH)
        made = route.route(self._asker(), blocks, taken=taken, batch=batch, most=batch)
        self._noted(made.report)
        return made

    def split(
        self,
        blocks: Sequence[LargeBlock],
        *,
        title: str,
        limit: int = by_rules.SPLIT_ABOVE,
        taken: Collection[str] = (),
    ) -> Splitting:
        """Part a document that is too large; the summary of what stays is to be made anew."""
        made = reshape.split(self._asker(), blocks, title=title, limit=limit, taken=taken)
        self._noted(made.report)
        return made

    def merge(
        self,
        documents: Sequence[Small],
        rules: Sequence[by_rules.Merge],
        *,
        limit: int = by_rules.SPLIT_ABOVE,
        taken: Collection[str] = (),
    ) -> Merging:
        """Merge small documents on one matter.

        An empty answer of the model says that none are on one matter: ask again only when one of the
        documents has changed.
        """
        made = reshape.merge(self._asker(), documents, rules, limit=limit, taken=taken)
        self._noted(made.report)
        return made

    def summarize(self, documents: Sequence[Whole], *, taken: Collection[str] = ()) -> Summaries:
        """Summarise documents for which `route` gave no summary."""
        batch = self._most(summarize.BATCH)
        made = summarize.summarize(self._asker(), documents, taken=taken, batch=batch)
        self._noted(made.report)
        return made
