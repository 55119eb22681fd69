"""Tools that look precisely: list_documents, read_lines, grep, facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from memoranda.mcp.arguments import MAX_QUERY, Arguments, KnownAt, Name, TrueAt
from memoranda.mcp.names import bare
from memoranda.mcp.seal import NOTICE
from memoranda.mcp.tool import Desk, Recalled, Result, Tool
from memoranda.read.tools.rendering import pieces
from memoranda.read.tools.results import DocumentPage, Facts, Found, Grepped, LineRange

LINES: Final = 500
"""Lines of a document that one call gives."""
MATCHES: Final = 200
"""Lines that one grep gives."""

DocumentName = Annotated[Name, Field(description="A document's id or title, or CURRENT.")]


class ListDocuments(Arguments):
    """What `list_documents` takes."""

    page: Annotated[int, Field(ge=1, le=1_000_000, description="Which page, from 1.")] = 1
    query: Annotated[
        str | None,
        Field(max_length=MAX_QUERY, description="Words of titles and summaries; best ones first."),
    ] = None
    known_at: KnownAt = None


class ReadLines(Arguments):
    """What `read_lines` takes."""

    document: DocumentName
    first: Annotated[int, Field(ge=1, lt=1 << 40, description="The first line, from 1.")] = 1
    last: Annotated[
        int | None,
        Field(ge=1, lt=1 << 40, description=f"The last line; at most {LINES} are given."),
    ] = None
    known_at: KnownAt = None


class Grep(Arguments):
    """What `grep` takes."""

    pattern: Annotated[
        str,
        Field(min_length=1, max_length=2_000, description="A regular expression, or plain words."),
    ]
    document: DocumentName | None = None
    ignore_case: bool = False
    limit: Annotated[
        int, Field(ge=1, le=MATCHES, description="At most so many lines; all are counted.")
    ] = 50
    known_at: KnownAt = None


class FactsOf(Arguments):
    """What `facts` takes."""

    subject: Annotated[Name, Field(description="A person, a thing, a speaker.")]
    attribute: Annotated[Name | None, Field(description="What of it; all without.")] = None
    known_at: KnownAt = None
    true_at: TrueAt = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsFound(Recalled):
    """A page of the catalog."""

    found: DocumentPage


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesFound(Recalled):
    """Lines of a document."""

    found: LineRange


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchesFound(Recalled):
    """Lines that match a pattern."""

    found: Grepped


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsFound(Recalled):
    """The current state of a subject."""

    found: Facts


def _list_documents(desk: Desk, given: ListDocuments) -> Result:
    found = desk.memory.list_documents(page=given.page, query=given.query, known_at=given.known_at)
    return Result(DocumentsFound(notice=NOTICE, found=found), _text(desk, found))


def _read_lines(desk: Desk, given: ReadLines) -> Result:
    last = None if given.last is None else min(given.last, given.first + LINES - 1)
    found = desk.memory.read_lines(bare(given.document), given.first, last, known_at=given.known_at)
    return Result(LinesFound(notice=NOTICE, found=found), _text(desk, found))


def _grep(desk: Desk, given: Grep) -> Result:
    found = desk.memory.grep(
        given.pattern,
        document=None if given.document is None else bare(given.document),
        ignore_case=given.ignore_case,
        limit=given.limit,
        known_at=given.known_at,
    )
    return Result(MatchesFound(notice=NOTICE, found=found), _text(desk, found))


def _facts(desk: Desk, given: FactsOf) -> Result:
    found = desk.memory.facts(
        given.subject, given.attribute, known_at=given.known_at, true_at=given.true_at
    )
    return Result(FactsFound(notice=NOTICE, found=found), _text(desk, found))


def _text(desk: Desk, found: Found) -> str:
    return desk.seal.fence("\n".join(piece.text for piece in pieces(found)))


TOOLS: Final = (
    Tool(
        name="list_documents",
        title="List topic documents",
        description=(
            "List the topic documents of this memory, 50 a page: id, title, summary, size, last "
            "change; with query those first that name its words."
        ),
        arguments=ListDocuments,
        output=DocumentsFound,
        work=_list_documents,
        reads=True,
        repeats=True,
    ),
    Tool(
        name="read_lines",
        title="Read lines of a document",
        description="Give some lines of a topic document as they are printed, to read around a hit.",
        arguments=ReadLines,
        output=LinesFound,
        work=_read_lines,
        reads=True,
        repeats=True,
    ),
    Tool(
        name="grep",
        title="Grep memory",
        description=(
            "Find every line that holds a pattern, to the letter: names, numbers, codes. All are "
            "counted; replaced ones are marked."
        ),
        arguments=Grep,
        output=MatchesFound,
        work=_grep,
        reads=True,
        repeats=True,
    ),
    Tool(
        name="facts",
        title="Current facts",
        description=(
            "Give the current state of a person or thing: each fact with its date and source, what "
            "competes with it, and what it replaced."
        ),
        arguments=FactsOf,
        output=FactsFound,
        work=_facts,
        reads=True,
        repeats=True,
    ),
)
