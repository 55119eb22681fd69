"""The server as a process: a raw handshake, the official client, ends and kills."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_agent import ERAS, HANDSHAKE, MODERN, beside, ended, environment, raw

from memoranda import Memory, Settings

OLDEST = "2024-11-05"


def remember(text: str) -> dict[str, Any]:
    return {"name": "remember", "arguments": {"text": text, "source": "user"}}


def test_a_raw_handshake_a_call_and_nothing_but_json_on_standard_output(root: Path) -> None:
    with raw(root) as server:
        hello = server.shake_hands()["result"]
        assert hello["protocolVersion"] == HANDSHAKE
        assert hello["serverInfo"]["name"] == "memoranda"
        assert "user default" in hello["instructions"]
        assert len(server.ask("tools/list")["result"]["tools"]) == 14
        done = server.ask("tools/call", remember("The weir gate is stuck."))["result"]
        assert done["structuredContent"]["seqs"] == [1]
        bad = server.ask("tools/call", {"name": "search", "arguments": {"nothing": 1}})["result"]
        assert bad["isError"]
        server.process.stdin.close()
        assert ended(server.process) == 0
        assert server.process.stdout.read() == b""
        said = server.process.stderr.read().decode("utf-8")
        assert str(root / "users" / "default" / "_") in said
        assert "weir" not in said


def test_the_oldest_revision_is_spoken(root: Path) -> None:
    with raw(root) as server:
        assert server.shake_hands(OLDEST)["result"]["protocolVersion"] == OLDEST
        found = server.ask("tools/call", {"name": "search", "arguments": {"query": "x"}})
        assert found["result"]["content"][0]["type"] == "text"


def test_the_revision_without_a_handshake_is_spoken_line_by_line(root: Path) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    with raw(root) as server:
        found = server.ask("server/discover", {"_meta": meta})["result"]
        assert MODERN in found["supportedVersions"]
        done = server.ask("tools/call", {**remember("The bell rings."), "_meta": meta})["result"]
        assert done["structuredContent"]["seqs"] == [1]


@pytest.mark.parametrize("mode", ERAS)
def test_the_official_client_talks_to_the_process_in_both_eras(root: Path, mode: str) -> None:
    async def work() -> None:
        async with Client(beside(root, "--user", "anna"), mode=mode) as agent:
            assert agent.session.protocol_version == (MODERN if mode == "auto" else HANDSHAKE)
            given = {"text": "Rye bread rests for eighteen hours.", "source": "user"}
            await agent.call_tool("remember", given)
            found = await agent.call_tool("ask", {"question": "How long does rye bread rest?"})
            assert "eighteen" in found.content[0].text

    anyio.run(work)
    with Memory.open(root, user="anna") as memory:
        assert memory.status().events == 1


def test_rubbish_on_standard_input_ends_nothing(root: Path) -> None:
    with raw(root) as server:
        server.shake_hands()
        for line in (b"\n", b"{\n", b"[]\n", b"nul\x00l\n", b"\xff\xfe\n", b'{"jsonrpc":"2.0"}\n'):
            server.write(line)
        server.write(
            b'{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"search","arguments":{"query":"\\ud800"}}}\n'
        )
        server.write(b"[" * 5000 + b"\n")
        done = server.ask("tools/call", remember("It still listens."))
        assert done["result"]["structuredContent"]["seqs"] == [1]


def test_a_client_that_cancels_and_goes_loses_nothing_of_what_it_sent(root: Path) -> None:
    with raw(root) as server:
        server.shake_hands()
        for number in range(12):
            sent = server.send("tools/call", remember(f"Boat {number} is moored."))
            if number % 2:
                server.send("notifications/cancelled", {"requestId": sent}, answer=False)
        server.process.stdin.close()
        assert ended(server.process) == 0
    with Memory.open(root) as memory:
        assert memory.check().ok
        assert memory.status().events == 12
        positions = [record.position for record in memory.log()]
        assert positions == list(range(1, memory.status().position + 1))


@pytest.mark.skipif(sys.platform == "win32", reason="no signals of this kind")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_what_was_acknowledged_outlives_any_end(root: Path, number: signal.Signals) -> None:
    with raw(root) as server:
        server.shake_hands()
        done = server.ask("tools/call", remember("The keys are in the blue tin."))
        name = done["result"]["structuredContent"]["event_ids"][0]
        server.send("tools/call", remember("Perhaps this one too."))
        server.process.send_signal(number)
        ended(server.process)
    with Memory.open(root) as memory:
        assert memory.get(name)
        assert memory.check().ok


def test_settings_and_scope_come_from_flags_and_environment_alone(root: Path) -> None:
    flags = ("--user", "anna", "--project", "mill", "--no-auto", "--json")
    with raw(root, *flags, MEMORANDA_MODE="review") as server:
        hello = server.shake_hands()["result"]
        assert "user anna, project mill" in hello["instructions"]
        server.ask("tools/call", remember("The mill wheel turns."))
        said = server.ask("tools/call", {"name": "consolidate", "arguments": {}})["result"]
        assert said["structuredContent"]["waiting"]
        told = json.loads(server.process.stderr.readline())
    assert told["folder"] == str(root / "users" / "anna" / "_")
    assert Path(told["folder"]).is_absolute()
    with Memory.open(root, user="anna", settings=Settings(auto=False)) as memory:
        assert memory.current()[0].project == "mill"


def test_without_the_sdk_it_says_what_to_install(root: Path) -> None:
    code = (
        "import sys; sys.modules['mcp'] = None; from memoranda.cli import main; "
        f"sys.argv = ['memoranda', 'mcp', '--root', {str(root)!r}]; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, check=False
    )
    assert done.returncode == 1
    assert b"pip install 'memoranda[mcp]'" in done.stderr
    assert b"Traceback" not in done.stderr


def test_no_other_command_loads_the_sdk() -> None:
    code = (
        "import sys; from memoranda.cli import program; import memoranda.install.installing; "
        "print(sorted({'mcp', 'pydantic', 'starlette', 'anyio'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, check=True
    )
    assert done.stdout.strip() == b"[]"
