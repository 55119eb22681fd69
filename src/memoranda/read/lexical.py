"""The lexical reader: BM25 over all entries, no model (R33, R181)."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.answers import Answer, Claim
from memoranda.errors import InputError
from memoranda.read.evidence import Collector
from memoranda.read.ranking import Ranked, rank
from memoranda.read.reach import Reach
from memoranda.read.render import Counter
from memoranda.store.index import FtsIndex
from memoranda.store.log import Log
from memoranda.store.query import understand
from memoranda.store.view import View
from memoranda.text.analyse import terms
from memoranda.values import Evidence, Found

QUOTES = 12
"""How many quotes an answer without a model gives."""
NO_MODEL = (
    "No model is configured: these are the best quotes from memory, newest state first, "
    "not a composed answer."
)
UNKNOWN = "Not known: nothing in memory matches the question."


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a search reads: the state at one position, what of it may be read, and its counter."""

    log: Log
    view: View
    index: FtsIndex
    reach: Reach
    count: Counter


def look(question: str, source: Source, *, budget: int) -> tuple[Found, Ranked]:
    """Search at one log position, within a budget of tokens. The index must be caught up.

    Returns:
        The evidence, and the ranking that it was collected from.

    Raises:
        InputError: the budget is not positive.
    """
    if budget < 1:
        raise InputError(f"budget is a number of tokens from 1 on, not {budget}")
    ranked = rank(question, source.view, source.index, source.reach, budget=budget)
    collector = Collector(source.log, source.view, source.reach, source.count)
    return collector.collect(ranked, budget=budget, position=source.log.position()), ranked


def answer(question: str, found: Found, ranked: Ranked, view: View) -> Answer:
    """Answer with the best quotes, each cited to its own lines and events (R234).

    Only what shares a word with the question is quoted, and what that replaced, after it: so a
    question for the history is answered too, and a speaker's name alone answers nothing.
    """
    order = {seq: number for number, (seq, _) in enumerate(ranked.lines)}
    wanted = set(understand(question).terms)
    quotes: list[tuple[int, int, Claim]] = []
    for item in found.evidence:
        rank_, fits = len(order), False
        for number, entry in enumerate(item.entries):
            if (
                entry.superseded_by is None or entry.seq in order
            ):  # a filter may leave only an old one
                rank_ = order.get(entry.seq, len(order))
                fits = bool(wanted & set(terms(entry.text))) or _holds(question, entry.text)
            if fits:
                quotes.append((rank_, number, _claim(item, number, view)))
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


def _holds(question: str, text: str) -> bool:
    """Say whether a question of a single character stands in the text."""
    return len(question.strip()) == 1 and question.strip() in text


def _claim(item: Evidence, number: int, view: View) -> Claim:
    entry = item.entries[number]
    own = item.document_id if entry.document_id is None else entry.document_id
    info = view.document(own)
    return Claim(
        quote=entry.text,
        document_id=own,
        title=info.title if info else own,
        version=info.version if info else item.version,
        lines=entry.lines,
        seqs=entry.seqs,
        event_ids=entry.event_ids,
        external_ids=entry.external_ids,
        time=entry.time,
        source=entry.source,
        speaker=entry.speaker,
        superseded_by=entry.superseded_by,
        possibly_replaced_by=entry.possibly_replaced_by,
    )
