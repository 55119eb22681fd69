"""Events in which entries were recalled: what is forgotten goes from these too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from memoranda.store.erasure import HOLE
from memoranda.store.log import Log
from memoranda.text.fences import NOTE, echoes
from memoranda.text.sentences import Span
from memoranda.text.visible import show

_SHORTEST = 8
"""Characters of a piece by which a text is known again, as when a scan looks for it."""
_WINDOW = 12
_CITED = re.compile(r"^\s*\[([\d,]+)\]", re.MULTILINE)


def recalling(seqs: AbstractSet[int], log: Log) -> tuple[int, ...]:
    """Give the positions of the events in which one of some entries was recalled, ascending."""
    texts = texts_of(seqs, log)
    rows = log.connection.execute(
        "SELECT position, body FROM record JOIN payload USING (position) WHERE kind = 'event' "
        "AND (instr(body, '<memory-') OR instr(body, '<<<DATA ')) ORDER BY position"
    )
    return tuple(
        position for position, body in rows if any(_holding(_content(json.loads(body)), texts))
    )


def recalled_in(body: Mapping[str, Any], texts: Mapping[int, str]) -> tuple[Span, ...]:
    """Give the places of an event's content where one of some entries was recalled.

    Args:
        body: the event.
        texts: entry -> its text, from `texts_of`.
    """
    content = _content(body)
    return tuple(_holding(content, texts)) if echoes(content) else ()


def without_forgotten(content: str, log: Log) -> str:
    """Give a text that is about to be stored without what it recalls of forgotten entries.

    The fences stay, so that it is still known as recalled; all between them becomes holes.
    """
    for start, end in echoes(content):
        block = content[start:end]
        cited = {int(n) for found in _CITED.findall(block) for n in found.split(",") if n}
        row = log.connection.execute(
            "SELECT 1 FROM entry WHERE erased IS NOT NULL "
            "AND seq IN (SELECT value FROM json_each(?)) LIMIT 1",
            (json.dumps(sorted(n for n in cited if n < 1 << 63)),),
        ).fetchone()
        if row is not None:
            opening, *inner, closing = block.split("\n")
            inner = [line if line.strip() == NOTE else HOLE * len(line) for line in inner]
            content = content[:start] + "\n".join((opening, *inner, closing)) + content[end:]
    return content


def _content(body: Any) -> str:  # noqa: ANN401 - parsed JSON
    return body["content"] or ""


def texts_of(seqs: AbstractSet[int], log: Log) -> dict[int, str]:
    """Give the texts of entries as recall shows them, without those that were forgotten."""
    rows = log.connection.execute(
        "SELECT seq, text FROM entry WHERE erased IS NULL "
        "AND seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
        (json.dumps(sorted(seqs)),),
    )
    return {row[0]: show(row[1]) for row in rows}


def _holding(content: str, texts: Mapping[int, str]) -> Iterator[Span]:
    for start, end in echoes(content):
        block = content[start:end]
        cited = {int(n) for found in _CITED.findall(block) for n in found.split(",") if n}
        if any(_says(block, text, cited=seq in cited) for seq, text in texts.items()):
            yield (start, end)


def _says(block: str, text: str, *, cited: bool) -> bool:
    """Say whether a line of a text stands in a block; of one that is cited, any piece will do."""
    lines: Sequence[str] = [line.strip() for line in text.split("\n")]
    if any(len(line) >= _SHORTEST and line in block for line in lines):
        return True
    if not cited:
        return False
    short = len(text) < _WINDOW and text.strip() in block
    starts = range(0, max(0, len(text) - _WINDOW + 1), _WINDOW // 2)
    return short or any(text[at : at + _WINDOW] in block for at in starts)
