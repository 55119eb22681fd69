"""The importing part of a memory: JSON Lines, a malformed one skipped and named, all others stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from memoranda.errors import InputError, NotAllowedError
from memoranda.memory.heeding import Heeding
from memoranda.values import Imported, NewEvent, Receipt, Sensitivity
from memoranda.write.intake import Taken, check, read_line

BATCH = 200
"""Events that one transaction takes in."""

T = TypeVar("T")


class Importing(Heeding):
    """Imports events."""

    def import_lines(
        self, lines: Iterable[bytes | str], *, progress: Callable[[int], None] | None = None
    ) -> Imported:
        """Import JSON Lines: one event a line, fields as in `docs/import.md`.

        A malformed line is skipped and reported by number; all others are stored. Importing the same
        file again adds nothing, as far as its lines have an `id`.

        Args:
            lines: lines in UTF-8, or as text; blank ones are skipped.
            progress: called with the number of lines done.

        Raises:
            InputError: something given is no line; what came before it may be stored.
        """
        self._may("import_lines")
        if isinstance(lines, bytes | str):
            raise InputError("import_lines takes lines, not one text; give text.splitlines()")
        return self._kept_up_after(self._import_lines(lines, progress))

    def _import_lines(
        self, lines: Iterable[bytes | str], progress: Callable[[int], None] | None
    ) -> Imported:
        with self._using():
            before = self._home.log.position()
            bad: list[tuple[int, str]] = []
            added = known = forgotten = echoes = done = 0
            receipts: list[Receipt] = []
            secrets: Counter[str] = Counter()
            for batch in batches(self._readable(lines, bad)):
                done = batch[-1][0]
                for number, taken in self._take_each(batch, bad):
                    added += not taken.known
                    known += taken.known and not taken.forgotten
                    forgotten += taken.forgotten
                    echoes += taken.echoes
                    secrets.update(taken.secrets)
                    done = number
                receipts += self._after_add()[0]
                if progress is not None:
                    progress(done)
            return Imported(
                added=added,
                known=known,
                forgotten=forgotten,
                malformed=tuple(sorted(bad)),
                position=self._home.log.position(),
                receipts=self._told(receipts),
                waiting=self._waiting(before),
                echoes=echoes,
                secrets=tuple(sorted(secrets.items())),
                asked=self._asked_since(before),
            )

    def _readable(
        self, lines: Iterable[bytes | str], bad: list[tuple[int, str]]
    ) -> Iterator[tuple[int, NewEvent]]:
        for number, line in enumerate(lines, start=1):
            raw = _raw(line, number)
            text = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if not text.strip():
                continue
            try:
                yield number, self._own(read_line(text))
            except InputError as error:
                bad.append((number, str(error)))

    def _take_each(
        self, batch: Sequence[tuple[int, NewEvent]], bad: list[tuple[int, str]]
    ) -> Iterator[tuple[int, Taken]]:
        """Take a batch at once; when one line is refused, line by line. Gives (number, taken)."""
        try:
            taken = self._intake.take([event for _, event in batch], again=True)
        except InputError:
            for number, event in batch:
                try:
                    yield number, self._intake.take([event], again=True)[0]
                except InputError as error:
                    bad.append((number, str(error)))
        else:
            for (number, _), item in zip(batch, taken, strict=True):
                yield number, item

    def _own(self, event: NewEvent) -> NewEvent:
        """Check an event and bind it to the handle's project."""
        if not isinstance(event, NewEvent):
            raise InputError(f"an event is a NewEvent, not {type(event).__name__}")
        checked = self._allowed(check(event))
        if self._project is None or checked.project == self._project:
            return checked
        if checked.project is not None:
            raise InputError(
                f"an event of project {checked.project!r} can't be added through a handle bound to "
                f"{self._project!r}"
            )
        return check(replace(checked, project=self._project))

    def _plain_sensitivity(self) -> Sensitivity:
        return "public" if self.clearance == "public" else "internal"

    def _allowed(self, event: NewEvent) -> NewEvent:
        """Refuse an event that the handle could not see itself.

        Raises:
            NotAllowedError: it is above the clearance, or beyond the projects or labels.
        """
        visible = self._clearance.visible
        project = event.project or self._project
        if not visible.reaches(event.sensitivity):
            raise NotAllowedError("add", f"clearance {event.sensitivity}, or a lower sensitivity")
        if not visible.holds(project):
            raise NotAllowedError("add", f"a handle whose projects name {project!r}")
        if not visible.opens(event.metadata):
            raise NotAllowedError("add", "a handle with one of the labels in `access`")
        return event

    def _after_add(self) -> tuple[list[Receipt], str | None]:
        """Heed requests; consolidate by rules if that is due and nobody else is at it; say what is due."""
        self._heed()
        due_since = self._consolidator.due_since()
        if due_since is None or not self.runs_by_itself or not self._engine.by_rules:
            return [], due_since
        with self._home.try_locked() as held:
            receipts = self._due_now() if held else []
        return receipts, self._consolidator.due_since()


def _raw(line: object, number: int) -> bytes:
    """Give the bytes of a line; half of a surrogate pair makes it malformed, like any bad byte."""
    if isinstance(line, str):
        return line.encode("utf-8", "surrogatepass")
    if not isinstance(line, bytes):
        raise InputError(
            f"line {number} is a text or bytes, not {type(line).__name__}; for events take add_many"
        )
    return line


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    """Cut into batches of what one transaction takes."""
    batch: list[T] = []
    for item in items:
        batch.append(item)
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
