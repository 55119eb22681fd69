"""One scope, opened: its folder, log, views, index, files and lock."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from memoranda.errors import FormatError, StoreError
from memoranda.settings import Settings
from memoranda.store.connection import SIDES, connect, look_before
from memoranda.store.faults import meaning, refused, telling
from memoranda.store.files import Files, real
from memoranda.store.fold import Fold
from memoranda.store.following import ahead, catch_up
from memoranda.store.gitting import Gitting
from memoranda.store.index import FtsIndex
from memoranda.store.locks import scope_lock, try_scope_lock
from memoranda.store.log import Clock, Entropy, Ids, Log
from memoranda.store.nearby import Nearby
from memoranda.store.newest import naming_backups
from memoranda.store.projection import MARKER, Projection
from memoranda.store.scope import Scope, folder
from memoranda.store.swapping import Shelf
from memoranda.store.view import View

DATABASE = "memory.db"
INDEX = "index.db"
LOCK = "scope.lock"
UPKEEP = "upkeep.lock"
"""Held while a model is at work: longer than the scope's own lock, which is let go between steps."""

T = TypeVar("T")


class Home:
    """Everything of one scope. Open it once a handle; close it.

    Args:
        root: the data root, absolute.
        scope: user and workspace.
        settings: where the documents live, and how long to wait for others.
        clock, ids, entropy: handed on to the log.
    """

    def __init__(
        self,
        root: Path,
        scope: Scope,
        settings: Settings,
        *,
        clock: Clock,
        ids: Ids,
        entropy: Entropy,
    ) -> None:
        self.scope = scope
        self.settings = settings
        base = Files(root)
        base.make_folder(base.root)
        self.folder = folder(base.root, scope)
        base.make_folder(self.folder)
        self.files = Files(self.folder)
        self.database = self.folder / DATABASE
        self.files.create(self.database, b"")
        self.files.stat(self.database)
        self._index: FtsIndex | None = None
        self._index_file = 0
        connection = self._opened(clock=clock, ids=ids, entropy=entropy)
        self.fold = Fold(connection)
        self.view = View(connection)
        self.projection = Projection(self.log, self.view, self.files, self.shelf)
        if settings.git:
            self.projection.after = Gitting(self.log, self.shelf).commit

    def _opened(self, *, clock: Clock, ids: Ids, entropy: Entropy) -> sqlite3.Connection:
        """Open the log, and find the folder of the documents."""
        busy = self.settings.busy_seconds
        with naming_backups(self.folder), telling(self.database, busy):
            look_before(self.database)
            connection = connect(self.database, busy_seconds=busy)
            try:
                self.log = Log(
                    connection, str(self.database), clock=clock, ids=ids, entropy=entropy
                )
                self._name()
                self.shelf = Shelf(self._shelf(self.settings.documents))
            except BaseException:
                connection.close()
                raise
        return connection

    def _name(self) -> None:
        """Keep the scope's true names in the database: a long one does not show in the folder."""
        names = f"{self.scope.user}\n{self.scope.workspace or ''}".encode()
        found = self.log.meta("scope")
        if not found:
            with self.log.transaction():
                self.log.set_meta("scope", names)
        elif found != names:
            raise FormatError(str(self.database), "it belongs to another user or workspace")

    def _shelf(self, given: str | None) -> Path:
        """Say where the Markdown lives: as given, else as given before, else beside the database."""
        known = self.log.meta("documents").decode()
        if given is None:
            return Path(known) if known else self.folder
        path = real(Path(given))
        users = self.folder.parents[1]
        if path != self.folder and path.is_relative_to(users):
            raise StoreError(f"{path} is inside the folder of another scope; choose another one")
        if str(path) != (known or str(self.folder)):
            if known:
                raise StoreError(
                    f"the documents of this scope live in {known}; "
                    "move them there by hand only with a new scope"
                )
            self._claim(path)
        return path

    def _claim(self, path: Path) -> None:
        found = Files(path).read(path / MARKER)
        if found is not None and found.strip() not in {b"", self.log.scope_id.encode()}:
            raise StoreError(f"{path} holds the documents of another scope; choose another folder")
        with self.log.transaction():
            if self.log.connection.execute("SELECT 1 FROM projection LIMIT 1").fetchone():
                raise StoreError(
                    f"the documents of this scope live in {self.folder}; "
                    "choose another folder when the scope is made"
                )
            self.log.set_meta("documents", str(path).encode())

    def step(self) -> None:
        """With git, write the files after each plan, so that each is a commit of its own."""
        if self.settings.git and not self.log.is_open:
            self.projection.sync()

    @cached_property
    def vectors(self) -> Nearby:
        """The vectors beside the index; no file is opened or made before one is needed."""
        return Nearby(self.database, self.log, busy_seconds=self.settings.busy_seconds)

    def conflicts(self) -> tuple[str, ...]:
        """Name the files that were not ours or were edited, kept as copies."""
        return self.projection.conflicts()

    def attach(self, connection: sqlite3.Connection) -> None:
        """Let another connection read the log's tables, under the name `log`."""
        connection.execute("ATTACH DATABASE ? AS log", (str(self.database),))

    # --- index --------------------------------------------------------------------------------

    def reading(self, work: Callable[[FtsIndex], T]) -> T:
        """Read the index, caught up, as it stands now: others may go on adding to it.

        In a transaction of the log it holds, for this look only, what that brought.
        """

        def read(index: FtsIndex) -> T:
            with ahead(index, self.log) if self.log.is_writing else index.snapshot():
                return work(index)

        return self.with_index(read)

    def with_index(self, work: Callable[[FtsIndex], T]) -> T:
        """Do something with the index, caught up; a damaged one is moved aside and made again.

        In a transaction of the log it is as it was before that: it never holds what may not come to be.
        """
        try:
            return work(self._caught_up())
        except sqlite3.DatabaseError as error:
            if not self._is_damage(error):
                path = self.folder / INDEX
                raise meaning(error, path, self.settings.busy_seconds) from error
            self._move_aside()
            return work(self._caught_up())

    def _is_damage(self, error: sqlite3.DatabaseError) -> bool:
        """Say whether a fault means that the index must be made again, not that the system refused."""
        if refused(error):
            return False
        return self._index is None or not self._index.is_sound()

    def _caught_up(self) -> FtsIndex:
        state = self.files.stat(self.folder / INDEX)
        if self._index is not None and (state is None or state.ino != self._index_file):
            self.close_index()  # another process made it anew: ours holds what may be forgotten
        if self._index is None:
            self.files.create(self.folder / INDEX, b"")
            state = self.files.stat(self.folder / INDEX)
            self._index_file = 0 if state is None else state.ino
            self._index = FtsIndex(
                self.folder / INDEX,
                scope_id=self.log.scope_id,
                busy_seconds=self.settings.busy_seconds,
            )
            self._index.near = self.vectors.near if self.settings.vectors == "on" else None
        if not self.log.is_writing:
            catch_up(self._index, self.log)
        return self._index

    def index_position(self) -> int:
        """Give the log position that the index holds, without catching it up."""
        if self._index is None and self.files.stat(self.folder / INDEX) is None:
            return 0
        if self._index is None:
            return self.with_index(lambda index: index.position)
        return self._index.position

    def _move_aside(self) -> None:
        self.close_index()
        number = 1
        while self.files.stat(self.folder / f"{INDEX}.damaged-{number}") is not None:
            number += 1
        for side in SIDES:
            if self.files.stat(self.folder / f"{INDEX}{side}") is not None:
                self.files.rename(
                    self.folder / f"{INDEX}{side}", self.folder / f"{INDEX}.damaged-{number}{side}"
                )

    def close_index(self) -> None:
        """Close the index, if it is open."""
        if self._index is not None:
            self._index.close()
            self._index = None

    def drop_index(self) -> None:
        """Delete the index and the vectors; the next search makes them again."""
        self.vectors.drop()
        self.close_index()
        for side in SIDES:
            self.files.remove(self.folder / f"{INDEX}{side}")

    # --- lock ---------------------------------------------------------------------------------

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the scope's lock: one at a time consolidates or writes files."""
        with scope_lock(self.folder / LOCK, self.settings.busy_seconds):
            yield

    @contextmanager
    def try_locked(self) -> Iterator[bool]:
        """Hold the scope's lock if nobody else does; gives whether it is held."""
        with try_scope_lock(self.folder / LOCK) as held:
            yield held

    @contextmanager
    def upkeep(self) -> Iterator[None]:
        """Be the one who has a model at work on this scope; others may change it meanwhile."""
        with scope_lock(self.folder / UPKEEP, self.settings.busy_seconds):
            yield

    @contextmanager
    def try_upkeep(self) -> Iterator[bool]:
        """Be that one if nobody else is; gives whether it is so."""
        with try_scope_lock(self.folder / UPKEEP) as held:
            yield held

    def close(self) -> None:
        """Close every file."""
        with telling(self.database, self.settings.busy_seconds):
            try:
                self.vectors.close()
                self.close_index()
            finally:
                self.log.connection.close()
