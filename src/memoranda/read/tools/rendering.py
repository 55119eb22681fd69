"""What tools found as text for a model: fenced as data, dated, sourced, within a cap of tokens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memoranda.llm.prompts import fenced
from memoranda.read.render import date
from memoranda.read.tools.places import snippet
from memoranda.read.tools.results import (
    DocumentPage,
    EventHit,
    Events,
    Fact,
    Facts,
    Found,
    Grepped,
    LineRange,
    Searched,
    SearchHit,
    Timeline,
)
from memoranda.text.visible import show
from memoranda.values import LOG, Change, DocumentInfo, Entry, Evidence

LONGEST = 800
"""Characters of one text; what is longer is cut, and the cut is marked."""

Counter = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing that was found, as text; with the evidence that it shows."""

    text: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text of a result, and what of the evidence it shows."""

    text: str
    evidence: tuple[Evidence, ...]
    cut: bool


def fence(name: str, text: str, nonce: str) -> str:
    """Fence a text as data; where it holds the nonce by chance or by design, that is taken out."""
    return fenced(name, show(text).replace(nonce, "[the fence's number]"), nonce=nonce)


def render(name: str, parts: Sequence[Piece], *, nonce: str, cap: int, count: Counter) -> Rendered:
    """Put a head and the pieces after it into a fence, as many as fit a cap of tokens.

    Args:
        name: the tool's.
        parts: the head first, then what was found, best first; a note last is kept with the head.
        nonce: 8 to 32 hexadecimal digits.
        cap: at most so many tokens, the fence included.
        count: counts tokens.
    """
    whole = fence(name, "\n".join(part.text for part in parts), nonce)
    if count(whole) <= cap:
        return Rendered(whole, _all(parts), cut=False)
    kept = [parts[0]]
    left = cap - count(fence(name, parts[0].text + _left_out(len(parts)), nonce))
    for part in parts[1:]:
        price = count(show(part.text)) + 1
        if price > left:
            break
        kept.append(part)
        left -= price
    while True:
        more = _left_out(len(parts) - len(kept))
        text = fence(name, "\n".join([*(part.text for part in kept), more]), nonce)
        if len(kept) == 1 or count(text) <= cap:
            return Rendered(text, _all(kept), cut=True)
        kept.pop()


def _left_out(number: int) -> str:
    return f"({number} more results did not fit; narrow the call, or read them by their lines)"


def _all(parts: Sequence[Piece]) -> tuple[Evidence, ...]:
    return tuple(item for part in parts for item in part.evidence)


def pieces(found: Found) -> list[Piece]:
    """Give what was found piece by piece, the head first."""
    match found:
        case Searched():
            head, rest = f"{_many(found.total, 'block')} found", [_block(hit) for hit in found.hits]
        case Grepped():
            head, rest = _grep_head(found), _matches(found)
        case DocumentPage():
            head, rest = _page_head(found), [Piece(_catalog(item)) for item in found.documents]
        case LineRange():
            head, rest = _range_head(found), _printed(found)
        case Facts():
            head, rest = _many(found.total, "fact"), [_fact(item) for item in found.facts]
        case Timeline():
            head, rest = _timeline_head(found), _timeline(found)
        case Events():
            head, rest = f"{_many(found.total, 'event')} found", [_event(hit) for hit in found.hits]
    note = f"\nNote: {found.note}" if found.note else ""
    return [Piece(head + note), *rest]


def total(found: Found) -> int:
    """Say how much there is."""
    match found:
        case LineRange():
            return len(found.lines)
        case Timeline():
            return len(found.versions)
        case _:
            return found.total


def line(entry: Entry, text: str | None = None) -> str:
    """Render one line: seqs, place, date, source, who, project, the text, and what became of it."""
    seqs = ",".join(map(str, entry.seqs)) or entry.event_ids[0]
    name = "" if entry.document_id == LOG else f" {entry.document_id}"
    at = f"{name}:{entry.lines[0]}-{entry.lines[1]}" if entry.lines else name
    who = f"{entry.source} {entry.speaker}" if entry.speaker else entry.source
    project = f" #{entry.project}" if entry.project else ""
    said = cut(entry.text if text is None else text).replace("\n", "\n  ")
    return f"[{seqs}]{at} {date(entry)}{who}{project}: {said}{marks(entry)}"


def marks(entry: Entry) -> str:
    """Say what became of a line."""
    told = []
    if entry.retracted:
        told.append("retracted: not true, or no longer wanted")
    if entry.superseded_by is not None:
        told.append(f"outdated, replaced by {entry.superseded_by}")
    if entry.possibly_replaced_by is not None:
        told.append(f"possibly replaced by {entry.possibly_replaced_by}")
    if entry.supersedes:
        told.append(f"replaced {', '.join(map(str, entry.supersedes))}")
    return f" [{'; '.join(told)}]" if told else ""


def cut(text: str) -> str:
    """Cut a long text, and say so."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({len(text) - LONGEST} more characters)"


def as_evidence(entry: Entry, title: str, version: int, score: float = 0.0) -> Evidence:
    """Give one line as evidence."""
    return Evidence(
        document_id=entry.document_id or LOG,
        title=title,
        headings=(),
        lines=entry.lines,
        version=version,
        score=score,
        entries=(entry,),
    )


def _where(document_id: str, title: str, version: int) -> str:
    return f"{title} ({document_id} @{version})"


def _block(hit: SearchHit) -> Piece:
    path = " > ".join((_where(hit.document_id, hit.title, hit.version), *hit.headings))
    at = f", lines {hit.lines[0]}-{hit.lines[1]}" if hit.lines else ""
    first, *rest = hit.entries
    lines = [line(first, hit.snippet), *(line(entry, snippet(entry.text, None)) for entry in rest)]
    evidence = Evidence(
        document_id=hit.document_id,
        title=hit.title,
        headings=hit.headings,
        lines=hit.lines,
        version=hit.version,
        score=hit.score,
        entries=hit.entries,
    )
    return Piece("\n".join([f"## {path}{at}", *lines]), (evidence,))


def _grep_head(found: Grepped) -> str:
    how = "as it is written" if found.literal else "as a regular expression"
    why = f" ({found.why_literal})" if found.why_literal else ""
    return f"{found.total} of {_many(found.searched, 'line')} found, searched {how}{why}"


def _matches(found: Grepped) -> list[Piece]:
    parts = []
    before = ""
    for item in found.matches:
        head = f"## {_where(item.document_id, item.title, item.version)}\n"
        text = line(item.entry, item.snippet)
        shown = as_evidence(item.entry, item.title, item.version)
        parts.append(Piece(text if head == before else head + text, (shown,)))
        before = head
    return parts


def _page_head(found: DocumentPage) -> str:
    waiting = f"; {found.current_entries} entries wait in CURRENT" if found.current_entries else ""
    return f"{_many(found.total, 'document')}, page {found.page} of {found.pages}{waiting}"


def _catalog(info: DocumentInfo) -> str:
    project = f" #{info.project}" if info.project else ""
    return (
        f"{info.document_id}{project} {info.title} ({info.entry_count} lines, "
        f"{info.token_count} tokens, updated {info.updated_time}): {cut(info.summary)}"
    )


def _range_head(found: LineRange) -> str:
    where = _where(found.document_id, found.title, found.version)
    return f"{where}: lines {found.first}-{found.last} of {found.total}"


def _printed(found: LineRange) -> list[Piece]:
    """Give the lines, each with the entry that begins in it."""
    starts: dict[int, list[Entry]] = {}
    for entry, start in zip(found.entries, found.starts, strict=True):
        starts.setdefault(max(start, found.first), []).append(entry)
    return [
        Piece(
            f"{number}: {cut(text)}",
            tuple(
                as_evidence(entry, found.title, found.version) for entry in starts.get(number, ())
            ),
        )
        for number, text in enumerate(found.lines, start=found.first)
    ]


def _fact(fact: Fact) -> Piece:
    key = f"; key: {fact.key}" if fact.key else ""
    named = fact.subject if fact.value == fact.entry.text else fact.value  # told once
    head = f"## {cut(named)} (since {fact.since}{key})"
    lines = [line(fact.entry)]
    if fact.competing:
        number = len(fact.competing)
        lines.append(
            f"{_many(number, 'other line')} of this key hold as well; which is right is open:"
        )
        lines += map(line, fact.competing)
    if fact.earlier:
        lines += ["before:", *map(line, fact.earlier)]
    shown = tuple(
        as_evidence(entry, fact.title if entry is fact.entry else entry.document_id or LOG,
                    fact.version)
        for entry in (fact.entry, *fact.competing, *fact.earlier)
    )  # fmt: skip
    return Piece("\n".join([head, *lines]), shown)


def _timeline_head(found: Timeline) -> str:
    return f"{found.ref}: {_many(len(found.versions), 'version')}, newest first; then what was done"


def _timeline(found: Timeline) -> list[Piece]:
    shown = [
        Piece(line(entry), (as_evidence(entry, entry.document_id or LOG, found.position),))
        for entry in found.versions
    ]
    return [*shown, *(Piece(_change(change)) for change in found.changes)]


def _change(change: Change) -> str:
    where = f" {change.document_id}" if change.document_id else ""
    return f"{change.recorded}{where} {change.kind}: {cut(change.text)}"


def _event(hit: EventHit) -> Piece:
    event = hit.event
    entry = Entry(
        seqs=(),
        text=event.content,
        source=event.source,
        time=event.time,
        recorded=event.recorded,
        speaker=event.speaker,
        session=event.session,
        project=event.project,
        sensitivity=event.sensitivity,
        document_id=LOG,
        event_ids=(event.event_id,),
        external_ids=(event.external_id,) if event.external_id else (),
    )
    told = "; ".join(_states(hit))
    text = line(entry, hit.snippet) + (f" ({told})" if told else "")
    return Piece(text, (as_evidence(entry, "Log", event.position, hit.score),))


def _states(hit: EventHit) -> Iterator[str]:
    if hit.seqs:
        yield f"cited by entry {', '.join(map(str, hit.seqs))}"
    if hit.outdated:
        yield f"outdated: {', '.join(map(str, hit.outdated))}"
    if hit.retracted:
        yield f"retracted: {', '.join(map(str, hit.retracted))}"


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def plain(value: object) -> str:
    """Give any JSON value as text."""
    return json.dumps(value, ensure_ascii=False, indent=1)
