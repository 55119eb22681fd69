"""How long things are kept: a time, or a lifetime such as `30d`, and rules by source, sensitivity or kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from memoranda.errors import InputError
from memoranda.values import SENSITIVITIES, SOURCES, Value

Action = Literal["retract", "forget"]
ACTIONS: Final[tuple[Action, ...]] = ("retract", "forget")
_DAYS: Final = {"h": 1 / 24, "d": 1, "w": 7, "mo": 30, "y": 365}
_LIFETIME = re.compile(r"(\d{1,5})\s*(h|d|w|mo|y)")
_KIND = "kind:"
FIELD: Final = "retention"
"""The member of an event's metadata that says how long it is kept."""
KEEPS: Final = "retains"
"""The database's own note that some event came with a retention of its own."""
LAST: Final = "expired"
"""The database's own note of what retention took last: counts and times, no words."""
EXAMPLE: Final = "such as 30d, 12h, 8w, 6mo, 1y or 2027-01-31, with or without forget behind it"


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How long something is kept, and what becomes of it then."""

    span: timedelta | None
    """From when it was said, else recorded; None when a time is given."""
    until: datetime | None
    action: Action = "retract"

    def ends(self, said: datetime) -> datetime:
        """Give the moment at which it ends for what was said at a time."""
        if self.until is not None:
            return self.until
        try:
            return said + (self.span or timedelta())
        except OverflowError:
            return datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Rule:
    """A lifetime for all of a source, a sensitivity or a kind, or for everything."""

    on: Literal["source", "sensitivity", "kind", "all"]
    name: str
    lifetime: Lifetime


def lifetime(text: object) -> Lifetime:
    """Read a lifetime: a span or a time, and `forget` or `retract` behind it (default retract).

    Raises:
        InputError: it can't be read.
    """
    words = text.split() if isinstance(text, str) else []
    action: Action = "retract"
    if len(words) > 1 and words[-1] in ACTIONS:
        action = "forget" if words.pop() == "forget" else "retract"
    said = "".join(words) if len(words) == 2 else " ".join(words)
    span = _LIFETIME.fullmatch(said)
    if span is not None:
        days = int(span[1]) * _DAYS[span[2]]
        return Lifetime(timedelta(days=days), None, action)
    try:
        until = datetime.fromisoformat(said)
    except ValueError as error:
        raise InputError(f"a retention is a span or a time, {EXAMPLE}, not {text!r}") from error
    if until.tzinfo is None and len(said) > len("2027-01-31"):
        raise InputError(
            f"the time of a retention needs an offset, such as 2027-01-31T12:00Z: {text!r}"
        )
    return Lifetime(None, until if until.tzinfo else until.replace(tzinfo=UTC), action)


def rules(text: str | None) -> tuple[Rule, ...]:
    """Read rules such as `tool=90d, private=1y forget, kind:note=30d, all=10y`.

    Raises:
        InputError: a rule can't be read, or is given twice.
    """
    found: dict[str, Rule] = {}
    for part in (text or "").split(","):
        if not part.strip():
            continue
        name, equals, life = part.partition("=")
        name = name.strip()
        if not equals:
            raise InputError(
                f"a rule of retention is NAME=LIFETIME, {EXAMPLE}; not {part.strip()!r}"
            )
        if name in found:
            raise InputError(f"retention has two rules for {name}")
        found[name] = Rule(*_on(name), lifetime(life.strip()))
    return tuple(found.values())


def _on(name: str) -> tuple[Literal["source", "sensitivity", "kind", "all"], str]:
    if name == "all":
        return "all", ""
    if name in SOURCES:
        return "source", name
    if name in SENSITIVITIES:
        return "sensitivity", name
    if name.startswith(_KIND) and name[len(_KIND) :].strip():
        return "kind", name[len(_KIND) :].strip()
    raise InputError(
        f"a rule of retention is for {', '.join((*SOURCES, *SENSITIVITIES))}, kind:NAME or all, "
        f"not {name!r}"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Expired(Value):
    """What retention took, or would take."""

    at: str
    """By this time."""
    retracted: tuple[int, ...] = ()
    """Lines that were retracted: kept in the log, shown no more."""
    events: tuple[str, ...] = ()
    """Ids of events that were forgotten."""
    forgotten: tuple[int, ...] = ()
    """Entries that were forgotten."""
    anew: tuple[int, ...] = ()
    """Entries that lost one of their sources, and say now what the others say."""
    next: str | None = None
    """When the next thing is due; None when nothing is."""
    dry_run: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing was due."""
        return not (self.retracted or self.events)
