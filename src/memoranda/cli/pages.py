"""What people read: evidence, answers, documents, records and status as lines of text."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from memoranda.cli.shown import Paint, one_line, runs
from memoranda.text.visible import show as safe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memoranda.answers import Answer, Claim
    from memoranda.reports import Forgotten
    from memoranda.settings import Settings
    from memoranda.values import (
        Added,
        Change,
        DocumentInfo,
        Entry,
        Evidence,
        Found,
        Receipt,
        RecordView,
        Status,
    )

BODY_WIDTH: Final = 100


def many(number: int, noun: str) -> str:
    """Say a count with its noun: `1 entry`, `1,200 entries`."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def cut(text: str, width: int) -> str:
    """Cut a line to a width in characters, and mark the cut."""
    return text if len(text) <= width else text[: width - 1] + "…"


def entry_lines(entry: Entry, paint: Paint, indent: str = "  ") -> Iterator[str]:
    """Give an entry: numbers, date, source, speaker, text; further lines of text stand deeper."""
    who = entry.source + (f" {one_line(entry.speaker)}" if entry.speaker else "")
    signature = [runs(entry.seqs) or "-", entry.time or "undated", who]
    if entry.project:
        signature.append(f"#{one_line(entry.project)}")
    first, *more = safe(entry.text).split("\n")
    past = entry.superseded_by is not None or entry.retracted
    body = paint.faint if past else str
    yield (
        indent + paint.faint("  ".join(signature)) + "  " + body(first) + paint.warn(_marks(entry))
    )
    for line in more:
        yield indent + "      " + body(line)


def _marks(entry: Entry) -> str:
    marks = []
    if entry.possibly_replaced_by is not None:
        marks.append(f"possibly replaced by {entry.possibly_replaced_by}")
    if entry.retracted:
        marks.append("retracted")
    if entry.sensitivity == "private":
        marks.append("private")
    return f"  ({', '.join(marks)})" if marks else ""


def chains(entries: Iterable[Entry]) -> list[tuple[Entry, list[Entry]]]:
    """Pair each entry that nothing here replaces with what it replaced, newest first."""
    listed = list(entries)
    at = {seq: entry for entry in listed for seq in entry.seqs}
    past: dict[int, list[Entry]] = {}
    heads: list[Entry] = []
    for entry in listed:
        head = _final(entry, at)
        if head is entry:
            heads.append(entry)
        else:
            past.setdefault(id(head), []).append(entry)
    newest_first = {
        key: sorted(old, key=lambda e: (e.time or e.recorded, e.seqs), reverse=True)
        for key, old in past.items()
    }
    return [(head, newest_first.get(id(head), [])) for head in heads]


def _final(entry: Entry, at: Mapping[int, Entry]) -> Entry:
    met = {id(entry)}
    while entry.superseded_by is not None and (after := at.get(entry.superseded_by)):
        entry = after
        if id(entry) in met:
            break
        met.add(id(entry))
    return entry


def block_lines(entries: Iterable[Entry], paint: Paint) -> Iterator[str]:
    """Give the entries of a block, each with what it replaced beneath it under `was:`."""
    for head, past in chains(entries):
        if head.superseded_by is not None:
            yield "  " + paint.faint(f"was (replaced by {head.superseded_by}):")
        yield from entry_lines(head, paint)
        if past:
            yield "      " + paint.faint("was:")
        for entry in past:
            yield from entry_lines(entry, paint, indent="      ")


def place_of(document_id: str, file: str | None, lines: tuple[int, int] | None) -> str:
    """Say where evidence stands: `topics/tea-d3.md:12-18`, or the document id without a file."""
    name = one_line(file or document_id)
    return f"{name}:{lines[0]}-{lines[1]}" if lines else name


def evidence_lines(evidence: Evidence, file: str | None, paint: Paint) -> Iterator[str]:
    """Give one piece of evidence: title and headings, place, entries."""
    title = " › ".join(map(one_line, (evidence.title or evidence.document_id, *evidence.headings)))
    place = place_of(evidence.document_id, file, evidence.lines)
    yield f"{paint.strong(title)}  {paint.mark(place)}"
    yield from block_lines(evidence.entries, paint)


def found_lines(found: Found, files: Mapping[str, str], paint: Paint) -> Iterator[str]:
    """Give all that a search found, best first; `files` maps document ids to file names."""
    for at, evidence in enumerate(found.evidence):
        if at:
            yield ""
        yield from evidence_lines(evidence, files.get(evidence.document_id), paint)


def answer_lines(answer: Answer, files: Mapping[str, str], paint: Paint) -> Iterator[str]:
    """Give an answer: prose if a model wrote some, quotes with their citations, the note."""
    if answer.text:
        yield from (safe(answer.text), "")
    if not answer.known:
        yield "Not known."
    for claim in answer.claims:
        yield from _claim_lines(claim, files.get(claim.document_id), paint)
    if answer.note:
        yield paint.faint(one_line(answer.note))


def _claim_lines(claim: Claim, file: str | None, paint: Paint) -> Iterator[str]:
    past = claim.superseded_by is not None
    if past:
        yield paint.faint(f"was (replaced by {claim.superseded_by}):")
    for line in safe(claim.quote).split("\n"):
        yield "> " + (paint.faint(line) if past else line)
    who = claim.source + (f" {one_line(claim.speaker)}" if claim.speaker else "")
    ids = ", ".join(map(one_line, (*claim.event_ids, *claim.external_ids)))
    place = place_of(claim.document_id, file, claim.lines)
    parts = (claim.time or "undated", who, place, f"seq {runs(claim.seqs)}", f"event {ids}")
    yield "  " + paint.mark(" · ".join(parts))
    yield ""


def document_lines(document: DocumentInfo, paint: Paint) -> Iterator[str]:
    """Give one line of the catalog, and the summary under it."""
    project = f"  #{one_line(document.project)}" if document.project else ""
    sizes = f"{many(document.token_count, 'token')}  {many(document.entry_count, 'entry')}"
    title = paint.strong(one_line(document.title))
    aside = paint.faint(f"{sizes}  {document.updated_time}{project}")
    yield f"{document.document_id}  {title}  {aside}"
    if document.summary:
        yield "    " + one_line(document.summary)


def added_lines(added: Added) -> Iterator[str]:
    """Give the numbers and event ids of what was added, and say what was known before."""
    seqs = f"seq {runs(added.seqs)}  " if added.seqs else ""
    for event_id in added.event_ids:
        known = "  (known already, nothing written)" if event_id in added.known else ""
        known = "  (forgotten before, nothing written)" if event_id in added.forgotten else known
        yield f"{seqs}event {one_line(event_id)}{known}"
    if added.echoes:
        yield echoes_line(added.echoes)


def secrets_line(secrets: Sequence[tuple[str, int]]) -> str:
    """Say which secrets were not stored."""
    named = ", ".join(
        one_line(kind) if n == 1 else f"{n} x {one_line(kind)}" for kind, n in secrets
    )
    return f"not stored, a mark stands in its place: secret {named}; see docs/secrets.md"


def echoes_line(number: int) -> str:
    """Say that recalled memory came back in what was added."""
    return f"{many(number, 'piece')} of recalled memory: kept in the log, not taken for new"


def receipt_line(receipt: Receipt) -> str:
    """Say in one line what a plan did or would do."""
    parts = [
        f"placed {many(len(receipt.placed), 'entry')} ({runs(receipt.placed)})"
        if receipt.placed
        else "",
        *(
            f"{verb} {', '.join(ids)}" if ids else ""
            for verb, ids in (
                ("created", receipt.created),
                ("updated", receipt.updated),
                ("split", receipt.split),
                ("retired", receipt.retired),
            )
        ),
        f"repeated {_pairs(receipt.duplicates, 'of')}" if receipt.duplicates else "",
        f"reworded {runs(_all_of(receipt.reworded))}" if receipt.reworded else "",
        f"left out {runs(receipt.left_out)}" if receipt.left_out else "",
        f"kept {runs(receipt.kept)} word for word" if receipt.kept else "",
        f"superseded {_pairs(receipt.superseded, 'by')}" if receipt.superseded else "",
        *map(one_line, receipt.warnings),
    ]
    return f"{receipt.kind} {receipt.plan_id}: " + ("; ".join(filter(None, parts)) or "no change")


def _all_of(groups: Iterable[Sequence[int]]) -> tuple[int, ...]:
    return tuple(sorted({seq for group in groups for seq in group}))


def forgotten_lines(done: Forgotten, paint: Paint) -> Iterator[str]:
    """Say what forgetting did or would do, without a word of what is gone."""
    verb = "would forget" if done.dry_run else "forgot"
    seqs = f" (seq {runs(done.seqs)})" if done.seqs else ""
    yield f"{verb} {many(len(done.seqs), 'entry')}{seqs} of {many(len(done.events), 'event')}"
    for name, ids in (("updated", done.updated), ("retired", done.retired)):
        if ids:
            yield f"{name} {', '.join(ids)}"
    if done.dry_run:
        if done.token:
            yield f"to forget exactly this: --expect {done.token}"
        return
    if done.since:
        yield f"{done.since:,} more came to fit since it was shown, and stay"
    yield f"redacted {many(done.records, 'record')}; receipt {done.forget_id}"
    found = f"pieces left in {many(len(done.left), 'file')}" if done.left else "nothing left"
    size = f"{many(done.scanned_files, 'file')} ({done.scanned_bytes:,} bytes)"
    yield f"scanned {size} in {many(len(done.forms), 'form')}: {found}"
    for file in done.left:
        yield paint.warn(f"left in {one_line(file)}: look at it")
    for copy in done.out_of_reach:
        yield paint.warn(f"out of reach: {one_line(copy)}")


def receipts_line(receipts: Sequence[Receipt]) -> str:
    """Sum up what many plans did."""
    counts = (
        f"{many(sum(len(r.placed) for r in receipts), 'entry')} placed",
        f"{many(sum(len(r.created) for r in receipts), 'document')} created",
        f"{sum(len(r.split) for r in receipts):,} split",
        f"{sum(len(r.retired) for r in receipts):,} retired",
        f"{many(sum(len(r.superseded) for r in receipts), 'supersession')}",
    )
    return f"{many(len(receipts), 'plan')} applied: {', '.join(counts)}"


def _pairs(pairs: Iterable[tuple[int, int]], word: str) -> str:
    return ", ".join(f"{left} {word} {right}" for left, right in pairs)


def record_line(record: RecordView, paint: Paint) -> str:
    """Give one log record in a line, its body cut at a width."""
    gone = "(damaged)" if record.damaged else "(erased)"
    body = gone if record.body is None else json.dumps(record.body, ensure_ascii=False)
    who = f"  {record.actor}" if record.actor else ""
    head = f"{record.position:>6}  {record.recorded}  {record.kind:<10}  {record.record_id}{who}"
    return f"{one_line(head)}  {paint.faint(cut(one_line(body), BODY_WIDTH))}"


def change_line(change: Change, paint: Paint) -> str:
    """Give one step of a history in a line."""
    where = f"  {paint.mark(change.document_id)}" if change.document_id else ""
    head = f"{change.position:>6}  {change.recorded}  {change.kind:<10}{where}"
    return f"{head}  {one_line(change.text)}"


def _edited(edit: Mapping[str, Any] | None) -> str:
    """Say what the last edit of a file came to."""
    if not edit:
        return "no file, by hand"
    counts = ", ".join(
        f"{len(edit[what])} {what}"
        for what in ("added", "corrected", "removed", "moved")
        if edit[what]
    )
    gone = "; removed lines are retracted, forget erases them" if edit["removed"] else ""
    return f"by hand, plan {edit['plan_id']}: {counts or 'headers and headings'}{gone}"


def _used(used: Mapping[str, Any] | None) -> str:
    if not used or not used["calls"]:
        return ""
    money = cost(used["money"], used["tokens"])
    return f"; today {many(used['calls'], 'call')}, {many(used['tokens'], 'token')}{money}"


def cost(money: float | None, tokens: int) -> str:
    """Say what calls cost, after a comma; nothing where they used nothing."""
    if not (money or tokens):
        return ""
    return ", price not known" if money is None else f", ${money:.4f}"


_WAITED: Final = frozenset({"unavailable", "rate_limited"})
"""Reasons for which a run is stopped: the rules did nothing then."""


def run_lines(run: Mapping[str, Any], paint: Paint) -> Iterator[str]:
    """Say what a run of maintenance by a model came to."""
    replies = f"{run['used']} replies used, {run['repaired']} repaired"
    refused = f", {many(run['reworded'], 'wording')} not let pass" if run["reworded"] else ""
    halved = f", {many(run['halved'], 'question')} halved" if run.get("halved") else ""
    yield f"{paint.faint('last run  ')} {run['at']}: {replies}{halved}{refused}"
    for left in run["left_to_rules"]:
        if run["stopped"] and left["reason"] in _WAITED:
            continue
        times = many(left["times"], "time")
        text = f"{left['step']} was left to the rules: {left['reason']} ({times})"
        yield paint.warn(f"{'last run':<10} {one_line(text)}")
    if run["stopped"]:
        yield paint.warn(f"{'last run':<10} stopped: {one_line(run['stopped'])}")


def _retention_lines(status: Status) -> Iterator[str]:
    if status.next_expiry:
        yield f"next due {status.next_expiry}; see 'memoranda expire --dry-run'"
    if gone := status.last_expiry:
        yield (
            f"{gone['at']}: {gone['retracted']:,} retracted, {gone['events']:,} events forgotten"
        )


def status_lines(status: Status, settings: Settings, paint: Paint) -> Iterator[str]:
    """Give the state of a scope on one screen; what wants attention comes last and coloured."""
    due = f", due since {status.due_since}" if status.due_since else ""
    oldest = f", oldest of {status.oldest_unplaced}" if status.oldest_unplaced else ""
    workspace = f", workspace {status.workspace}" if status.workspace else ""
    scope = f"user {status.user}{workspace}, project {status.project or 'none'}"
    in_force = ", ".join(f"{f.name}={getattr(settings, f.name)}" for f in fields(settings))
    rows = (
        ("scope", scope),
        ("folder", status.folder),
        ("database", f"{status.database} (format {status.format})"),
        ("documents", f"{status.documents_folder} ({status.documents:,})"),
        ("log", f"{status.events:,} events, position {status.position:,}"),
        (
            "entries",
            (
                f"{status.entries:,}; {status.superseded:,} superseded, "
                f"{status.retracted:,} retracted, {status.forgotten:,} forgotten"
            ),
        ),
        (
            "CURRENT",
            f"{status.current_entries:,} entries, {status.current_tokens:,} tokens{oldest}{due}",
        ),
        ("edited", _edited(status.edited)),
        ("index", f"{status.index_lag:,} records behind" if status.index_lag else "up to date"),
        ("model", f"{status.model}{_used(status.used_today)}"),
        ("settings", in_force),
    )
    for name, value in rows:
        yield f"{paint.faint(f'{name:<10}')} {one_line(value)}"
    for value in _retention_lines(status):
        yield f"{paint.faint('retention ')} {one_line(value)}"
    if status.last_run:
        yield from run_lines(status.last_run, paint)
    for name in ("pending", "failed", "conflicts", "warnings"):
        for value in getattr(status, name):
            yield paint.warn(f"{name:<10} {one_line(value)}")
