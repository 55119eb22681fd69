"""The readers that select by summary: alone (the ablation), and with BM25 over the rest (Infini Memory-H)."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.answers import Stop
from memoranda.read.lexical import Source
from memoranda.read.ranking import Ranked
from memoranda.read.readers.catalog import select
from memoranda.read.readers.gather import Harvest, fused
from memoranda.read.readers.run import Run

FEWEST_OF_DOCUMENT = 200
"""Lines of a selected document that are looked at, newest first."""


def by_summary(question: str, run: Run, lexical: Ranked) -> tuple[Harvest, Stop, str]:
    """Read what the model picks by summaries, and nothing else (R154): documents in order of choice."""
    picked = select(question, run, lexical)
    lines = run.desk.looking(lambda source: [_lines(name, source) for name in picked.documents])
    return Harvest(own=tuple(seq for part in lines for seq in part)), picked.stop, picked.reason


def hybrid(question: str, run: Run, lexical: Ranked) -> tuple[Harvest, Stop, str]:
    """Read the documents that the model picks, and the best partitions of all the others (R159).

    In the selected documents the lines that match come first, in lexical order; the partitions of the
    rest are what the recall guard adds. Lines of selected documents that match no word come last.
    """
    picked = select(question, run, lexical)

    def lines(source: Source) -> tuple[int, ...]:
        places = source.view.places(seq for seq, _ in lexical.lines)
        chosen = {seq for seq, place in places.items() if place.document_id in picked.documents}
        matching = [seq for seq, _ in lexical.lines if seq in chosen]
        return (*matching, *fused([_lines(name, source) for name in picked.documents]))

    return Harvest(own=run.desk.looking(lines)), picked.stop, picked.reason


def _lines(document_id: str, source: Source) -> Sequence[int]:
    """Give the lines of a document that hold now, newest block first."""
    blocks = source.view.blocks(document_id)
    held = source.view.block_lines(block.block_id for block in blocks)
    lines = [seq for block in reversed(blocks) for seq in held.get(block.block_id, ())]
    return lines[:FEWEST_OF_DOCUMENT]
