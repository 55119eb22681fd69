"""The addresses of the site: which page answers which, and what it asks of its caller."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from memoranda.gate.gate import Gate
from memoranda.web import (
    asking,
    document,
    forgetting,
    health,
    inbox,
    library,
    signing,
    timeline,
    trace,
)
from memoranda.web.answers import HEADERS
from memoranda.web.site import Site
from memoranda.web.visit import Reply, Visit

View = Callable[[Visit], Reply]

READS: Final[tuple[tuple[str, View, tuple[str, ...]], ...]] = (
    ("/inbox", inbox.inbox, ("plans",)),
    ("/plans/{plan_id}", inbox.plan, ("plan",)),
    ("/library", library.library, ("documents",)),
    ("/documents/{document}", document.document, ("document",)),
    ("/timeline", timeline.timeline, ("events",)),
    ("/lab", asking.lab, ("ask",)),
    ("/ask", asking.ask, ("ask",)),
    ("/trace", trace.trace, ("resolve",)),
    ("/entries/{seq}", trace.entry, ("get",)),
    ("/events/{event_id}", trace.event, ("get",)),
    ("/forget", forgetting.forget, ("selected", "receipts")),
    ("/forget/receipts/{forget_id}", forgetting.receipt, ("receipts", "verify_forgotten")),
    ("/health", health.health, ("status",)),
)
"""Pages to be looked at: address, view, the methods of the facade that the caller must be allowed."""

WRITES: Final[tuple[tuple[str, View, tuple[str, ...]], ...]] = (
    ("/inbox/consolidate", inbox.consolidate, ("consolidate",)),
    ("/plans/{plan_id}/approve", inbox.approve, ("approve",)),
    ("/plans/{plan_id}/reject", inbox.reject, ("reject",)),
    ("/plans/{plan_id}/undo", inbox.undo, ("undo",)),
    ("/entries/{seq}/correct", trace.correct, ("correct",)),
    ("/entries/{seq}/retract", trace.retract, ("retract",)),
    ("/lab", asking.lab, ("ask",)),
    ("/ask", asking.ask, ("ask",)),
    ("/forget/look", forgetting.forget, ("selected", "receipts")),
    ("/forget", forgetting.confirmed, ("forget",)),
    ("/requests/{request_id}/grant", forgetting.granted, ("grant",)),
    ("/requests/{request_id}/decline", forgetting.declined, ("decline",)),
)
"""What a form does; a question is one too, since a model may be asked, which costs."""

STATIC: Final = {
    "style.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


def routes(gate: Gate) -> list[BaseRoute]:
    """Give the routes of the site, to be put behind those of the other doors."""
    site = Site(gate)
    door = signing.Door(site)
    found: list[BaseRoute] = [
        Route("/", door.home, methods=["GET"]),
        Route("/login", door.login, methods=["GET", "POST"]),
        Route("/logout", door.logout, methods=["POST"]),
        Route("/look", door.look, methods=["POST"]),
        Route("/static/{name}", static, methods=["GET"]),
    ]
    reading = {path: site.read(view, needs) for path, view, needs in READS}
    writing = {path: site.write(view, needs) for path, view, needs in WRITES}
    for path in dict.fromkeys([*reading, *writing]):
        if path in reading:
            found.append(Route(path, reading[path], methods=["GET"]))
        if path in writing:
            found.append(Route(path, writing[path], methods=["POST"]))
    return found


async def static(request: Request) -> Response:
    """Give the style sheet, the script or the icon; there is nothing else."""
    name = request.path_params["name"]
    if name not in STATIC:
        return Response("nothing stands here\n", status_code=404, headers=HEADERS)
    body = files(__package__).joinpath("static", name).read_bytes()
    headers = {**HEADERS, "Cache-Control": "private, max-age=300"}
    return Response(body, headers=headers, media_type=STATIC[name])
