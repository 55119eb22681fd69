"""What happened to an entry, or to every entry of a key: what it replaced, when and why."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from memoranda.errors import ForgottenError, InputError, NotFoundError
from memoranda.read import history
from memoranda.read.lexical import Source
from memoranda.read.tools.keys import ALONE, STATED, all_keys, holds, names, near, parse
from memoranda.read.tools.places import in_reach, located
from memoranda.read.tools.results import Timeline
from memoranda.text.analyse import fold
from memoranda.values import Change, Entry

MOST = 20
"""Versions whose changes are told; each costs a look through the log."""


def timeline(ref: str | int, source: Source) -> Timeline:
    """Tell what happened to an entry (by seq) or to the entries of a key.

    Args:
        ref: an entry's number, or a key as `facts` gives it, with or without `- / ` or `key: `; or
            `subject / attribute` in words that stand in the key of one state only.
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
    if seqs:
        return _family(seqs, source)
    meant = [key for key in known if _means(name, key)]
    if len({parse(key).state for key in meant}) != 1:
        raise NotFoundError("key", name, tuple(meant[:5]) or near(name, known))
    return _family([seq for key in meant for seq in known[key]], source)


def _means(name: str, key: str) -> bool:
    """Say whether each part of a name, `subject / attribute`, stands in a key."""
    parts = name.removeprefix(STATED).removeprefix(ALONE).split(" / ")
    return len(parts) > 1 and all(holds(names(part), parse(key).text) for part in parts)


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
    """Put the changes of several entries together, each with the entries that it happened to."""
    found: dict[tuple[int, str], Change] = {}
    whose: dict[tuple[int, str], list[int]] = {}
    for seq in seqs:
        with suppress(NotFoundError):
            for change in history.of_entry(seq, source.log):
                name = change.position, change.text
                found.setdefault(name, change)
                whose.setdefault(name, []).append(seq)
    told = [_naming(change, sorted(whose[name])) for name, change in found.items()]
    return tuple(sorted(told, key=lambda change: (change.position, change.seqs)))


def _naming(change: Change, seqs: list[int]) -> Change:
    """Name the entries that a change happened to, where its text does not begin with them."""
    numbers = ", ".join(map(str, seqs))
    name = f"entry {numbers}" if len(seqs) == 1 else f"entries {numbers}"
    text = change.text if change.text.startswith(f"{name} ") else f"{name}: {change.text}"
    return replace(change, text=text, seqs=tuple(sorted({*change.seqs, *seqs})))
