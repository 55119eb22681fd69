"""Agents beside the services: an MCP server for each token, with what its role may do."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from memoranda.gate.gate import Gate
from memoranda.gate.grant import Grant
from memoranda.gate.guard import MAX_BODY
from memoranda.mcp.seal import Seal
from memoranda.mcp.server import serve
from memoranda.mcp.transports import security

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from starlette.types import Receive, Scope, Send

_CALLS: Final = {
    "remember": "add",
    "correct": "correct",
    "consolidate": "consolidate",
    "plans": "plans",
    "forget": "forget",
}
"""Tool -> the method that it needs most."""


class Agents:
    """Takes requests of agents to the server of their token; each token has sessions of its own."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._seal = Seal(secrets.token_bytes(32))
        self._managers: dict[Grant, StreamableHTTPSessionManager] = {}
        self._lock = anyio.Lock()
        self._group: TaskGroup | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the servers that are asked for, until the application ends."""
        async with anyio.create_task_group() as group:
            self._group = group
            try:
                yield
            finally:
                self._group = None
                group.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take one request."""
        manager = await self._manager(scope["state"]["grant"])
        await manager.handle_request(scope, receive, send)

    async def _manager(self, grant: Grant) -> StreamableHTTPSessionManager:
        async with self._lock:
            if grant not in self._managers:
                assert self._group is not None  # noqa: S101 - requests come while it runs
                self._managers[grant] = await self._group.start(self._run, grant)
            return self._managers[grant]

    async def _run(self, grant: Grant, *, task_status: Any) -> None:  # noqa: ANN401 - of anyio
        with ExitStack() as held:
            memory = await anyio.to_thread.run_sync(
                held.enter_context, self._gate.shelf.memory(grant)
            )
            server = await anyio.to_thread.run_sync(
                lambda: serve(
                    memory,
                    self._seal,
                    version=self._gate.version,
                    without=frozenset(t for t, m in _CALLS.items() if not grant.may_call(m)),
                )
            )
            manager = StreamableHTTPSessionManager(
                app=server,
                security_settings=security(self._gate.allowed),
                max_request_body_size=MAX_BODY,
            )
            try:
                async with manager.run():
                    task_status.started(manager)
                    await anyio.sleep_forever()
            finally:
                self._managers.pop(grant, None)
