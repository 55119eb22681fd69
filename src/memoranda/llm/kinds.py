"""What may stand in a form: kinds of fields with their notes and limits, read from a definition."""

from __future__ import annotations

import types
from collections.abc import Collection
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Says:
    """What a field is for, told to the model."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text that the model types: never blank, at most so many characters, and no refusal."""

    most: int = 500
    blank: bool = False
    """An empty text is allowed."""


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that the call offers; any other is refused, none is guessed."""

    group: str


@dataclass(frozen=True, slots=True)
class Names:
    """Names that the call offers, one after another in one text: it takes fewer tokens than a list."""

    group: str
    least: int = 1
    most: int | None = None

    def pattern(self, offered: Collection[str]) -> str:
        """Give a regular expression of such texts: all that fit it can be read."""
        one = f"({'|'.join(sorted(offered))})"
        most = min(self.most or len(offered), len(offered))
        return f"^{one}( {one}){{{min(self.least, most) - 1},{most - 1}}}$"


@dataclass(frozen=True, slots=True)
class Each:
    """A list of at least and at most so many items."""

    least: int = 0
    most: int = 200
    once: bool = True
    """Equal items are refused."""
    per: int | None = None
    """So many for each name that its items may hold; told where the schema lists the names."""


@dataclass(frozen=True, slots=True)
class Within:
    """A whole number within bounds, both included."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Kind:
    """One place of a form: its type and what was annotated there."""

    type: Any
    text: Text
    alias: Alias | None
    names: Names | None
    each: Each
    within: Within | None
    says: str

    @classmethod
    def of(cls, annotation: object) -> Kind:
        """Take an annotation apart."""
        bare: Any = annotation
        notes: tuple[Any, ...] = ()
        if get_origin(annotation) is Annotated:
            bare, *rest = get_args(annotation)
            notes = tuple(rest)

        def find(kind: type[T]) -> T | None:
            return next((note for note in notes if isinstance(note, kind)), None)

        said = find(Says)
        return cls(
            type=bare,
            text=find(Text) or Text(),
            alias=find(Alias),
            names=find(Names),
            each=find(Each) or Each(),
            within=find(Within),
            says=said.text if said else "",
        )


def part_of(kind: Kind, part: object) -> Kind:
    """Give the kind of one part of a union; what was annotated around the union holds for it."""
    inner = Kind.of(part)
    return replace(kind, type=part, says="") if inner.type is part else inner


def is_union(kind: object) -> bool:
    """Say whether a type is a union."""
    return get_origin(kind) in {Union, types.UnionType}


@cache
def fields_of(definition: type) -> tuple[tuple[str, Kind, bool], ...]:
    """Give each field's name, kind, and whether it must be there."""
    hints = get_type_hints(definition, include_extras=True)

    def needed(field: Field[Any]) -> bool:
        action = get_origin(hints[field.name]) is Literal and len(get_args(hints[field.name])) == 1
        return action or (field.default is MISSING and field.default_factory is MISSING)

    return tuple(
        (field.name, Kind.of(hints[field.name]), needed(field)) for field in fields(definition)
    )


def item(kind: Kind) -> Kind:
    """Give the kind of a list's items; an alias or names noted beside the list are theirs."""
    inner = Kind.of(get_args(kind.type)[0])
    return replace(inner, alias=inner.alias or kind.alias, names=inner.names or kind.names)


def tagged(union: object) -> tuple[str, dict[str, Any]]:
    """Give the field that tells a union's dataclasses apart, and the dataclass of each action."""
    parts = [part for part in get_args(union) if part is not types.NoneType]
    if len(parts) == 1:
        return "", {}
    found: dict[str, Any] = {}
    fields_seen = set()
    for part in parts:
        if not is_dataclass(part):
            raise TypeError(f"{part!r} is no dataclass: a form can't tell {union!r} apart")
        for name, kind, _ in fields_of(part):  # type: ignore[arg-type]
            if get_origin(kind.type) is Literal and len(get_args(kind.type)) == 1:
                found[get_args(kind.type)[0]] = part
                fields_seen.add(name)
                break
    if len(found) != len(parts) or len(fields_seen) != 1:
        raise TypeError(f"{union!r} needs one Literal field of one name in each dataclass")
    return fields_seen.pop(), found


def names(part: object, *, actions: bool) -> set[str]:
    """Collect the names of all fields of a definition, or of all its actions."""
    if get_origin(part) is Literal:
        return set(get_args(part)) if actions else set()
    if is_dataclass(part) and isinstance(part, type):
        found = set() if actions else {name for name, _, _ in fields_of(part)}
        return found.union(*(names(kind.type, actions=actions) for _, kind, _ in fields_of(part)))
    parts = [Kind.of(inner).type for inner in get_args(part) if inner is not Ellipsis]
    return set().union(*(names(inner, actions=actions) for inner in parts))


def limits(kind: Kind) -> str:
    """Say a kind's limits, for the model: not every endpoint takes them as JSON schema."""
    if kind.type is str and not kind.alias:
        return f"At most {kind.text.most} characters"
    if kind.within:
        return f"From {kind.within.least} to {kind.within.most}"
    if get_origin(kind.type) is tuple:
        least = f"At least {kind.each.least} and at" if kind.each.least else "At"
        return f"{least} most {kind.each.most} items"
    return ""
