"""bm25s over raw turns, in its own interpreter: `PYTHON bm25s_peer.py FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from spoken import serve  # type: ignore[import-not-found]


def main() -> None:
    """Serve."""
    import bm25s  # type: ignore[import-not-found]  # noqa: PLC0415
    import Stemmer  # type: ignore[import-not-found]  # noqa: PLC0415

    stemmer = Stemmer.Stemmer("english")
    names: list[str] = []
    texts: list[str] = []
    made: list[Any] = []

    def memorize(chunk: dict[str, Any]) -> None:
        names.append(chunk["name"])
        texts.append(chunk["said"])

    def search(question: str) -> list[str]:
        if not made:
            index = bm25s.BM25()
            index.index(
                bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False),
                show_progress=False,
            )
            made.append(index)
        asked = bm25s.tokenize(question, stopwords="en", stemmer=stemmer, show_progress=False)
        found, scores = made[0].retrieve(asked, k=min(200, len(texts)), show_progress=False)
        return [names[at] for at, mark in zip(found[0], scores[0], strict=True) if mark > 0]

    serve(memorize, search)


if __name__ == "__main__":
    main()
