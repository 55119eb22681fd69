"""The memories that are open, one handle for equal grants; what nobody uses for long is closed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from memoranda.errors import StoreError
from memoranda.gate.grant import Grant
from memoranda.settings import Settings

if TYPE_CHECKING:
    from memoranda.memory import Memory

MOST: Final = 64
"""Handles that stay open while nobody uses them."""
IDLE: Final = 600.0
"""Seconds after which a handle that nobody uses is closed."""


class _Slot:
    """One handle, and how many use it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.memory: Memory | None = None
        self.users = 0
        self.left = 0.0


class Shelf:
    """Gives each caller the memory of its grant, opened when it is first asked for.

    Args:
        root: the data root.
        settings: of every memory; a documents folder is one scope's own, and is left to each.
        most: so many handles stay open while nobody uses them.
        clock: gives seconds that only grow.
        opening: what `Memory.open` is given besides: a model, a clock, ids.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        *,
        most: int = MOST,
        clock: Callable[[], float] = monotonic,
        **opening: Any,  # noqa: ANN401 - as `Memory.open` takes it
    ) -> None:
        self.root = root
        self.settings = replace(settings, documents=None)
        self._most = most
        self._clock = clock
        self._opening = opening
        self._slots: OrderedDict[tuple[object, ...], _Slot] = OrderedDict()
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def memory(self, grant: Grant) -> Iterator[Memory]:
        """Have the memory of a grant, for the time of one call.

        Raises:
            InputError: a name or a setting can't be used.
            StoreError: the folder can't be used as it is, or the server ends.
        """
        slot = self._taken(grant)
        try:
            with slot.lock:
                if slot.memory is None:
                    slot.memory = self._open(grant)
            yield slot.memory
        finally:
            self._given_back(slot)

    def close(self) -> None:
        """Close every memory; those in use when their call is done."""
        with self._lock:
            self._closed = True
        self._sweep()

    def _open(self, grant: Grant) -> Memory:
        from memoranda.memory import Memory  # noqa: PLC0415 - start-up time

        given = {"model": self.settings.model, **grant.opening(), **self._opening}
        return Memory.open(self.root, settings=self.settings, **given)

    def _taken(self, grant: Grant) -> _Slot:
        with self._lock:
            if self._closed:
                raise StoreError("the server ends; call again when it is back")
            slot = self._slots.setdefault(grant.wall, _Slot())
            self._slots.move_to_end(grant.wall)
            slot.users += 1
            return slot

    def _given_back(self, slot: _Slot) -> None:
        with self._lock:
            slot.users -= 1
            slot.left = self._clock()
        self._sweep()

    def _sweep(self) -> None:
        """Close what nobody uses: the longest unused above the limit, and what lay idle for long."""
        with self._lock:
            now, idle = self._clock(), [k for k, s in self._slots.items() if not s.users]
            over = idle if self._closed else idle[: max(0, len(idle) - self._most)]
            old = [key for key in idle if now - self._slots[key].left > IDLE]
            gone = [self._slots.pop(key) for key in dict.fromkeys([*over, *old])]
        for slot in gone:
            if slot.memory is not None:
                slot.memory.close()
