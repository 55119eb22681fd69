"""One HTTP call with a hard end: a POST that is over when its seconds are, whatever the peer does."""

from __future__ import annotations

import base64
import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import SplitResult, unquote, urlsplit

from memoranda.errors import InputError

MOST = 8_000_000
"""Bytes; a longer body is not read on."""
_PIECE = 65_536


@dataclass(frozen=True, slots=True)
class Answer:
    """An endpoint answered: any status, the whole body."""

    status: int
    headers: Mapping[str, str]
    """Names in small letters."""
    body: bytes


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """None came, or none that is whole."""

    kind: Literal["connection", "timeout", "too_big"]
    detail: str


@dataclass(frozen=True, slots=True)
class Address:
    """Where an endpoint is, and the way there."""

    url: str = field(repr=False)
    proxy: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Refuse what can't be reached, and a password where errors would show it.

        Raises:
            InputError: no http or https, no host, or a user name in the URL.
        """
        parts = _split(self.url)
        if parts.username or parts.password:
            raise InputError("a base URL holds no user name; give the key in its own variable")
        if self.proxy and _split(self.proxy).scheme != "http":
            raise InputError("a proxy is given as http://HOST:PORT; other kinds can't be used")

    @property
    def shown(self) -> str:
        """The base URL as it may be shown: what follows a `?` can be a secret."""
        return self.url.partition("?")[0]

    def below(self, path: str) -> str:
        """Give the target of a request: the base's path, this one, the base's query."""
        parts = _split(self.url)
        query = f"?{parts.query}" if parts.query else ""
        return f"{parts.path.rstrip('/')}{path}{query}"


def post(
    address: Address, path: str, *, body: bytes, headers: Mapping[str, str], seconds: float
) -> Answer | NoAnswer:
    """POST once. No redirect is followed: it would carry the key elsewhere.

    Args:
        address: the endpoint.
        path: below the base URL, with its leading slash.
        body: what is sent.
        headers: sent as they are; they may hold a key, so they go into no error.
        seconds: the end of it all: connecting, sending, waiting, reading.
    """
    connection, target, more = _connection(address, path, seconds)
    over = threading.Event()

    def end() -> None:
        over.set()
        if connection.sock:
            with suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    watch = threading.Timer(max(seconds, 0.001), end)
    watch.daemon = True
    watch.start()
    try:
        found = _exchange(connection, target, body, {**headers, **more})
    except TimeoutError:
        return NoAnswer("timeout", "it took too long")
    except (OSError, http.client.HTTPException, ValueError) as error:
        found = NoAnswer("connection", _said(error))
    finally:
        watch.cancel()
        connection.close()
    return NoAnswer("timeout", "it took too long") if over.is_set() else found


def _exchange(
    connection: http.client.HTTPConnection, target: str, body: bytes, headers: Mapping[str, str]
) -> Answer | NoAnswer:
    connection.request("POST", target, body=body, headers=headers)
    response = connection.getresponse()
    pieces: list[bytes] = []
    size = 0
    while piece := response.read1(_PIECE) if response.chunked else response.read(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > MOST:
            return NoAnswer("too_big", f"its answer has over {MOST} bytes")
    named = {name.lower(): value for name, value in response.getheaders()}
    if response.length:
        return NoAnswer("connection", "its answer was cut")
    return Answer(response.status, named, b"".join(pieces))


def _connection(
    address: Address, path: str, seconds: float
) -> tuple[http.client.HTTPConnection, str, dict[str, str]]:
    parts = _split(address.url)
    target = address.below(path)
    secure = parts.scheme == "https"
    proxy = _split(address.proxy) if address.proxy else None
    door = proxy or parts
    make: Callable[..., http.client.HTTPConnection] = http.client.HTTPConnection
    extra: dict[str, object] = {}
    if secure:
        make, extra = http.client.HTTPSConnection, {"context": ssl.create_default_context()}
    connection = make(door.hostname, door.port, timeout=max(seconds, 0.001), **extra)
    if proxy is None:
        return connection, target, {}
    permit = _permit(proxy)
    if secure:
        connection.set_tunnel(parts.hostname or "", parts.port, headers=permit)
        return connection, target, {}
    return connection, f"http://{parts.netloc}{target}", permit


def _permit(proxy: SplitResult) -> dict[str, str]:
    if not proxy.username:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        fit = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        fit = None
    if not fit or not url.isascii() or any(mark <= " " for mark in url):
        raise InputError("a base URL looks like https://HOST/v1; the one given can't be used")
    return parts


def _said(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    if isinstance(error, socket.gaierror):
        return "its host name is not known"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "the connection broke"
