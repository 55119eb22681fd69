"""The steps of forgetting, by name: what each takes away, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from memoranda.errors import BusyError
from memoranda.store.connection import SMALL
from memoranda.store.erasure import Erasure
from memoranda.store.home import Home
from memoranda.store.log import Record, Remains
from memoranda.store.scan import scan
from memoranda.store.shown import Shown
from memoranda.write import elsewhere, redact, traces
from memoranda.write.choose import Chosen
from memoranda.write.wanted import Said

When = Literal["before", "records", "log", "after"]
"""`before` the log is changed, while what goes can be read; `records` says what is left of records;
`log` is the one transaction; `after` brings what is derived to what the log now says."""


@dataclass(slots=True, kw_only=True)
class Task:
    """One forgetting under way."""

    home: Home
    chosen: Chosen
    said: Said | None = None
    """What the chosen said; None after a kill, when it can't be read any more."""
    left: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    """Position -> what is left of a record."""
    names: bool = False
    """Names, summaries and headings are made anew."""
    made: Erasure | None = None
    """What the forget record says, once it is known."""
    remains: tuple[Remains, ...] = ()
    """What is to stand in the log in place of payloads."""
    record: Record | None = None
    """The forget record, once it is in the log."""
    found: dict[str, int] = field(default_factory=dict)
    """Place -> how much of it a step found where nothing else can count it."""
    out_of_reach: tuple[str, ...] = ()
    """Copies that a step could not take away."""

    @property
    def gone(self) -> frozenset[int]:
        """The entries of which nothing old may be left."""
        return frozenset((*self.chosen.seqs, *self.chosen.shared))

    def logged(self) -> Record:
        """Give the forget record."""
        assert self.record is not None  # noqa: S101 - it is appended before the steps that ask
        return self.record


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One removal, by name. Each may be repeated."""

    name: str
    when: When
    does: str
    work: Callable[[Task], None]


# --- before ---------------------------------------------------------------------------------------


def _copies(task: Task) -> None:
    said = task.said
    if said is not None:
        task.found["copies"] = traces.redact_copies(task.home, said.texts, said.stays, task.gone)


# --- what is left of records ----------------------------------------------------------------------


def _events(task: Task) -> None:
    task.left.update(redact.events(task.chosen, task.home.log))


def _recalled(task: Task) -> None:
    task.left.update(redact.recalls(task.chosen, task.home.log, task.left))


def _extractions(task: Task) -> None:
    found = redact.extractions(task.chosen, task.home.log)
    task.found["extractions"] = len(found)
    task.left.update(found)


def _plans(task: Task) -> None:
    found = redact.plans(task.chosen, task.home.log)
    task.found["plans"] = len(found.keys() - task.left.keys())
    task.left.update(found)


def _calls(task: Task) -> None:
    found = redact.calls(task.home.log)
    task.found["calls"] = len(found)
    task.left.update(found)


def _names(task: Task) -> None:
    task.names = True


# --- the log --------------------------------------------------------------------------------------


def _identities(task: Task) -> None:
    traces.remember(task.home, task.chosen.events)


def _payloads(task: Task) -> None:
    task.home.log.erase(task.remains, by=task.logged())


def _views(task: Task) -> None:
    task.home.fold.apply(task.logged())


# --- what is derived ------------------------------------------------------------------------------


def _ledger(task: Task) -> None:
    traces.write_ledger(task.home)


def _index(task: Task) -> None:
    home, said = task.home, task.said
    if said is None or task.chosen.shared:
        home.drop_index()
        return
    position = task.logged().position
    if not home.with_index(lambda index: index.purge(said.units, upto=position)):
        raise BusyError(str(home.database), home.settings.busy_seconds)


def _vectors(task: Task) -> None:
    said = task.said
    if said is None or task.chosen.shared:
        task.home.vectors.drop()
    else:
        task.home.vectors.purge(unit.unit for unit in said.units)


def _damaged(task: Task) -> None:
    traces.drop_damaged(task.home)


def _files(task: Task) -> None:
    task.home.projection.sync(check=task.said is None)


def _shown(task: Task) -> None:
    home = task.home
    Shown(home.folder, busy_seconds=home.settings.busy_seconds).purge(task.chosen.seqs)


def _git(task: Task) -> None:
    made = task.made
    named = () if made is None else [item.document_id for item in made.documents]
    found, task.out_of_reach = elsewhere.forget_in_git(task.home, task.gone, named)
    task.found["commits"] = found


def _pages(task: Task) -> None:
    """Write the database anew: a row that SQLite once moved may still stand where it was.

    A large one only if a piece is found in it.
    """
    home, said = task.home, task.said
    state = home.files.stat(home.database)
    if said is not None and state is not None and state.size > SMALL:
        home.log.checkpoint()
        if not scan([home.database], said.texts, kept=said.stays).hits:
            return
    home.log.vacuum()


def _backups(task: Task) -> None:
    records = () if task.made is None else task.made.records
    elsewhere.renew_backups(task.home, [*task.chosen.events, *records])


def _wal(task: Task) -> None:
    if not task.home.log.checkpoint():
        raise BusyError(str(task.home.database), task.home.settings.busy_seconds)


STEPS: Final[tuple[Step, ...]] = (
    Step(name="copies", when="before", does="edited files that were kept aside", work=_copies),
    Step(name="events", when="records", does="payloads of events", work=_events),
    Step(name="recalled", when="records", does="what was recalled in other events", work=_recalled),
    Step(name="extractions", when="records", does="words and keys of entries", work=_extractions),
    Step(name="plans", when="records", does="titles, lines and reasons in plans", work=_plans),
    Step(name="calls", when="records", does="prompts and replies of models", work=_calls),
    Step(name="names", when="records", does="titles, summaries, headings", work=_names),
    Step(name="identities", when="log", does="that an import brings it back", work=_identities),
    Step(name="payloads", when="log", does="old payloads and their keys", work=_payloads),
    Step(name="views", when="log", does="entries, lines, documents", work=_views),
    Step(name="ledger", when="after", does="that a restore brings it back", work=_ledger),
    Step(name="index", when="after", does="rows and segments of the index", work=_index),
    Step(name="vectors", when="after", does="vectors", work=_vectors),
    Step(name="damaged", when="after", does="damaged indexes moved aside", work=_damaged),
    Step(name="shown", when="after", does="counts of what was shown", work=_shown),
    Step(name="files", when="after", does="Markdown files and their names", work=_files),
    Step(name="git", when="after", does="commits of our own repository", work=_git),
    Step(name="pages", when="after", does="rows that were moved in the database", work=_pages),
    Step(name="backups", when="after", does="backups in the scope's folder", work=_backups),
    Step(name="wal", when="after", does="the write-ahead log", work=_wal),
)
"""What forgetting takes away, in order."""
