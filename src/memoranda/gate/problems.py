"""Errors as problem details (RFC 9457), here and nowhere else; never a traceback."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from memoranda import errors
from memoranda.errors import MemorandaError
from memoranda.values import Value

MEDIA_TYPE: Final = "application/problem+json"
PATH: Final = "/problems/"
"""Where a problem's type is told."""

STATUS: Final[tuple[tuple[type[MemorandaError], int], ...]] = (
    (errors.InputError, 400),
    (errors.NotAllowedError, 403),
    (errors.ChangedError, 409),
    (errors.ForgottenError, 410),
    (errors.NotFoundError, 404),
    (errors.BusyError, 503),
    (errors.StoreError, 500),
    (errors.PlanError, 409),
    (errors.ModelTimeoutError, 504),
    (errors.ModelRateLimitedError, 503),
    (errors.BudgetError, 429),
    (errors.ModelError, 502),
    (MemorandaError, 400),
)
"""The first kind that fits gives the status."""

REFUSALS: Final[Mapping[str, tuple[int, str, str]]] = {
    "bad-header": (400, "A header can't be used", "a header is there twice, or can't be read"),
    "no-token": (401, "No token that is known", "give the bearer token of this server"),
    "role": (403, "The token's role is not enough", "this takes a token of a higher role"),
    "foreign-origin": (403, "A foreign Origin", "this Origin is not allowed; see --allow-origin"),
    "no-route": (404, "Nothing stands here", "there is no such address; see /openapi.json"),
    "no-method": (405, "Not this method", "this address takes another method; see /openapi.json"),
    "in-progress": (409, "The same key is at work", "a call with this key is not done yet"),
    "too-large": (413, "The request is too large", "the request is too large; send it in parts"),
    "media-type": (415, "Not this kind of content", "send JSON, with its Content-Type"),
    "foreign-host": (421, "A foreign Host", "this Host is not allowed; see --allow-host"),
    "invalid": (422, "The request does not fit", "the request does not fit; see /openapi.json"),
    "key-used": (422, "The key was used for another call", "give a call of its own a key of its own"),
    "too-many": (429, "Too many calls", "call again later"),
    "not-ready": (503, "The server is not ready", "its tokens can't be read; who runs it has to look"),
    "fault": (
        500,
        "A fault of ours",
        "what was acknowledged before is safe; the log of the server tells more; please report it",
    ),
}  # fmt: skip
"""What the doors themselves refuse: name -> status, title, what to do."""
MEMBERS: Final = frozenset({"type", "title", "status", "detail"})
"""What every problem has; a fact of that name has a line after it."""
_WORD: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem(Value):
    """What was wrong, for programs and people."""

    name: str
    """The last part of `type`."""
    title: str
    status: int
    detail: str
    more: Mapping[str, Any] = field(default_factory=dict)
    """Facts of the error, under their names."""
    retry_after: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the problem as RFC 9457 has it."""
        return {
            "type": f"{PATH}{self.name}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            **self.more,
        }

    def body(self) -> bytes:
        """Give the problem as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False).encode("utf-8", "backslashreplace")

    def headers(self) -> dict[str, str]:
        """Give the headers that go with it."""
        found = {"content-type": MEDIA_TYPE}
        if self.retry_after is not None:
            found["retry-after"] = str(max(1, int(self.retry_after + 0.999)))
        if self.status == 401:
            found["www-authenticate"] = 'Bearer realm="memoranda"'
        return found


def of(error: MemorandaError, *, hide: str = "") -> Problem:
    """Give an error as a problem.

    Args:
        error: any error of the library.
        hide: the data root: paths below it are told from there on.
    """
    kind = type(error)
    facts = dict(_facts(error, hide))
    wait = facts.get("retry_after") or (1 if isinstance(error, errors.BusyError) else None)
    return Problem(
        name=name_of(kind),
        title=(kind.__doc__ or "").partition("\n")[0].rstrip("."),
        status=next(code for base, code in STATUS if isinstance(error, base)),
        detail=_hidden(str(error), hide),
        more=facts,
        retry_after=wait,
    )


def refusal(name: str, detail: str = "", *, retry_after: float | None = None) -> Problem:
    """Give what a door refuses by itself."""
    status, title, told = REFUSALS[name]
    return Problem(
        name=name, title=title, status=status, detail=detail or told, retry_after=retry_after
    )


def name_of(kind: type[MemorandaError]) -> str:
    """Give the name of a kind of error: `not-found` of NotFoundError."""
    return "-".join(_WORD.split(kind.__name__.removesuffix("Error"))).lower()


def kinds() -> Mapping[str, type[MemorandaError]]:
    """Give every kind of error of the library by its name."""
    found = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    return {name_of(kind): kind for kind in found if issubclass(kind, MemorandaError)}


def _facts(error: MemorandaError, hide: str) -> Iterator[tuple[str, Any]]:
    """Give what an error knows, as far as JSON can hold it."""
    for name, value in vars(error).items():
        if name.startswith("_"):
            continue
        name = f"{name}_" if name in MEMBERS else name  # noqa: PLW2901 - the same, by another name
        match value:
            case str():
                yield name, _hidden(value, hide)
            case None | bool() | int() | float():
                yield name, value
            case frozenset() | set():
                yield name, sorted(value)
            case tuple() | list():
                yield name, [_hidden(v, hide) if isinstance(v, str) else v for v in value]
            case _:
                pass


def _hidden(text: str, root: str) -> str:
    return text.replace(root, "<root>") if root else text
