"""Figures of what maintenance does to what was said: source retention and maintenance drift."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memoranda.measures import Metric
from memoranda.metrics.state import State, share
from memoranda.store.documents import parse_current, parse_document, print_current
from memoranda.store.entries import Line
from memoranda.text.guard import Said, check

_MARKED = 20
"""So many faults are named."""


def retention(state: State) -> Metric:
    """Measure whether source, time and seq are kept (R251).

    The documents and CURRENT are printed and read again; each line, replaced ones included, is
    compared with the log: its numbers exist and are all its own, its events exist, and its source
    and time are those of an event that it was made from.
    """
    printed = list(_printed(state))
    events = _events(state)
    stands = _standing(state)
    wrong = sorted(line.seqs[0] for line in printed if not _kept(line, events, stands))
    wrong += sorted(set(stands) - {line.seqs[0] for line in printed})
    return Metric(
        name="retention",
        value=share(len(printed) - len(wrong), len(printed)),
        unit="share",
        better="higher",
        counted=len(printed),
        text=f"of {len(printed)} printed lines {len(printed) - len(wrong)} bear the numbers, source "
        "and time that the log has",
        details={"wrong": wrong[:_MARKED]},
    )


def _printed(state: State) -> Iterator[Line]:
    """Print what stands, and read it back as anybody would."""
    texts = [state.view.printed(name).text for name in state.view.ids()]
    blocks = [block for text in texts for block in parse_document(text).blocks]
    blocks += parse_current(print_current(state.view.current_blocks()).text)
    for block in blocks:
        for line in block.lines:
            yield line
            yield from line.under


def _standing(state: State) -> dict[int, tuple[int, ...]]:
    """Give the lines that stand, each with the numbers of all its entries."""
    rows = state.rows(
        "SELECT head.seq, group_concat(own.seq) FROM entry AS head JOIN entry AS own "
        "ON own.line = head.seq WHERE head.line = head.seq AND head.erased IS NULL "
        "AND head.document_id IS NOT 'LOG' GROUP BY head.seq"
    )
    return {row[0]: tuple(sorted(map(int, row[1].split(",")))) for row in rows}


def _events(state: State) -> dict[int, list[Mapping[str, Any]]]:
    """Give the events that the entries of each line were made from."""
    rows = state.rows(
        "SELECT DISTINCT entry.line, event FROM entry JOIN entry_event USING (seq) "
        "WHERE entry.line > 0 AND erased IS NULL ORDER BY 1, 2"
    )
    bodies = state.bodies(row[1] for row in rows)
    found: dict[int, list[Mapping[str, Any]]] = {}
    for line, event in rows:
        if event in bodies:
            found.setdefault(line, []).append(bodies[event])
    return found


def _kept(
    line: Line,
    events: Mapping[int, list[Mapping[str, Any]]],
    stands: Mapping[int, tuple[int, ...]],
) -> bool:
    if stands.get(line.seqs[0]) != line.seqs:
        return False
    said = events.get(line.seqs[0], [])
    sources = {body["source"] for body in said}
    times = {body["time"] for body in said}
    return line.source in sources and (line.time in times or line.time is None)


def drift(state: State) -> Metric:
    """Measure whether facts drift over repeated rewrites (R254).

    Each line that stands is compared with the raw events it was made from, as the log has them: one
    that is word for word in an event has not drifted; one that a model worded has when the wording
    guard, asked anew, misses a number, name, negation or hedge, or finds one that no event has. By
    rules nothing is ever worded, so it is 0. `Memory.remaintain` compares whole libraries.
    """
    lines = state.lines()
    events = _events(state)
    worded: list[int] = []
    gone: list[int] = []
    for line in lines:
        said = events.get(line["seq"], [])
        if any(line["text"] in body["content"] for body in said):
            continue
        worded.append(line["seq"])
        if not _follows(line, said):
            gone.append(line["seq"])
    return Metric(
        name="drift",
        value=share(len(gone), len(lines)),
        unit="share",
        better="lower",
        counted=len(lines),
        text=f"of {len(lines)} lines {len(lines) - len(worded)} stand word for word, {len(worded)} "
        f"were worded anew, and {len(gone)} of these do not follow from what was said",
        details={"worded": len(worded), "drifted": gone[:_MARKED]},
    )


def _follows(line: Any, said: list[Mapping[str, Any]]) -> bool:  # noqa: ANN401 - a row
    flat = " ".join(line["text"].casefold().split())
    if any(flat in " ".join(body["content"].casefold().split()) for body in said):
        return True  # a duplicate, or an entry cut at a sentence's end
    sources = [
        Said(body["content"], body["source"], body["speaker"], body["time"]) for body in said
    ]
    context = [body["speaker"] for body in said if body["speaker"]]
    kind: Any = "merged" if len(sources) > 1 else "fact"
    verdicts = [check(line["text"], sources, context=context, kind=kind)]
    verdicts += [check(line["text"], sources, context=context)]
    return any(verdict.ok for verdict in verdicts)
