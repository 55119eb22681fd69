"""How an answer came about, as lines of text: its hops, the rounds of its reader, what it took."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memoranda.cli.pages import many
from memoranda.cli.shown import Paint, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoranda.answers import Answer, Hop, Round, Spending, Trace


def hop_lines(hops: tuple[Hop, ...], paint: Paint) -> Iterator[str]:
    """Give a chain: each question with its value, and where it stands."""
    for number, hop in enumerate(hops, start=1):
        value = paint.strong(one_line(hop.value)) if hop.value else paint.warn("not found")
        place = f"  {paint.mark(one_line(hop.claim.citation))}" if hop.claim else ""
        before = f" (replaced {', '.join(map(str, hop.replaced))})" if hop.replaced else ""
        yield f"{number}. {one_line(hop.question)} {value}{paint.faint(before)}{place}"


def trace_lines(answer: Answer, paint: Paint) -> Iterator[str]:
    """Give the trace: reader and end, then each round with its calls, then what it took."""
    trace = answer.trace
    if trace is None:
        return
    partial = ", partial" if trace.partial else ""
    yield paint.strong(f"{trace.reader} reader by {one_line(trace.model)}: {trace.stop}{partial}")
    for one in trace.rounds:
        yield from _round_lines(one, paint)
    if trace.fallback:
        yield paint.warn(f"  the lexical reader answered: {one_line(trace.fallback)}")
    if trace.guard:
        yield f"  the recall guard added {many(trace.guard, 'line')}"
    yield from _spent(trace, paint)


def _round_lines(one: Round, paint: Paint) -> Iterator[str]:
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
