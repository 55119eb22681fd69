"""Asked to forget: a request finds its targets among the speaker's own entries, and waits, or runs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memoranda.store import requests
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.log import Record
from memoranda.store.query import understand
from memoranda.store.requests import Asked, Found
from memoranda.text.asks import asks
from memoranda.write.intake import BY

NEAR = 200
"""Entries that are looked at for the words of a request."""
SHOWN = 20
"""The most entries that an unclear request lists."""
HALF = 0.5
_WHOLE = frozenset({"about", "all"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a request names, as far as it was found."""

    found: Found
    seqs: tuple[int, ...]


class Heeder:
    """Finds what requests name, and records them.

    What only a model understood is never clear: it is kept from nobody, and runs only when a person
    names the entries. A model that obeys what it reads can so make work, and nothing else.
    """

    def __init__(self, home: Home) -> None:
        self._home = home

    def heed(self) -> tuple[Asked, ...]:
        """Look for the targets of the requests that were noted; each becomes a record that waits."""
        log = self._home.log
        noted = requests.unheard(log)
        if not noted:
            return ()
        targets = self._home.reading(lambda index: [self._target(item, index) for item in noted])
        before = log.position()
        with log.transaction():
            left = requests.unheard(log)
            for item, target in zip(noted, targets, strict=True):
                if item in left:
                    left.remove(item)
                    self._home.fold.apply(self._record(item, target))
            log.set_meta(
                requests.UNHEARD, json.dumps(left, ensure_ascii=False).encode() if left else b""
            )
        return tuple(item for item in requests.requests(log) if item.position > before)

    def _record(self, item: Mapping[str, Any], target: Target) -> Record:
        body = {
            "event": item["event"],
            "seq": item["seq"],
            "found": "unclear" if target.seqs and item["by"] != BY else target.found,
            "targets": list(target.seqs),
            "by": item["by"],
        }
        return self._home.log.append(requests.ASK, body)

    def answer(self, asked: Asked, state: str, by: str | None, forget_id: str = "") -> Record:
        """Record what became of a request."""
        body = {"ask": asked.request_id, "state": state, "by": by, "forget": forget_id}
        with self._home.log.transaction():
            record = self._home.log.append(requests.ANSWER, body)
            self._home.fold.apply(record)
        return record

    # --- targets --------------------------------------------------------------------------------

    def _target(self, item: Mapping[str, Any], index: FtsIndex) -> Target:
        record = self._home.log.record(item["event"])
        if record is None or record.body is None:
            return Target(found="nothing", seqs=())
        if item["reach"] == "last":
            return self._last(record, item["seq"])
        what = item.get("what") or self._words(item["seq"])
        if item["reach"] == "all":
            return Target(found="unclear", seqs=tuple(self._own(record, item["seq"])[-SHOWN:]))
        return self._named(what, item, record, index)

    def _words(self, seq: int) -> str:
        """Read off the sentence of a request what it names."""
        entry = self._home.view.entries([seq]).get(seq)
        found = asks(entry.text) if entry is not None else ()
        return found[0].what if found else ""

    def _own(self, record: Record, before: int) -> list[int]:
        """Give the lines of the same speaker and project that were said before, oldest first."""
        body = record.body or {}
        rows = self._home.log.connection.execute(
            "SELECT seq FROM entry WHERE line = seq AND erased IS NULL AND source = 'user' "
            "AND seq < ?1 AND speaker IS ?2 AND (project IS NULL OR project IS ?3) ORDER BY seq",
            (before, body.get("speaker"), body.get("project")),
        )
        return [row[0] for row in rows]

    def _last(self, record: Record, seq: int) -> Target:
        """Give what the speaker said last before it, in the same message or conversation."""
        body = record.body or {}
        before = self._home.log.connection.execute(
            "SELECT max(seq) FROM entry JOIN entry_event USING (seq) "
            "WHERE event = ? AND seq < ? AND erased IS NULL",
            (record.position, seq),
        ).fetchone()[0]
        if before is not None:  # `My code is 4711. Please forget that.`
            return Target(found="clear", seqs=(before,))
        row = self._home.log.connection.execute(
            "SELECT seq, session FROM entry WHERE line = seq AND erased IS NULL AND source = 'user' "
            "AND seq < ?1 AND speaker IS ?2 AND (project IS NULL OR project IS ?3) "
            "ORDER BY seq DESC LIMIT 1",
            (seq, body.get("speaker"), body.get("project")),
        ).fetchone()
        if row is None:
            return Target(found="nothing", seqs=())
        same = body.get("session") is not None and row[1] == body.get("session")
        return Target(found="clear" if same else "unclear", seqs=(row[0],))

    def _named(self, what: str, item: Mapping[str, Any], record: Record, index: FtsIndex) -> Target:
        """Find the speaker's entries that hold every word of what is named, else most of them."""
        wanted = telling(what)
        if not wanted:
            return Target(found="nothing", seqs=())
        own = set(self._own(record, item["seq"]))
        lines = self._near(what, own, index)
        shares = {seq: len(wanted & telling(text)) / len(wanted) for seq, text in lines.items()}
        whole = tuple(sorted(seq for seq, share in shares.items() if share == 1))
        if whole:
            one = item["reach"] in _WHOLE or self._is_one(whole)
            return Target(found="clear" if one else "unclear", seqs=whole)
        best = sorted(
            (seq for seq, share in shares.items() if share >= HALF), key=lambda s: (-shares[s], s)
        )
        return Target(found="unclear" if best else "nothing", seqs=tuple(sorted(best[:SHOWN])))

    def _near(self, what: str, own: set[int], index: FtsIndex) -> dict[int, str]:
        hits = index.search(
            understand(plain(what)), limit=NEAR, projects=None, units=frozenset(own)
        )
        entries = self._home.view.entries([hit.unit for hit in hits if hit.unit in own])
        return {seq: entry.text for seq, entry in entries.items()}

    def _is_one(self, seqs: tuple[int, ...]) -> bool:
        """Say whether entries are versions of one state: replaced by one line, or told of one key."""
        if len({self._head(seq) for seq in seqs}) == 1:
            return True
        keys = self._home.view.keys_of(list(seqs))
        shared = frozenset.intersection(*(frozenset(keys.get(seq, ())) for seq in seqs))
        return bool(shared)

    def _head(self, seq: int) -> int:
        """Give the line that holds now in place of an entry."""
        row = self._home.log.connection.execute(
            "SELECT coalesce(final, seq) FROM entry WHERE seq = ?", (seq,)
        ).fetchone()
        return seq if row is None else int(row[0])


_POINTING = re.compile(
    r"\b(?:i|you|he|she|we|they|it|that|what|who|where|when|how)['’](?:m|s|ve|re|d|ll)\b|['’]s\b"
    r"|哪里|哪儿|什么|多少|为什么|怎么|几点|谁|在哪",
    re.IGNORECASE,
)
"""What points to a matter without naming it."""


def plain(text: str) -> str:
    """Leave out of a text what points and does not name."""
    return _POINTING.sub(" ", text)


def telling(text: str) -> frozenset[str]:
    """Give the terms of a text that name something."""
    return frozenset(understand(plain(text)).terms)
