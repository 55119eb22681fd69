"""The Markdown files: written after the commit, healed when damaged, never over what people wrote."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from memoranda.errors import StoreError, UnsafePathError
from memoranda.store.documents import file_name, print_current
from memoranda.store.files import Files
from memoranda.store.layouts import Layouts
from memoranda.store.log import Log
from memoranda.store.noticing import CURRENT_FILE, TOPICS, Foreign, Noticing, seen_as
from memoranda.store.swapping import Shelf
from memoranda.store.view import View
from memoranda.values import CURRENT

__all__ = ["CONFLICTS", "CURRENT_FILE", "MARKER", "TOPICS", "Foreign", "Projection", "Wanted"]

CONFLICTS = "conflicts"
MARKER = ".memoranda"
ROUNDS = 5
"""So many files of one document are taken in at one look: it, and what was saved beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One file as it should be."""

    file: str
    document_id: str
    version: int
    data: bytes


class Projection:
    """Keeps CURRENT.md and topics/*.md equal to the views. Call it under the scope's lock.

    What people wrote into a file is handed to `adopt` before anything is written; with None it is kept
    as a copy.

    Args:
        log: the log; it also keeps keyed digests of what was written.
        view: the views.
        home: the scope's folder, for conflict copies.
        shelf: the folder of the Markdown files; the same as `home` unless documents live elsewhere.
    """

    def __init__(self, log: Log, view: View, home: Files, shelf: Shelf) -> None:
        self._log = log
        self._view = view
        self._home = home
        self._shelf = shelf
        self._db = log.connection
        self.layouts = Layouts(log)
        self.noticing = Noticing(log, view, shelf, self.layouts)
        self.after: Callable[[], None] | None = None
        """Called whenever the files have been written."""
        self.adopt: Callable[[Sequence[Foreign]], bool] | None = None
        """Takes in what people wrote, and says whether any of it is left for another round; bytes that
        it settles (`release`) may be written over."""

    # --- what is wanted -----------------------------------------------------------------------

    def _document(self, document_id: str, version: int) -> Wanted:
        info = self._view.document(document_id)
        if info is None:
            raise StoreError(f"document {document_id} is not in the views; run rebuild")
        return Wanted(
            file=f"{TOPICS}/{file_name(info.title, document_id)}",
            document_id=document_id,
            version=version,
            data=self._view.printed(document_id).text.encode(),
        )

    def _current(self, position: int) -> Wanted:
        text = print_current(self._view.current_blocks()).text
        return Wanted(file=CURRENT_FILE, document_id=CURRENT, version=position, data=text.encode())

    # --- doing --------------------------------------------------------------------------------

    def sync(self, *, check: bool = False, rounds: int = 2) -> tuple[str, ...]:
        """Write every file that lags; with `check`, look at the bytes of all files first.

        A link or an odd thing where one of our files belongs is left as it is: the other files are
        written, and `status` says so until it is moved away.

        Returns:
            What could not be written, one sentence each.
        """
        self._mark()
        check = check or bool(self._log.meta("files"))
        seen = self._look() if check else {}
        if check:
            self._take_in(seen)
        with self._log.snapshot() as position:
            stale, moved = self._damaged(seen) if check else (set(), [])
            wanted, gone = self._work(position, stale)
        faults = tuple(self._write(wanted, gone))
        with self._log.transaction():
            for file in moved:
                self._remember_state(file)
            self._log.set_meta("projected", str(position).encode())
            self._log.set_meta("projected_current", str(position).encode())
            self._log.set_meta("files", "\n".join(faults).encode())
        if self.after is not None:
            self.after()
        wrote = self.adopt is not None and bool(wanted or gone)
        if rounds and wrote and self.noticing.standing_aside():
            return self.sync(check=True, rounds=rounds - 1)
        return faults

    def _take_in(self, seen: Mapping[str, str]) -> None:
        """Take in what people wrote: of each document one file at a time; keep what is of none."""
        for _ in range(ROUNDS if self.adopt is not None else 0):
            found = self.noticing.foreign(seen)
            if self.adopt is None or not found or not self.adopt(found):
                break
        for name in self.noticing.asides(seen):
            self._put_away(name)

    def _look(self) -> dict[str, str]:
        """Take away what killed runs left, and see every file: its state, by name."""
        self._home.sweep(self._home.root / CONFLICTS)
        if self._home.root != self._shelf.root:
            self._home.sweep(self._home.root)
        seen = {name: seen_as(at) for name, at in self._shelf.tidy(self._shelf.root).items()}
        topics = self._shelf.tidy(self._shelf.root / TOPICS)
        return seen | {f"{TOPICS}/{name}": seen_as(at) for name, at in topics.items()}

    def _work(self, position: int, stale: set[str]) -> tuple[list[Wanted], list[str]]:
        """Say which files are to be written, and whose are to go."""
        changes = self._view.changed(self._int("projected"))
        gone = [document for document, _, retired in changes if retired]
        live = {document: version for document, version, retired in changes if not retired}
        for document in sorted(stale - {CURRENT}):
            info = self._view.document(document)
            if info is None:
                gone.append(document)
            else:
                live[document] = info.version
        wanted = [self._document(document, version) for document, version in live.items()]
        if CURRENT in stale or self._said_since(self._int("projected_current")):
            wanted.append(self._current(position))
        return wanted, gone

    def _said_since(self, position: int) -> bool:
        """Say whether anything but a receipt came after a position: receipts change no line."""
        found = self._db.execute(
            "SELECT 1 FROM record WHERE position > ? AND kind <> 'receipt' LIMIT 1", (position,)
        )
        return found.fetchone() is not None

    def _int(self, name: str) -> int:
        return int(self._log.meta(name) or b"0")

    def _mark(self) -> None:
        """Claim the shelf for this scope; refuse one that another scope has claimed."""
        marker = self._shelf.root / MARKER
        mine = self._log.scope_id.encode() + b"\n"
        found = self._shelf.read(marker)
        self._shelf.make_folder(self._shelf.root / TOPICS)
        before = self._log.meta("scope_was")  # its id, until an archive was taken in
        if found is None or mine.startswith(found.rstrip(b"\0 \r\n")) or found.strip() == before:
            if found != mine:
                self._shelf.write(marker, mine)
        elif found != mine:
            raise StoreError(
                f"{self._shelf.root} holds the documents of another scope; choose another folder"
            )

    def _damaged(self, seen: Mapping[str, str]) -> tuple[set[str], list[str]]:
        """Name the documents whose file is not as we left it, or missing; and files only touched."""
        rows = self._db.execute("SELECT file, document_id, seen, digest FROM projection").fetchall()
        stale: set[str] = set()
        moved: list[str] = []
        for file, document, before, digest in rows:
            if before is not None and seen.get(file) == before:
                continue
            try:
                data = self._shelf.read(self._shelf.root / file)
            except UnsafePathError:
                data = None
            if data is None or self.noticing.digest(data) != digest:
                stale.add(document)
            else:
                moved.append(file)
        with_file = {row[1] for row in rows}
        live = {*self._view.ids(), CURRENT}
        return stale | (live - with_file), moved

    def _write(self, wanted: Sequence[Wanted], gone: Sequence[str]) -> list[str]:
        with self._log.transaction():  # intent first: what we are about to write is ours
            for item in wanted:
                self._own(self.noticing.digest(item.data))
        texts = {item.document_id: item for item in wanted}
        faults: list[str] = []
        dropped = []
        files = self._files_of([*gone, *texts])
        for document in [*gone, *texts]:
            for file in files.get(document, ()):
                wish = texts.get(document)
                if wish is None or file != wish.file:
                    data = wish.data if wish else b""
                    if self._tried(partial(self._clear, file, data), faults):
                        dropped.append(file)
        written = [item for item in wanted if self._tried(partial(self._put, item), faults)]
        with self._log.transaction():
            for file in dropped:
                self._db.execute("DELETE FROM projection WHERE file = ?", (file,))
            for item in written:
                self._db.execute(
                    "INSERT OR REPLACE INTO projection VALUES (?, ?, ?, ?, NULL)",
                    (item.file, item.document_id, item.version, self.noticing.digest(item.data)),
                )
                self._remember_state(item.file)
                self.layouts.keep(item.document_id)
        return faults

    def _tried(self, work: Callable[[], bool], faults: list[str]) -> bool:
        """Do something with one file; note what stands in its way, and say whether it was done."""
        try:
            return work()
        except UnsafePathError as error:
            faults.append(str(error))
            return False

    def _put(self, item: Wanted) -> bool:
        """Write a file; what a person wrote into it meanwhile stays aside, to be taken in."""
        path = self._shelf.root / item.file
        if self._shelf.read(path) == item.data:
            return True
        self._shelf.put(path, item.data, partial(self._may_go, item.file, item.data))
        return True

    def _clear(self, file: str, text: bytes) -> bool:
        """Take away a file of ours; what a person wrote into it meanwhile stays aside."""
        self._shelf.take(self._shelf.root / file, partial(self._may_go, file, text))
        return True

    def _may_go(self, file: str, text: bytes, found: bytes) -> bool:
        """Say whether bytes may be written over: they are ours, or a copy of them is kept."""
        if self.noticing.ours(found, text):
            return True
        known = self._db.execute("SELECT 1 FROM projection WHERE file = ?", (file,)).fetchone()
        if self.adopt is not None and known is not None:
            return False
        self.keep_copy(file, found)
        return True

    def _put_away(self, name: str) -> None:
        """Keep what stands aside and is of no document that is known."""
        path = self._shelf.root / name
        data = self._shelf.read(path)
        if data is not None and not self.noticing.ours(data, b""):
            self.keep_copy(name, data)
        self._shelf.remove(path)

    def _files_of(self, documents: Sequence[str]) -> dict[str, list[str]]:
        rows = self._db.execute(
            "SELECT document_id, file FROM projection "
            "WHERE document_id IN (SELECT value FROM json_each(?)) ORDER BY file",
            (json.dumps(documents),),
        )
        found: dict[str, list[str]] = {}
        for document, file in rows:
            found.setdefault(document, []).append(file)
        return found

    # --- whose bytes --------------------------------------------------------------------------

    def digest(self, data: bytes) -> bytes:
        """Give the keyed digest under which a file's bytes are known."""
        return self.noticing.digest(data)

    def _own(self, digest: bytes) -> None:
        self._db.execute("INSERT OR IGNORE INTO projected VALUES (?)", (digest,))

    def keep_copy(self, file: str, data: bytes) -> str:
        """Keep bytes that are not ours under conflicts/, named after the file and its digest; name it."""
        self._home.make_folder(self._home.root / CONFLICTS)
        stem = Path(file).stem.lstrip(".")
        name = f"{stem}.{self.noticing.digest(data).hex()[:8]}.md"
        self._home.create(self._home.root / CONFLICTS / name, data)
        return name

    def release(self, found: Foreign) -> None:
        """Let bytes be written over: what they say is taken in, or kept. Inside a transaction."""
        if found.data is not None:
            self._own(self.noticing.digest(found.data))
        self._db.execute("UPDATE projection SET seen = NULL WHERE file = ?", (found.file,))

    def discard(self, found: Foreign) -> None:
        """Take away a file of a name that is not ours, once its bytes are released."""
        self._shelf.take(self._shelf.root / found.file, partial(self.noticing.ours, text=b""))

    def _seen(self, file: str) -> str | None:
        state = self._shelf.stat(self._shelf.root / file)
        return seen_as(state) if state is not None else None

    def _remember_state(self, file: str) -> None:
        """Remember how a file lies there, as long as it holds what was written.

        It is looked at before it is read: what is saved a moment later is told by the next look.
        """
        seen, path = self._seen(file), self._shelf.root / file
        data = self._shelf.read(path) if seen is not None else None
        row = self._db.execute("SELECT digest FROM projection WHERE file = ?", (file,)).fetchone()
        sure = data is not None and row is not None and self.digest(data) == row[0]
        self._db.execute(
            "UPDATE projection SET seen = ? WHERE file = ?", (seen if sure else "?", file)
        )

    # --- looking ------------------------------------------------------------------------------

    def conflicts(self) -> tuple[str, ...]:
        """Name the kept copies, and the files in topics/ that are not ours."""
        kept = _listed(self._home, CONFLICTS)
        rows = self._db.execute("SELECT file FROM projection").fetchall()
        ours = {row[0] for row in rows}
        foreign = [
            name
            for name in _listed(self._shelf, TOPICS)
            if name not in ours and not name.startswith(f"{TOPICS}/.")
        ]
        return tuple(kept + foreign)

    def contents(self) -> Mapping[str, bytes]:
        """Give the bytes of every file of ours, by name."""
        rows = self._db.execute("SELECT file FROM projection ORDER BY file").fetchall()
        found = {row[0]: self._shelf.read(self._shelf.root / row[0]) for row in rows}
        return {name: data for name, data in found.items() if data is not None}

    def reset(self) -> None:
        """Forget what was written, so that `sync` writes every file again."""
        with self._log.transaction():
            self._db.execute("UPDATE projection SET seen = NULL")
            self._log.set_meta("projected", b"0")
            self._log.set_meta("projected_current", b"0")


def _listed(files: Files, folder: str) -> list[str]:
    """Name what lies in a folder; an odd thing in its place is named itself."""
    try:
        return [f"{folder}/{item.name}" for item in files.names(files.root / folder)]
    except UnsafePathError:
        return [folder]
