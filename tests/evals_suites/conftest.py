"""A small set of our own in the form of LoCoMo."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from evals.running import Options

TURNS = (
    ("Ines", "The harbour keys are in the blue tin."),
    ("Olek", "The wind pump runs again since Monday."),
    ("Ines", "I painted the boat shed green."),
    ("Olek", "The ferry to Wick leaves at half past six."),
)
ASKED = (
    ("Where are the harbour keys?", "in the blue tin", 4, "D1:1"),
    ("Which colour did Ines paint the boat shed?", "green", 4, "D1:3"),
    ("When does the ferry to Wick leave?", "half past six", 2, "D1:4"),
    ("Who stole the anchor?", "", 5, "D1:2"),
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of data with one conversation."""
    talk = {
        "session_1_date_time": "1:56 pm on 8 May, 2026",
        "session_1": [
            {"speaker": who, "dia_id": f"D1:{number}", "text": text}
            for number, (who, text) in enumerate(TURNS, start=1)
        ],
    }
    asked = [
        {"question": text, "answer": answer, "category": kind, "evidence": [gold]}
        for text, answer, kind, gold in ASKED
    ]
    folder = tmp_path / "data" / "locomo"
    folder.mkdir(parents=True)
    items = [{"sample_id": f"talk-{n}", "conversation": talk, "qa": asked} for n in (1, 2)]
    with gzip.open(folder / "locomo_dev.json.gz", "wt", encoding="utf-8") as stream:
        json.dump(items, stream)
    return folder.parent


@pytest.fixture
def options(data: Path, tmp_path: Path) -> Options:
    return Options(data=data, out=tmp_path / "out")
