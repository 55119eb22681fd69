"""Filters of a search, read once: what can't be used is an error, never ignored and never widened."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import TypedDict

from memoranda.errors import InputError, NotFoundError
from memoranda.read import catalog
from memoranda.read.reach import Reach
from memoranda.store.log import Log, is_unicode
from memoranda.store.said import Said
from memoranda.store.sift import FIELD, Filter, known, sift
from memoranda.store.view import View
from memoranda.text.days import Period, period
from memoranda.values import CURRENT, SENSITIVITIES, SOURCES

When = str | date | datetime
"""A year, a month, a UTC day, or a moment with an offset."""
Known = When | int
"""A time, which means its end, or a log position, as results tell theirs: 41, or as a text `@41`."""


class Filters(TypedDict, total=False):
    """What `search`, `ask` and `context` can be narrowed to; None lets everything through.

    Each line of evidence fits all of them. A time fits by when a line was said (else recorded), or by
    a date that its text names.
    """

    on: When | None
    """Within this year, month, day or minute."""
    since: When | None
    """From the start of this time on."""
    until: When | None
    """Up to the end of this time."""
    source: str | Collection[str] | None
    """One of user, assistant, tool, external; or several."""
    sensitivity: str | Collection[str] | None
    """One of public, internal, private; or several."""
    document: str | None
    """A document's id, title or file name; or CURRENT."""
    project: str | None
    """Of this project alone; it must lie within the handle's reach."""
    speaker: str | None
    session: str | None
    where: Mapping[str, str] | None
    """Metadata fields and their values, such as `{"machine": "rig-4"}`: an event of the line has them all."""


def read(given: Filters) -> Filter:
    """Read filters; the document is still the name that was given.

    Raises:
        InputError: a value can't be used, or no time can fit.
        TypeError: there is no such filter.
    """
    names = sorted(set(given) - set(Filters.__annotations__))
    if names:
        raise TypeError(
            f"unknown filter {names[0]!r}; there are {', '.join(Filters.__annotations__)}"
        )
    start, end = _bounds(given)
    return Filter(
        start=start,
        end=end,
        sources=_several("source", given.get("source"), SOURCES),
        sensitivities=_several("sensitivity", given.get("sensitivity"), SENSITIVITIES),
        document_id=_text("document", given.get("document")),
        project=_text("project", given.get("project")),
        speaker=_text("speaker", given.get("speaker")),
        session=_text("session", given.get("session")),
        where=_where(given.get("where")),
    )


def narrow(reach: Reach, wanted: Filter, log: Log, view: View, said: Said) -> Reach:
    """Narrow a reach to what fits a filter and what the permission checks of settings let through.

    Raises:
        InputError: the project lies beyond the reach.
        NotFoundError: no entry or document has that name; with near names.
    """
    found = _fitting(reach, wanted, log, view, said)
    if not reach.permits:
        return found
    from memoranda.read.tools.permits import permitted  # noqa: PLC0415 - the tools know filters

    return permitted(found, log, view, reach.permits)


def _fitting(reach: Reach, wanted: Filter, log: Log, view: View, said: Said) -> Reach:
    if wanted == Filter():
        return reach
    if wanted.project is not None and not reach.allows(wanted.project):
        raise InputError(
            f"project {wanted.project!r} can't be read here: the memory is opened for project "
            f"{reach.project!r}; open it with all_projects=True"
        )
    if wanted.document_id not in {None, CURRENT}:
        found = catalog.find(str(wanted.document_id), view, reach)
        wanted = replace(wanted, document_id=found.document_id)
    sieve = sift(wanted, log.connection, said)
    if not sieve.units:
        _check_names(reach, wanted, log)
    return replace(reach, sieve=sieve)


def _check_names(reach: Reach, wanted: Filter, log: Log) -> None:
    """Refuse a name that nothing has: finding nothing would look like an answer."""
    for field in ("project", "speaker", "session"):
        name = getattr(wanted, field)
        if name is None or (field == "project" and name == reach.project):
            continue
        pairs = known(field, log.connection)
        names = sorted({value for value, project in pairs if reach.allows(project)})
        if name not in names:
            near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
            raise NotFoundError(field, name, tuple(near))


def _bounds(given: Filters) -> tuple[datetime | None, datetime | None]:
    on = _period("on", given.get("on"))
    since = _period("since", given.get("since"))
    until = _period("until", given.get("until"))
    starts = [found.start for found in (on, since) if found is not None]
    ends = [found.end for found in (on, until) if found is not None]
    start, end = max(starts, default=None), min(ends, default=None)
    if start is not None and end is not None and start >= end:
        raise InputError("no time fits all of on, since and until: the range ends before it starts")
    return start, end


def _period(name: str, value: When | None) -> Period | None:
    if value is None:
        return None
    try:
        return period(value)
    except InputError as error:
        raise InputError(f"{name}: {error}, a month (2026-03) or a year (2026)") from None


def _several(
    name: str, value: str | Collection[str] | None, choices: Collection[str]
) -> tuple[str, ...]:
    if value is None:
        return ()
    wanted = [value] if isinstance(value, str) or not isinstance(value, Collection) else [*value]
    wrong = [item for item in wanted if item not in choices]
    if wrong or not wanted:
        shown = repr(wrong[0]) if wrong else "nothing"
        raise InputError(f"{name} is one of {', '.join(choices)}, or several of them, not {shown}")
    return tuple(sorted(set(wanted)))


def _where(value: Mapping[str, str] | None) -> tuple[tuple[str, str], ...]:
    if value is None:
        return ()
    if not isinstance(value, Mapping) or not value:
        raise InputError(f"where names metadata fields and their values, not {value!r}")
    for name, text in value.items():
        if not isinstance(name, str) or not FIELD.fullmatch(name):
            raise InputError(f"where: a field is named in letters, digits, - and _, not {name!r}")
        if not isinstance(text, str) or not is_unicode(text):
            raise InputError(f"where: the value of {name} is a text, not {text!r}")
    return tuple(sorted(value.items()))


def _text(name: str, value: str | None) -> str | None:
    if value is None or (isinstance(value, str) and value and is_unicode(value)):
        return value
    raise InputError(f"{name} is a name, not {value!r}")
