"""Two rankings made into one by weighted ranks: by words and neighbours, and by meaning."""

from __future__ import annotations

from collections.abc import Mapping

RANK = 20
"""How slowly a place further down loses weight."""
MEANING = 0.4
"""How much a place by meaning counts beside one by words."""


def fused(words: Mapping[int, float], near: Mapping[int, float]) -> dict[int, float]:
    """Give lines anew their scores, so that a line's place is what its two places are worth together.

    Ranks are compared, not scores, as the two are measured differently. Scores stay on the scale of the
    ranking by words: the line that comes n-th gets the n-th score of it.

    Args:
        words: lines with scores by words; all stay.
        near: lines with cosines; empty changes nothing.
    """
    if not near:
        return dict(words)
    worth: dict[int, float] = {}
    for scores, weight in ((words, 1.0), (near, MEANING)):
        ordered = sorted(scores, key=lambda seq: (-scores[seq], -seq))
        for place, seq in enumerate(ordered):
            worth[seq] = worth.get(seq, 0.0) + weight / (RANK + place)
    scale = max(words.values(), default=1.0) * RANK / (1.0 + MEANING)
    return {seq: value * scale for seq, value in worth.items()}
