"""What is about to go says, while it can be read: copies of it are looked for by these texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memoranda.store.home import Home
from memoranda.store.index import Unit, unit_text
from memoranda.text.fences import is_echo
from memoranda.text.pieces import Kept
from memoranda.write import traces
from memoranda.write.choose import Chosen, entries_by_event


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the chosen events said, for as long as the call lasts: to find copies of it."""

    units: tuple[Unit, ...]
    texts: tuple[str, ...]
    stays: Kept
    position: int
    """The log's position when `stays` was made: others may say the same again since."""


def said_by(chosen: Chosen, home: Home, left: Mapping[int, Any]) -> Said:
    """Collect what the chosen events and entries say.

    Args:
        chosen: what goes.
        home: the scope, before anything is erased.
        left: position -> what is left of each record that holds something of it.
    """
    position = home.log.position()
    units, texts = _of_entries(chosen, home)
    more, payloads = _of_events(chosen, home)
    words = traces.sampled([*texts, *payloads, *_keys(chosen, home)])
    stays = traces.kept(home, words, left, left)
    return Said(units=(*units, *more), texts=words, stays=stays, position=position)


def _of_entries(chosen: Chosen, home: Home) -> tuple[list[Unit], list[str]]:
    lines = home.log.connection.execute(
        "SELECT seq, coalesce(own, text), speaker, project, text "
        "FROM entry LEFT JOIN joined ON joined.line = seq "
        "WHERE seq IN (SELECT value FROM json_each(?)) AND erased IS NULL ORDER BY seq",
        (json.dumps([*chosen.seqs, *chosen.shared]),),
    ).fetchall()
    units = [Unit(row[0], unit_text(row[1], row[2]), row[3]) for row in lines]
    return units, [text for row in lines for text in (row[1], row[4])]


def _of_events(chosen: Chosen, home: Home) -> tuple[list[Unit], list[str]]:
    units: list[Unit] = []
    texts: list[str] = []
    whole, cited = chosen.whole(home.log), entries_by_event(chosen.events, home.log)
    for position in chosen.events:
        record = home.log.record(position) if position in whole else None
        if record is None or record.body is None:
            continue
        if not is_echo(record.body["content"]):  # of one, only what the entries say goes
            texts += traces.payload(record.body)
        if not cited.get(position):
            text = unit_text(record.body["content"], record.body["speaker"])
            units.append(Unit(-position, text, record.body["project"]))
    return units, texts


def _keys(chosen: Chosen, home: Home) -> list[str]:
    """Give the parts of keys; ` / ` stands between parts of others too."""
    found = home.view.keys_of([*chosen.seqs, *chosen.shared]).values()
    return [part for keys in found for key in keys for part in key.split(" / ")]
