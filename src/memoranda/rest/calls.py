"""Calls over HTTP: checked, done on the memory of the token, and answered with what came of them."""

from __future__ import annotations

import inspect
import json
import logging
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Annotated, Any, Final

from fastapi import Body, FastAPI, Query
from fastapi import Path as InPath
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from memoranda.errors import InputError, MemorandaError, NotAllowedError
from memoranda.gate import problems
from memoranda.gate.gate import Gate
from memoranda.gate.grant import Grant
from memoranda.gate.problems import Problem, refusal
from memoranda.gate.rates import Turns
from memoranda.memory import Memory
from memoranda.memory.clearance import NEEDS
from memoranda.rest import archives, asked, streams, told
from memoranda.rest.keys import InProgressError, KeyUsedError, Replies, mark_of
from memoranda.rest.ways import KEY, MATCH, PREFIX, STREAM, WAYS, Way
from memoranda.values import plain

JSON: Final = "application/json"
_AT_ONCE: Final = "too many calls of this token are on their way; wait for some of them"
_ACTORS: Final = ("by", "actor")
_EXAMPLES: Final[Mapping[str, list[Any]]] = {
    "seq": [1],
    "ref": ["d1"],
    "document": ["d1"],
    "plan_id": ["p01a22ecf9daa828bbe39d4de"],
    "request_id": ["q01a22ecf9daa828bbe39d4de"],
}
"""Of parameters in a path, for the description."""
_FORGETS: Final = frozenset({"forget", "grant", "expire"})

log = logging.getLogger("memoranda.rest")


class _UnknownError(InputError):
    """A call names what its address does not take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call, as it came."""

    way: Way
    grant: Grant
    given: dict[str, Any]
    """Parameters of the method."""
    after: int = 0
    limit: int = asked.PAGE
    key: str | None = None
    matches: bool = False
    """It holds only if what was seen is unchanged, as a header says."""


class Calls:
    """Takes the calls of all addresses of the facade."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._replies = Replies()
        self._turns = Turns()

    def add_to(self, app: FastAPI, *, most: int) -> None:
        """Give an application the address of each method."""
        for way in WAYS:
            work = {"json": self._json, "stream": self._stream, "file": self._file}[way.given]
            endpoint = _endpoint(way, partial(self._answer, work))
            app.add_api_route(
                f"{PREFIX}{way.path}",
                endpoint,
                methods=[way.verb],
                operation_id=way.method,
                summary=asked.summary(way.method),
                tags=[way.tag],
                response_model=None,
                responses=_responses(way),
                openapi_extra=_extra(way),
                max_body_size=most if way.sent == "file" else None,
            )

    def _answer(
        self, work: Callable[[Call], Response], way: Way, request: Request, parts: dict[str, Any]
    ) -> Response:
        """Answer a call; what goes wrong is a problem."""
        try:
            grant: Grant = request.state.grant
            _must_be_allowed(grant, way.method)
            _must_be_known(way, request)
            body = parts.pop("asked", None)
            given = parts if body is None else {**parts, **asked.given(body)}
            with self._turns.turn(grant.token_id) as free:
                if not free:
                    return _problem(refusal("too-many", _AT_ONCE, retry_after=1))
                return work(_call(way, grant, request, given))
        except Exception as error:  # noqa: BLE001 - one call must not end the server
            problem = self._told(error, matches=MATCH in request.headers)
            return _problem(problem)

    def _json(self, call: Call) -> Response:
        if call.key is None or not call.way.changes:
            body, version = self._done(call)
            return _reply(body, version)
        mark = mark_of(call.way.method, call.given)
        known = self._replies.begin(call.grant.token_id, call.key, mark, call.grant.user)
        if known is not None:
            return _reply(*known, again=True)
        try:
            body, version = self._done(call)
        except BaseException:
            self._replies.end(call.grant.token_id, call.key, None)
            raise
        self._replies.end(call.grant.token_id, call.key, body, version)
        return _reply(body, version)

    def _done(self, call: Call) -> tuple[bytes, int | None]:
        """Do a call on the memory of its token; give the reply's JSON and its version."""
        with self._gate.shelf.memory(call.grant) as memory:
            value = _run(memory, call)
        if call.way.method in _FORGETS:
            self._replies.drop(call.grant.user)
        if call.way.cursor:
            return _json(told.page(value, call.way.cursor, call.after, call.limit)), None
        return _json(plain(value)), told.version(value)

    def _stream(self, call: Call) -> Response:
        have: Callable[[], AbstractContextManager[Memory]] = partial(
            self._gate.shelf.memory, call.grant
        )

        def start(memory: Memory) -> Iterator[Any]:
            return iter(getattr(memory, call.way.method)(**call.given))

        return StreamingResponse(streams.events(have, start, self._told), media_type=STREAM)

    def _file(self, call: Call) -> Response:
        with self._gate.shelf.memory(call.grant) as memory:
            return archives.sent(memory, call.grant.token_id)

    def _told(self, error: Exception, *, matches: bool = False) -> Problem:
        """Give an error as a problem; a fault of ours is logged without its text."""
        match error:
            case _UnknownError():
                return refusal("invalid", str(error))
            case KeyUsedError():
                return refusal("key-used")
            case InProgressError():
                return refusal("in-progress", retry_after=1)
            case MemorandaError():
                found = problems.of(error, hide=str(self._gate.shelf.root))
                return _precondition(found) if matches else found
            case _:
                frames = "".join(traceback.format_tb(error.__traceback__))
                log.error("a call failed: %s\n%s", type(error).__name__, frames)
                return refusal("fault")


def _must_be_allowed(grant: Grant, method: str) -> None:
    """Refuse what a token's role may not do, before its memory is opened."""
    if not grant.may_call(method):
        need = NEEDS[method]
        whole = " that sees everything" if need.all else ""
        raise NotAllowedError(method, f"a token of the role {need.role}{whole}")


def _must_be_known(way: Way, request: Request) -> None:
    """Refuse what an address would pass over: parameters in a query that it does not take."""
    taken = asked.model(way).model_fields if way.verb == "GET" else {}
    unknown = sorted(set(request.query_params) - taken.keys())
    if unknown:
        name = unknown[0][:200].encode("ascii", "backslashreplace").decode()
        raise _UnknownError(f"{name} is not known here; see /openapi.json")


def _precondition(found: Problem) -> Problem:
    """Give what is wrong with a version that a header named the status of that."""
    if found.name != "changed":
        return found
    return Problem(
        name=found.name, title=found.title, status=412, detail=found.detail, more=found.more
    )


def _run(memory: Memory, call: Call) -> Any:  # noqa: ANN401 - what the method gives
    method = getattr(memory, call.way.method)
    if call.way.sent == "file":
        return archives.taken(memory, call.given["source"])
    if call.way.method == "log":
        found = method(after=call.after, limit=call.limit + 1, **call.given)
        return list(islice(found, call.limit + 1))
    return method(**call.given)


def _call(way: Way, grant: Grant, request: Request, given: dict[str, Any]) -> Call:
    """Read a call: its parameters, and what its headers say."""
    after, limit = 0, asked.PAGE
    if way.cursor:
        after, limit = int(given.pop("after", None) or 0), given.pop("limit", asked.PAGE)
    takes = inspect.signature(getattr(Memory, way.method)).parameters
    for name in _ACTORS:
        if name in takes:
            given[name] = f"{given[name]} ({grant.name})" if given.get(name) else grant.name
    match = request.headers.get(MATCH)
    if match is not None:
        if "seen" not in takes:
            raise InputError("this takes no If-Match; leave it out")
        given["seen"] = _position(match)
    key = request.headers.get(KEY)
    if key is not None and "key" in takes:
        given["key"] = key
    return Call(
        way=way,
        grant=grant,
        given=given,
        after=after,
        limit=limit,
        key=key,
        matches=match is not None,
    )


def _position(match: str) -> int | None:
    text = match.strip().removeprefix("W/").strip('"')
    if text == "*":
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 18:
        raise InputError('If-Match is the log position of what was seen, as ETag gives it: "123"')
    return int(text)


def _endpoint(way: Way, answer: Callable[..., Response]) -> Callable[..., Response]:
    """Make the function that an address calls, with the parameters that it takes."""
    names = asked.in_path(way)
    model = asked.model(way)

    def endpoint(request: Request, **parts: Any) -> Response:  # noqa: ANN401 - as they are read
        return answer(way, request, parts)

    found = [_parameter("request", Request)]
    for name in names:
        shown = InPath(examples=_EXAMPLES[name])
        found.append(_parameter(name, Annotated[asked.path_field(way, name), shown]))
    found += _body(way, model)
    endpoint.__signature__ = inspect.Signature(found)  # type: ignore[attr-defined]
    endpoint.__name__ = way.method
    return endpoint


def _body(way: Way, model: type[asked.Asked]) -> list[inspect.Parameter]:
    if way.sent == "file":
        return [_parameter("source", archives.Received)]
    if way.sent == "lines":
        return [_parameter("lines", archives.Lines)]
    if way.verb == "GET":
        return [_parameter("asked", Annotated[model, Query()])] if model.model_fields else []
    if any(item.is_required() for item in model.model_fields.values()):
        return [_parameter("asked", Annotated[model, Body()])]
    return [_parameter("asked", Annotated[model | None, Body()], None)]


def _parameter(
    name: str,
    kind: Any,  # noqa: ANN401 - an annotation
    default: Any = inspect.Parameter.empty,  # noqa: ANN401 - of any kind
) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)


def _responses(way: Way) -> dict[int | str, dict[str, Any]]:
    match way.given:
        case "json":
            return {200: {"model": told.shape(way), "description": "Done."}}
        case "file":
            return {200: {"content": {archives.MEDIA_TYPE: {}}, "description": "The archive."}}
        case _:
            return {200: {"content": {STREAM: {}}, "description": "Rounds, then the answer."}}


def _extra(way: Way) -> dict[str, Any]:
    """Describe the headers that a call takes, and a body that is no JSON."""
    found: dict[str, Any] = {}
    takes = inspect.signature(getattr(Memory, way.method)).parameters
    headers = [(KEY, "Idempotency-Key")] if way.changes and way.sent == "json" else []
    headers += [(MATCH, "If-Match")] if "seen" in takes else []
    if headers:
        found["parameters"] = [
            {"name": name, "in": "header", "schema": {"type": "string"}} for _, name in headers
        ]
    if way.sent != "json":
        kind = archives.MEDIA_TYPE if way.sent == "file" else archives.LINES
        found["requestBody"] = {"required": True, "content": {kind: {}}}
    return found


def _problem(problem: Problem) -> Response:
    return Response(problem.body(), problem.status, problem.headers())


def _json(value: Any) -> bytes:  # noqa: ANN401 - JSON
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "backslashreplace"
    )


def _reply(body: bytes, version: int | None, *, again: bool = False) -> Response:
    headers = {} if version is None else {"etag": f'"{version}"'}
    if again:
        headers["idempotency-replayed"] = "true"
    return Response(body, headers=headers, media_type=JSON)
