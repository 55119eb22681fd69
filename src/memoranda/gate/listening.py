"""Listening: a socket, a server on it until the process is stopped, and logs without requests."""

from __future__ import annotations

import logging
import socket
import sys
from typing import TYPE_CHECKING, Final

from memoranda.errors import InputError

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

_BACKLOG: Final = 64
_GRACE: Final = 5
"""Seconds that open requests have to end when the server is stopped."""


def log_to_stderr(level: int = logging.WARNING) -> None:
    """Send all logs to standard error: standard output belongs to what is served."""
    logging.basicConfig(
        stream=sys.stderr, level=level, format="%(name)s: %(levelname)s: %(message)s", force=True
    )


def listen(host: str, port: int) -> socket.socket:
    """Open the socket to listen on; port 0 takes a free one.

    Raises:
        InputError: the address can't be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        why = error.strerror or error
        raise InputError(f"can't listen on {host} port {port}: {why}") from error
    # a socket that says it is TCP: asyncio then sends each answer at once, not 40 ms later
    return socket.socket(family, made.type, socket.IPPROTO_TCP, fileno=made.detach())


def server(application: ASGIApp) -> uvicorn.Server:
    """Make the server of an application; its requests are written to no log."""
    import uvicorn  # noqa: PLC0415 - only who listens needs it

    config = uvicorn.Config(
        application,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE,
    )
    return uvicorn.Server(config)


def serve(application: ASGIApp, listening: socket.socket) -> None:
    """Serve over HTTP on an open socket until the process is stopped."""
    server(application).run(sockets=[listening])
