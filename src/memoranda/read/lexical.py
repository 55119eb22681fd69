"""The lexical reader: BM25 over all entries, no model (R33, R181)."""

from __future__ import annotations

from memoranda.errors import InputError
from memoranda.read.evidence import Collector
from memoranda.read.ranking import Ranked, Reach, rank
from memoranda.store.index import FtsIndex
from memoranda.store.log import Log
from memoranda.store.view import View
from memoranda.values import Answer, Claim, Evidence, Found

QUOTES = 12
"""How many quotes an answer without a model gives."""
NO_MODEL = (
    "No model is configured: these are the best quotes from memory, newest state first, "
    "not a composed answer."
)
UNKNOWN = "Not known: nothing in memory matches the question."


def look(
    question: str, *, log: Log, view: View, index: FtsIndex, reach: Reach, budget: int
) -> tuple[Found, Ranked]:
    """Search at one log position, within a budget of tokens. The index must be caught up.

    Returns:
        The evidence, and the ranking that it was collected from.

    Raises:
        InputError: the budget is not positive.
    """
    if budget < 1:
        raise InputError(f"budget is a number of tokens from 1 on, not {budget}")
    ranked = rank(question, view, index, reach)
    collector = Collector(log, view, reach)
    return collector.collect(ranked, budget=budget, position=log.position()), ranked


def answer(question: str, found: Found, ranked: Ranked) -> Answer:
    """Answer with the best quotes, each cited to its lines and events (R234).

    What a line replaced is quoted after it, so that a question for the history is answered too.
    """
    order = {seq: number for number, (seq, _) in enumerate(ranked.lines)}
    events = {position for position, _ in ranked.events}
    quotes: list[tuple[int, int, Claim]] = []
    for item in found.evidence:
        rank_ = len(order) if item.document_id != "LOG" or not events else -1
        for number, entry in enumerate(item.entries):
            if entry.superseded_by is None:
                rank_ = order.get(entry.seq, rank_ if not entry.seqs else len(order))
            if rank_ < len(order) or not entry.seqs:
                quotes.append((rank_, number, _claim(item, number)))
    quotes.sort(key=lambda quote: quote[:2])
    claims = tuple(claim for _, _, claim in quotes[:QUOTES])
    return Answer(
        question=question,
        known=bool(claims),
        text=None,
        claims=claims,
        note=NO_MODEL if claims else UNKNOWN,
        tokens=found.tokens,
        position=found.position,
    )


def _claim(item: Evidence, number: int) -> Claim:
    entry = item.entries[number]
    return Claim(
        quote=entry.text,
        document_id=item.document_id,
        title=item.title,
        version=item.version,
        lines=item.lines,
        seqs=entry.seqs,
        event_ids=entry.event_ids,
        external_ids=entry.external_ids,
        time=entry.time,
        source=entry.source,
        speaker=entry.speaker,
        superseded_by=entry.superseded_by,
    )
