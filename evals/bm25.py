"""A plain BM25 over a handful of texts, for suites that rank by title and summary alone."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import snowballstemmer

_WORD = re.compile(r"\w+")
_STEMMER = snowballstemmer.stemmer("english")
_EMPTY = frozenset(
    [
        *(
            "a",
            "an",
            "and",
            "are",
            "as",
            "at",
            "be",
            "but",
            "by",
            "can",
            "could",
            "do",
            "for",
            "from",
        ),
        *(
            "had",
            "has",
            "have",
            "how",
            "i",
            "if",
            "in",
            "into",
            "is",
            "it",
            "its",
            "me",
            "my",
            "of",
        ),
        *("on", "or", "our", "should", "so", "that", "the", "their", "them", "then", "there"),
        *("these", "they", "this", "to", "us", "was", "we", "were", "what", "when", "which", "who"),
        *("will", "with", "would", "you", "your"),
    ]
)


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Cut a text into stemmed lower-case words, without those that carry nothing."""
    found = [word for word in _WORD.findall(text.lower()) if word not in _EMPTY]
    return tuple(_STEMMER.stemWords(found))


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
