"""Relative dates: the model names the phrase, code computes the day and writes it beside it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from memoranda.text.analyse import mostly_cjk
from memoranda.text.dates import Span, spans
from memoranda.values import NewEvent


def dated(text: str, phrase: str, events: Iterable[NewEvent]) -> str:
    """Write the day, month or year of a phrase behind it, or at the end of the text.

    The phrase must stand in an event whose time is known and mean one span of days there; else the
    text is given back as it is.
    """
    wanted = " ".join(phrase.split())
    found = {
        span
        for event in events
        if wanted and wanted.casefold() in event.content.casefold()
        for span in spans(wanted, event.time)
    }
    if len(found) != 1:
        return text
    cjk = mostly_cjk(text)
    when = _shown(found.pop(), "至" if cjk else " to ")
    if when in text:
        return text
    note = f"（{when}）" if cjk else f" ({when})"
    at = text.casefold().find(wanted.casefold())
    if at < 0:
        end = text.rstrip(".!?。！？ ")
        return f"{end}{note}{text[len(end) :].rstrip()}"
    return f"{text[: at + len(wanted)]}{note}{text[at + len(wanted) :]}"


def _shown(span: Span, to: str) -> str:
    first, last = span.first, span.last
    if first == last:
        return first.isoformat()
    after = last + timedelta(days=1)
    if first.day == 1 and after.day == 1:
        if (first.year, first.month) == (last.year, last.month):
            return first.isoformat()[:7]
        if first.month == 1 and after.month == 1 and first.year == last.year:
            return str(first.year)
    return f"{first.isoformat()}{to}{last.isoformat()}"
