"""What is left of the log's records, and of the documents' names, without some entries."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from memoranda.store.calls import with_text
from memoranda.store.entries import escape
from memoranda.store.erasing import erase
from memoranda.store.erasure import (
    Erasure,
    Reheaded,
    Renamed,
    Rewritten,
    body_without,
    event_gone,
    event_without,
    mentions,
    wordings_without,
)
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.log import Log
from memoranda.store.operations import Text
from memoranda.text.sentences import cut
from memoranda.text.tokens import count
from memoranda.write.choose import Chosen, events_of
from memoranda.write.draft import heading_of
from memoranda.write.propose import Proposer
from memoranda.write.recalled import recalled_in


def bodies(chosen: Chosen, log: Log) -> dict[int, Mapping[str, Any]]:
    """Give, by position, what is left of every record that holds something of what is chosen."""
    found: dict[int, Mapping[str, Any]] = {}
    gone = {*chosen.seqs, *chosen.shared}
    extractions = _extractions(gone, log)
    whole = chosen.whole(log)
    spans = _spans(extractions, set(chosen.seqs))
    for event, worded in _worded(set(chosen.seqs), log).items():
        spans[event] = spans.get(event, {}) | worded
    for position in chosen.events:
        body = _body(log, position)
        everything = (0, len(body.get("content", "")))
        own = {seq: span or everything for seq, span in spans.get(position, {}).items()}
        tokens = _tokens(set(own), log)
        own |= {-at: (at, end) for at, end in recalled_in(body, gone, log)}
        left = event_gone(body, tokens) if position in whole else event_without(body, own, tokens)
        heights = {**(body.get("lines") or {}), **_heights(set(tokens), log)}
        found[position] = {**left, "lines": heights} if heights else left
    for position, body in with_text(log.connection).items():
        found[position] = {**body, "prompt": None, "reply": None}
    for position, body in [*extractions.items(), *_upkeep(gone, log)]:
        left = (
            wordings_without(body, gone, _made_by(position, log))
            if body.get("kind") == "extract" and "operations" in body
            else body_without(body, gone)
        )
        if left != body:
            found[position] = left
    return found


def _made_by(position: int, log: Log) -> list[int]:
    """Give the entries that a plan of words made, in order."""
    rows = log.connection.execute(
        "SELECT seq FROM entry WHERE position = ? ORDER BY seq", (position,)
    )
    return [row[0] for row in rows]


def _body(log: Log, position: int) -> Mapping[str, Any]:
    record = log.record(position)
    return {} if record is None or record.body is None else record.body


def _extractions(seqs: AbstractSet[int], log: Log) -> dict[int, Mapping[str, Any]]:
    positions = {
        row[0]
        for seq in seqs
        for row in log.connection.execute("SELECT position FROM entry WHERE seq = ?", (seq,))
    }
    return {position: _body(log, position) for position in sorted(positions)}


def _spans(
    extractions: Mapping[int, Mapping[str, Any]], seqs: AbstractSet[int]
) -> dict[int, dict[int, tuple[int, int] | None]]:
    """Give, by event, the places of entries in its content: None (all of it) for words of its own."""
    found: dict[int, dict[int, tuple[int, int] | None]] = {}
    for body in extractions.values():
        for item in body.get("entries", ()):
            if item["seq"] not in seqs:
                continue
            span = (item["span"][0], item["span"][1]) if "span" in item else None
            for number in item.get("events", [item.get("event")]):
                found.setdefault(body["events"][number], {})[item["seq"]] = span
    return found


def _worded(seqs: AbstractSet[int], log: Log) -> dict[int, dict[int, tuple[int, int] | None]]:
    """Give, by event, the entries that plans worded anew: each came from all of its events."""
    found: dict[int, dict[int, tuple[int, int] | None]] = {}
    for seq in sorted(seqs):
        rows = log.connection.execute(
            "SELECT event FROM entry_event JOIN entry USING (seq) JOIN record USING (position) "
            "WHERE seq = ? AND kind = 'plan'",
            (seq,),
        )
        for row in rows:
            found.setdefault(row[0], {})[seq] = None
    return found


def _tokens(seqs: AbstractSet[int], log: Log) -> dict[int, int]:
    """Give how many tokens entries have: a replay counts them until it reaches the forget record."""
    return {
        seq: log.connection.execute("SELECT tokens FROM entry WHERE seq = ?", (seq,)).fetchone()[0]
        for seq in sorted(seqs)
    }


def _heights(seqs: AbstractSet[int], log: Log) -> dict[str, int]:
    """Give over how many lines entries are printed, where it is more than one: a replay prints as many."""
    found: dict[str, int] = {}
    for seq in sorted(seqs):
        row = log.connection.execute("SELECT text FROM entry WHERE seq = ?", (seq,)).fetchone()
        lines = escape(row[0]).count("\n") + 1
        if lines > 1:
            found[str(seq)] = lines
    return found


def _upkeep(seqs: AbstractSet[int], log: Log) -> Iterator[tuple[int, Any]]:
    """Give the plans, retractions and earlier forget records that may name some entries."""
    pattern = mentions(seqs)
    rows = log.connection.execute(
        "SELECT position, body FROM record JOIN payload USING (position) "
        "WHERE kind NOT IN ('event', 'extraction') ORDER BY position"
    )
    for position, body in rows:
        if pattern.search(body):
            yield position, json.loads(body)


def erasure(
    chosen: Chosen, commitments: Mapping[int, str | None], home: Home, index: FtsIndex
) -> Erasure:
    """Say what the views are to become: names and summaries are made of what is left, by rules."""
    plain = Erasure(
        events=chosen.events,
        seqs=chosen.seqs,
        records=commitments,
        entries=tuple(_rewritten(chosen, home)),
    )
    gone = {*chosen.seqs, *chosen.shared}
    home.view.forget_prints()
    try:
        lost = _documents(chosen, home)
        blocks = _blocks(chosen, home)
        with home.log.trial():
            erase(home.log.connection, plain, home.log.position() + 1)
            documents = _renamed(gone, lost, home, index)
            headed = tuple(_reheaded(blocks, home))
    finally:
        home.view.forget_prints()
    return Erasure(
        events=plain.events,
        seqs=plain.seqs,
        records=plain.records,
        documents=documents,
        blocks=headed,
        entries=plain.entries,
    )


def _rewritten(chosen: Chosen, home: Home) -> Iterator[Rewritten]:
    """Say the shared entries anew: word for word what is left of their events says, up to a limit."""
    for seq in chosen.shared:
        left = [at for at in events_of(seq, home.log) if at not in chosen.events]
        contents = [_body(home.log, position).get("content", "") for position in left]
        start, end = cut("\n".join(contents), home.settings.entry_tokens, count)[0]
        text = "\n".join(contents)[start:end]
        yield Rewritten(seq=seq, text=Text(text=text, made_from=(seq,)), tokens=count(text))


def _documents(chosen: Chosen, home: Home) -> set[str]:
    places = home.view.places([*chosen.seqs, *chosen.shared])
    return {place.topic for place in places.values() if place.topic is not None}


def _blocks(chosen: Chosen, home: Home) -> dict[int, str]:
    places = home.view.places([*chosen.seqs, *chosen.shared])
    return {
        place.block: place.topic
        for place in places.values()
        if place.block is not None and place.topic is not None
    }


def _renamed(
    seqs: AbstractSet[int], lost: AbstractSet[str], home: Home, index: FtsIndex
) -> tuple[Renamed, ...]:
    rows = home.log.connection.execute(
        "SELECT id, title_from, summary_from FROM document WHERE retired IS NULL ORDER BY number"
    ).fetchall()
    proposer = Proposer(home, index)
    found: list[Renamed] = []
    for name, title_from, summary_from in rows:
        fresh = bool(seqs & set(json.loads(title_from)))
        if fresh or name in lost or seqs & set(json.loads(summary_from)):
            title, summary = proposer.renamed(name, title=fresh)
            found.append(Renamed(document_id=name, title=title, summary=summary))
    return tuple(found)


def _reheaded(blocks: Mapping[int, str], home: Home) -> Iterator[Reheaded]:
    for block_id, document_id in sorted(blocks.items()):
        row = next(row for row in home.view.blocks(document_id) if row.block_id == block_id)
        entries = home.view.entries(row.seqs)
        if row.seqs:
            heading = heading_of([entries[seq] for seq in row.seqs])
            yield Reheaded(block=block_id, headings=(heading,))
