"""What is left of the log's records, and of the documents' names, without some entries."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
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
from memoranda.write.recalled import recalled_in, texts_of


def events(chosen: Chosen, log: Log) -> dict[int, Mapping[str, Any]]:
    """Give, by position, what is left of the chosen events: their signature, or holes in a text."""
    seqs = set(chosen.seqs)
    whole = chosen.whole(log)
    spans = _spans(_making({*chosen.seqs, *chosen.shared}, log), seqs)
    for event, worded in _worded(seqs, log).items():
        spans[event] = spans.get(event, {}) | worded
    tokens, heights = _tokens(seqs, log), _heights(seqs, log)
    found: dict[int, Mapping[str, Any]] = {}
    for position in chosen.events:
        body = _body(log, position)
        everything = (0, len(body.get("content", "")))
        own = {seq: span or everything for seq, span in spans.get(position, {}).items()}
        lost = {seq: tokens.get(seq, 0) for seq in own}
        left = event_gone(body, lost) if position in whole else event_without(body, own, lost)
        lines = {str(seq): heights[seq] for seq in own if seq in heights}
        lines = {**(body.get("lines") or {}), **lines}
        found[position] = {**left, "lines": lines} if lines else left
    return found


def recalls(
    chosen: Chosen, log: Log, left: Mapping[int, Mapping[str, Any]]
) -> dict[int, Mapping[str, Any]]:
    """Give what is left of the chosen events without what was recalled in them of what goes.

    Args:
        chosen: what goes.
        log: the log.
        left: what is left of these events otherwise; holes keep every place.
    """
    texts = texts_of({*chosen.seqs, *chosen.shared}, log)
    found: dict[int, Mapping[str, Any]] = {}
    for position in chosen.events:
        body = _body(log, position)
        spans = {-at: (at, end) for at, end in recalled_in(body, texts)}
        rest = left.get(position, body)
        if spans and rest["content"]:
            found[position] = event_without(rest, spans, {})
    return found


def calls(log: Log) -> dict[int, Mapping[str, Any]]:
    """Give what is left of the calls to models that keep a text: nobody knows what it was made of."""
    return {
        position: {**body, "prompt": None, "reply": None}
        for position, body in with_text(log.connection).items()
    }


def extractions(chosen: Chosen, log: Log) -> dict[int, Mapping[str, Any]]:
    """Give what is left of the records that made the chosen entries."""
    gone = {*chosen.seqs, *chosen.shared}
    return _changed(_making(gone, log).items(), gone, log)


def plans(chosen: Chosen, log: Log) -> dict[int, Mapping[str, Any]]:
    """Give what is left of plans, decisions, retractions and the like that hold a text of what goes."""
    gone = {*chosen.seqs, *chosen.shared}
    return _changed(_upkeep(gone, log), gone, log)


def _changed(
    bodies: Iterable[tuple[int, Mapping[str, Any]]], gone: AbstractSet[int], log: Log
) -> dict[int, Mapping[str, Any]]:
    found: dict[int, Mapping[str, Any]] = {}
    for position, body in bodies:
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


def _making(seqs: AbstractSet[int], log: Log) -> dict[int, Mapping[str, Any]]:
    """Give the records that made entries, by position."""
    rows = log.connection.execute(
        "SELECT DISTINCT position FROM entry WHERE seq IN (SELECT value FROM json_each(?)) "
        "ORDER BY position",
        (_listed(seqs),),
    ).fetchall()
    return {row[0]: _body(log, row[0]) for row in rows}


def _listed(seqs: AbstractSet[int]) -> str:
    return json.dumps(sorted(seqs))


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
    rows = log.connection.execute(
        "SELECT event, seq FROM entry_event JOIN entry USING (seq) JOIN record USING (position) "
        "WHERE kind = 'plan' AND seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
        (_listed(seqs),),
    )
    for event, seq in rows:
        found.setdefault(event, {})[seq] = None
    return found


def _tokens(seqs: AbstractSet[int], log: Log) -> dict[int, int]:
    """Give how many tokens entries have: a replay counts them until it reaches the forget record."""
    rows = log.connection.execute(
        "SELECT seq, tokens FROM entry WHERE seq IN (SELECT value FROM json_each(?))",
        (_listed(seqs),),
    )
    return {row[0]: row[1] for row in rows}


def _heights(seqs: AbstractSet[int], log: Log) -> dict[int, int]:
    """Give over how many lines entries are printed, where it is more than one: a replay prints as many."""
    rows = log.connection.execute(
        "SELECT seq, text FROM entry WHERE seq IN (SELECT value FROM json_each(?))",
        (_listed(seqs),),
    )
    heights = {row[0]: escape(row[1]).count("\n") + 1 for row in rows}
    return {seq: lines for seq, lines in heights.items() if lines > 1}


def _upkeep(seqs: AbstractSet[int], log: Log) -> Iterator[tuple[int, Any]]:
    """Give the plans, retractions and earlier forget records that may name some entries."""
    named = mentions(seqs)
    rows = log.connection.execute(
        "SELECT position, body FROM record JOIN payload USING (position) "
        "WHERE kind NOT IN ('event', 'extraction') ORDER BY position"
    )
    for position, body in rows:
        if named(body):
            yield position, json.loads(body)


def erasure(
    chosen: Chosen,
    commitments: Mapping[int, str | None],
    home: Home,
    index: FtsIndex,
    *,
    names: bool = True,
) -> Erasure:
    """Say what the views are to become: names and summaries are made of what is left, by rules.

    Args:
        chosen: what goes.
        commitments: position of each record that is redacted -> what vouches for the rest of it.
        home: the scope.
        index: its index, for summaries.
        names: make titles, summaries and headings anew.
    """
    plain = Erasure(
        events=chosen.events,
        seqs=chosen.seqs,
        records=commitments,
        entries=tuple(_rewritten(chosen, home)),
    )
    if not names:
        return plain
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
    found = {
        place.block: place.topic
        for place in places.values()
        if place.block is not None and place.topic is not None
    }
    return found | _cited_elsewhere({*chosen.seqs, *chosen.shared}, home)


def _cited_elsewhere(gone: AbstractSet[int], home: Home) -> dict[int, str]:
    """Give the blocks that lines have left by hand, and whose headings still tell of them."""
    rows = home.log.connection.execute(
        "SELECT DISTINCT block.id, block.document_id FROM block, json_each(headings_from) AS path, "
        "json_each(path.value) AS cited JOIN document ON document.id = block.document_id "
        "WHERE document.retired IS NULL AND cited.value IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(gone)),),
    )
    return {row[0]: row[1] for row in rows}


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
