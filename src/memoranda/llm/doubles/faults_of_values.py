"""Faults that spoil the JSON value of a reply: it reads well, and is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from memoranda.llm.doubles.faults import Fault, cut
from memoranda.llm.doubles.faults_of_text import REFUSALS
from memoranda.llm.model import Request

_ID = re.compile(r"[A-Za-z]{0,8}[-_:.]?\d{1,9}(?:[-_:.]\w{1,40})?|[A-Za-z]{1,4}-?[0-9a-f]{4,40}\w*")
_HOLE = "\ue000hole\ue000"
"""Stands for a piece of JSON text that no JSON value prints as."""
Spot = tuple[Any, Any]
"""A list or object and the place in it."""


def _spots(value: Any) -> Iterator[Spot]:  # noqa: ANN401 - any JSON
    """Walk over every place of a JSON value that holds something."""
    places = (
        list(value.items())
        if isinstance(value, dict)
        else list(enumerate(value))
        if isinstance(value, list)
        else []
    )
    for place, inner in places:
        yield value, place
        yield from _spots(inner)


def _copied(text: str) -> Any:  # noqa: ANN401 - any JSON
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _at(
    text: str, chance: Random, fits: Callable[[Any, Any], bool], change: Callable[[Any, Any], None]
) -> str:
    """Change one place of a reply that fits, by chance; where none fits, cut the reply."""
    value = _copied(text)
    spots = [(holder, place) for holder, place in _spots(value) if fits(holder, place)]
    if not spots:
        return cut(text, chance)
    change(*chance.choice(spots))
    return json.dumps(value, ensure_ascii=False)


def _hole(text: str, chance: Random, filling: str) -> str:
    """Put a piece of text in the place of one value."""

    def dig(holder: Any, place: Any) -> None:  # noqa: ANN401 - any JSON
        holder[place] = _HOLE

    made = _at(text, chance, lambda _, __: True, dig)
    return made.replace(f'"{_HOLE}"', filling)


def _is_named(holder: Any, _: Any) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(holder, dict)


def _is_listed(holder: Any, _: Any) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(holder, list)


def _not_a_number(text: str, chance: Random, _: Request) -> str:
    return _hole(text, chance, chance.choice(("NaN", "Infinity", "-Infinity", "undefined")))


def _huge_number(text: str, chance: Random, _: Request) -> str:
    return _hole(text, chance, "9" * chance.choice((21, 400, 5000, 100_000)))


def _huge_exponent(text: str, chance: Random, _: Request) -> str:
    return _hole(text, chance, chance.choice(("1e999", "-1e400", "1e99999999", "0." + "1" * 400)))


def _deep_nesting(text: str, chance: Random, _: Request) -> str:
    depth = chance.choice((40, 1000, 100_000))
    left, right = chance.choice((("[", "]"), ('{"a":', "}")))
    inner = left * depth + "1" + right * depth
    return chance.choice((inner, _hole(text, chance, inner)))


def _escaped_surrogate(text: str, chance: Random, _: Request) -> str:
    return _hole(text, chance, f'"a\\u{chance.randrange(0xD800, 0xE000):04x}b"')


def _nul(text: str, chance: Random, _: Request) -> str:
    return _hole(text, chance, chance.choice(('"a\\u0000b"', '"a\0b"')))


def _duplicate_key(text: str, chance: Random, _: Request) -> str:
    def double(holder: Any, place: Any) -> None:  # noqa: ANN401 - any JSON
        holder[f"{_HOLE}{place}"] = chance.choice((holder[place], None, "other", []))

    return _at(text, chance, _is_named, double).replace(_HOLE, "")


def _wrong_type(text: str, chance: Random, _: Request) -> str:
    def change(holder: Any, place: Any) -> None:  # noqa: ANN401 - any JSON
        odd = [None, 7, -1.5, "text", [], {}, [[holder[place]]], {"value": holder[place]}]
        holder[place] = chance.choice(
            [each for each in odd if type(each) is not type(holder[place])]
        )

    return _at(text, chance, lambda _, __: True, change)


def _missing_field(text: str, chance: Random, _: Request) -> str:
    return _at(text, chance, _is_named, lambda holder, place: holder.pop(place))


def _extra_field(text: str, chance: Random, _: Request) -> str:
    def add(holder: Any, _: Any) -> None:  # noqa: ANN401 - any JSON
        holder[chance.choice(("note", "delete", "confidence", "seq", "source", "__class__"))] = "x"

    return _at(text, chance, _is_named, add)


def _renamed_field(text: str, chance: Random, _: Request) -> str:
    def rename(holder: Any, place: Any) -> None:  # noqa: ANN401 - any JSON
        odd = (place.upper(), place + "s", place[:-1], f" {place}", place.replace("_", "-") + "_")
        holder[chance.choice(odd)] = holder.pop(place)

    return _at(text, chance, _is_named, rename)


def _swapped_fields(text: str, chance: Random, _: Request) -> str:
    def swap(holder: Any, place: Any) -> None:  # noqa: ANN401 - any JSON
        other = chance.choice([name for name in holder if name != place])
        holder[place], holder[other] = holder[other], holder[place]

    return _at(text, chance, lambda holder, _: isinstance(holder, dict) and len(holder) > 1, swap)


def _words(schema: object) -> set[str]:
    """Collect the closed words that a schema offers."""
    match schema:
        case {"enum": [*words]}:
            return {word for word in words if isinstance(word, str)}
        case dict():
            return set().union(*(_words(part) for part in schema.values()))
        case list():
            return set().union(*(_words(part) for part in schema))
    return set()


def _unknown_action(text: str, chance: Random, request: Request) -> str:
    words = _words(request.schema)

    def fits(holder: Any, place: Any) -> bool:  # noqa: ANN401 - any JSON
        is_action = place in {"op", "action", "kind", "type", "tool"}
        return isinstance(holder[place], str) and (is_action or holder[place] in words)

    def change(holder: Any, place: Any) -> None:  # noqa: ANN401 - any JSON
        odd = (
            "delete_all",
            "forget",
            "exec",
            holder[place].upper(),
            holder[place] + "_all",
            "keep ",
        )
        holder[place] = chance.choice(odd)

    return _at(text, chance, fits, change)


def _wrong_id(text: str, chance: Random, _: Request) -> str:
    def fits(holder: Any, place: Any) -> bool:  # noqa: ANN401 - any JSON
        return isinstance(holder[place], str) and bool(_ID.fullmatch(holder[place]))

    def change(holder: Any, place: Any) -> None:  # noqa: ANN401 - any JSON
        old = holder[place]
        odd = (
            f"{old}9",
            old[::-1] + "0",
            old.upper() + "X",
            "e999999",
            "",
            f" {old}",
            f"[{old}]",
            "*",
        )
        holder[place] = chance.choice(odd)

    return _at(text, chance, fits, change)


def _doubled_item(text: str, chance: Random, _: Request) -> str:
    return _at(text, chance, _is_listed, lambda holder, place: holder.append(holder[place]))


def _dropped_item(text: str, chance: Random, _: Request) -> str:
    return _at(text, chance, _is_listed, lambda holder, place: holder.pop(place))


def _wrapped(text: str, chance: Random, _: Request) -> str:
    name = chance.choice(("result", "reply", "data", "properties"))
    return chance.choice((f'{{"{name}": {text}}}', f"[{text}]", json.dumps(text)))


def _refusal_inside(text: str, chance: Random, _: Request) -> str:
    words = [
        (holder, place)
        for holder, place in _spots(_copied(text))
        if isinstance(holder[place], str) and " " in holder[place]
    ]

    def fits(holder: Any, place: Any) -> bool:  # noqa: ANN401 - any JSON
        return isinstance(holder[place], str) and (" " in holder[place] or not words)

    def change(holder: Any, place: Any) -> None:  # noqa: ANN401 - any JSON
        holder[place] = chance.choice(REFUSALS)

    return _at(text, chance, fits, change)


VALUE_FAULTS: Mapping[str, Fault] = {
    "deep_nesting": _deep_nesting,
    "doubled_item": _doubled_item,
    "dropped_item": _dropped_item,
    "duplicate_key": _duplicate_key,
    "escaped_surrogate": _escaped_surrogate,
    "extra_field": _extra_field,
    "huge_exponent": _huge_exponent,
    "huge_number": _huge_number,
    "missing_field": _missing_field,
    "not_a_number": _not_a_number,
    "nul": _nul,
    "refusal_inside": _refusal_inside,
    "renamed_field": _renamed_field,
    "swapped_fields": _swapped_fields,
    "unknown_action": _unknown_action,
    "wrapped": _wrapped,
    "wrong_id": _wrong_id,
    "wrong_type": _wrong_type,
}
