"""What happened to an entry, or to every entry of a key: what it replaced, when and why."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from memoranda.errors import ForgottenError, InputError, NotFoundError
from memoranda.read import history
from memoranda.read.lexical import Source
from memoranda.read.tools.keys import ALONE, STATED, all_keys, near
from memoranda.read.tools.places import in_reach, located
from memoranda.read.tools.results import Timeline
from memoranda.text.analyse import fold
from memoranda.values import Change, Entry

MOST = 20
"""Versions whose changes are told; each costs a look through the log."""


def timeline(ref: str | int, source: Source) -> Timeline:
    """Tell what happened to an entry (by seq) or to the entries of a key.

    Args:
        ref: an entry's number, or a key as `facts` gives it, with or without `- / ` or `key: `.
        source: the memory at one position.

    Raises:
        NotFoundError: there is no such entry or key here; with near names.
        ForgottenError: the entry was forgotten.
        InputError: the reference is empty.
    """
    name = str(ref).strip()
    if not name:
        raise InputError("name an entry by its number, or a key as `facts` shows it")
    number = int(name) if name.isascii() and name.isdecimal() else None
    seqs = keyed(name, source) if number is None else _of_entry(number, source)
    found = located(seqs, source).entries
    versions = _newest_first(found.values(), source)
    changes = _changes([entry.seq for entry in versions[:MOST]], source)
    keys = {key for keys in source.view.keys_of(found).values() for key in keys}
    return Timeline(
        ref=name,
        keys=tuple(sorted(keys)) if number is not None else (name,),
        versions=tuple(versions),
        changes=changes,
        note=f"changes of the newest {MOST} of {len(versions)} versions"
        if len(versions) > MOST
        else "",
        position=source.log.position(),
    )


def keyed(name: str, source: Source) -> list[int]:
    """Give the lines of a key, and what replaced them or was replaced by them.

    Raises:
        NotFoundError: there is no such key in reach.
    """
    known = all_keys(source, retracted=True)
    wanted = {fold(begin + name) for begin in ("", STATED, ALONE)}
    seqs = [seq for key, held in known.items() if fold(key) in wanted for seq in held]
    if not seqs:
        raise NotFoundError("key", name, near(name, known))
    return _family(seqs, source)


def _family(seqs: Iterable[int], source: Source) -> list[int]:
    """Give lines with all that they replaced, and all that replaced them."""
    own = set(seqs)
    for seq in tuple(own):
        own |= source.view.reached(seq)
    heads = {at.line for at in source.view.places(own).values() if at.line}
    chains = source.view.chains(heads)
    return sorted(heads | {seq for chain in chains.values() for seq in chain})


def _of_entry(seq: int, source: Source) -> list[int]:
    view = source.view
    line = view.line_of(seq) if 0 < seq < 1 << 63 else None
    if line is None:
        when = view.forgotten(seq) if 0 < seq < 1 << 63 else None
        if when is not None and source.reach.allows(view.project_of(seq)):
            raise ForgottenError("entry", seq, when)
        raise NotFoundError("entry", seq)
    if not in_reach(line, view.places([line])[line].project, source.reach):
        raise NotFoundError("entry", seq)
    return _family([line], source)


def _newest_first(entries: Iterable[Entry], source: Source) -> list[Entry]:
    entries = list(entries)
    at = source.view.places(entry.seq for entry in entries)
    return sorted(entries, key=lambda item: (at[item.seq].moment, item.seq), reverse=True)


def _changes(seqs: Iterable[int], source: Source) -> tuple[Change, ...]:
    """Put the changes of several entries together; one that is told of two is told once."""
    found: dict[tuple[int, str], Change] = {}
    for seq in seqs:
        with suppress(NotFoundError):
            for change in history.of_entry(seq, source.log):
                found.setdefault((change.position, change.text), change)
    return tuple(sorted(found.values(), key=lambda change: (change.position, change.seqs)))
