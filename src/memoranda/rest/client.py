"""A client of the REST door: the methods of `Memory`, the same values, the same errors."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import quote

import httpx2

from memoranda.answers import Answer, Round
from memoranda.errors import InputError
from memoranda.memory import Memory
from memoranda.rest import asked, received, told
from memoranda.rest.ways import BY_METHOD, HIDDEN, KEY, PREFIX, STREAM, Way
from memoranda.values import Value, plain

_PIECE: Final = 2 * 1024 * 1024
"""Bytes of lines or events that are sent at once."""
_EVENTS: Final = 1_000


class Client:
    """Memory behind a server: use it as a context manager, or close it. Threads may share it.

    Whose memory it is, and what may be done, is said by the token. What would be a function or a path
    of the caller can't be given: `rest.ways.HIDDEN` names these parameters.

    Args:
        url: of the server, such as `http://127.0.0.1:8378`.
        token: the bearer token, as `memoranda token add` shows it.
        timeout: seconds that the server may be silent.
    """

    def __init__(self, url: str, token: str, *, timeout: float = 120.0) -> None:
        self._http = httpx2.Client(
            base_url=url.rstrip("/"),
            headers={"Authorization": f"Bearer {token}"},
            timeout=timeout,
            trust_env=False,
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        """Give the client itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    # --- what is not as the others --------------------------------------------------------------

    def _pages(self, way: Way, given: Mapping[str, Any]) -> Iterator[Any]:
        """Give every item of a list, page by page."""
        read, after = told.reader(way.method), "0"
        while after is not None:
            page = self._asked(way, {**given, "after": after, "limit": asked.MAX_PAGE}).json()
            for item in page[told.ITEMS]:
                yield read.validate_python(item)
            after = page[told.NEXT]

    def _log(self, given: dict[str, Any]) -> Iterator[Any]:
        after, limit = given.pop("after", 0), given.pop("limit", None)
        way, read, left = BY_METHOD["log"], told.reader("log"), limit
        while after is not None and (left is None or left > 0):
            most = asked.MAX_PAGE if left is None else min(left, asked.MAX_PAGE)
            page = self._asked(way, {**given, "after": str(after), "limit": most}).json()
            left = None if left is None else left - len(page[told.ITEMS])
            yield from map(read.validate_python, page[told.ITEMS])
            after = page[told.NEXT]

    def _events(self, way: Way, given: dict[str, Any]) -> Iterator[Any]:
        """Give what a stream tells, one by one; closing it ends the reading."""
        with self._streaming(way, given) as reply:
            name = ""
            for line in reply.iter_lines():
                field, _, text = line.partition(": ")
                if field == "event":
                    name = text
                elif field == "data" and name == "problem":
                    raise received.error(json.loads(text))
                elif field == "data":
                    kind = Round if name == "round" else Answer
                    yield told.of_kind(kind).validate_python(json.loads(text))

    @contextmanager
    def _streaming(self, way: Way, given: dict[str, Any]) -> Iterator[httpx2.Response]:
        headers = {"accept": STREAM}
        with (
            received.telling(),
            self._http.stream(**_request(way, given), headers=headers) as reply,
        ):
            if reply.is_error:
                reply.read()
            received.check(reply)
            yield reply

    def _lines(self, way: Way, lines: Iterable[bytes | str]) -> Any:  # noqa: ANN401 - as `Memory` has it
        if isinstance(lines, bytes | str):
            raise InputError("import_lines takes lines, not one text; give text.splitlines()")
        read, done, before = told.reader(way.method), None, 0
        for number, piece in _pieces(map(_line, lines)):
            body = b"\n".join(piece) + b"\n"
            with received.telling():
                reply = self._http.request(way.verb, PREFIX + way.path, content=body)
            part = read.validate_python(received.check(reply).json())
            done = received.after(done, part, before)
            before = number
        return done if done is not None else self._lines(way, [b""])

    def _many(self, way: Way, events: Iterable[Value]) -> Any:  # noqa: ANN401 - as `Memory` has it
        read, done = told.reader(way.method), None
        for part in _batches(events):
            reply = self._asked(way, {"events": [event.to_dict() for event in part]})
            done = received.after(done, read.validate_python(reply.json()), 0)
        if done is None:
            done = read.validate_python(self._asked(way, {"events": []}).json())
        return done

    def _export(self, way: Way, target: str | Path) -> Any:  # noqa: ANN401 - as `Memory` has it
        path = Path(target)
        if path.exists():
            raise InputError(f"{path} exists; name a new file")
        with self._streaming(way, {}) as reply, path.open("xb") as stream:
            for piece in reply.iter_bytes():
                stream.write(piece)
        return received.exported(reply, path)

    def _unpack(self, way: Way, source: str | Path) -> Any:  # noqa: ANN401 - as `Memory` has it
        with Path(source).open("rb") as stream, received.telling():
            reply = self._http.request(way.verb, PREFIX + way.path, content=stream)
        return told.reader(way.method).validate_python(
            {**received.check(reply).json(), "path": str(source)}
        )

    def _asked(self, way: Way, given: Mapping[str, Any]) -> httpx2.Response:
        """Send a call and give the reply, which is no problem."""
        given = dict(given)
        key = given.pop("key", None)
        headers = {} if key is None else {KEY: str(key)}
        with received.telling():
            return received.check(self._http.request(**_request(way, given), headers=headers))


def _request(way: Way, given: Mapping[str, Any]) -> dict[str, Any]:
    """Give the parts of a request."""
    rest = {name: _sent(value) for name, value in given.items() if value is not None}
    path = way.path.replace(":path", "")
    for name in asked.in_path(way):
        path = path.replace(f"{{{name}}}", quote(str(rest.pop(name, "")), safe=""))
    found: dict[str, Any] = {"method": way.verb, "url": PREFIX + path}
    if way.verb == "GET":
        return {**found, "params": {name: _in_query(name, item) for name, item in rest.items()}}
    return (
        {**found, "json": rest} if way.sent == "json" and asked.model(way).model_fields else found
    )


def _in_query(name: str, value: Any) -> Any:  # noqa: ANN401 - what a method is given
    """Spell a log position as one: in a query a number alone is a year."""
    return f"@{value}" if name == "known_at" and isinstance(value, int) else value


def _sent(value: Any) -> Any:  # noqa: ANN401 - what a method is given, as JSON
    match value:
        case date():
            return value.isoformat()
        case Value():
            return plain(value)
        case str() | bytes() | Mapping():
            return value
        case Iterable():
            return [_sent(item) for item in value]
        case _:
            return value


def _line(line: bytes | str) -> bytes:
    raw = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    return raw.rstrip(b"\r\n")


def _pieces(lines: Iterable[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Cut lines into pieces to send, each with the number of its last line."""
    piece: list[bytes] = []
    size, number = 0, 0
    for number, line in enumerate(lines, start=1):
        piece.append(line)
        size += len(line) + 1
        if size >= _PIECE:
            yield number, piece
            piece, size = [], 0
    if piece:
        yield number, piece


def _batches(events: Iterable[Value]) -> Iterator[list[Value]]:
    batch: list[Value] = []
    size = 0
    for event in events:
        batch.append(event)
        size += len(getattr(event, "content", ""))
        if len(batch) >= _EVENTS or size * 4 >= _PIECE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _method(way: Way) -> Callable[..., Any]:
    function = getattr(Memory, way.method)
    signature = inspect.signature(function)

    @functools.wraps(function)
    def called(self: Client, *args: Any, **given: Any) -> Any:  # noqa: ANN401 - as `Memory` has it
        bound = signature.bind(self, *args, **given).arguments
        bound.pop("self")
        for name in [n for n, p in signature.parameters.items() if p.kind is p.VAR_KEYWORD]:
            bound |= bound.pop(name, {})
        return _call(self, way, _seen(way, bound))

    return called


def _seen(way: Way, bound: dict[str, Any]) -> dict[str, Any]:
    """Refuse what can't be given over HTTP."""
    own = {"source", "target", "lines"} if way.method in _ODD else set()
    for name in HIDDEN.keys() & bound.keys() - own:
        if bound.pop(name) is not None:
            raise InputError(f"{way.method} takes no {name} over HTTP: it is {HIDDEN[name]}")
    return bound


_ODD: Final[Mapping[str, Callable[[Client, Way, dict[str, Any]], Any]]] = {
    "log": lambda client, _, given: client._log(given),  # noqa: SLF001 - our own class
    "ask_events": lambda client, way, given: client._events(way, given),  # noqa: SLF001
    "import_lines": lambda client, way, given: client._lines(way, **given),  # noqa: SLF001
    "add_many": lambda client, way, given: client._many(way, **given),  # noqa: SLF001
    "export": lambda client, way, given: client._export(way, **given),  # noqa: SLF001
    "import_archive": lambda client, way, given: client._unpack(way, **given),  # noqa: SLF001
}


def _call(client: Client, way: Way, given: dict[str, Any]) -> Any:  # noqa: ANN401
    if way.method in _ODD:
        return _ODD[way.method](client, way, given)
    if way.cursor:
        limit = given.pop("limit", None)
        items = tuple(client._pages(way, given))  # noqa: SLF001 - our own class
        return items if limit is None else items[:limit]
    reply = client._asked(way, given)  # noqa: SLF001 - our own class
    return told.reader(way.method).validate_python(reply.json())


for _way in BY_METHOD.values():
    setattr(Client, _way.method, _method(_way))
