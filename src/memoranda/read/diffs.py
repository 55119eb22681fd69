"""What changed in a document between two of its versions, made again from the log (R188, R190)."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.errors import InputError, NotFoundError
from memoranda.inspections import DocumentDiff
from memoranda.store.home import Home
from memoranda.store.past import past

NOW = 1 << 62


@dataclass(frozen=True, slots=True)
class Span:
    """Two log positions, as they were asked for; None stands for what was not said."""

    older: int | None
    newer: int | None


def span(text: str | None) -> Span:
    """Read `A..B`, `A..`, `..B` or `B`; nothing stands for the last change.

    Raises:
        InputError: it is none of these.
    """
    if text is None or text.strip() in {"", ".."}:
        return Span(None, None)
    older, dots, newer = text.strip().partition("..")
    if not dots:
        older, newer = "", older
    try:
        found = Span(_number(older), _number(newer))
    except ValueError as error:
        raise InputError(
            f"{text!r} names no versions; give log positions as A..B, A.., ..B or B"
        ) from error
    if dots and found.newer is None:
        found = Span(found.older, NOW)
    if found.older is not None and found.newer is not None and found.older > found.newer:
        raise InputError(f"{text!r}: the older version comes first")
    return found


def _number(text: str) -> int | None:
    if not text.strip():
        return None
    if not (text.isascii() and text.strip().isdecimal()):
        raise ValueError(text)
    return min(int(text), NOW)


def diff(document_id: str, wanted: Span, home: Home) -> DocumentDiff:
    """Give a document before and after.

    Args:
        document_id: the document; a retired one had versions too.
        wanted: the positions. A version holds until the next one, so any position names one.
        home: the scope.

    Raises:
        NotFoundError: there was no such document at the newer position.
        DamagedError: a record that is needed can't be read.
    """
    newest = NOW if wanted.newer is None else wanted.newer
    before, after = (0, ""), (0, "")
    versions: list[int] = []
    title = ""
    with past(home) as tables:
        for record in tables.onward():
            version = tables.version(document_id)
            if version == (versions[-1] if versions else 0):
                continue
            versions.append(version)
            if record.position > newest:
                continue
            text = tables.printed(document_id)
            before = after if wanted.older is None else before
            after = (version, text)
            if wanted.older is not None and record.position <= wanted.older:
                before = after
            title = _title(text) or title
    if not after[0]:
        raise NotFoundError("version", f"{document_id} at {newest}", tuple(map(str, versions[:3])))
    return DocumentDiff(
        document_id=document_id,
        title=title,
        older=before[0],
        newer=after[0],
        before=before[1],
        after=after[1],
        versions=tuple(versions),
    )


def _title(text: str) -> str:
    return next((line[2:] for line in text.split("\n") if line.startswith("# ")), "")
