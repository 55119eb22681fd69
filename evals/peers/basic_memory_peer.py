"""Basic Memory by keyword, over its MCP tools, in its own interpreter: `PYTHON basic_memory_peer.py FOLDER`.

One note a session, one observation a turn; `search_notes` for observations, 100 a page.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from spoken import serve  # type: ignore[import-not-found]

PROJECT = "evaluation"
PATIENCE = 300.0
"""Seconds: a machine may be busy."""
_MARK = re.compile(r"§(\d+)§")


class Peer:
    """Notes on disk, then one server for all searches."""

    def __init__(self, folder: str) -> None:
        self.notes = Path(folder) / "notes"
        self.notes.mkdir()
        self.names: list[str] = []
        self.sessions: dict[str, list[str]] = {}
        self.loop = asyncio.new_event_loop()
        self.client: Any = None

    def memorize(self, chunk: dict[str, Any]) -> None:
        """Keep a turn; written at the first search."""
        mark = f"§{len(self.names)}§"
        self.names.append(chunk["name"])
        said = chunk["said"].replace("#", " ").replace("[", "(").replace("]", ")")
        self.sessions.setdefault(chunk["session"] or "notes", []).append(f"- [turn] {said} {mark}")

    def _command(self, *arguments: str) -> None:
        tool = str(Path(sys.executable).with_name("basic-memory"))
        subprocess.run([tool, *arguments], check=True, capture_output=True, timeout=900)  # noqa: S603

    def _start(self) -> None:
        for number, (name, lines) in enumerate(self.sessions.items()):
            head = f"---\ntitle: {re.sub(r'[^0-9A-Za-z ]', ' ', name)} {number}\ntype: note\n---\n"
            body = f"{head}\n# Session {number}\n\n" + "\n".join(lines) + "\n"
            (self.notes / f"session-{number}.md").write_text(body, encoding="utf-8")
        self._command("project", "add", PROJECT, str(self.notes), "--default")
        self._command("reindex", "--search")
        self.loop.run_until_complete(self._open())

    async def _open(self) -> None:
        from fastmcp import Client  # type: ignore[import-not-found]  # noqa: PLC0415
        from fastmcp.client.transports import (  # type: ignore[import-not-found]  # noqa: PLC0415
            StdioTransport,
        )

        tool = str(Path(sys.executable).with_name("basic-memory"))
        transport = StdioTransport(tool, ["mcp"], env=dict(os.environ))
        self.client = Client(transport, timeout=PATIENCE, init_timeout=PATIENCE)
        await self.client.__aenter__()

    def search(self, question: str) -> list[str]:
        """Ask the tool."""
        if self.client is None:
            self._start()
        return self.loop.run_until_complete(self._search(question))

    async def _search(self, question: str) -> list[str]:
        found = await self.client.call_tool(
            "search_notes",
            {"query": question, "entity_types": ["observation"], "page_size": 100,
             "project": PROJECT, "output_format": "json"},
        )  # fmt: skip
        text = json.dumps(found.structured_content, ensure_ascii=False)
        if text == "null":
            text = "".join(getattr(part, "text", "") for part in found.content)
        marks = dict.fromkeys(int(mark) for mark in _MARK.findall(text))
        return [self.names[mark] for mark in marks if mark < len(self.names)]


if __name__ == "__main__":
    peer = Peer(sys.argv[1])
    serve(peer.memorize, peer.search)
