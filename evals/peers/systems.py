"""Memories behind one interface of two methods: `memorize(chunk)` and `search(question)`."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from evals import bm25
from evals.bm25 import words
from memoranda import Memory, NewEvent
from memoranda.text.tokens import count

HERE = Path(__file__).resolve().parent
CHUNK = 256
"""Tokens of a chunk of several turns."""
LONGEST: Final = 1200.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One turn of a conversation: the unit that is remembered and found again."""

    name: str
    text: str
    speaker: str = ""
    date: str = ""
    session: str = ""
    source: str = "user"

    @property
    def said(self) -> str:
        """The turn as one line, as a system without fields is given it."""
        who = f"{self.speaker}: " if self.speaker else ""
        when = f" ({self.date})" if self.date else ""
        return f"{who}{' '.join(self.text.split())}{when}"


class System(Protocol):
    """A memory that is compared."""

    name: str
    packs: bool
    """Whether `search` keeps to the budget itself, as rendered for a prompt; else hits are packed."""

    def memorize(self, chunk: Chunk) -> None:
        """Remember a chunk."""

    def search(self, question: str, budget: int) -> list[str]:
        """Give the names of chunks, best first."""

    def close(self) -> None:
        """End."""


class Ours:
    """Memoranda by rules: topic documents, lexical search."""

    name = "memoranda"
    packs = True

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._memory = Memory.open(self._folder.name)
        self._waiting: list[NewEvent] = []

    def memorize(self, chunk: Chunk) -> None:
        """Remember; stored together at the first search."""
        source: Any = chunk.source
        self._waiting.append(
            NewEvent(
                content=chunk.text,
                source=source,
                speaker=chunk.speaker or None,
                time=chunk.date or None,
                session=chunk.session or None,
                external_id=chunk.name,
            )
        )

    def search(self, question: str, budget: int) -> list[str]:
        """Give the turns that the evidence holds."""
        if self._waiting:
            self._memory.add_many(self._waiting)
            self._memory.consolidate()
            self._waiting = []
        found = self._memory.search(question, budget=budget)
        return [
            name for item in found.evidence for entry in item.entries for name in entry.external_ids
        ]

    def close(self) -> None:
        """End."""
        self._memory.close()
        self._folder.cleanup()


class Fts5:
    """SQLite's full-text search over raw turns: Porter stems, any of the words that say something."""

    name = "FTS5, raw turns"
    packs = False

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute(
            "CREATE VIRTUAL TABLE turn USING fts5(name UNINDEXED, body, tokenize=porter)"
        )

    def memorize(self, chunk: Chunk) -> None:
        """Remember."""
        self._db.execute("INSERT INTO turn VALUES (?, ?)", (chunk.name, chunk.said))

    def search(self, question: str, budget: int) -> list[str]:  # noqa: ARG002 - packed outside
        """Rank."""
        plain = [word for word in re.findall(r"\w+", question.lower()) if words(word)]
        if not plain:
            return []
        asked = " OR ".join(f'"{word}"' for word in plain)
        rows = self._db.execute(
            "SELECT name FROM turn WHERE turn MATCH ? ORDER BY rank LIMIT 200", (asked,)
        )
        return [row[0] for row in rows]

    def close(self) -> None:
        """End."""
        self._db.close()


class Chunks:
    """BM25 over raw chunks of 256 tokens, several turns each."""

    name = "BM25, raw chunks"
    packs = False

    def __init__(self) -> None:
        self._parts: list[list[Chunk]] = [[]]
        self._size = 0

    def memorize(self, chunk: Chunk) -> None:
        """Remember."""
        size = count(chunk.said)
        if self._size + size > CHUNK and self._parts[-1]:
            self._parts.append([])
            self._size = 0
        self._parts[-1].append(chunk)
        self._size += size

    def search(self, question: str, budget: int) -> list[str]:  # noqa: ARG002 - packed outside
        """Rank the chunks, and give their turns in order."""
        texts = ["\n".join(chunk.said for chunk in part) for part in self._parts]
        best = bm25.rank(question, texts)[:60]
        return [chunk.name for at in best for chunk in self._parts[at]]

    def close(self) -> None:
        """End."""


class Outside:
    """A peer in its own interpreter, spoken to in JSON lines over its standard streams."""

    packs = False

    def __init__(self, name: str, python: str, runner: str, **more: str) -> None:
        self.name = name
        self._folder = tempfile.TemporaryDirectory()
        kept = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}
        home = self._folder.name
        self._process = subprocess.Popen(  # noqa: S603 - the interpreter that the user names
            [python, str(HERE / runner), home],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=home,
            env={**kept, "HOME": home, "PYTHONUTF8": "1", "NO_PROXY": "127.0.0.1", **more},
            encoding="utf-8",
        )

    def memorize(self, chunk: Chunk) -> None:
        """Remember."""
        self._ask({"memorize": {**asdict(chunk), "said": chunk.said}})

    def search(self, question: str, budget: int) -> list[str]:  # noqa: ARG002 - packed outside
        """Rank."""
        return list(self._ask({"search": question}))

    def _ask(self, said: dict[str, Any]) -> Sequence[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(said) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended with {self._process.wait(10)}")
        reply: dict[str, Any] = json.loads(line)
        if "error" in reply:
            raise RuntimeError(f"{self.name}: {reply['error']}")
        found: list[str] = reply["found"]
        return found

    def close(self) -> None:
        """End."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._folder.cleanup()
