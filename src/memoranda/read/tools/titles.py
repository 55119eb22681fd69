"""Titles and headings that a reader may not see, since they were made from lines that are forbidden."""

from __future__ import annotations

import json
from collections.abc import Iterable

from memoranda.read.lexical import Source


def hidden_titles(source: Source) -> frozenset[str]:
    """Give the documents whose title was made from a forbidden line; none where nothing is forbidden."""
    return _hidden("SELECT id, title_from FROM document WHERE retired IS NULL", source)


def hidden_blocks(source: Source) -> frozenset[int]:
    """Give the blocks whose headings were made from a forbidden line."""
    return frozenset(map(int, _hidden("SELECT id, headings_from FROM block", source)))


def made_of_seen(seqs: Iterable[int], source: Source) -> bool:
    """Say whether all of some entries stand in lines that the filters let through."""
    wanted = set(seqs)
    places = source.view.places(wanted)
    return all(
        seq in places and source.reach.admits(abs(places[seq].line)) for seq in sorted(wanted)
    )


def _hidden(sql: str, source: Source) -> frozenset[str]:
    if not source.reach.hides:
        return frozenset()
    rows = source.log.connection.execute(sql).fetchall()
    return frozenset(
        str(name) for name, made in rows if not made_of_seen(_flat(json.loads(made)), source)
    )


def _flat(made: Iterable[int | list[int]]) -> list[int]:
    """Give the numbers of a list, or of a list of lists."""
    return [seq for item in made for seq in (item if isinstance(item, list) else [item])]
