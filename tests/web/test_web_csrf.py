"""Forms of others do nothing: each address that changes something, each way to forge a form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from starlette.applications import Starlette
from web_site import Place, Visitor, mark_of

from memoranda.web.forms import MARK
from memoranda.web.routes import WRITES, routes

FIELDS = {
    "reason": "x", "text": "Changed.", "sure": "yes", "seq": "1", "expect": "1-00", "q": "tea",
    "language": "zh", "theme": "dark", "token": "mem_x",
}  # fmt: skip
ADDRESSES = [path for path, _, _ in WRITES] + ["/logout", "/look", "/login"]


class Forger:
    """Sends one form in a wrong way."""

    def __init__(self, site: Place, visitor: Visitor) -> None:
        self.app = Starlette(routes=routes(site.gate))
        self.visitor = visitor
        self.site = site

    def missing(self, path: str) -> Any:
        return self.visitor.send(path, FIELDS)

    def wrong(self, path: str) -> Any:
        return self.visitor.send(path, {**FIELDS, MARK: "0" * 32})

    def of_another_session(self, path: str) -> Any:
        other = self.site.visitor()
        assert other.mark != self.visitor.mark
        return self.visitor.send(path, {**FIELDS, MARK: other.mark})

    def from_elsewhere(self, path: str) -> Any:
        form = {**FIELDS, MARK: self.visitor.mark}
        return self.visitor.send(path, form, **{"sec-fetch-site": "cross-site"})

    def from_a_neighbour(self, path: str) -> Any:
        form = {**FIELDS, MARK: self.visitor.mark}
        return self.visitor.send(path, form, **{"sec-fetch-site": "same-site"})

    def as_json(self, path: str) -> Any:
        form: Mapping[str, str] = {**FIELDS, MARK: self.visitor.mark}
        return self.visitor.client.post(path, json=dict(form))

    def by_get(self, path: str) -> Any:
        return self.visitor.get(path, **{**FIELDS, MARK: self.visitor.mark})


WAYS: dict[str, Callable[[Forger, str], Any]] = {
    "missing": Forger.missing,
    "wrong": Forger.wrong,
    "another session": Forger.of_another_session,
    "from elsewhere": Forger.from_elsewhere,
    "from a neighbour": Forger.from_a_neighbour,
    "json": Forger.as_json,
    "get": Forger.by_get,
}


def filled(path: str, plan_id: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: plan_id if m[1] == "plan_id" else "1", path)


@pytest.mark.parametrize("way", list(WAYS))
def test_a_forged_form_does_nothing(site: Place, mira: Visitor, way: str) -> None:
    """Fifteen addresses, seven ways: 105 cases."""
    with site.memory() as memory:
        memory.consolidate()
        plan_id = memory.waiting()[0]
        before = memory.status()
    forger = Forger(site, mira)
    for path in ADDRESSES:
        reply = WAYS[way](forger, filled(path, plan_id))
        if way == "get":
            assert reply.status_code in (
                {400, 404, 405} if path.count("/") > 1 else {200, 400, 404, 405}
            )
        elif way == "json":
            assert reply.status_code == 400, path
        else:
            assert reply.status_code == 403, path
        assert "memoranda_session" not in reply.headers.get("set-cookie", ""), path
        assert "memoranda_look" not in reply.headers.get("set-cookie", ""), path
    with site.memory() as memory:
        assert memory.status() == before
    assert mira.get("/library").status_code == 200  # still logged in


def test_a_right_form_does_it(site: Place, mira: Visitor) -> None:
    """The control of the test above: with its own mark every one of these addresses answers."""
    with site.memory() as memory:
        memory.consolidate()
        plan_id = memory.waiting()[0]
    for path in [p for p in ADDRESSES if p not in {"/logout", "/login"}]:
        assert mira.post(filled(path, plan_id), **FIELDS).status_code != 403, path


def test_the_mark_before_the_login_is_of_this_browser_alone(site: Place) -> None:
    one, two = Visitor(site), Visitor(site)
    mark = mark_of(one.client.get("/login").text)
    two.client.get("/login")
    forged = two.send("/login", {MARK: mark, "token": site.grant})
    assert forged.status_code == 403
    bare = Visitor(site).send("/login", {MARK: mark, "token": site.grant})
    assert bare.status_code == 403
    assert "memoranda_session" not in two.client.cookies


def test_a_mark_does_not_outlive_its_session(site: Place, mira: Visitor) -> None:
    old = mira.mark
    mira.post("/logout")
    mira.login(site.grant)
    assert mira.mark != old
    assert mira.send("/inbox/consolidate", {MARK: old}).status_code == 403


def test_marks_are_in_no_address_and_no_get_form(site: Place, mira: Visitor) -> None:
    for path in ("/inbox", "/library", "/forget?entry=3", "/health", "/entries/1"):
        page = mira.get(path).text
        for form in re.findall(r"<form[^>]*method=\"(\w+)\".*?</form>", page, re.DOTALL):
            assert form in {"get", "post"}
        for method, body in re.findall(r"<form[^>]*method=\"(\w+)\"(.*?)</form>", page, re.DOTALL):
            assert (f'name="{MARK}"' in body) == (method == "post"), path
        assert f"{MARK}={mira.mark}" not in page


FOREIGN = (
    "http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1", "http://localhost.evil.example",
)  # fmt: skip


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_origin_is_refused_before_any_page(
    site: Place, mira: Visitor, origin: str
) -> None:
    rest = pytest.importorskip("memoranda.rest.app", reason="the extra `server` is not installed")
    whole = Visitor(site, app=rest.make(site.gate, mcp=False))
    whole.login(site.grant)
    assert whole.get("/library").status_code == 200
    for path in ADDRESSES:
        form = {**FIELDS, MARK: whole.mark}
        assert whole.send(filled(path, "p1"), form, origin=origin).status_code == 403, path


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1:99", ""])
def test_a_foreign_host_is_refused(site: Place, host: str) -> None:
    rest = pytest.importorskip("memoranda.rest.app", reason="the extra `server` is not installed")
    whole = Visitor(site, app=rest.make(site.gate, mcp=False))
    reply = whole.client.get("/login", headers={"host": host})
    assert reply.status_code == 421
