"""The guard before every HTTP route: whose Host, whose Origin, whose token, how large, how often."""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from memoranda.errors import MemorandaError
from memoranda.gate.allowed import Allowed
from memoranda.gate.problems import Problem, refusal
from memoranda.gate.rates import Rates

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY: Final = 4 * 1024 * 1024
"""Bytes of one request, unless its address takes more."""

_WATCHED: Final = frozenset({b"host", b"origin", b"authorization", b"content-length"})
_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cache-control", b"no-store"),
)

log = logging.getLogger("memoranda.gate")

Known = Callable[[str], Any]
"""Says whose a token is; None of one that is nobody's."""


def only(token: str) -> Known:
    """Know one token, compared in constant time."""
    digest = _digest(token.encode("utf-8"))

    def known(given: str) -> bool | None:
        return hmac.compare_digest(_digest(given.encode("utf-8", "replace")), digest) or None

    return known


class Guard:
    """Lets a request through to the server, or refuses it before any work is done.

    Args:
        app: the server.
        allowed: hosts and origins.
        known: says whose a token is; it stands in the request's state as `grant`.
        needs_token: says of a path whether it takes a token; by default each does.
        most: says of a path how many bytes it takes.
        rates: how often a caller may call.
    """

    def __init__(
        self,
        app: ASGIApp,
        allowed: Allowed,
        known: Known,
        *,
        needs_token: Callable[[str], bool] = lambda _: True,
        most: Callable[[str], int] = lambda _: MAX_BODY,
        rates: Rates | None = None,
    ) -> None:
        self._app = app
        self._allowed = allowed
        self._known = known
        self._needs_token = needs_token
        self._most = most
        self._rates = rates or Rates(calls=0, misses=0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        found = self._look(scope)
        if isinstance(found, Problem):
            await refuse(found, send)
            return
        headers = [(name, _folded(name, value)) for name, value in scope["headers"]]
        inner = {**scope, "headers": headers, "state": {**scope.get("state", {}), **found}}
        await self._app(inner, receive, _dressed(send))

    def _look(self, scope: Scope) -> Problem | Mapping[str, Any]:
        """Give the first thing that is wrong with a request, or what is known of its caller."""
        headers = _watched(scope["headers"])
        if headers is None:
            return refusal("bad-header")
        if headers.get(b"host", "").lower() not in self._allowed.hosts:
            return refusal("foreign-host")
        if b"origin" in headers and headers[b"origin"].lower() not in self._allowed.origins:
            return refusal("foreign-origin")
        state: Mapping[str, Any] = {}
        if self._needs_token(scope["path"]):
            whose = self._whose(headers.get(b"authorization", ""), scope)
            if isinstance(whose, Problem):
                return whose
            state = {"grant": whose}
        return _too_large(headers.get(b"content-length", "0"), self._most(scope["path"])) or state

    def _whose(self, header: str, scope: Scope) -> Any:  # noqa: ANN401 - a Problem, or what `known` gives
        scheme, _, token = header.partition(" ")
        bearer = token.strip() if scheme.lower() == "bearer" else ""
        try:
            grant = self._known(bearer)
        except MemorandaError as error:
            log.error("tokens can't be read: %s", error)  # noqa: TRY400 - no traceback is needed
            return refusal("not-ready")
        if grant is None:
            wait = self._rates.missed(str((scope.get("client") or ("",))[0]))
            return refusal("no-token") if wait is None else refusal("too-many", retry_after=wait)
        wait = self._rates.take(str(getattr(grant, "token_id", "")))
        return grant if wait is None else refusal("too-many", retry_after=wait)


async def refuse(problem: Problem, send: Send) -> None:
    """Answer with a problem, and end the connection: what it still sends is not read."""
    body = problem.body()
    told = {**problem.headers(), "content-length": str(len(body)), "connection": "close"}
    headers = [*_ALWAYS, *((name.encode(), value.encode()) for name, value in told.items())]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _watched(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, str] | None:
    """Give the headers that decide; None when one is there twice."""
    found: dict[bytes, str] = {}
    for name, value in headers:
        if name not in _WATCHED:
            continue
        if name in found:
            return None
        found[name] = value.decode("latin-1")
    return found


def _dressed(send: Send) -> Send:
    """Add the headers that every answer has, unless the answer sets its own."""

    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = list(message.get("headers", ()))
            names = {name.lower() for name, _ in own}
            message = {**message, "headers": [*own, *(p for p in _ALWAYS if p[0] not in names)]}
        await send(message)

    return dressed


def _folded(name: bytes, value: bytes) -> bytes:
    """Write names of hosts in lower case, as those behind us compare them."""
    return value.lower() if name in {b"host", b"origin"} else value


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


def _too_large(told: str, most: int) -> Problem | None:
    if not (told.isascii() and told.isdecimal()) or len(told) > 18:
        return refusal("bad-header")
    if int(told) <= most:
        return None
    return refusal("too-large", f"a request here has at most {most} bytes; send it in parts")
