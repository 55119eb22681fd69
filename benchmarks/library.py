"""A library of many documents, made fast: plans written by hand, applied as any other."""

from __future__ import annotations

from memoranda import Memory
from memoranda.store.operations import Create, NewBlock, Plan, Text
from memoranda.write.apply import Applier

AT_ONCE = 500
"""Documents that one plan makes."""


def place_all(memory: Memory, *, entries: int) -> int:
    """Place all of CURRENT, `entries` adjacent ones a document; give the number of documents."""
    home = memory._home  # noqa: SLF001 - the rooms behind the facade
    applier = Applier(home.log, home.fold, home.view)
    waiting = [place.seq for place in home.view.current()]
    first = home.view.counter("document") + 1
    chunks = [waiting[at : at + entries] for at in range(0, len(waiting), entries)]
    for start in range(0, len(chunks), AT_ONCE):
        part = chunks[start : start + AT_ONCE]
        numbers = range(first + start, first + start + len(part))
        applier.apply(
            Plan(
                plan_id=f"p-made-{start}",
                kind="consolidate",
                epoch=home.view.counter("epoch") + 1,
                window=tuple(seq for chunk in part for seq in chunk),
                input_event_ids=(),
                versions={},
                operations=tuple(
                    _document(number, chunk) for number, chunk in zip(numbers, part, strict=True)
                ),
                warnings=(),
                by="a benchmark",
            )
        )
    return len(chunks)


def _document(number: int, seqs: list[int]) -> Create:
    made_from = (seqs[0],)
    return Create(
        document_id=f"d{number}",
        project=None,
        title=Text(text=f"Matter {number}", made_from=made_from),
        summary=Text(text=f"What was said of matter {number}", made_from=made_from),
        blocks=tuple(
            NewBlock(
                headings=(Text(text="2026-06-01", made_from=made_from),),
                seqs=tuple(seqs[at : at + 6]),
            )
            for at in range(0, len(seqs), 6)
        ),
    )
