"""A plain BM25 over a handful of texts, for suites that rank by title and summary alone."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Cut a text into lower-case words, a plural's final s dropped."""
    return [word.rstrip("s") for word in _WORD.findall(text.lower())]


def rank(query: str, texts: Sequence[str], *, k1: float = 1.2, b: float = 0.75) -> list[int]:
    """Give the numbers of the texts, best first; ties in order of number."""
    counts = [Counter(words(text)) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    average = sum(lengths) / max(1, len(lengths)) or 1.0
    held = Counter(word for count in counts for word in count)
    scores = []
    for number, count in enumerate(counts):
        score = 0.0
        for word in set(words(query)):
            if count[word]:
                rare = math.log(1 + (len(texts) - held[word] + 0.5) / (held[word] + 0.5))
                length = 1 - b + b * lengths[number] / average
                score += rare * count[word] * (k1 + 1) / (count[word] + k1 * length)
        scores.append((-score, number))
    return [number for _, number in sorted(scores)]
