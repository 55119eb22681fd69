"""What a call brings: checked against its fields, unknown ones refused, errors told in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from memoranda.errors import InputError

MAX_NAME: Final = 400
MAX_QUERY: Final = 20_000
_TIME: Final = 60


def _short(value: str) -> str:
    """Refuse what is too long for a time; the schema, which a model reads often, does not tell it."""
    if len(value) > _TIME:
        raise ValueError(f"a time has at most {_TIME} characters")
    return value


Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
Query = Annotated[str, Field(max_length=MAX_QUERY)]
Seq = Annotated[int, Field(ge=1, lt=1 << 63, description="Number of an entry, as results show it.")]
Time = Annotated[
    str, Field(max_length=_TIME, description="ISO 8601: 2026-03-01, or 2026-03-01T09:30:00Z.")
]
When = Annotated[str, AfterValidator(_short)]
KnownAt = Annotated[When | None, Field(description="As known at this time.")]
TrueAt = Annotated[When | None, Field(description="As said to hold at this time.")]
SourceName = Literal["user", "assistant", "tool", "external"]

_TOLD: Final = 5
"""So many faults of one call are told."""


class Arguments(BaseModel):
    """The parameters of one tool; others are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Budget(Arguments):
    """What limits evidence by its size."""

    budget: Annotated[int, Field(ge=1, le=100_000, description="At most so many tokens.")] = 2000


class Narrowed(Budget):
    """What narrows evidence down; every line shown fits all of it."""

    on: Annotated[
        When | None, Field(description="Said on this day, month or year, or a date in the text is.")
    ] = None
    since: Annotated[When | None, Field(description="From this time on.")] = None
    until: Annotated[When | None, Field(description="Up to the end of this time.")] = None
    source: Annotated[SourceName | None, Field(description="Who it comes from.")] = None
    speaker: Annotated[Name | None, Field(description="Said by this speaker, exactly.")] = None
    session: Annotated[Name | None, Field(description="Of this conversation, exactly.")] = None
    document: Annotated[
        Name | None, Field(description="In this document: id, title, or CURRENT.")
    ] = None
    known_at: KnownAt = None
    true_at: TrueAt = None

    def only(self) -> dict[str, Any]:
        """Give the filters and times that are set."""
        filters = ("on", "since", "until", "source", "speaker", "session", "document")
        names = (*filters, "known_at", "true_at")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def read(kind: type[Arguments], given: Mapping[str, Any]) -> Arguments:
    """Check the arguments of a call.

    Raises:
        InputError: they don't fit; it says how, by name, and never repeats a value.
    """
    try:
        return kind.model_validate(dict(given))
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        told = [_fault(fault["type"], fault["loc"], fault["msg"]) for fault in faults[:_TOLD]]
        taken = ", ".join(kind.model_fields) or "no parameters"
        raise InputError(f"{'; '.join(told)}. It takes: {taken}") from None


def _fault(kind: str, place: tuple[int | str, ...], message: str) -> str:
    name = ".".join(map(str, place))[:MAX_NAME]
    if kind == "extra_forbidden":
        return f"unknown parameter {name!a}"
    if kind == "missing":
        return f"parameter {name} is missing"
    return f"parameter {name}: {message[:1].lower()}{message[1:]}"


def schema(kind: type[Arguments]) -> dict[str, Any]:
    """Give the JSON Schema of a tool's parameters, without titles and null."""
    told = kind.model_json_schema()
    properties = {name: _bare(part) for name, part in told.get("properties", {}).items()}
    return {
        "type": "object",
        "properties": properties,
        "required": told.get("required", []),
        "additionalProperties": False,
    }


def _bare(part: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in part.items() if name not in {"title", "anyOf"}}
    choices = [item for item in part.get("anyOf", []) if item != {"type": "null"}]
    if kept.get("default", 0) is None:
        del kept["default"]
    return {**choices[0], **kept} if choices else kept
