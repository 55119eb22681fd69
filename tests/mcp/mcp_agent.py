"""What the tests of the MCP door share: agents of both eras, in this process or beside it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

from memoranda import Memory
from memoranda.mcp.seal import Seal
from memoranda.mcp.server import serve

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src"
ERAS = ("auto", "legacy")
MODERN = "2026-07-28"
HANDSHAKE = "2025-11-25"

Work = Callable[[Client], Awaitable[Any]]


def talk(
    memory: Memory, work: Work, *, mode: str = "auto", read_only: bool = False, **client: Any
) -> Any:
    """Let a client of the official SDK talk to the server of a memory, in this process."""

    async def run() -> Any:
        server = serve(memory, Seal(b"a secret of tests"), version="1.2.3", read_only=read_only)
        async with Client(server, mode=mode, cache=None, **client) as agent:
            try:
                return await work(agent)
            except Exception as error:  # noqa: BLE001 - told outside of the client's task group
                return error

    found = anyio.run(run)
    if isinstance(found, Exception):
        raise found
    return found


def call(memory: Memory, name: str, mode: str = "auto", **arguments: Any) -> CallToolResult:
    """Call one tool."""
    found: CallToolResult = talk(memory, lambda agent: agent.call_tool(name, arguments), mode=mode)
    return found


def ok(memory: Memory, name: str, **arguments: Any) -> Any:
    """Call one tool, which must succeed; give its structured result."""
    found = call(memory, name, **arguments)
    assert not found.is_error, text(found)
    return found.structured_content


def refused(memory: Memory, name: str, **arguments: Any) -> str:
    """Call one tool, which must refuse; give what it said."""
    found = call(memory, name, **arguments)
    assert found.is_error
    assert "internal error" not in text(found)
    return text(found)


def text(found: CallToolResult) -> str:
    """The one text of a result."""
    assert len(found.content) == 1
    return str(found.content[0].text)


def environment(**more: str) -> dict[str, str]:
    """An environment with nothing of ours but what is given."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return {**kept, "PYTHONPATH": f"{SOURCE}{os.pathsep}{TESTS}", **more}


def command(root: Path, *args: str) -> list[str]:
    """The command line of a server on a root."""
    return [sys.executable, "-m", "memoranda", "mcp", "--root", str(root), *args]


def beside(root: Path, *args: str) -> StdioServerParameters:
    """The server as a process, for the official client."""
    program, *rest = command(root, *args)
    return StdioServerParameters(command=program, args=rest, env=environment())


class Raw:
    """A server process, spoken to line by line without any library."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._number = 0

    def send(
        self, method: str, params: dict[str, Any] | None = None, *, answer: bool = True
    ) -> int:
        """Send one message; give its id."""
        self._number += 1
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if answer:
            message["id"] = self._number
        if params is not None:
            message["params"] = params
        self.write(json.dumps(message).encode() + b"\n")
        return self._number

    def write(self, data: bytes) -> None:
        """Send bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self, seconds: float = 20) -> dict[str, Any]:
        """Read one line, which must be JSON."""
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        assert ready, "no answer"
        line = self.process.stdout.readline()
        assert line, "the server has ended"
        found: dict[str, Any] = json.loads(line)
        return found

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request and read its answer."""
        number = self.send(method, params)
        while (found := self.receive()).get("id") != number:
            pass
        return found

    def shake_hands(self, version: str = HANDSHAKE) -> dict[str, Any]:
        """Begin a connection of the older era."""
        client = {"name": "raw", "version": "0"}
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        found = self.ask("initialize", params)
        self.send("notifications/initialized", answer=False)
        return found


@contextmanager
def raw(root: Path, *args: str, **env: str) -> Iterator[Raw]:
    """Start a server process on a root; it is ended afterwards."""
    with subprocess.Popen(
        command(root, *args),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**env),
    ) as process:
        try:
            yield Raw(process)
        finally:
            process.kill()


def ended(process: subprocess.Popen[bytes], seconds: float = 10) -> int:
    """Wait until a process has ended by itself; give its exit code."""
    limit = time.monotonic() + seconds
    while process.poll() is None:
        assert time.monotonic() < limit, "the server does not end"
        time.sleep(0.02)
    return int(process.returncode)
