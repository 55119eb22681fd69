"""Field case: calls that one turn sends at once, beside a command that adds, lose and double nothing."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from processes import SOURCE, TESTS, environment

from memoranda import Memory

ROUNDS = 200 if os.environ.get("MEMORANDA_LONG") else 5
ADDED = 20

COMMANDS = """
import sys
from pathlib import Path
from cli_command import Command
memoranda = Command(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    name = f"{sys.argv[2]}-{number}"
    print(memoranda.json("add", f"The command wrote {name}.", "--id", name)["event_ids"][0])
"""
"""The command, over and over, in a process of its own: it opens and closes the memory each time."""


async def beside(root: Path, number: int) -> list[str]:
    """Let the command add its events; give the ids that it was told."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", COMMANDS, str(root), f"r{number}", str(ADDED)),
        stdout=asyncio.subprocess.PIPE,
        env=environment(SOURCE, TESTS),
    )
    told, _ = await process.communicate()
    assert process.returncode == 0
    return told.decode("ascii").split()


async def turn(agent: Client, number: int) -> list[str]:
    """Send 8 calls at once; give the ids of the events that were acknowledged."""
    first = await ok(agent, "remember", **said(f"Boat {number} is to be painted.", f"b{number}"))
    doomed = await ok(agent, "remember", **said(f"Draft {number}, not kept.", f"d{number}"))
    look = await ok(agent, "forget", external_id=f"d{number}")
    (seq,), token = first["seqs"], look["confirm"]
    calls: list[tuple[str, dict[str, Any]]] = [
        *(
            ("remember", said(f"Rope {number}.{n} hangs there.", f"m{number}-{n}"))
            for n in range(4)
        ),
        ("correct", {"seq": seq, "text": f"Boat {number} is painted blue."}),
        ("forget", {"external_id": f"d{number}", "confirm": token}),
        ("consolidate", {}),
        ("search", {"query": f"Boat {number}"}),
    ]
    random.Random(number).shuffle(calls)  # noqa: S311 - no secret
    found: dict[int, Any] = {}

    async def one(place: int, name: str, given: dict[str, Any]) -> None:
        found[place] = await agent.call_tool(name, given)

    async with anyio.create_task_group() as group:
        for place, (name, given) in enumerate(calls):
            group.start_soon(one, place, name, given)
    assert len(found) == 8
    assert [item.content[0].text for item in found.values() if item.is_error] == []
    told = [*first["event_ids"], *doomed["event_ids"]]
    for item in found.values():
        told += item.structured_content.get("event_ids", [])
    return told


async def ok(agent: Client, name: str, **given: Any) -> Any:
    """Make a call that must succeed."""
    found = await agent.call_tool(name, given)
    assert not found.is_error, (name, given, found.content[0].text)
    return found.structured_content


def said(text: str, name: str) -> dict[str, str]:
    return {"text": text, "source": "user", "id": name}


def test_parallel_calls_beside_a_command_lose_and_double_nothing(root: Path) -> None:  # fc-013
    told: list[str] = []

    async def run() -> None:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "memoranda", "mcp", "--root", str(root)],
            env=environment(SOURCE, TESTS),
        )
        async with Client(server) as agent:
            for number in range(ROUNDS):
                other = asyncio.create_task(beside(root, number))
                rounds = [await turn(agent, number)]
                while not other.done():  # as long as the command is at it
                    await agent.call_tool("search", {"query": "rope"})
                told.extend([*rounds[0], *await other])

    anyio.run(run)
    with Memory.open(root) as memory:
        records = list(memory.log())
        assert [record.position for record in records] == list(range(1, len(records) + 1))
        events = [record.record_id for record in records if record.kind == "event"]
        assert len(told) == ROUNDS * (7 + ADDED)
        assert sorted(told) == sorted(events)
        assert memory.status().forgotten == ROUNDS
        assert memory.check(full=True).ok
        memory.consolidate()
        seqs = sorted(seq for seq in seqs_of(memory))
        assert len(seqs) == len(set(seqs)) == ROUNDS * (6 + ADDED)
        assert memory.check(full=True).ok


def seqs_of(memory: Memory) -> list[int]:
    """Each seq once for every place where it stands."""
    lines = [entry.seqs for entry in memory.current()]
    for info in memory.documents():
        for block in memory.document(info.document_id).blocks:
            lines += [entry.seqs for entry in block.entries]
    return [seq for line in lines for seq in line]
