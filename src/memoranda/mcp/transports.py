"""Running the server until its client goes or it is stopped: over stdio, or over HTTP."""

from __future__ import annotations

import logging
import signal
import socket
import sys
from typing import Any, Final

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from memoranda.errors import InputError
from memoranda.mcp.guard import MAX_BODY, Allowed, Guard

PATH: Final = "/mcp"
_BACKLOG: Final = 64
_GRACE: Final = 5
"""Seconds that open requests have to end when the server is stopped."""


def log_to_stderr(level: int = logging.WARNING) -> None:
    """Send all logs to standard error: standard output belongs to the protocol."""
    logging.basicConfig(
        stream=sys.stderr, level=level, format="%(name)s: %(levelname)s: %(message)s", force=True
    )


def over_stdio(server: Server[Any]) -> None:
    """Serve one client over standard input and output until it closes them.

    An interrupt ends the process at once, as a kill does: a thread that waits for a line can't be
    told to stop. What was acknowledged is on disk.
    """

    async def run() -> None:
        async with stdio_server() as (reads, writes):
            await server.run(reads, writes, server.create_initialization_options())

    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(run)
    finally:
        signal.signal(signal.SIGINT, before)


def listen(host: str, port: int) -> socket.socket:
    """Open the socket to listen on; port 0 takes a free one.

    Raises:
        InputError: the address can't be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        why = error.strerror or error
        raise InputError(f"can't listen on {host} port {port}: {why}") from error


def app(server: Server[Any], allowed: Allowed, token: str) -> Guard:
    """Make the HTTP application: the guard, then the SDK's own checks, then the server."""
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=sorted(allowed.hosts),
        allowed_origins=sorted(allowed.origins),
    )
    inner = server.streamable_http_app(
        streamable_http_path=PATH, max_request_body_size=MAX_BODY, transport_security=security
    )
    return Guard(inner, allowed, token)


def over_http(application: Guard, listening: socket.socket) -> None:
    """Serve over HTTP on an open socket until the process is stopped."""
    import uvicorn  # noqa: PLC0415 - stdio does without it

    config = uvicorn.Config(
        application,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )
    uvicorn.Server(config).run(sockets=[listening])
