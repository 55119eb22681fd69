"""Runs mem0 over some texts, in its own interpreter: `PYTHON mem0_runner.py URL TEXTS FOLDER`.

Reads TEXTS, a JSON list; adds each by the package's plain `add`, all settings as they come but for
where the model, the embedder and the store are; prints one JSON object: seconds, and all memories.
A connection to anything but loopback is refused.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from pathlib import Path
from typing import Any

WHO = "one"
ALL = 1_000_000


def _on_loopback(event: str, given: tuple[Any, ...]) -> None:
    """Refuse connections that leave this machine."""
    if event == "socket.connect" and isinstance(given[1], tuple):
        host = given[1][0]
        if host not in {"127.0.0.1", "::1"}:
            raise PermissionError(f"no connection to {host}: the evaluation stays on loopback")


def main(url: str, texts: str, folder: str) -> None:
    """Add all texts, print what is remembered then."""
    os.environ["MEM0_TELEMETRY"] = "False"
    os.environ["MEM0_DIR"] = str(Path(folder) / "mem0")
    sys.addaudithook(_on_loopback)
    logging.basicConfig(format="%(asctime)s | %(levelname)s | %(message)s", level=logging.WARNING)
    from mem0 import Memory  # type: ignore[import-not-found]  # noqa: PLC0415

    endpoint = {"api_key": "none", "openai_base_url": url}
    memory = Memory.from_config(
        {
            "llm": {"provider": "openai", "config": endpoint},
            "embedder": {"provider": "openai", "config": endpoint},
            "vector_store": {"provider": "qdrant", "config": {"path": str(Path(folder) / "store")}},
            "history_db_path": str(Path(folder) / "history.db"),
        }
    )
    started = time.monotonic()
    for text in json.loads(Path(texts).read_text(encoding="utf-8")):
        memory.add(text, user_id=WHO)
    seconds = time.monotonic() - started
    found = memory.get_all(filters={"user_id": WHO}, top_k=ALL)["results"]
    memories = [one["memory"] for one in found]
    print(json.dumps({"seconds": seconds, "memories": memories}, ensure_ascii=False))


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    main(*sys.argv[1:])
