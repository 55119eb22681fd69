"""What a call takes, as models that refuse what they don't know: made from the facade's signatures."""

from __future__ import annotations

import datetime as dt
import functools
import inspect
import re
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from memoranda.memory import Memory
from memoranda.rest.ways import HIDDEN, Way

MAX_TEXT: Final = 2_000_000
"""Characters of one text; the library has its own limit besides."""
MAX_NAME: Final = 2_000
MAX_ITEMS: Final = 10_000
PAGE: Final = 200
MAX_PAGE: Final = 1_000
AT_MOST: Final[Mapping[str, int]] = {
    "budget": 1_000_000,
    "limit": 10_000,
    "points": 100,
    "sample": 2_000,
    "number": 100,
    "rounds": 100,
    "calls": 100,
    "dry": 100,
    "evidence": 1_000_000,
    "inline": 10_000,
    "page": 1_000_000,
    "pages": 1_000,
    "picks": 1_000,
    "offered": 1_000,
}
"""The most that a call may ask for, by the name of the parameter: it says how much work it makes."""
_WHOLE: Final = (1 << 63) - 1
_MODULES: Final = (
    "memoranda", "memoranda.values", "memoranda.reports", "memoranda.answers",
    "memoranda.inspections", "memoranda.measures", "memoranda.selections", "memoranda.llm.model",
    "memoranda.read.tools.results", "memoranda.read.filters", "memoranda.read.readers.desk",
)  # fmt: skip
"""Where the names of the facade's signatures stand."""

Text = Annotated[str, Field(max_length=MAX_TEXT)]
Name = Annotated[str, Field(max_length=MAX_NAME)]
Whole = Annotated[int, Field(ge=-_WHOLE, le=_WHOLE)]
Number = Annotated[float, Field(allow_inf_nan=False)]
_BRACES: Final = re.compile(r"\{(\w+)(?::path)?\}")


class Asked(BaseModel):
    """What a call takes; nothing else."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Page(Asked):
    """Which part of a list is wanted."""

    after: Annotated[
        str | None, Field(max_length=40, pattern=r"^\d{1,18}$", description="`next` of a page.")
    ] = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="At most so many items.")] = PAGE


def in_path(way: Way) -> tuple[str, ...]:
    """Name the parameters that stand in the path."""
    return tuple(_BRACES.findall(way.path))


@functools.cache
def model(way: Way) -> type[Asked]:
    """Give what a call takes besides its path."""
    base: type[Asked] = Page if way.cursor else Asked
    left_out = {*in_path(way), *(("after", "limit") if way.cursor else ())}
    left_out |= {"lines", "source"} if way.sent != "json" else set()
    made = _fields(way.method, frozenset(left_out))
    title = "".join(part.title() for part in way.method.split("_"))
    return create_model(title, __base__=base, __doc__=summary(way.method), **made)


@functools.cache
def path_field(way: Way, name: str) -> Any:  # noqa: ANN401 - an annotation
    """Give the annotation of a parameter of the path."""
    hint = _hints(way.method)[name]
    return Whole if hint is int else Name


def summary(method: str) -> str:
    """Give the first sentence of a method's docstring."""
    return (inspect.getdoc(getattr(Memory, method)) or "").partition("\n")[0]


def told(method: str) -> Any:  # noqa: ANN401 - an annotation
    """Give the annotation of what a method returns."""
    return _hints(method)["return"]


def given(asked: BaseModel) -> dict[str, Any]:
    """Give what was given as the facade takes it: models become the values that they stand for."""
    return {name: _value(getattr(asked, name)) for name in asked.model_fields_set}


def _value(item: object) -> Any:  # noqa: ANN401 - as the facade takes it
    if isinstance(item, _Standing):
        return item.stands_for(**{name: _value(value) for name, value in vars(item).items()})
    if isinstance(item, list):
        return tuple(map(_value, item))
    return item


class _Standing(Asked):
    """A value of the library as a model."""

    stands_for: typing.ClassVar[Callable[..., Any]]


@functools.cache
def _names() -> Mapping[str, Any]:
    import importlib  # noqa: PLC0415
    from contextlib import suppress  # noqa: PLC0415

    found: dict[str, Any] = {}
    for name in _MODULES:
        with suppress(ModuleNotFoundError):
            found.update(vars(importlib.import_module(name)))
    return found


@functools.cache
def _hints(method: str) -> dict[str, Any]:
    function = getattr(Memory, method)
    inner = inspect.unwrap(function)
    own = vars(inspect.getmodule(inner))
    return get_type_hints(inner, globalns={**_names(), **own}, localns={})


def _fields(method: str, left_out: frozenset[str]) -> dict[str, Any]:
    """Give the fields of a method's parameters: annotation and default, by name."""
    hints = _hints(method)
    found: dict[str, Any] = {}
    for name, parameter in inspect.signature(getattr(Memory, method)).parameters.items():
        if name == "self" or name in left_out:
            continue
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            options = _options(hints[name])
            found |= {part: options[part] for part in options if part not in left_out}
        elif not _hides(name, hints[name]):
            default = ... if parameter.default is parameter.empty else parameter.default
            found[name] = (_bounded(name, field(hints[name])), default)
    return found


def _options(hint: Any) -> dict[str, Any]:  # noqa: ANN401
    """Give the fields of `**options: Unpack[TypedDict]`; all may be left out."""
    (kind,) = get_args(hint)
    own = vars(inspect.getmodule(kind))
    inner = get_type_hints(kind, localns={**_names(), **own})
    return {name: (_bounded(name, field(item)), None) for name, item in inner.items()}


def _bounded(name: str, kind: Any) -> Any:  # noqa: ANN401 - an annotation
    """Bound a number that says how much work a call makes."""
    return Annotated[kind, Field(le=AT_MOST[name])] if name in AT_MOST else kind


def _hides(name: str, hint: Any) -> bool:  # noqa: ANN401
    parts = (hint, *get_args(hint))
    return name in HIDDEN or any(
        part is Path or get_origin(part) is Callable or part is Callable for part in parts
    )


def field(hint: Any) -> Any:  # noqa: ANN401, PLR0911 - a case for each kind of annotation
    """Give the annotation of a model's field for one of the facade's."""
    simple = {str: Text, int: Whole, float: Number, bool: bool, Any: Any, types.NoneType: None}
    if hint in simple:
        return simple[hint]
    if isinstance(hint, type) and is_dataclass(hint):
        return _standing(hint)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return hint
    if origin in {Union, types.UnionType}:
        kept = [part for part in parts if part not in {dt.date, dt.datetime}]
        return Union[tuple(field(part) for part in kept)]  # noqa: UP007 - made of a tuple
    if origin is tuple and parts[-1] is not Ellipsis:
        return tuple[tuple(map(field, parts))]  # type: ignore[misc]
    if origin in {Iterable, Sequence, Collection, tuple}:
        return Annotated[list[field(parts[0])], Field(max_length=MAX_ITEMS)]  # type: ignore[misc]
    if origin is Mapping:
        return dict[str, Any]
    raise TypeError(f"no field can stand for {hint!r}")


@functools.cache
def _standing(kind: type[Any]) -> type[Asked]:
    """Make the model that stands for a value of the library."""
    own = vars(inspect.getmodule(kind))
    hints = get_type_hints(kind, globalns={**_names(), **own}, localns={})
    made: dict[str, Any] = {}
    for item in fields(kind):
        if item.default_factory is not MISSING:
            made[item.name] = (field(hints[item.name]), Field(default_factory=item.default_factory))
        else:
            kind_of = _bounded(item.name, field(hints[item.name]))
            made[item.name] = (kind_of, ... if item.default is MISSING else item.default)
    model = create_model(kind.__name__, __base__=_Standing, __doc__=kind.__doc__, **made)
    model.stands_for = kind
    return model
