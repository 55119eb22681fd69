"""One run of a peer over texts, each in its own interpreter: what it cost, and what it holds."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from evals.ideal import Spent
from evals.peers.endpoint import serving
from evals.peers.mem0_replies import EMBED, Mem0Replies
from evals.peers.replies import PeerGold, PeerReplies, Replies, Tell, sentences
from memoranda.text.tokens import count

HERE = Path(__file__).resolve().parent
AT_ONCE = 1000
"""Tokens of texts that one `add` is given."""
LONGEST = 1800.0
"""Seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """One peer of the suite `tokens`."""

    package: str
    runner: str
    replies: Callable[[PeerGold, Tell], Replies]


PEERS: Final[Mapping[str, Peer]] = {
    "infini-memory": Peer(package="infini-memory", runner="infini.py", replies=PeerReplies),
    "mem0": Peer(package="mem0ai", runner="mem0_runner.py", replies=Mem0Replies),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a peer holds after a run, and what the run cost."""

    version: str
    seconds: float
    lines: tuple[str, ...]
    """Every line, or memory, that it holds as one that holds."""
    documents: int
    """Documents, or memories where it has no documents."""
    steps: Mapping[str, Spent]
    """Calls of a language model, step by step."""
    embedding: Spent
    errors: int
    """Errors that the peer logged."""


def named(said: str) -> dict[str, str]:
    """Read `NAME=PYTHON,...` as peers and their interpreters; a plain PYTHON has `infini-memory`.

    Raises:
        SystemExit: a name is none of `PEERS`.
    """
    found: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in said.split(","))):
        name, _, python = item.rpartition("=")
        name = name or "infini-memory"
        if name not in PEERS or not python:
            raise SystemExit(
                f"--peer takes {', '.join(PEERS)}, each as NAME=PYTHON, or a plain PYTHON for "
                f"infini-memory; not {item!r}"
            )
        found[name] = python
    return found


def run(
    name: str, python: str, *, texts: Sequence[str], gold: PeerGold, tell: Tell = sentences
) -> Held:
    """Run a peer once in its own interpreter, against an endpoint with ideal replies.

    Args:
        name: a key of `PEERS`.
        python: its interpreter.
        texts: what it is given, some of them in one `add`.
        gold: what is known of the texts.
        tell: how to read facts from what the peer shows.

    Raises:
        RuntimeError: the peer failed.
    """
    peer = PEERS[name]
    replies = peer.replies(gold, tell)
    embed = replies.embed if isinstance(replies, Mem0Replies) else None
    with tempfile.TemporaryDirectory() as folder, serving(replies.answer, embed) as url:
        file = Path(folder) / "texts.json"
        file.write_text(json.dumps(chunks(texts), ensure_ascii=False), encoding="utf-8")
        done = _ran([python, str(HERE / peer.runner), url, str(file), folder], folder)
        asked = f"from importlib.metadata import version; print(version({peer.package!r}))"
        version = _ran([python, "-c", asked], folder).stdout.strip()
    result = json.loads(done.stdout.splitlines()[-1])
    lines = held(result)
    return Held(
        version=version,
        seconds=round(result["seconds"], 1),
        lines=lines,
        documents=len(result.get("documents", lines)),
        steps={step: spent for step, spent in replies.spent.items() if step != EMBED},
        embedding=replies.spent.get(EMBED, Spent()),
        errors=done.stderr.count("| ERROR |"),
    )


def _ran(command: Sequence[str], folder: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    done = subprocess.run(  # noqa: S603 - the interpreter that the user names
        command,
        cwd=folder,
        env={**kept, "HOME": folder, "NO_PROXY": "127.0.0.1", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=LONGEST,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the peer ended with {done.returncode}: {done.stderr[-2000:]}")
    return done


def held(result: Mapping[str, Any]) -> tuple[str, ...]:
    """Give the lines of what a runner printed: memories, or the signed lines of documents."""
    if "memories" in result:
        return tuple(result["memories"])
    whole = "\n".join(document["content"] for document in result["documents"])
    return tuple(line.partition("> ")[2] for line in whole.splitlines() if line.startswith("- <"))


def chunks(texts: Sequence[str]) -> list[str]:
    """Join texts, a line each, into parts of about `AT_ONCE` tokens."""
    found: list[list[str]] = [[]]
    size = 0
    for text in texts:
        if size >= AT_ONCE:
            found.append([])
            size = 0
        found[-1].append(text)
        size += count(text)
    return ["\n".join(part) for part in found]
