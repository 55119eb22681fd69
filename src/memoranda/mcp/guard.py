"""The guard before every HTTP route: whose Host, whose Origin, whose token, how large."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

MAX_BODY: Final = 4 * 1024 * 1024
"""Bytes of one request."""
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})

BAD_REQUEST: Final = 400
UNKNOWN_TOKEN: Final = 401
FOREIGN_ORIGIN: Final = 403
TOO_LARGE: Final = 413
FOREIGN_HOST: Final = 421

_TOLD: Final = {
    BAD_REQUEST: "a header is there twice, or can't be read",
    UNKNOWN_TOKEN: "give the bearer token of this server",
    FOREIGN_ORIGIN: "this Origin is not allowed; see --allow-origin",
    TOO_LARGE: f"a request has at most {MAX_BODY} bytes",
    FOREIGN_HOST: "this Host is not allowed; see --allow-host",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """What a request may say of where it comes from and goes to; all else is refused."""

    hosts: frozenset[str]
    """Values of Host, in lower case, with the port."""
    origins: frozenset[str]
    """Values of Origin, in lower case."""

    @classmethod
    def at(
        cls, host: str, port: int, *, hosts: Iterable[str] = (), origins: Iterable[str] = ()
    ) -> Allowed:
        """Give what fits an address: of loopback all its names, of another only what is named.

        Args:
            host: the address that is listened on.
            port: its port.
            hosts: more values of Host; without a port any of ours is meant.
            origins: more values of Origin.
        """
        own = LOOPBACK if host in LOOPBACK else frozenset({host} - {"0.0.0.0", "::", ""})  # noqa: S104
        names = [f"[{name}]" if ":" in name else name for name in sorted(own)]
        known = {f"{name}:{port}" for name in names} | (set(names) if port == 80 else set())
        more = {name.lower() for name in hosts}
        more |= {f"{name}:{port}" for name in more if ":" not in name}
        return cls(
            hosts=frozenset(known | more),
            origins=frozenset(
                {f"http://{name}" for name in known}
                | {name.lower().rstrip("/") for name in origins}
            ),
        )


class Guard:
    """Lets a request through to the server, or refuses it before any work is done."""

    def __init__(self, app: ASGIApp, allowed: Allowed, token: str) -> None:
        self._app = app
        self._allowed = allowed
        self._digest = _digest(token.encode("utf-8"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        code = self._refusal(scope["headers"])
        if code is not None:
            await _refuse(code, send)
            return
        headers = [(name, _folded(name, value)) for name, value in scope["headers"]]
        await self._app({**scope, "headers": headers}, receive, send)

    def _refusal(self, headers: Iterable[tuple[bytes, bytes]]) -> int | None:
        """Give the status of the first thing that is wrong; None if nothing is."""
        watched = (b"host", b"origin", b"authorization", b"content-length")
        found: dict[bytes, str] = {}
        for name, value in headers:
            if name not in watched:
                continue
            if name in found:
                return BAD_REQUEST
            found[name] = value.decode("latin-1")
        if found.get(b"host", "").lower() not in self._allowed.hosts:
            return FOREIGN_HOST
        if b"origin" in found and found[b"origin"].lower() not in self._allowed.origins:
            return FOREIGN_ORIGIN
        if not self._knows(found.get(b"authorization", "")):
            return UNKNOWN_TOKEN
        return _size(found.get(b"content-length", "0"))

    def _knows(self, header: str) -> bool:
        """Compare the token in constant time."""
        scheme, _, token = header.partition(" ")
        same = hmac.compare_digest(_digest(token.strip().encode("latin-1")), self._digest)
        return same and scheme.lower() == "bearer"


def _folded(name: bytes, value: bytes) -> bytes:
    """Write names of hosts in lower case, as those behind us compare them."""
    return value.lower() if name in {b"host", b"origin"} else value


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


def _size(told: str) -> int | None:
    if not (told.isascii() and told.isdecimal()) or len(told) > 18:
        return BAD_REQUEST
    return TOO_LARGE if int(told) > MAX_BODY else None


async def _refuse(code: int, send: Send) -> None:
    body = f"{_TOLD[code]}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if code == UNKNOWN_TOKEN:
        headers.append((b"www-authenticate", b'Bearer realm="memoranda"'))
    await send({"type": "http.response.start", "status": code, "headers": headers})
    await send({"type": "http.response.body", "body": body})
