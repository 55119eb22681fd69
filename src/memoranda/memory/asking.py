"""The answering part of a memory: a question, a reader, an answer that can be checked."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Unpack

from memoranda.answers import READERS, Answer, CitedPlace, ReaderName, Round
from memoranda.errors import InputError, MemorandaError, ModelUnavailableError
from memoranda.memory.looking import Looking
from memoranda.read.filters import Filters, Known, When

if TYPE_CHECKING:
    from memoranda.llm.metered import Meter
    from memoranda.llm.model import Model, Reply, Request
    from memoranda.read.readers.desk import Calling, Desk, Limits, Listener
    from memoranda.values import Found

BUDGET: Final = 2000
"""Tokens of evidence, unless told otherwise."""


class Asked(Filters, total=False):
    """How a question is asked; the filters too."""

    reader: ReaderName | None
    budget: int
    deadline: float | None
    known_at: Known | None
    true_at: When | None
    limits: Limits | None
    calling: Calling


_OPTIONS: Final = frozenset(
    ("reader", "budget", "deadline", "known_at", "true_at", "limits", "calling")
)


class Asking(Looking):
    """Answers questions."""

    _known_calling: Calling = "auto"
    """How the handle's model calls tools, once it has shown it."""

    def ask(self, question: str, **options: Unpack[Asked]) -> Answer:
        """Answer from memory, each claim cited, or say that it is not known.

        Without a model the answer is the best quotes. A model may read and answer: nothing that it
        says is shown as known unless its quotes stand in the lines they cite. Whatever it does, an
        answer comes: what failed is told in `note`, and `trace` tells each step and what it took.

        Args:
            question: any text.
            options: `reader`: `lexical` (no model), `summary`, `hybrid` or `agentic`; default
                `agentic` with a model and `lexical` without. `budget`: tokens of evidence, default
                2,000. `deadline`: seconds after which what there is is given, marked as partial.
                `known_at`: answer from what the log held then, at a time or a log position. `true_at`:
                answer from what was said, up to then, to hold then. `limits`: all limits in one value,
                in place of budget and deadline. `calling`: how the model calls tools. And filters, as
                `search` takes them.

        Raises:
            InputError: there is no such reader, a limit, a time or a filter can't be used.
            NotFoundError: no document, speaker, session or project of a filter has that name.
        """
        self._may("ask")
        return self._question(question, options)(None)

    def ask_events(self, question: str, **options: Unpack[Asked]) -> Iterator[Round | Answer]:
        """Answer as `ask` does; give each round of the reader when it is done, and the answer last.

        Who stops listening ends the reading: no further call of the model is begun.

        Raises:
            InputError, NotFoundError: as `ask`; what is wrong with the reader at once.
        """
        self._may("ask_events")
        from memoranda.memory.streaming import streamed  # noqa: PLC0415 - start-up time

        return streamed(self._question(question, options))

    def _question(self, question: str, options: Asked) -> Callable[[Listener | None], Answer]:
        """Check what is asked for, and give what answers it."""
        from memoranda.read.readers.ask import ask  # noqa: PLC0415 - start-up time
        from memoranda.read.readers.desk import Desk, Limits  # noqa: PLC0415

        reader = options.get("reader")
        budget = options.get("budget", BUDGET)
        if reader is not None and reader not in READERS:
            raise InputError(f"reader is one of {', '.join(READERS)}, not {reader!r}")
        if budget < 1:
            raise InputError(f"budget is a number of tokens from 1 on, not {budget}")
        limits = options.get("limits") or Limits(budget=budget, deadline=options.get("deadline"))
        known, true = options.get("known_at"), options.get("true_at")
        calling: Calling = options.get("calling", "auto")
        filters: Any = {name: item for name, item in options.items() if name not in _OPTIONS}

        def answered(listener: Listener | None) -> Answer:
            model = self._answering()
            nonce = secrets.token_hex(8)
            looking = self._state(filters, known, true)
            if known is not None:
                looking(lambda _: None)  # making it is no reading: it costs nothing of the deadline
            desk = Desk(
                looking=looking,
                limits=limits,
                seconds=monotonic,
                nonce=nonce,
                model=model,
                tools=self.toolbox(nonce=nonce, known_at=known, true_at=true, **filters),
                calling=self._known_calling if calling == "auto" else calling,
                listener=listener,
            )
            chosen: ReaderName = reader or ("agentic" if model else "lexical")
            answer = self._spending(desk, lambda it: ask(question, chosen, it))
            if answer.trace is not None and answer.trace.stop != "failed":
                self._known_calling = answer.trace.calling or self._known_calling
            return answer

        return answered

    def search(
        self,
        query: str,
        *,
        budget: int = BUDGET,
        known_at: Known | None = None,
        true_at: When | None = None,
        **filters: Unpack[Filters],
    ) -> Found:
        """Find evidence for a query, best first, within a budget of tokens.

        Every hit comes dated and sourced, newest state first, with all it replaced. With filters,
        every line shown fits all of them; one whose successor does not fit is marked as replaced.

        Args:
            query: any text.
            budget: at most so many tokens.
            known_at: search what the log held then: a day (whole), a month, a year, a moment; or, as
                a number, a log position.
            true_at: search what was said, up to then, to hold then.
            filters: `on`, `since`, `until`: a date (a UTC day), a month ("2026-03"), a year ("2026")
                or a time with an offset; a line fits by when it was said, else recorded, or by a date
                that its text names. `source` and `sensitivity`: one or several. `document`: id,
                title, file name or CURRENT. `project`, `speaker`, `session`: exactly.

        Raises:
            InputError: the budget is not positive, or a time or a filter can't be used.
            NotFoundError: no document, speaker, session or project has that name; with near names.
        """
        self._may("search")
        if known_at is None and true_at is None:
            return super().search(query, budget=budget, **filters)
        from memoranda.read.then import look  # noqa: PLC0415 - start-up time

        looking = self._state(filters, known_at, true_at)
        return looking(lambda source: look(query, source, budget=budget))

    def context(
        self,
        query: str,
        budget: int = BUDGET,
        *,
        known_at: Known | None = None,
        true_at: When | None = None,
        **filters: Unpack[Filters],
    ) -> str:
        """Give evidence as one fenced, dated text, ready for a prompt; "" when nothing is found.

        Times, filters and errors are those of `search`.
        """
        self._may("context")
        found = self.search(query, budget=budget, known_at=known_at, true_at=true_at, **filters)
        return self._rendered(query, found)

    def resolve(self, citation: str) -> CitedPlace:
        """Give what a citation names, verbatim as it was at that version, and what has become of it.

        It holds through splits, merges, corrections, retractions and undo. Text that was forgotten
        since reads `[erased DATE]`; a retired document names its heir (R234).

        Args:
            citation: as a claim has it, whole or its beginning: `d3@41:12-14`, `CURRENT@41 seq 7`.

        Raises:
            InputError: it is no citation.
            NotFoundError: there is nothing of that name, or it may not be read here.
        """
        self._may("resolve")
        from memoranda.read.citing import parse, resolve  # noqa: PLC0415 - start-up time

        with self._using():
            return resolve(parse(citation), self._seen(), self._reach)

    def _answering(self) -> Model | None:
        """Give the model that answers; one that can't be made fails when it is asked."""
        try:
            return self._engine.model()
        except MemorandaError as error:
            return _Unmade(self._engine.name, error)

    def _spending(self, desk: Desk, work: Callable[[Desk], Answer]) -> Answer:
        """Work within the budgets of the settings, and put the calls that were made into the log."""
        if desk.model is None:
            return work(desk)
        from memoranda.write.calls import Ledger, meter_of, run_limits  # noqa: PLC0415

        ledger = Ledger()
        with self._using():
            meter: Meter = meter_of(self._home, ledger, limits=run_limits(self._home.settings))
        try:
            return work(replace(desk, meter=meter))
        finally:
            with self._using():
                ledger.settle(self._home)


class _Unmade:
    """Stands for a model that can't be made as it is named: asked, it says why."""

    def __init__(self, name: str, error: MemorandaError) -> None:
        self.name = name
        self._error = error

    def ask(self, _: Request) -> Reply:
        """Raise what is wrong."""
        if isinstance(self._error, ModelUnavailableError):
            raise self._error
        said = str(self._error)
        raise ModelUnavailableError(self.name, "missing", said, ours=said)
