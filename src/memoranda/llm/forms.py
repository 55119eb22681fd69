"""A form: one definition that gives a reply's JSON schema, its description and its parser."""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin

from memoranda.errors import ReplyError
from memoranda.llm.kinds import Kind, fields_of, is_union, item, limits, names, part_of, tagged
from memoranda.llm.refusals import is_refusal_within
from memoranda.llm.replies import shown

_SIMPLE = {int: "integer", bool: "boolean", types.NoneType: "null"}
T = TypeVar("T")
Offered = Mapping[str, Collection[str]]
"""Group of aliases -> the aliases that this call offers. Aliases of other calls don't resolve."""


class Form(Generic[T]):
    """The form of a reply, made of one frozen dataclass.

    Its fields may be `str` (with `Text`, `Alias` or `Names`), `int` (with `Within`), `bool`, a `Literal` of
    strings, another such dataclass, a union of dataclasses told apart by a `Literal` field of one
    name (the *action*), any of these or None, and `tuple[X, ...]` of any of these (with `Each`).
    `Alias` or `Names` beside a tuple holds for its items. A field with a default may be left out.

    Raises:
        TypeError: the definition uses something else (when it is made, not when it is used).
    """

    def __init__(self, definition: type[T]) -> None:
        if not is_dataclass(definition):
            raise TypeError(f"{definition!r} is no dataclass")
        self.definition = definition
        _Printer({}, bounds=False).print(Kind.of(definition))

    def schema(self, offered: Offered | None = None, *, bounds: bool = False) -> dict[str, Any]:
        """Give the JSON schema.

        Without `offered` it is the same for every call, as providers' caches like it. With it, the
        names are listed one by one, which helps small models whose replies a grammar guides; so does
        `bounds`, which tells the limits of texts and lists. Not every endpoint takes those.
        """
        return _Printer(offered or {}, bounds).print(Kind.of(self.definition))

    def read(self, value: object, offered: Offered | None = None) -> T:
        """Make a JSON value the dataclass.

        Raises:
            ReplyError: it does not fit; `detail` names the place, and what is offered there.
        """
        made: T = _Reader(offered or {}).read(Kind.of(self.definition), value, "")
        return made

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The names of all actions, sorted."""
        return tuple(sorted(names(self.definition, actions=True)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all fields, sorted."""
        return tuple(sorted(names(self.definition, actions=False)))


@dataclass(frozen=True, slots=True)
class _Printer:
    """Prints kinds as JSON schema; with aliases one by one where they are given."""

    offered: Offered
    bounds: bool

    def print(self, kind: Kind) -> dict[str, Any]:
        made = self._union(kind) if is_union(kind.type) else self._bare(kind)
        says = ". ".join(part for part in (kind.says, limits(kind)) if part)
        return {**made, "description": says} if says else made

    def _bare(self, kind: Kind) -> dict[str, Any]:
        if kind.type is str:
            return self._text(kind)
        if kind.type in _SIMPLE:
            return {"type": _SIMPLE[kind.type]}
        if get_origin(kind.type) is Literal:
            return {"type": "string", "enum": list(get_args(kind.type))}
        if get_origin(kind.type) is tuple and get_args(kind.type)[1:] == (Ellipsis,):
            return {"type": "array", "items": self.print(item(kind)), **self._most(kind)}
        return self._object(kind.type)

    def _text(self, kind: Kind) -> dict[str, Any]:
        group = kind.alias or kind.names
        offered = sorted(self.offered.get(group.group, ())) if group else []
        if offered and kind.names:
            return {"type": "string", "pattern": kind.names.pattern(offered)}
        if kind.alias and offered:
            return {"type": "string", "enum": offered}
        return {"type": "string", **({"maxLength": kind.text.most} if self.bounds else {})}

    def _most(self, kind: Kind) -> dict[str, int]:
        """Bound a list by the names that its items may hold: one that a grammar guides ends then."""
        inner = item(kind)
        fields = (
            fields_of(inner.type)
            if is_dataclass(inner.type) and isinstance(inner.type, type)
            else ()
        )
        named = [one.names for one in (inner, *(field for _, field, _ in fields)) if one.names]
        offered = self.offered.get(named[0].group, ()) if named else ()
        if not self.bounds or kind.each.per is None or not offered:
            return {}
        return {"maxItems": min(kind.each.most, kind.each.per * len(offered))}

    def _union(self, kind: Kind) -> dict[str, Any]:
        tagged(kind.type)
        return {"anyOf": [self.print(part_of(kind, part)) for part in get_args(kind.type)]}

    def _object(self, definition: object) -> dict[str, Any]:
        if not is_dataclass(definition) or not isinstance(definition, type):
            raise TypeError(f"a form can't hold {definition!r}")
        made = {name: self.print(kind) for name, kind, _ in fields_of(definition)}
        return {
            "type": "object",
            "properties": made,
            "required": list(made),
            "additionalProperties": False,
        }


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one value against what one call offers."""

    offered: Offered

    def read(self, kind: Kind, value: object, place: str) -> Any:  # noqa: ANN401 - any form
        origin = get_origin(kind.type)
        if origin is tuple:
            return self._list(kind, value, place)
        if is_union(kind.type):
            return self._choice(kind, value, place)
        if is_dataclass(kind.type):
            return self._object(kind.type, value, place)
        readers: dict[Any, Callable[[Kind, object, str], Any]] = {
            str: self._string,
            int: _number,
            bool: _truth,
            types.NoneType: _nothing,
        }
        return readers.get(kind.type, _word)(kind, value, place)

    def _string(self, kind: Kind, value: object, place: str) -> str:
        if not isinstance(value, str):
            raise _unfit(place, "a text", value)
        if kind.alias:
            if value not in self.offered.get(kind.alias.group, ()):
                aliases = sorted(self.offered.get(kind.alias.group, ()))
                raise ReplyError(
                    "unknown_alias",
                    f"{_at(place)} names {shown(value)}, which is not offered; {_offer(aliases)}",
                )
            return value
        if not value.strip() and not kind.text.blank:
            raise ReplyError("shape", f"{_at(place)} is blank")
        if len(value) > kind.text.most:
            raise ReplyError(
                "too_long",
                f"{_at(place)} has {len(value)} characters; {kind.text.most} is the most",
            )
        if is_refusal_within(value):
            raise ReplyError("refused", f"{_at(place)} is a refusal or an apology")
        return value

    def _list(self, kind: Kind, value: object, place: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise _unfit(place, "a list", value)
        if not kind.each.least <= len(value) <= kind.each.most:
            raise ReplyError(
                "shape",
                f"{_at(place)} has {len(value)} items; "
                f"it takes {kind.each.least} to {kind.each.most}",
            )
        inner = item(kind)
        made = tuple(self.read(inner, each, f"{place}[{at}]") for at, each in enumerate(value))
        if kind.each.once and any(each in made[:at] for at, each in enumerate(made)):
            raise ReplyError("repeated", f"{_at(place)} holds an item twice")
        return made

    def _choice(self, kind: Kind, value: object, place: str) -> Any:  # noqa: ANN401 - any form
        parts = get_args(kind.type)
        if value is None and types.NoneType in parts:
            return None
        rest = [part for part in parts if part is not types.NoneType]
        if len(rest) == 1:
            return self.read(part_of(kind, rest[0]), value, place)
        field, chosen = tagged(kind.type)
        if not isinstance(value, dict):
            raise _unfit(place, "an object", value)
        if field not in value:
            raise ReplyError("missing_field", f"{_at(place)} has no {field!r}; {_offer(chosen)}")
        name = value[field]
        if not isinstance(name, str) or name not in chosen:
            raise ReplyError(
                "unknown_action",
                f"{_at(place)} asks for {shown(str(name))}, which is not offered; {_offer(chosen)}",
            )
        return self._object(chosen[name], value, place)

    def _object(self, definition: Any, value: object, place: str) -> Any:  # noqa: ANN401 - any form
        if not isinstance(value, dict):
            raise _unfit(place, "an object", value)
        known = fields_of(definition)
        there = [name for name, _, _ in known]
        for name in value:
            if name not in there:
                raise ReplyError(
                    "unknown_field", f"{_at(place)} has a field {shown(name)}; {_offer(there)}"
                )
        made = {}
        for name, kind, needed in known:
            if name in value:
                made[name] = self.read(kind, value[name], f"{place}.{name}".lstrip("."))
            elif needed:
                raise ReplyError("missing_field", f"{_at(place)} has no field {name!r}")
        return definition(**made)


def _number(kind: Kind, value: object, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _unfit(place, "a whole number", value)
    if kind.within and not kind.within.least <= value <= kind.within.most:
        raise ReplyError(
            "shape",
            f"{_at(place)} is {value}; it takes {kind.within.least} to {kind.within.most}",
        )
    return value


def _truth(_: Kind, value: object, place: str) -> bool:
    if not isinstance(value, bool):
        raise _unfit(place, "true or false", value)
    return value


def _nothing(_: Kind, value: object, place: str) -> None:
    if value is not None:
        raise _unfit(place, "null", value)


def _word(kind: Kind, value: object, place: str) -> str:
    offered = get_args(kind.type)
    if not isinstance(value, str) or value not in offered:
        said = shown(value) if isinstance(value, str) else type(value).__name__
        raise ReplyError(
            "unknown_action", f"{_at(place)} is {said}, which is not offered; {_offer(offered)}"
        )
    return value


def _at(place: str) -> str:
    return place or "the reply"


def _offer(names: Collection[str]) -> str:
    shown_names = sorted(names)[:40]
    more = f" and {len(names) - 40} more" if len(names) > 40 else ""
    return f"offered: {', '.join(shown_names)}{more}" if names else "nothing is offered here"


def _unfit(place: str, wanted: str, value: object) -> ReplyError:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    found = "null" if value is None else kinds.get(type(value), "a number")
    return ReplyError("shape", f"{_at(place)} must be {wanted}, not {found}")
