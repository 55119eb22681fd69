"""From a selector to what it names: the events and entries that fit every part of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from memoranda.errors import NothingSelectedError
from memoranda.selections import Selector
from memoranda.store.log import Log, Record
from memoranda.text.analyse import fold
from memoranda.text.days import period
from memoranda.text.fences import echoes
from memoranda.text.times import instant
from memoranda.values import CURRENT
from memoranda.write.choose import (
    Allows,
    Chosen,
    by_event,
    by_external_id,
    by_line,
    by_positions,
    entries_by_event,
    events_by_entry,
    typed,
)
from memoranda.write.recalled import recalling

_LINES = ("entry", "seq", "document", "query")
"""Parts that name entries; the others are about events."""
_ABOUT = ("source", "speaker", "project", "session", "since", "until")
"""Parts that tell of whom, where and when."""
_COLUMNS = "source, speaker, project, session, coalesce(time, recorded)"


def choose(
    selector: Selector, log: Log, allows: Allows, *, document_id: str | None = None, upto: int = 0
) -> Chosen:
    """Choose what fits every part of a selector.

    Args:
        selector: what is asked for.
        log: the log.
        allows: says whether a project is within reach.
        document_id: of `selector.document`: its id, or CURRENT.
        upto: a log position: nothing that came after it; 0 for no limit.

    Raises:
        NothingSelectedError: nothing fits.
        NotFoundError, ForgottenError: the one event that is named is not there, or was forgotten.
        TimeError: since or until can't be read.
    """
    given = set(selector.given())
    if given == {"event"}:
        return by_event(str(selector.event), log, allows)
    if given == {"external_id"}:
        return by_external_id(str(selector.external_id), log, allows)
    work = _Choice(selector, log, allows, document_id, upto or (1 << 62))
    chosen = work.lines() if given & {*_LINES} else by_positions(work.events(), log)
    if not chosen.events and not chosen.seqs:
        raise NothingSelectedError(tuple(sorted(given)))
    return chosen


def together(one: Chosen, two: Chosen) -> Chosen:
    """Choose what either names."""
    seqs = {*one.seqs, *two.seqs}
    return Chosen(
        events=tuple(sorted({*one.events, *two.events})),
        seqs=tuple(sorted(seqs)),
        shared=tuple(sorted({*one.shared, *two.shared} - seqs)),
    )


@dataclass(frozen=True, slots=True)
class _Choice:
    """One selector at work."""

    selector: Selector
    log: Log
    allows: Allows
    document_id: str | None
    upto: int

    # --- events -------------------------------------------------------------------------------

    def events(self) -> tuple[int, ...]:
        """Give the positions of the events that fit and were not forgotten whole, ascending."""
        return tuple(row[0] for row in self._events("''"))

    def _events(self, content: str) -> Iterator[tuple[Any, ...]]:
        """Give (position, content) of events that fit."""
        named = self._named()
        rows = self.log.connection.execute(
            "SELECT position, json_extract(body, '$.source', '$.speaker', '$.project', "
            f"'$.session', '$.time'), recorded, {content} FROM record JOIN payload USING (position) "
            "WHERE kind = 'event' AND position <= ? AND json_valid(body) "
            "AND json_extract(body, '$.content') <> '' "
            "AND (? IS NULL OR position IN (SELECT value FROM json_each(?))) ORDER BY position",
            (self.upto, named, named),
        )
        fits = self._fits()
        for position, about, recorded, text in rows:
            source, speaker, project, session, time = json.loads(about)
            if self.allows(project) and fits(source, speaker, project, session, time or recorded):
                yield position, text

    def _named(self) -> str | None:
        """Give the positions that names allow, as JSON; None when no event is named."""
        found: set[int] | None = None
        if self.selector.event is not None:
            record = self.log.by_id(self.selector.event)
            found = set() if record is None else {record.position}
        if self.selector.external_id is not None:
            same = set(self.log.find("external_id", self.selector.external_id))
            found = same if found is None else found & same
        return None if found is None else json.dumps(sorted(found))

    def _fits(self) -> Any:  # noqa: ANN401 - a function of five values
        wanted = self.selector
        exact = [
            (number, getattr(wanted, name))
            for number, name in enumerate(("source", "speaker", "project", "session"))
            if getattr(wanted, name) is not None
        ]
        start = None if wanted.since is None else period(wanted.since).start
        end = None if wanted.until is None else period(wanted.until).end

        def fits(*about: Any) -> bool:  # noqa: ANN401
            if any(about[number] != value for number, value in exact):
                return False
            if start is None and end is None:
                return True
            at = instant(about[4])
            return (start is None or at >= start) and (end is None or at < end)

        return fits

    # --- entries ------------------------------------------------------------------------------

    def lines(self) -> Chosen:
        """Choose entries, and with a query the events whose content alone fits."""
        seqs = self._seqs()
        found = by_line(self._whole(seqs), self.log)
        if self.selector.query is None or self._by_number():
            return found
        events = self._by_content(found)
        return together(found, by_positions(events, self.log)) if events else found

    def _by_number(self) -> bool:
        given = self.selector.given()
        return bool({"entry", "seq", "document"} & {*given})

    def _seqs(self) -> set[int]:
        """Give the entries that fit."""
        wanted, (where, values) = self.selector, self._where()
        rows = self.log.connection.execute(
            f"SELECT seq, {_COLUMNS}, coalesce(own, text) FROM entry "
            "LEFT JOIN joined ON joined.line = entry.seq "
            f"WHERE erased IS NULL AND entry.line <> 0 AND position <= ? {where} ORDER BY seq",
            (self.upto, *values),
        )
        fits, query = self._fits(), fold(wanted.query or "")
        found = {
            row[0]
            for row in rows
            if self.allows(row[3]) and fits(*row[1:6]) and (not query or query in fold(row[6]))
        }
        named = self._named()
        if named is not None:
            events = set(json.loads(named))
            sources = events_by_entry(found, self.log)
            found = {seq for seq in found if events & set(sources.get(seq, ()))}
        return found | (self._joined(query, found) if query else set())

    def _joined(self, query: str, found: AbstractSet[int]) -> set[int]:
        """Give the entries of lines that hold the query in joint words which none of them holds alone."""
        if {*self.selector.given()} != {"query"}:
            return set()
        rows = self.log.connection.execute(
            "SELECT joined.line, text, project FROM joined JOIN entry ON seq = joined.line "
            "WHERE erased IS NULL AND position <= ?",
            (self.upto,),
        )
        lines = [row[0] for row in rows if self.allows(row[2]) and query in fold(row[1])]
        more: set[int] = set()
        for line in lines:
            own = {
                row[0]
                for row in self.log.connection.execute(
                    "SELECT seq FROM entry WHERE line = ?", (line,)
                )
            }
            more |= set() if own & found else own
        return more

    def _where(self) -> tuple[str, tuple[Any, ...]]:
        """Say in SQL which numbers and documents fit."""
        parts: list[str] = []
        values: list[str | int] = []
        if self.selector.entry is not None:
            parts.append("entry.line = (SELECT line FROM entry WHERE seq = ?)")
            values.append(self.selector.entry)
        if self.selector.seq:
            runs = self.selector.runs()
            parts.append("(" + " OR ".join("seq BETWEEN ? AND ?" for _ in runs) + ")")
            values += [number for run in runs for number in run]
        if self.document_id == CURRENT:
            parts.append(
                "entry.line IN (SELECT seq FROM entry WHERE document_id IS NULL AND line = seq "
                "AND erased IS NULL)"
            )
        elif self.document_id is not None:
            parts.append("entry.line IN (SELECT seq FROM entry WHERE document_id = ?)")
            values.append(self.document_id)
        return "".join(f" AND {part}" for part in parts), tuple(values)

    def _whole(self, seqs: set[int]) -> set[int]:
        """Add those that say the same in one line, unless other parts tell them apart.

        Of a line that was joined from different words, a query takes only what holds it.
        """
        given = {*self.selector.given()}
        if given & {*_ABOUT, "event", "external_id"}:
            return seqs
        apart = "AND line NOT IN (SELECT line FROM joined)" if "query" in given else ""
        rows = self.log.connection.execute(
            "SELECT seq FROM entry WHERE erased IS NULL AND line <> 0 AND line IN "
            f"(SELECT line FROM entry WHERE seq IN (SELECT value FROM json_each(?))) {apart}",
            (json.dumps(sorted(seqs)),),
        )
        return seqs | {row[0] for row in rows}

    # --- what no entry holds ------------------------------------------------------------------

    def _by_content(self, found: Chosen) -> tuple[int, ...]:
        """Give the events that hold the query where no chosen entry stands: they go whole."""
        query = fold(self.selector.query or "")
        content = "json_extract(body, '$.content')"
        holding = [at for at, text in self._events(content) if query in fold(text)]
        chosen = {*found.seqs, *found.shared}
        sources = entries_by_event(holding, self.log)
        cited = {seq for seqs in sources.values() for seq in seqs} & chosen
        own = typed(cited, self.log)
        spans = _spans(cited - own, self.log)
        recalled = {*recalling(chosen, self.log)} if chosen else set()
        more = []
        for position in holding:
            seqs = sources.get(position, set()) & chosen
            record = self.log.record(position)
            if record is None or record.body is None or seqs & own:
                continue
            cuts = [spans[seq][position] for seq in seqs if position in spans.get(seq, {})]
            if position in recalled:
                cuts += echoes(record.body["content"])
            if query in fold(_without(record, cuts)):
                more.append(position)
        return tuple(more)


def _spans(seqs: AbstractSet[int], log: Log) -> dict[int, dict[int, tuple[int, int]]]:
    """Give, by entry and event, the part of the event's content that the entry is."""
    rows = log.connection.execute(
        "SELECT DISTINCT position FROM entry WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(seqs)),),
    ).fetchall()
    found: dict[int, dict[int, tuple[int, int]]] = {}
    for (position,) in rows:
        record = log.record(position)
        body: Mapping[str, Any] = {} if record is None else record.body or {}
        for item in body.get("entries", ()):
            if item["seq"] in seqs and "span" in item:
                for number in _numbers(item):
                    start, end = item["span"]
                    found.setdefault(item["seq"], {})[body["events"][number]] = (start, end)
    return found


def _numbers(item: Mapping[str, Any]) -> Iterable[int]:
    numbers: Iterable[int] = item.get("events", [item.get("event")])
    return numbers


def _without(record: Record, cuts: Sequence[tuple[int, int]]) -> str:
    """Give an event's content with some parts of it blank."""
    content: str = record.body["content"] if record.body is not None else ""
    for start, end in cuts:
        content = content[:start] + "\0" * (end - start) + content[end:]
    return content
