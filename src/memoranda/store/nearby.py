"""Search by meaning: opens the file of vectors when it is first asked for, and keeps it up with the log."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from memoranda.errors import BusyError, InputError
from memoranda.store.connection import SIDES, connect
from memoranda.store.faults import meaning, refused
from memoranda.store.files import Files
from memoranda.store.log import Log
from memoranda.store.vectors import Embedder, VectorFile

VECTORS = "vectors.db"

T = TypeVar("T")


class Nearby:
    """The vectors of one scope, beside its index; nothing is opened or loaded before it is asked for.

    Args:
        database: memory.db of the scope; the vectors lie beside it.
        log: the log, as the reader sees it.
        busy_seconds: how long to wait for another process.
    """

    def __init__(self, database: Path, log: Log, *, busy_seconds: float) -> None:
        self.embedder: Callable[[], Embedder] = _none
        """Gives who makes vectors; asked at the first search."""
        self._files = Files(database.parent)
        self._path = database.with_name(VECTORS)
        self._database = database
        self._log = log
        self._busy_seconds = busy_seconds
        self._file: VectorFile | None = None
        self._ino = 0
        self._made: str | None = None

    def near(
        self, question: str, limit: int, units: AbstractSet[int] | None
    ) -> list[tuple[int, float]]:
        """Give the units nearest to a question among some (None: all), with cosines; best first.

        What has no vector yet gets one first. Units that the reader's snapshot does not hold yet may
        be among them.

        Raises:
            InputError: what makes vectors can't be had.
            BusyError, StoreError: the file can't be used.
        """
        embedder = self.embedder()
        (asked,) = embedder.embed([question])

        def look(file: VectorFile) -> list[tuple[int, float]]:
            log = self._log.connection
            if file.position != self._log.position() or not file.is_of(log):
                with closing(connect(self._database, busy_seconds=self._busy_seconds)) as fresh:
                    file.catch_up(fresh, embedder)
            return file.nearest(asked, limit=limit, units=units)

        return self._with(look, f"{embedder.name}/{self._log.scope_id}")

    def purge(self, units: Iterable[int]) -> None:
        """Take vectors out, with or without a setting that uses them.

        Raises:
            BusyError: another process reads for too long.
        """
        wanted = tuple(units)
        if self._files.stat(self._path) is None:
            self.close()
        elif not self._with(lambda file: file.purge(wanted), None):
            raise BusyError(str(self._path), self._busy_seconds)

    def holding(self, units: Iterable[int]) -> int:
        """Count how many of some units have a vector; 0 where there is no file."""
        wanted = tuple(units)
        if self._files.stat(self._path) is None:
            return 0
        return self._with(lambda file: file.holding(wanted), None)

    def _with(self, work: Callable[[VectorFile], T], made: str | None) -> T:
        """Do something with the file; a damaged one is moved aside and made again."""
        try:
            return work(self._opened(made))
        except sqlite3.DatabaseError as error:
            if refused(error):
                raise meaning(error, self._path, self._busy_seconds) from error
            self._move_aside()
            return work(self._opened(made))

    def _opened(self, made: str | None) -> VectorFile:
        state = self._files.stat(self._path)
        if self._file is not None and (state is None or state.ino != self._ino):
            self.close()  # another process made it anew: ours holds what may be forgotten
        if made is not None and made != self._made:
            self.close()  # it is open as nobody's in particular, or as another model's
        if self._file is None:
            self._files.create(self._path, b"")
            state = self._files.stat(self._path)
            self._ino = 0 if state is None else state.ino
            self._file = VectorFile(self._path, made=made, busy_seconds=self._busy_seconds)
            self._made = made
        return self._file

    def _move_aside(self) -> None:
        self.close()
        number = 1
        while self._files.stat(self._beside(f".damaged-{number}")) is not None:
            number += 1
        for side in SIDES:
            if self._files.stat(self._beside(side)) is not None:
                self._files.rename(self._beside(side), self._beside(f".damaged-{number}{side}"))

    def _beside(self, end: str) -> Path:
        return self._path.with_name(VECTORS + end)

    def drop(self) -> None:
        """Delete the file; the next search makes it again."""
        self.close()
        for side in SIDES:
            self._files.remove(self._beside(side))

    def close(self) -> None:
        """Close the file, if it is open."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _none() -> Embedder:
    raise InputError("nothing that makes vectors is known here; open the memory with an embedder")
