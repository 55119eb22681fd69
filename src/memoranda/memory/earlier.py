"""Looking at a memory as it is, or as it was: an earlier state is made once, and kept for the next look."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar

from memoranda.errors import InputError
from memoranda.memory.reading import Reading
from memoranda.read.filters import Filters, Known, When, narrow, read
from memoranda.read.lexical import Source
from memoranda.store.index import FtsIndex
from memoranda.store.log import Log
from memoranda.store.view import View

if TYPE_CHECKING:
    from memoranda.memory.sight import Sight
    from memoranda.read.readers.desk import Looking as State
    from memoranda.read.then import Past

T = TypeVar("T")
_POSITION: Final = re.compile(r"\s*@([0-9]{1,18})\s*")
_Key = tuple[int, bytes, int]
"""Log position, chain there, position of the last forgetting: what a state of the past hangs on."""


class Earlier(Reading):
    """Looks at one state: the one that stands, or an earlier one."""

    _kept: _Kept | None = None
    """The earlier state that was looked at last; who looks takes it away meanwhile."""

    def _state(
        self, filters: Filters, known: Known | None = None, true: When | None = None
    ) -> State:
        """Give a way to look at this memory, narrowed by filters: now, or as at an earlier time.

        Raises:
            InputError: a filter can't be used, or there is no such position.
            TimeError: `known` is no time.
        """
        wanted = read(filters)
        raw = self._at(known)

        def looking(work: Callable[[Source], T]) -> T:
            def inside(source: Source) -> T:
                reach = narrow(source.reach, wanted, source.log, source.view, source.index.said)
                return work(_true_at(replace(source, reach=reach), true))

            return raw(inside)

        return looking

    def _bare(self, known: Known | None, true: When | None) -> State:
        """Give the same without filters and permission checks, for who puts these in force himself."""
        raw = self._at(known)

        def looking(work: Callable[[Source], T]) -> T:
            return raw(lambda source: work(_true_at(source, true)))

        return looking

    def _at(self, known: Known | None) -> State:
        if known is None:
            return self._now
        position = self._position(known)

        def then(work: Callable[[Source], T]) -> T:
            with self._past(position) as (log, view, index):
                return work(self._source(log, view, index))

        return then

    def _now(self, work: Callable[[Source], T]) -> T:
        def inside(index: FtsIndex) -> T:
            with home.log.snapshot():
                return work(self._source(home.log, home.view, index))

        with self._using():
            home = self._seen()
            return home.reading(inside)

    def _source(self, log: Log, view: View, index: FtsIndex) -> Source:
        reach = self._reach_in(log)
        return Source(log=log, view=view, index=index, reach=reach, count=self._count)

    def _position(self, known: Known) -> int:
        """Give the log position that is meant: a number is one, as `@41` is; a time means its end."""
        from memoranda.store.replay import position_at  # noqa: PLC0415 - start-up time

        named = _POSITION.fullmatch(known) if isinstance(known, str) else None
        with self._looked_at() as home:
            if named is not None:
                known = int(named[1])
            if not isinstance(known, int):
                return position_at(known, home.log)
            last = home.log.position()
            if isinstance(known, bool) or not 0 <= known <= last:
                raise InputError(f"the log has positions up to {last}, not {known}")
            return known

    # --- the state that is kept ---------------------------------------------------------------

    @contextmanager
    def _past(self, position: int) -> Iterator[tuple[Log, View, FtsIndex]]:
        """Give an earlier state; nobody else looks at it meanwhile, and nobody is locked out."""
        with self._using():
            kept, self._kept = self._kept, None
            if kept is None or kept.key != self._key(position):
                if kept is not None:
                    kept.close()
                kept = self._made(position)
            elif kept.sight is not None:
                kept.sight.follow()
            state = kept.state
        try:
            yield state
        finally:
            self._keep(kept)

    def _made(self, position: int) -> _Kept:
        """Make an earlier state anew. One that is not seen whole is screened as the present is."""
        with self._home.log.snapshot():
            key = self._key(position)
            if self.sees_all:
                from memoranda.read.then import folded  # noqa: PLC0415 - start-up time

                return _Kept(key, past=folded(self._home, position))
            from memoranda.memory.sight import Sight  # noqa: PLC0415 - start-up time

            sight = Sight(self._home, self._clearance.visible, self._permits, until=position)
            sight.follow()
            return _Kept(key, sight=sight)

    def _key(self, position: int) -> _Key:
        db = self._home.log.connection
        row = db.execute("SELECT chain FROM record WHERE position = ?", (position,)).fetchone()
        last = db.execute("SELECT coalesce(max(position), 0) FROM record WHERE kind = 'forget'")
        return position, bytes(row[0]) if row else b"", int(last.fetchone()[0])

    def _keep(self, kept: _Kept) -> None:
        with self._mutex:
            if self._closed or self._kept is not None:
                kept.close()
                return
            self._kept = kept
            with self._telling():
                self._let_go()

    def _let_go(self) -> None:
        """Let go of an earlier state that still holds what was forgotten since."""
        kept = self._kept
        if kept is not None and kept.key != self._key(kept.key[0]):
            self._kept = None
            kept.close()

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Let one call in at a time; what it forgot is in no earlier state either, once it is done."""
        with super()._using():
            yield
            self._let_go()

    def close(self) -> None:
        """Close every file; let go of what is kept of an earlier state."""
        super().close()
        with self._mutex:
            kept, self._kept = self._kept, None
        if kept is not None:
            kept.close()


@dataclass(frozen=True, slots=True)
class _Kept:
    """An earlier state: of the whole, or as a limited handle sees it."""

    key: _Key
    past: Past | None = None
    sight: Sight | None = None

    @property
    def state(self) -> tuple[Log, View, FtsIndex]:
        """Its log, view and index."""
        if self.sight is not None:
            return self.sight.log, self.sight.view, self.sight.with_index(_itself)
        if self.past is None:
            raise AssertionError("a state is kept in one of both ways")
        return self.past.log, self.past.view, self.past.index

    def close(self) -> None:
        """Let go of it."""
        for held in (self.past, self.sight):
            if held is not None:
                held.close()


def _itself(index: FtsIndex) -> FtsIndex:
    return index


def _true_at(source: Source, when: When | None) -> Source:
    if when is None:
        return source
    from memoranda.read.then import true_at  # noqa: PLC0415 - start-up time

    return true_at(source, when)
