"""The ways to the server: over stdio until its client goes, or as an application over HTTP."""

from __future__ import annotations

import signal
from typing import Any, Final

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from memoranda.gate.allowed import Allowed
from memoranda.gate.guard import MAX_BODY, Guard, only

PATH: Final = "/mcp"


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


def app(server: Server[Any], allowed: Allowed, token: str) -> Guard:
    """Make the HTTP application: the guard, then the SDK's own checks, then the server."""
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_BODY,
        transport_security=security(allowed),
    )
    return Guard(inner, allowed, only(token))


def security(allowed: Allowed) -> TransportSecuritySettings:
    """Give the SDK's own checks what the guard lets through."""
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=sorted(allowed.hosts),
        allowed_origins=sorted(allowed.origins),
    )
