"""Tools that find: search, ask, context."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from memoranda.answers import Answer, Claim
from memoranda.mcp.arguments import Narrowed, Query
from memoranda.mcp.names import block_url, fetch_name
from memoranda.mcp.seal import NOTICE
from memoranda.mcp.shapes import plain
from memoranda.mcp.tool import Desk, Recalled, Result, Tool
from memoranda.read.render import line
from memoranda.text.visible import show
from memoranda.values import Entry, Evidence, Value


class Search(Narrowed):
    """What `search` takes."""

    query: Annotated[Query, Field(description="Words, a name, a question: any text.")]


class Ask(Narrowed):
    """What `ask` takes."""

    question: Annotated[Query, Field(description="The question.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Value):
    """One block of evidence, with the names by which to fetch and cite it."""

    id: str
    title: str
    url: str
    text: str
    score: float
    document_id: str
    version: int
    entries: tuple[Entry, ...]
    headings: tuple[str, ...] = ()
    lines: tuple[int, int] | None = None
    left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Results(Recalled):
    """What a search found, best first."""

    tokens: int
    position: int
    results: tuple[Hit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Recalled):
    """Cited claims, or that nothing is known."""

    known: bool
    note: str
    claims: tuple[Claim, ...]
    tokens: int
    position: int
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextText(Recalled):
    """Evidence as one fenced text; empty when there is none."""

    text: str


def _search(desk: Desk, given: Search) -> Result:
    found = desk.memory.search(given.query, budget=given.budget, **given.only())
    value = Results(
        notice=NOTICE,
        tokens=found.tokens,
        position=found.position,
        results=tuple(map(_hit, found.evidence)),
    )
    told = {"notice": NOTICE, "results": [_short(hit) for hit in value.results]}
    return Result(value, json.dumps(told, ensure_ascii=False))


def _hit(found: Evidence) -> Hit:
    return Hit(
        id=fetch_name(found),
        title=found.title,
        url=block_url(found),
        text="\n".join(map(line, found.entries)),
        score=found.score,
        document_id=found.document_id,
        version=found.version,
        entries=found.entries,
        headings=found.headings,
        lines=found.lines,
        left_out=found.left_out,
    )


def _short(hit: Hit) -> dict[str, object]:
    """Give a hit as the text of a result has it: its lines say what its entries say."""
    told: dict[str, object] = plain(hit)
    return {name: told[name] for name in ("id", "title", "url", "text")}


def _ask(desk: Desk, given: Ask) -> Result:
    answer = desk.memory.ask(given.question, budget=given.budget, **given.only())
    value = Answered(
        notice=NOTICE,
        known=answer.known,
        note=answer.note,
        claims=answer.claims,
        tokens=answer.tokens,
        position=answer.position,
        text=answer.text,
    )
    if not answer.known:
        return Result(value, f"Not known. {answer.note}".strip())
    return Result(value, desk.seal.fence("\n".join(_claims(answer))))


def _claims(answer: Answer) -> list[str]:
    lines = [answer.text] if answer.text else []
    for claim in answer.claims:
        when = f" {claim.time[:10]}" if claim.time else ""
        mark = f" [outdated, replaced by {claim.superseded_by}]" if claim.superseded_by else ""
        quote = show(claim.quote).replace("\n", "\n  ")
        lines.append(
            f"{quote}{mark} ({show(claim.speaker or claim.source)}{when}; {claim.citation})"
        )
    return [*lines, *([answer.note] if answer.note else [])]


def _context(desk: Desk, given: Search) -> Result:
    text = desk.memory.context(given.query, given.budget, **given.only())
    return Result(ContextText(notice=NOTICE, text=text), text or "Nothing found.")


TOOLS: Final = (
    Tool(
        name="search",
        title="Search memory",
        description=(
            "Find what is remembered about something: dated lines with their source, newest state "
            "first, each under what replaced it. Give the words you look for. "
            "Use fetch with a result's id for the whole document."
        ),
        arguments=Search,
        output=Results,
        work=_search,
        reads=True,
        repeats=True,
    ),
    Tool(
        name="ask",
        title="Ask memory",
        description=(
            "Answer a question with exact quotes from memory, each with its document, lines, date and "
            "source; or say that it is not known."
        ),
        arguments=Ask,
        output=Answered,
        work=_ask,
        reads=True,
        repeats=True,
    ),
    Tool(
        name="context",
        title="Context from memory",
        description=(
            "Give what is remembered about something as one compact text, within a budget of tokens. "
            "The cheapest way to recall before you answer."
        ),
        arguments=Search,
        output=ContextText,
        work=_context,
        reads=True,
        repeats=True,
    ),
)
