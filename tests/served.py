"""A real server in this process, on a port of loopback, and tokens to call it with."""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from memoranda import Settings
from memoranda.gate.allowed import Allowed
from memoranda.gate.gate import Gate
from memoranda.gate.grant import Grant
from memoranda.gate.listening import listen, server
from memoranda.gate.rates import Rates
from memoranda.gate.shelf import Shelf
from memoranda.gate.tokens import FILE, Tokens
from memoranda.rest.app import make


def gate_of(
    root: Path,
    port: int = 80,
    *,
    settings: Settings | None = None,
    calls: int = 0,
    misses: int = 0,
    **opening: Any,
) -> Gate:
    """What the doors of a server on a root are given; no limit on calls unless one is named."""
    return Gate(
        tokens=Tokens(root / FILE),
        shelf=Shelf(root, settings or Settings(), **opening),
        allowed=Allowed.at("127.0.0.1", port),
        rates=Rates(calls=calls, misses=misses),
        version="1.2.3",
    )


def token_for(gate: Gate, **grant: Any) -> str:
    """A new token; the owner of the default user's memory unless told otherwise."""
    given = {"token_id": secrets.token_hex(4), "name": "a test", "role": "owner", **grant}
    return gate.tokens.add(Grant(**given), secrets.token_urlsafe(32))


@dataclass(slots=True)
class Served:
    """A server that runs, and how to reach it."""

    url: str
    gate: Gate
    clients: list[httpx2.Client] = field(default_factory=list)

    def http(self, token: str | None = None, **grant: Any) -> httpx2.Client:
        """A client that bears a token: one that is given, or a new one."""
        bearer = token or token_for(self.gate, **grant)
        made = httpx2.Client(
            base_url=self.url,
            headers={"Authorization": f"Bearer {bearer}"},
            trust_env=False,
            timeout=30,
        )
        self.clients.append(made)
        return made

    def bare(self) -> httpx2.Client:
        """A client without a token."""
        made = httpx2.Client(base_url=self.url, trust_env=False, timeout=30)
        self.clients.append(made)
        return made


@contextmanager
def listening(app: Any, sock: socket.socket) -> Iterator[None]:
    """Serve an application on an open socket until the end of the block."""
    running = server(app)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    limit = time.monotonic() + 20
    while not running.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < limit, "the server does not start"
        time.sleep(0.005)
    try:
        yield
    finally:
        running.should_exit = True
        thread.join(20)


@contextmanager
def served(
    root: Path,
    *,
    web: bool = False,
    mcp: bool = False,
    wrap: Callable[[Any], Any] = lambda app: app,
    **gate: Any,
) -> Iterator[Served]:
    """Serve a root: REST, and what else is asked for; `wrap` may put something round it."""
    with listen("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
        made = gate_of(root, port, **gate)
        with listening(wrap(make(made, web=web, mcp=mcp)), sock):
            found = Served(f"http://127.0.0.1:{port}", made)
            try:
                yield found
            finally:
                for client in found.clients:
                    client.close()
