"""One run of a peer over a context of facts: what it cost, and what it kept."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.ideal_facts import FactGold
from evals.peers.endpoint import serving
from evals.peers.replies import PeerReplies
from memoranda.text.tokens import count

RUNNER = Path(__file__).with_name("infini.py")
AT_ONCE = 1000
"""Tokens of the context that one `add` is given."""
LONGEST = 1800.0
"""Seconds."""


def run(python: str, gold: FactGold) -> dict[str, Any]:
    """Run the peer once in its own interpreter, against an endpoint with ideal replies."""
    replies = PeerReplies(gold)
    with tempfile.TemporaryDirectory() as folder, serving(replies.answer) as url:
        texts = Path(folder) / "texts.json"
        chunks = ["\n".join(part) for part in _chunks([fact.text for fact in gold.all])]
        texts.write_text(json.dumps(chunks, ensure_ascii=False), encoding="utf-8")
        named = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        done = subprocess.run(  # noqa: S603 - the interpreter that the user names
            [python, str(RUNNER), url, str(texts), folder],
            cwd=folder,
            env={**named, "HOME": folder, "NO_PROXY": "127.0.0.1", "PYTHONUTF8": "1"},
            capture_output=True,
            encoding="utf-8",
            timeout=LONGEST,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"the peer ended with {done.returncode}: {done.stderr[-2000:]}")
    result = json.loads(done.stdout.splitlines()[-1])
    held = "\n".join(document["content"] for document in result["documents"])
    lines = {line.partition("> ")[2] for line in held.splitlines() if line.startswith("- <")}
    kept = [fact for fact in gold.newest.values() if fact.text in lines]
    return {
        "seconds": round(result["seconds"], 1),
        "documents": len(result["documents"]),
        "kept": len(kept) / len(gold.newest),
        "steps": replies.spent,
        "errors": done.stderr.count("| ERROR |"),
    }


def _chunks(texts: Sequence[str]) -> list[list[str]]:
    """Cut a context into parts of about `AT_ONCE` tokens."""
    found: list[list[str]] = [[]]
    held = 0
    for text in texts:
        if held >= AT_ONCE:
            found.append([])
            held = 0
        found[-1].append(text)
        held += count(text)
    return found
