"""Answers over HTTP: pages, redirects, cookies, and the headers that keep a page from being active."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import RedirectResponse, Response

from memoranda.gate.gate import Gate
from memoranda.web.rendering import render
from memoranda.web.visit import Look

SESSION: Final = "memoranda_session"
VISIT: Final = "memoranda_visit"
LOOK: Final = "memoranda_look"
_YEAR: Final = 365 * 24 * 3600
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "same-origin",  # with no-referrer browsers send our own forms with Origin: null
    "X-Content-Type-Options": "nosniff",
    "X-DNS-Prefetch-Control": "off",
    "X-Frame-Options": "DENY",
}
"""Of every answer: no script or style but ours, nothing fetched elsewhere, nothing kept."""


def page(template: str, values: dict[str, Any], *, status: int = 200) -> Response:
    """Give a page."""
    return Response(
        render(template, values),
        status_code=status,
        headers=HEADERS,
        media_type="text/html; charset=utf-8",
    )


def go(to: str) -> Response:
    """Send the browser to a page of this site, with GET."""
    return RedirectResponse(to, status_code=303, headers=HEADERS)


def cookie_name(name: str, gate: Gate) -> str:
    """Give a cookie's name: over HTTPS one that browsers bind to this host."""
    return f"__Host-{name}" if gate.secure else name


def set_cookie(response: Response, name: str, value: str, gate: Gate) -> None:
    """Set a cookie that no script reads and no other site sends; the look lasts, the rest does not."""
    response.set_cookie(
        cookie_name(name, gate),
        value,
        max_age=_YEAR if name == LOOK else None,
        path="/",
        secure=gate.secure,
        httponly=True,
        samesite="strict",
    )


def drop_cookie(response: Response, name: str, gate: Gate) -> None:
    """Take a cookie away."""
    response.delete_cookie(
        cookie_name(name, gate), path="/", secure=gate.secure, httponly=True, samesite="strict"
    )


def look_of(cookies: dict[str, str], accepted: str, gate: Gate) -> Look:
    """Give how the pages are wanted."""
    return Look.of(cookies.get(cookie_name(LOOK, gate), ""), accepted)
