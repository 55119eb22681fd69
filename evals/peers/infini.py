"""Runs `infini-memory` over some texts, in its own interpreter: `PYTHON infini.py URL TEXTS FOLDER`.

Reads TEXTS, a JSON list; adds each by the package's plain `add`, all settings as they come; prints
one JSON object: seconds, and each document with its content.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

STORE = "evaluation"


def main(url: str, texts: str, folder: str) -> None:
    """Add all texts, print what the library holds then."""
    from infini_memory_classic import Memory  # type: ignore[import-not-found]  # noqa: PLC0415

    memory = Memory(api_key="none", base_url=url, model="ideal", root=Path(folder))
    started = time.monotonic()
    for number, text in enumerate(json.loads(Path(texts).read_text(encoding="utf-8")), start=1):
        memory.add(text, store=STORE, user_id="one", seq=number)
    seconds = time.monotonic() - started
    documents = [
        {"id": found["id"], "tokens": found["tokens"], "content": found["content"]}
        for found in memory.get_all(store=STORE, user_id="one")
    ]
    print(json.dumps({"seconds": seconds, "documents": documents}, ensure_ascii=False))


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    main(*sys.argv[1:])
