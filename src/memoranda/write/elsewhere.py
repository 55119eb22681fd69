"""Copies in other files of ours, and those out of reach: backups, git's commits, what models were shown."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta
from pathlib import Path

from memoranda.errors import StoreError
from memoranda.store.backup import FOLDER, LOCK, backup, known_backups
from memoranda.store.calls import bodies
from memoranda.store.files import look as kind_at
from memoranda.store.git import GIT
from memoranda.store.githistory import GitHistory
from memoranda.store.gitting import DONE, FAULT
from memoranda.store.home import Home
from memoranda.store.image import last_position
from memoranda.store.locks import scope_lock
from memoranda.store.needles import needles
from memoranda.text.pieces import Kept
from memoranda.text.times import instant

COMMITS = 20
"""So many commits are named one by one."""
PROVIDER_DAYS = 30
"""So long providers of models often keep what they were asked, for the case of misuse."""
OVERLAP = 4096


# --- backups ----------------------------------------------------------------------------------


def renew_backups(home: Home, records: Sequence[int]) -> None:
    """Make backups of our own anew where they hold what is forgotten.

    Some may be older than its events: a question about it stands in the text of a call. The log only
    grows: the new one holds all that an older one held, and is verified before that one goes.
    """
    newest = home.log.connection.execute(
        "SELECT max(position) FROM record WHERE kind = 'forget'"
    ).fetchone()[0]
    folder = home.folder / FOLDER
    with scope_lock(home.folder / LOCK, home.settings.busy_seconds):
        pass  # one that is being made may hold it: wait until it has its name
    old = own_backups(home, records, (newest or 0) + 1)
    same = f"memory-{newest}.db"
    if same in old:  # made since, beside us: the names of files may still have stood in it
        home.files.remove(folder / same)
    if old:
        made = Path(backup(home, None).path).name
        for name in old:
            if name != made:
                home.files.remove(folder / name)


def own_backups(home: Home, events: Sequence[int], upto: int) -> tuple[str, ...]:
    """Name the backups in our folder that were made before a position (0: ever) and hold some events."""
    folder, last = home.folder / FOLDER, upto or (1 << 62)
    return tuple(
        item.name
        for item in home.files.names(folder)
        if item.kind == "file"
        and item.name.endswith(".db")
        and min(events, default=last) <= _position(folder / item.name) < last
    )


def _position(path: Path) -> int:
    """Give the log position of a backup: its name says it, or it is looked into; 0 for no backup."""
    number = path.name.removeprefix("memory-").removesuffix(".db")
    return int(number) if number.isascii() and number.isdecimal() else last_position(path)


def out_of_reach(home: Home, events: Sequence[int]) -> tuple[str, ...]:
    """Name the copies that hold what is forgotten and that we can't reach, with their times."""
    copies = (
        f"{item.path} (backup of {item.time[:10]})"
        for item in known_backups(home.log)
        if not events or item.position >= min(events)
    )
    return (*copies, *_shown_to_models(home, events))


def _shown_to_models(home: Home, events: Sequence[int]) -> Iterator[str]:
    """Name the models that were asked since the first of some events came: they may have been shown it."""
    first = home.log.connection.execute(
        "SELECT recorded FROM record WHERE position = ?", (min(events, default=0),)
    ).fetchone()
    since = str(first[0]) if first else ""
    asked: dict[str, list[str]] = {}
    for body in bodies(home.log.connection, since=since[:10]):
        if body["at"] >= since[:19] and body["calls"]:
            asked.setdefault(body["model"], []).append(body["at"])
    for model, times in sorted(asked.items()):
        until = (instant(max(times)[:10]) + timedelta(days=PROVIDER_DAYS)).date().isoformat()
        yield (
            f"{model} (asked {len(times)} times up to {max(times)[:10]}; what a provider keeps it "
            f"keeps by its own rules, often for {PROVIDER_DAYS} days: until {until})"
        )


# --- git ------------------------------------------------------------------------------------------


def history(home: Home) -> GitHistory | None:
    """Give the git repository that the topic files were committed to; None without one."""
    if not home.log.meta(DONE) or kind_at(home.shelf.root / GIT) is None:
        return None
    last = home.log.connection.execute(
        "SELECT max(position) FROM record WHERE kind = 'forget'"
    ).fetchone()[0]
    done = int(home.log.meta(DONE)) >= (last or 0) and not home.log.meta(FAULT)
    return GitHistory(home.shelf.root, fresh=home.settings.git and done)


def forget_in_git(
    home: Home, seqs: AbstractSet[int], documents: Iterable[str]
) -> tuple[int, tuple[str, ...]]:
    """Write the history of our own repository anew; gives the commits that held it, and what stays.

    A repository that is not ours alone is left as it is, and what stays there is named.
    """
    found = history(home)
    if found is None:
        return 0, ()
    path = home.shelf.root / GIT
    try:
        held = found.holding(seqs)
        if not held.commits:
            return 0, ()
        why = found.foreign()
        if not why:
            found.rewrite(seqs, documents)
            return len(held.commits), ()
    except (StoreError, OSError, subprocess.SubprocessError) as error:
        fault = f"git: {error}"
        return 0, (f"{path} (git repository; {fault}; its history may keep what the files said)",)
    names = ", ".join(commit[:12] for commit in held.commits[:COMMITS])
    more = f" and {len(held.commits) - COMMITS} more" if len(held.commits) > COMMITS else ""
    told = f"commits {names}{more} hold it; write them anew, or delete it"
    return len(held.commits), (f"{path} (git repository; {why}, so it is left as it is: {told})",)


def in_packs(home: Home, texts: Sequence[str], stays: Kept) -> tuple[str, ...]:
    """Look into the packed objects of our repository, which no search of files can read."""
    repository = history(home)
    if repository is None or not repository.packs():
        return ()
    search, tail = needles(texts, kept=stays).searcher(), b""
    for part in repository.objects():
        if search(tail + part, len(tail)):
            return (f"{GIT} (packed objects)",)
        tail = part[-OVERLAP:]
    return ()
