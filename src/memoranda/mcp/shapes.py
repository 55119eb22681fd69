"""Results as JSON and the schema of that JSON, both from the fields of the values."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from memoranda.values import Entry

Json = dict[str, Any]

_SIMPLE: Final[Mapping[object, Json]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
}


def plain(value: object) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """Give a value as JSON, without what is None or equals its default: absent means default."""
    if is_dataclass(value) and not isinstance(value, type):
        told = {f.name: getattr(value, f.name) for f in fields(value)}
        kept = {f.name: plain(told[f.name]) for f in fields(value) if not _idle(f, told[f.name])}
        return {"seq": value.seq, **kept} if isinstance(value, Entry) else kept
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


def _idle(field: Field[Any], value: object) -> bool:
    """Say whether a field tells nothing: None, or its default."""
    if value is None:
        return True
    if field.default is not MISSING:
        return bool(value == field.default)
    return field.default_factory is not MISSING and bool(value == field.default_factory())


def schema(kind: type[Any]) -> Json:
    """Give the JSON Schema of what `plain` makes of a dataclass; parts are in `$defs`."""
    parts: Json = {}
    whole = _object(kind, parts)
    return {**whole, "$defs": dict(sorted(parts.items()))} if parts else whole


def _object(kind: type[Any], parts: Json) -> Json:
    hints = get_type_hints(kind)
    properties = {f.name: _type(hints[f.name], parts) for f in fields(kind)}
    required = [f.name for f in fields(kind) if _is_told(f, hints[f.name])]
    if issubclass(kind, Entry):
        properties = {"seq": _SIMPLE[int], **properties}
        required.insert(0, "seq")
    return {"type": "object", "properties": properties, "required": required}


def _is_told(field: Field[Any], hint: object) -> bool:
    """Say whether a field is always there."""
    bare = field.default is MISSING and field.default_factory is MISSING
    return bare and types.NoneType not in get_args(hint)


def _type(hint: Any, parts: Json) -> Json:  # noqa: ANN401 - a type, or what typing makes of one
    if isinstance(hint, type) and is_dataclass(hint):
        if hint.__name__ not in parts:
            parts[hint.__name__] = {}  # so that a value that holds its like ends
            parts[hint.__name__] = _object(hint, parts)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    return _SIMPLE[hint] if hint in _SIMPLE else _made(get_origin(hint), get_args(hint), parts)


def _made(origin: Any, given: tuple[Any, ...], parts: Json) -> Json:  # noqa: ANN401
    if origin is Literal:
        return {"enum": list(given)}
    if origin in {Union, types.UnionType}:
        return _any([item for item in given if item is not types.NoneType], parts)
    if origin is tuple:
        return _array(given, parts)
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _type(given[1], parts)}
    return {}


def _array(given: tuple[Any, ...], parts: Json) -> Json:
    if given[-1] is Ellipsis:
        return {"type": "array", "items": _type(given[0], parts)}
    some = list(dict.fromkeys(given))
    return {
        "type": "array",
        "items": _any(some, parts),
        "minItems": len(given),
        "maxItems": len(given),
    }


def _any(kinds: list[Any], parts: Json) -> Json:
    found = [_type(kind, parts) for kind in kinds]
    return found[0] if len(found) == 1 else {"anyOf": found}
