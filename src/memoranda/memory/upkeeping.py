"""Maintenance through a handle: by rules at once, by a model between locks, or only estimated."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from memoranda.errors import BusyError, InputError, MemorandaError
from memoranda.memory.expiring import Expiring
from memoranda.reports import Estimate, Run
from memoranda.store.calls import KEEPER
from memoranda.values import Added, Imported, Proposal, Receipt

if TYPE_CHECKING:
    from memoranda.llm.model import Call, Model, Usage
    from memoranda.write.by_model import Maintainer


class Upkeeping(Expiring):
    """Consolidates, by rules or by the model of the handle."""

    last_run: Run | None = None
    """What the last run by a model through this handle came to; None before one."""

    def propose(self) -> Proposal | None:
        """Show what the next window's plan would do, by rules; None when there is none to make.

        Changes nothing, and asks no model.
        """
        self._may("propose")
        with self._using(), self._home.locked():
            return self._consolidator.propose()

    def estimate(self) -> Estimate | None:
        """Say what `consolidate` by the handle's model is expected to use; None with the rules.

        Asks no model: prompts are made as they would be sent now, and counted.

        Raises:
            InputError: the setting `price` can't be read.
        """
        self._may("estimate")
        if self._engine.by_rules:
            return None
        from memoranda.llm.metered import use_of  # noqa: PLC0415 - start-up time
        from memoranda.write.calls import pricer_of  # noqa: PLC0415
        from memoranda.write.estimate import estimate  # noqa: PLC0415

        model: Model | None = None
        price = pricer_of(self._home.settings)
        with suppress(MemorandaError):
            model = self._engine.model()  # its address tells whose price it is

        def priced(usage: Usage) -> float | None:
            return price(use_of(model or self._engine, usage))

        with self._held():
            return estimate(self._home, self._engine.name, nonce=_nonce, price=priced)

    def consolidate(
        self,
        *,
        watch: Callable[[Proposal], None] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> tuple[Receipt, ...]:
        """Place all of CURRENT in topic documents; then split and merge where due.

        By rules, or by the handle's model: then `last_run` says what became of its replies, what they
        cost, and whether a limit of the budget ended it early. The scope is free while the model
        thinks: others may add, search and forget. Every step that the model fails at is done by rules.

        What has outlived its time goes first, as `expire` does it; `last_expiry` says what.

        What must be approved first stays in CURRENT, and so does all of it in the modes `review` and
        `shadow`: `waiting` names the plans that wait.

        Args:
            watch: sees each plan, with documents before and after, before it is applied.
            progress: called with (entries placed, entries in all).

        Raises:
            BusyError: another process is consolidating for too long.
            InputError, ModelUnavailableError: the model can't be made as it is named; nothing was done.
        """
        self._may("consolidate")
        model = self._engine.model()
        if model is not None:
            with self._held():
                self._expire()
            with self._home.upkeep():
                return self._by_model(model, watch, progress)
        with self._held():
            self._home.projection.sync(check=True)
            self._expire()
            receipts = self._consolidator.run_all(watch=watch, progress=progress)
            if self._home.log.meta(KEEPER):
                with self._home.log.transaction():
                    self._home.log.set_meta(KEEPER, b"")
            self._home.projection.sync()
            return tuple(receipts)

    def calls(self, *, limit: int | None = None) -> tuple[Call, ...]:
        """Give the records of calls to models, newest first (R305).

        Args:
            limit: at most so many; None gives all.

        Raises:
            InputError: the limit is negative.
        """
        self._may("calls")
        if limit is not None and limit < 0:
            raise InputError(f"limit must not be negative, not {limit}")
        from memoranda.write.calls import logged  # noqa: PLC0415 - start-up time

        with self._using():
            return tuple(logged(self._home.log, limit=limit))

    # --- by a model -----------------------------------------------------------------------------

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Have the scope alone, in this process and among others."""
        with self._using(), self._home.locked():
            yield

    def _by_model(
        self,
        model: Model,
        watch: Callable[[Proposal], None] | None,
        progress: Callable[[int, int], None] | None,
        *,
        by_hand: bool = True,
    ) -> tuple[Receipt, ...]:
        from memoranda.write.by_model import Maintainer  # noqa: PLC0415 - start-up time
        from memoranda.write.calls import Ledger, meter_of, run_limits  # noqa: PLC0415
        from memoranda.write.upkeep import Upkeep  # noqa: PLC0415

        home, settings, ledger = self._home, self._home.settings, Ledger()
        with self._held():
            home.projection.sync(check=True)
            meter = meter_of(home, ledger, limits=run_limits(settings))

        def make(plan_id: str) -> Maintainer:
            return Maintainer(
                model,
                nonce=_nonce,
                meter=meter,
                plan_id=plan_id,
                entry_tokens=settings.entry_tokens,
                prompt_tokens=settings.prompt_tokens,
                reply_tokens=settings.reply_tokens,
                timeout=settings.model_seconds,
                lists=self._engine.lists,
            )

        run = Upkeep(home, self._consolidator, make, self._held, ledger).run(
            watch=watch, progress=progress, by_hand=by_hand
        )
        self.last_run = run
        with self._held():
            home.projection.sync()
        return run.receipts

    def _kept_up(self, added: Added) -> Added:
        """Run the model after an add, if it is switched on and consolidation is due."""
        receipts = self._run_due(added.due_since)
        if receipts is None:
            return added
        with self._using():
            due = self._consolidator.due_since() if self.sees_all else None
        return replace(added, receipts=(*added.receipts, *receipts), due_since=due)

    def _kept_up_after(self, imported: Imported) -> Imported:
        """Run the model after an import, as after an add."""
        with self._using():
            due = self._consolidator.due_since()
        receipts = self._run_due(due)
        if receipts is None:
            return imported
        return replace(imported, receipts=(*imported.receipts, *receipts))

    def run_due(self) -> tuple[Receipt, ...]:
        """Consolidate if that is due, whatever `auto` says; nothing when another process is at it."""
        self._may("run_due")
        with self._using():
            due = self._consolidator.due_since()
        if due is None:
            return ()
        if self._engine.by_rules:
            with self._using(), self._home.try_locked() as held:
                return tuple(self._due_now(always=True)) if held else ()
        return tuple(self._run_due(due, always=True) or ())

    def _run_due(self, due: str | None, *, always: bool = False) -> Sequence[Receipt] | None:
        """Run the model if that is due; None if it is not. What goes wrong shows in status."""
        if due is None or self._engine.by_rules or not (always or self.runs_by_itself):
            return None
        if not self.sees_all:
            return None  # a model would be shown what this handle may not see
        try:
            model = self._engine.model()
            with self._home.try_upkeep() as free:
                if not free or model is None:
                    return None
                return self._by_model(model, None, None, by_hand=False)
        except BusyError:
            return None
        except MemorandaError as error:
            with suppress(MemorandaError), self._using():
                self._consolidator.failed(str(error))
            return None


def _nonce() -> str:
    return secrets.token_hex(8)
