"""The MCP door: start to first answer against a bare server, and what a call costs beside the library."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.measure import Row, folder, in_turns, median, say
from benchmarks.texts import Talk
from memoranda import Memory, Settings

BARE = """
import anyio, mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def tools(ctx, params):
    return types.ListToolsResult(tools=[types.Tool(name="context", input_schema={"type": "object"})])

async def call(ctx, params):
    return types.CallToolResult(content=[types.TextContent(type="text", text="x" * 4000)])

async def main():
    server = Server("bare", on_list_tools=tools, on_call_tool=call)
    async with stdio_server() as (reads, writes):
        await server.run(reads, writes, server.create_initialization_options())

anyio.run(main)
"""
"""The same SDK with one tool that does nothing."""

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "0"},
}


class Agent:
    """A client that speaks the protocol line by line, so that it costs next to nothing itself."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._number = 0

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None  # noqa: S101 - opened as a pipe
        while True:
            found: dict[str, Any] = json.loads(self._process.stdout.readline())
            if found.get("id") == self._number:
                return found

    def hello(self) -> None:
        """Shake hands."""
        self.ask("initialize", HELLO)
        self._send({"method": "notifications/initialized"})

    def call(self, name: str, **given: str) -> dict[str, Any]:
        """Call a tool, which must succeed."""
        found = self.ask("tools/call", {"name": name, "arguments": given})["result"]
        if found.get("isError"):
            raise RuntimeError(found["content"][0]["text"])
        return dict(found)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None  # noqa: S101 - opened as a pipe
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()


@contextmanager
def _started(*arguments: str) -> Iterator[Agent]:
    with subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        agent = Agent(process)
        agent.hello()
        yield agent
        assert process.stdin is not None  # noqa: S101 - opened as a pipe
        process.stdin.close()


def run(*, small: bool) -> Iterator[Row]:
    """Measure the start, then calls in turns with the library on the same store."""
    size, rounds, starts = (50, 3, 1) if small else (10_000, 60, 9)
    say(f"mcp: {size:,} events")
    with folder(in_memory=True) as here:
        talk = Talk(seed=6)
        with Memory.open(here / "ours", settings=Settings()) as memory:
            memory.add_many(talk.events(size))
            memory.consolidate()
            memory.search("warm up")
        questions = [talk.question() for _ in range(rounds)]
        yield from _starts(here, questions[0], starts)
        yield from _calls(here, questions)


def _starts(here: Path, question: str, rounds: int) -> Iterator[Row]:
    command = [sys.executable, "-m", "memoranda", "context", question, "--root", str(here / "ours")]

    def ours() -> None:
        with _started("-m", "memoranda", "mcp", "--root", str(here / "ours")) as agent:
            agent.call("context", query=question)

    def bare() -> None:
        with _started("-c", BARE) as agent:
            agent.call("context")

    def cli() -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    in_turns((ours, bare, cli), rounds=1)
    times = [median(found) for found in in_turns((ours, bare, cli), rounds=rounds)]
    for other, name in ((times[1], "bare server of the SDK"), (times[2], "memoranda context")):
        yield _row("start to the first answer", times[0], other, name)


def _calls(here: Path, questions: list[str]) -> Iterator[Row]:
    rounds = len(questions)
    theirs, asked = iter(questions * 2), iter(questions * 2)
    texts = iter(f"The valve {n} of the mill was oiled." for n in range(10 * rounds))
    with (
        _started("-m", "memoranda", "mcp", "--root", str(here / "ours")) as agent,
        _started("-c", BARE) as bare,
        Memory.open(here / "ours", settings=Settings()) as memory,
    ):
        works: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            "context, a call": (
                lambda: agent.call("context", query=next(asked)),
                lambda: memory.context(next(theirs)),
            ),
            "remember, a call": (
                lambda: agent.call("remember", text=next(texts), source="user"),
                lambda: memory.add(next(texts)),
            ),
        }
        for name, (ours, library) in works.items():
            in_turns((ours, library), rounds=1)
            turns = in_turns((ours, library, lambda: bare.call("context")), rounds=rounds - 1)
            spent, alone, nothing = map(median, turns)
            yield _row(name, spent, alone, "the library")
            yield _row(f"{name}: above the library", spent - alone, nothing, "bare call of the SDK")


def _row(what: str, ours: float, other: float, against: str) -> Row:
    return Row(
        matter="mcp", what=what, ours=ours * 1e3, other=other * 1e3, unit="ms", against=against
    )
