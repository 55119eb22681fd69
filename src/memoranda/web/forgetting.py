"""Forgetting for good: find it, look at what would go, confirm, and have a receipt that can be verified."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from memoranda.errors import InputError, NotFoundError
from memoranda.reports import Forgotten
from memoranda.selections import Selected, Selector
from memoranda.values import SOURCES
from memoranda.web.evidence import events_of
from memoranda.web.formats import content_terms
from memoranda.web.visit import Go, Page, Visit, address, whole_number

_HITS: Final = 30
_LINES: Final = 100
"""Lines of a preview that are shown; all are counted."""
TEXTS: Final = (
    "event", "external_id", "document", "source", "speaker", "project", "session", "since",
    "until", "query",
)  # fmt: skip
"""Parts of a selector that are texts; the others are `entry` and `seq`."""


def selector_of(visit: Visit) -> Selector | None:
    """Read what a form, or an address, selects; None when it selects nothing.

    Raises:
        InputError: a part can't be used.
    """
    named = TEXTS if visit.form else ("event",)  # an address holds numbers and ids, never words
    parts: dict[str, Any] = {name: visit.asked(name) for name in named if visit.asked(name)}
    if visit.asked("entry"):
        parts["entry"] = whole_number("entry", visit.asked("entry"))
    if ticked := ",".join(text.strip() for text in visit.all("seq") if text.strip()):
        parts["seq"] = ticked
    return Selector(**parts) if parts else None


def forget(visit: Visit) -> Page:
    """Find what is to be forgotten among the raw events, or show what a selection would take.

    Words to look for come by a form only: an address would stay in the browser's history.
    """
    selector = selector_of(visit)
    if selector is not None:
        return _preview(visit, selector)
    words = visit.asked("q") if visit.form else ""
    return Page(
        template="forget.html",
        values={
            "q": words,
            "found": visit.memory.events(words, limit=_HITS) if words else None,
            "terms": content_terms(words),
            "sources": SOURCES,
            "receipts": visit.memory.receipts(),
        },
    )


def _preview(visit: Visit, selector: Selector) -> Page:
    selected: Selected = visit.memory.selected(selector, limit=_LINES)
    return Page(
        template="forget_preview.html",
        values={
            "parts": selector.to_dict(),
            "looked": selected.preview,
            "entries": selected.entries,
            "more": selected.more,
            "events": events_of(visit.memory, selected.preview.events[:_LINES]),
        },
    )


def confirmed(visit: Visit) -> Go:
    """Forget exactly what a preview has shown, if the person said to be sure.

    Raises:
        InputError: nothing is selected, or it was not confirmed; nothing was forgotten.
        PreviewError: it is not what was shown; nothing was forgotten.
    """
    selector = selector_of(visit)
    if selector is None:
        raise InputError("nothing is named to be forgotten; look at it first")
    if visit.asked("sure") != "yes":
        raise InputError("say that you are sure: it can't be undone; nothing was forgotten")
    done = visit.memory.forget(selector, expect=visit.asked("expect"), by=visit.grant.name)
    return _told(visit, done)


def granted(visit: Visit) -> Go:
    """Forget what somebody asked to be forgotten."""
    if visit.asked("sure") != "yes":
        raise InputError("say that you are sure: it can't be undone; nothing was forgotten")
    named = tuple(whole_number("seq", text) for text in visit.all("seq"))
    request_id = visit.path["request_id"]
    done = visit.memory.grant(request_id, entries=named or None, by=visit.grant.name)
    return _told(visit, done)


def declined(visit: Visit) -> Go:
    """Refuse what somebody asked to be forgotten: it shows again."""
    request = visit.memory.decline(visit.path["request_id"], by=visit.grant.name)
    return Go(to=address("inbox"), note=("did.declined", request.request_id))


def _told(visit: Visit, done: Forgotten) -> Go:
    visit.session.keep(done)
    return Go(to=address("forget", "receipts", done.forget_id), note=("did.forgotten", ""))


def receipt(visit: Visit) -> Page:
    """Show a receipt of forgetting; verified again when that is asked for."""
    wanted = visit.path["forget_id"]
    kept: Mapping[str, Forgotten] = visit.session.receipts
    found = next((r for r in visit.memory.receipts() if r.forget_id == wanted), kept.get(wanted))
    if found is None:
        raise NotFoundError("receipt", wanted)
    verify = visit.asked("verify") == "yes"
    return Page(
        template="receipt.html",
        values={
            "receipt": found,
            "left": kept[wanted].left if wanted in kept else found.left,
            "verified": visit.memory.verify_forgotten(wanted) if verify else None,
        },
    )
