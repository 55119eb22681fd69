"""How an answer came about, as lines of text: hops, rounds, what it took, what it cites."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memoranda.cli.pages import many
from memoranda.cli.shown import Paint, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoranda.answers import (
        Answer,
        CitedEntry,
        CitedPlace,
        Hop,
        Round,
        Spending,
        Trace,
    )


def hop_lines(hops: tuple[Hop, ...], paint: Paint) -> Iterator[str]:
    """Give a chain: each question with its value, and where it stands."""
    for number, hop in enumerate(hops, start=1):
        value = paint.strong(one_line(hop.value)) if hop.value else paint.warn("not found")
        place = f"  {paint.mark(one_line(hop.claim.citation))}" if hop.claim else ""
        before = f" (replaced {', '.join(map(str, hop.replaced))})" if hop.replaced else ""
        yield f"{number}. {one_line(hop.question)} {value}{paint.faint(before)}{place}"


def cited_lines(found: CitedPlace, paint: Paint) -> Iterator[str]:
    """Give what a citation names: the lines as they were, then what became of each entry."""
    lines = f":{found.lines[0]}-{found.lines[1]}" if found.lines else ""
    place = f"{found.document_id}@{found.version}{lines}"
    yield paint.strong(f"{one_line(found.title)}  {place}")
    for line in found.text or [entry.text for entry in found.entries]:
        yield f"  {one_line(line)}"
    for entry in found.entries:
        seqs = f"seq {','.join(map(str, entry.seqs))}" if entry.seqs else "event"
        yield paint.faint(f"  {seqs} from {', '.join(entry.event_ids)}: {_became(entry)}")
    if found.note:
        yield paint.warn(found.note)


def _became(entry: CitedEntry) -> str:
    parts = [f"forgotten on {entry.erased[:10]}" if entry.erased else ""]
    parts.append("retracted" if entry.retracted else "")
    parts.append(f"replaced by {entry.superseded_by}" if entry.superseded_by else "")
    parts.append(f"now {entry.now}" if entry.now else "")
    return "; ".join(filter(None, parts)) or "as it came"


def end_lines(answer: Answer, paint: Paint) -> Iterator[str]:
    """Give the reader, how it ended and what it took; its rounds were shown as they came."""
    if answer.trace is not None:
        yield _head(answer.trace, paint)
        yield from _tail(answer.trace, paint)


def _head(trace: Trace, paint: Paint) -> str:
    partial = ", partial" if trace.partial else ""
    return paint.strong(f"{trace.reader} reader by {one_line(trace.model)}: {trace.stop}{partial}")


def _tail(trace: Trace, paint: Paint) -> Iterator[str]:
    if trace.fallback:
        yield paint.warn(f"  the lexical reader answered: {one_line(trace.fallback)}")
    if trace.guard:
        yield f"  the recall guard added {many(trace.guard, 'line')}"
    yield from _spent(trace, paint)


def round_lines(one: Round, paint: Paint) -> Iterator[str]:
    """Give a round: its calls with what they found, and what the model named."""
    took = f"{many(one.tokens, 'token')}, {one.seconds:.1f} s"
    yield f"  {one.number}. {one.purpose}  {paint.faint(took)}"
    for use in one.calls:
        arguments = json.dumps(dict(use.arguments), ensure_ascii=False, sort_keys=True)
        ended = use.error or f"{use.found} found, {many(use.fresh, 'new line')}"
        yield f"     {use.name} {one_line(arguments)}: {one_line(ended)}"
    if one.chosen:
        yield f"     named: {one_line(', '.join(one.chosen))}"
    if one.note:
        yield "     " + paint.warn(one_line(one.note))


def _spent(trace: Trace, paint: Paint) -> Iterator[str]:
    for name, spent in (("reading", trace.retrieval), ("answering", trace.answering)):
        if spent.calls:
            yield "  " + paint.faint(f"{name}: {_took(spent)}")
    yield "  " + paint.faint(f"in all {trace.seconds:.1f} s")


def _took(spent: Spending) -> str:
    price = "" if spent.price is None else f", ${spent.price:.4f}"
    tokens = f"{spent.input_tokens:,} tokens in, {spent.output_tokens:,} out"
    return f"{many(spent.calls, 'call')}, {tokens}, {spent.seconds:.1f} s{price}"
