"""The guard against a double: drifts and inventions that pass, and right rewordings refused."""

from __future__ import annotations

from collections import Counter

import pytest
from guard_double import Double, Pair

from memoranda.text.guard import Kind, check

PAIRS = 500
SEED = 20260304


def passes(pair: Pair) -> bool:
    return check(pair.typed, pair.sources, context=pair.context, kind=pair.kind).ok


def test_the_frames_are_many() -> None:
    double = Double(SEED)
    made = [double.faithful() for _ in range(PAIRS)]
    assert len({pair.typed for pair in made}) > PAIRS * 0.9
    assert min(len(frames) for frames in double.frames) >= 80


def test_no_drift_passes() -> None:
    double = Double(SEED)
    pairs = [double.drifted() for _ in range(PAIRS)]
    kinds = Counter(pair.drift for pair in pairs)
    assert set(kinds) == {
        "number", "unit", "money", "percentage", "date", "name", "link", "negation", "modality",
        "quantifier", "speaker",
    }  # fmt: skip
    assert [(pair.drift, pair.typed) for pair in pairs if passes(pair)] == []


def test_no_invention_passes() -> None:
    double = Double(SEED)
    pairs = [double.invented() for _ in range(PAIRS)]
    assert [pair.typed for pair in pairs if passes(pair)] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_few_right_rewordings_are_refused(lang: str) -> None:
    double = Double(SEED)
    pairs = [pair for pair in (double.faithful() for _ in range(PAIRS)) if pair.lang == lang]
    refused = [pair.typed for pair in pairs if not passes(pair)]
    assert len(pairs) == PAIRS // 2
    assert len(refused) <= len(pairs) * 0.05, refused


@pytest.mark.parametrize("kind", ["title", "summary"])
def test_no_invention_passes_in_a_title_or_a_summary(kind: Kind) -> None:
    double = Double(SEED + 1)
    pairs = [double.invented() for _ in range(100)]
    assert [
        p.typed for p in pairs if check(p.typed, p.sources, context=p.context, kind=kind).ok
    ] == []
