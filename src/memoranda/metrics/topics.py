"""The figure of how well documents keep to one topic: topic purity."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from memoranda.measures import Metric
from memoranda.metrics.state import State, share, spread
from memoranda.text.analyse import content_counts

Weights = dict[str, float]


def purity(state: State) -> Metric:
    """Measure whether documents mix unrelated topics (R252).

    With a label, a metadata field of the events that tells their topic: the share of labelled lines
    whose label is the commonest of their document. Without one a classifier rates the mix: each of
    a sample of blocks, taken out, is compared by its words (TF-IDF, cosine) with what is left of its
    own document and with every other; the share that is most like its own. Documents of one block
    can't be rated and are left out.
    """
    return _labelled(state, state.label) if state.label is not None else _rated(state)


def _labelled(state: State, label: str) -> Metric:
    rows = state.rows(
        "SELECT DISTINCT entry.seq, entry.document_id, event FROM entry JOIN entry_event USING (seq) "
        "WHERE entry.line = entry.seq AND erased IS NULL AND document_id IS NOT NULL "
        "AND document_id <> 'LOG' ORDER BY entry.seq, event"
    )
    bodies = state.bodies(row[2] for row in rows)
    held: dict[str, Counter[str]] = {}
    for _, document, event in rows:
        told = bodies.get(event, {}).get("metadata", {}).get(label)
        if told is not None:
            held.setdefault(document, Counter())[str(told)] += 1
    total = sum(counts.total() for counts in held.values())
    good = sum(max(counts.values()) for counts in held.values())
    return Metric(
        name="purity",
        value=share(good, total),
        unit="share",
        better="higher",
        counted=total,
        text=f"of {total} lines with a {label!r} {good} have the one that is commonest in their "
        f"document, over {len(held)} documents",
        details={"label": label, "documents": len(held)},
    )


def _rated(state: State) -> Metric:
    words: dict[tuple[str, int], list[str]] = {}
    for line in state.lines():
        if line["document_id"] is not None:
            words.setdefault((line["document_id"], line["block"]), []).append(line["text"])
    blocks = {place: content_counts(texts) for place, texts in words.items()}
    wholes: dict[str, Counter[str]] = {}
    sizes: Counter[str] = Counter()
    for (document, _), counts in blocks.items():
        wholes.setdefault(document, Counter()).update(counts)
        sizes[document] += 1
    rare = _rarity(list(wholes.values()))
    vectors = {name: _weighed(counts, rare) for name, counts in wholes.items()}
    able = sorted(place for place, counts in blocks.items() if sizes[place[0]] > 1 and counts)
    asked = spread(able, state.sample) if len(wholes) > 1 else []
    good = 0
    for place in asked:
        own = Counter(wholes[place[0]])
        own.subtract(blocks[place])
        left = {**vectors, place[0]: _weighed(+own, rare)}
        alike = {name: _like(_weighed(blocks[place], rare), other) for name, other in left.items()}
        good += alike[place[0]] >= max(alike.values())
    return Metric(
        name="purity",
        value=share(good, len(asked)),
        unit="share",
        better="higher",
        counted=len(asked),
        text=f"of {len(asked)} blocks {good} are most like the rest of their own document, among "
        f"{len(wholes)}"
        if asked
        else "there are no two documents of several blocks to compare",
        details={"documents": len(wholes), "of_one_block": sum(n == 1 for n in sizes.values())},
    )


def _rarity(documents: Sequence[Mapping[str, int]]) -> Weights:
    held = Counter(word for counts in documents for word in counts)
    return {word: math.log(1 + len(documents) / number) for word, number in held.items()}


def _weighed(counts: Mapping[str, int], rare: Weights) -> Weights:
    found = {word: (1 + math.log(n)) * rare[word] for word, n in sorted(counts.items()) if n > 0}
    length = math.sqrt(math.fsum(value * value for value in found.values()))
    return {word: value / length for word, value in found.items()} if length else {}


def _like(one: Weights, two: Weights) -> float:
    return round(math.fsum(value * two.get(word, 0.0) for word, value in one.items()), 12)
