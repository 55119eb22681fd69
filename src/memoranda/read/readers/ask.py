"""A question from end to end: hops, a reader, evidence, an answer that can be checked, and the trace."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from memoranda.answers import Answer, Claim, Hop, ReaderName, Stop, Trace
from memoranda.read import lexical
from memoranda.read.lexical import Source
from memoranda.read.ranking import rank
from memoranda.read.readers.agentic import Agent
from memoranda.read.readers.compose import Checked, Cited, compose
from memoranda.read.readers.desk import Desk
from memoranda.read.readers.gather import Gathered, Harvest, cited, gather
from memoranda.read.readers.hops import chained, is_whole
from memoranda.read.readers.hybrid import by_summary, hybrid
from memoranda.read.readers.naming import named
from memoranda.read.readers.run import Failure, Run
from memoranda.text.risk import kinds

BY_HOPS = "Worked out hop by hop; each hop is cited."
_WHY: dict[str, str] = {
    "no_model": "no model is configured",
    "no_tools": "there are no tools to read with",
    "deadline": "the deadline passed",
    "budget": "the budget of the model is reached",
    "unavailable": "the model can't be used",
    "timeout": "the model did not answer in time",
    "rate_limited": "the model has too much to do (rate limit)",
    "refused": "the model declined to answer",
    "failed": "the model failed",
}
_ENDS: dict[Stop, str] = {
    "rounds": "the rounds were used up",
    "deadline": "the deadline passed",
    "nothing_new": "nothing new was found",
    "repeated": "the model repeated itself",
    "unread": "the model looked at nothing",
    "failed": "the model failed",
    "spent": "the budget of the model is reached",
}


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What was collected at one log position, and what it says without a model."""

    gathered: Gathered
    lines: tuple[Cited, ...]
    plain: Answer


def ask(question: str, reader: ReaderName, desk: Desk) -> Answer:
    """Answer a question with one reader; no failure of a model gets out, and none is silent.

    Whatever ends the reader, CURRENT is looked at, hits are grown and lifted to what holds now, and
    the budget is kept. Without a model, or when it fails, the lexical reader answers and says so.
    """
    run = Run(desk)
    chain = chained(question, run)
    harvest, stop, reason = read(question, reader, run)
    fell_back = bool(reason) and harvest == Harvest()
    guarded = reader != "summary" or fell_back
    if guarded and not reason:
        harvest = named(question, harvest, run)
    harvest = _pinned(harvest, chain)

    def collect(source: Source) -> _Evidence:
        made = gather(question, source, harvest, budget=desk.limits.budget, guarded=guarded)
        lines = cited(made.found, source.view) if desk.model is not None else ()
        plain = lexical.answer(question, made.found, made.ranked, source.view)
        return _Evidence(made, lines, plain)

    found = desk.looking(collect)
    why = _why(reason, run.away) if reason else ""
    told = _told(question, found, chain, run)
    failed = isinstance(told, Failure) and stop == "complete"
    trace = Trace(
        reader=reader,
        stop=told.stop if failed and isinstance(told, Failure) else stop,
        rounds=tuple(run.rounds),
        guard=found.gathered.guard if reader != "lexical" else 0,
        fallback=why if fell_back else "",
        model=desk.model.name if desk.model is not None else "rules",
        calling=run.calling,
        retrieval=run.spent("retrieval"),
        answering=run.spent("answering"),
        seconds=round(run.seconds, 3),
    )
    return _whole(found, chain, told, trace, why)


def read(question: str, reader: ReaderName, run: Run) -> tuple[Harvest, Stop, str]:
    """Let a reader find lines: what it found, why it ended, and the reason if it failed."""
    desk = run.desk
    if reader == "lexical":
        return Harvest(), "complete", ""
    if desk.model is None:
        return Harvest(), "failed", "no_model"
    match reader:
        case "summary" | "hybrid":
            budget = desk.limits.budget
            ranked = desk.looking(
                lambda source: rank(
                    question, source.view, source.index, source.reach, budget=budget
                )
            )
            return (by_summary if reader == "summary" else hybrid)(question, run, ranked)
        case "agentic":
            if desk.tools is None:
                return Harvest(), "failed", "no_tools"
            return Agent(question, run, desk.tools).read()
        case _:
            assert_never(reader)


def _pinned(harvest: Harvest, chain: tuple[Hop, ...]) -> Harvest:
    """Put the lines of a chain first, in the order of its hops; of a whole one they stay there."""
    lines = [hop.claim.seqs[0] for hop in chain if hop.claim is not None and hop.claim.seqs]
    named = tuple(dict.fromkeys((*lines, *harvest.named)))
    return replace(harvest, named=named, pinned=len(set(lines)) if is_whole(chain) else 0)


def _told(
    question: str, found: _Evidence, chain: tuple[Hop, ...], run: Run
) -> Checked | Failure | None:
    """Let the model answer, if there is one and there is something to answer from."""
    if run.desk.model is None or not found.lines:
        return None
    return compose(question, found.gathered.found, found.lines, chain, run)


def _whole(
    found: _Evidence,
    chain: tuple[Hop, ...],
    told: Checked | Failure | None,
    trace: Trace,
    why: str,
) -> Answer:
    """Put the answer together: the model's where it stands the test, else the best quotes."""
    said = _said(found.plain, told, why)
    if is_whole(chain):
        said = _by_hops(said, chain, composed=isinstance(told, Checked))
    return replace(
        found.plain,
        known=said.known,
        text=said.text,
        claims=said.claims,
        note=_noted(said, trace, why),
        evidence=found.gathered.found.evidence,
        hops=chain,
        trace=trace,
        verify=tuple(dict.fromkeys(kind for claim in said.claims for kind in kinds(claim.quote))),
        dropped=said.dropped,
    )


def _said(plain: Answer, told: Checked | Failure | None, why: str) -> Checked:
    """Give what the model said and memory supports; where that is nothing, the best quotes."""
    quotes = Checked(known=plain.known, text=None, claims=plain.claims, note=plain.note)
    match told:
        case None:
            return quotes
        case Failure(reason=reason, away=away):
            known = _why(reason, away) == why  # then the reader's end tells it
            because = "" if known else f" ({_why(reason, away)})"
            note = f"The model gave no answer{because}: these are the best quotes."
            return replace(quotes, note=note if quotes.claims else plain.note)
        case Checked(dropped=dropped, claims=()) if dropped:
            return replace(quotes, note=told.note, dropped=dropped)
        case Checked():
            return told
        case _:
            assert_never(told)


def _by_hops(said: Checked, chain: tuple[Hop, ...], *, composed: bool) -> Checked:
    """Let a whole chain carry the answer: its lines first, and its value where the model gave none."""
    first: list[Claim] = [hop.claim for hop in chain if hop.claim is not None]
    seqs = {claim.seqs for claim in first}
    claims = (*first, *(claim for claim in said.claims if claim.seqs not in seqs))
    text = said.text or (chain[-1].value if composed else None)
    note = said.note if said.known and said.text else BY_HOPS
    return replace(said, known=True, text=text, claims=claims, note=note)


def _noted(said: Checked, trace: Trace, why: str) -> str:
    """Say what else there is to know; nothing that failed, was cut or was left out is silent."""
    parts = [said.note]
    if trace.fallback:
        parts.append(f"The lexical reader answered in place of {trace.reader}: {trace.fallback}.")
    elif trace.partial:
        ended = why or _ENDS.get(trace.stop, trace.stop)
        parts.append(f"The result is partial: {ended}.")
    if said.dropped:
        parts.append(f"Left out, since memory does not support it: {said.dropped}.")
    return " ".join(filter(None, parts))


def _why(reason: str, away: str = "") -> str:
    """Say why a model did not answer; why it can't be used in our own words, if there are any."""
    why = _WHY.get(reason, f"what the model replied can't be used, {reason}")
    return f"{why}: {away.rstrip('.')}" if away and reason == "unavailable" else why
