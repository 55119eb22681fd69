"""Every method of the facade has an address, or a reason why it has none."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from memoranda import Memory
from memoranda.gate.grant import Grant
from memoranda.memory.clearance import NEEDS, ROLES
from memoranda.rest import asked
from memoranda.rest.ways import HIDDEN, PREFIX, WAYS, WITHOUT
from served import Served, served

PUBLIC = sorted(name for name in dir(Memory) if not name.startswith("_"))
ROUTES = [way.method for way in WAYS]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):  # noqa: ANN201 - a fixture
    with served(tmp_path_factory.mktemp("rest") / "root") as found:
        yield found


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_has_an_address_or_a_stated_reason(name: str) -> None:
    assert (name in ROUTES) != (name in WITHOUT)


def test_no_address_is_of_a_method_that_is_gone_and_none_is_there_twice() -> None:
    assert sorted({*ROUTES, *WITHOUT}) == PUBLIC
    assert len({(way.verb, way.path) for way in WAYS}) == len(WAYS) == len(set(ROUTES))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.method)
def test_a_call_takes_every_parameter_of_its_method_but_those_with_a_stated_reason(way) -> None:  # noqa: ANN001
    taken = {*asked.in_path(way), *asked.model(way).model_fields}
    named = {
        name
        for name, parameter in inspect.signature(getattr(Memory, way.method)).parameters.items()
        if parameter.kind is not parameter.VAR_KEYWORD and name != "self"
    }
    body = {"lines": {"lines"}, "file": {"source"}, "json": set()}[way.sent]
    assert named - taken - body <= HIDDEN.keys()


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.method)
def test_the_library_says_what_a_call_needs(way) -> None:  # noqa: ANN001
    assert way.method in NEEDS


def test_the_description_names_every_method_with_its_problem(server: Served) -> None:
    page = server.http().get("/openapi.json").json()
    found = {
        operation["operationId"]: operation
        for item in page["paths"].values()
        for operation in item.values()
    }
    assert sorted(found) == sorted(ROUTES)
    assert all(
        "application/problem+json" in op["responses"]["default"]["content"] for op in found.values()
    )
    assert all("200" in operation["responses"] for operation in found.values())
    assert page["security"] == [{"bearer": []}]
    names = {p["name"] for p in found["correct"]["parameters"]}
    assert names == {"seq", "Idempotency-Key", "If-Match"}
    assert page["paths"][f"{PREFIX}/search"]["post"]["requestBody"]["required"]


@pytest.mark.parametrize("role", ROLES)
def test_a_role_opens_what_it_may_and_nothing_else(server: Served, role: str) -> None:
    grant = Grant(token_id="0" * 8, name="x", role=role)  # type: ignore[arg-type]
    http = server.http(role=role, user=f"for-{role}")
    calls = {
        "status": lambda: http.get("/v1/status"),
        "add": lambda: http.post("/v1/events", json={"content": "The mill is new."}),
        "consolidate": lambda: http.post("/v1/consolidate"),
        "plans": lambda: http.get("/v1/plans"),
        "log": lambda: http.get("/v1/log"),
        "forget": lambda: http.post("/v1/forget", json={"entry": 9}),
        "export": lambda: http.get("/v1/archive"),
    }
    for method, call in calls.items():
        reply = call()
        assert (reply.status_code == 403) != grant.may_call(method), method
        if reply.status_code == 403:
            assert reply.json()["type"] == "/problems/not-allowed"
            assert NEEDS[method].role in reply.json()["detail"]


def test_a_token_that_is_limited_sees_no_more_through_rest(server: Served) -> None:
    owner = server.http(user="limits")
    owner.post(
        "/v1/events", json={"content": "The safe is behind the heron.", "sensitivity": "private"}
    )
    owner.post("/v1/events", json={"content": "The heron is on the mill.", "sensitivity": "public"})
    limited = server.http(user="limits", clearance="public")
    found = limited.post("/v1/search", json={"query": "heron"}).json()
    assert [e["text"] for item in found["evidence"] for e in item["entries"]] == [
        "The heron is on the mill."
    ]
    assert limited.get("/v1/entries/1").status_code == 404
    for path in ("/v1/log", "/v1/archive"):
        assert limited.get(path).status_code == 403
    refused = limited.post("/v1/events", json={"content": "x y z", "sensitivity": "private"})
    assert refused.status_code == 403


def test_what_is_asked_without_a_token_is_how_the_server_is(server: Served, tmp_path: Path) -> None:
    bare = server.bare()
    assert bare.get("/healthz").json() == {"status": "ok", "version": "1.2.3"}
    assert bare.get("/readyz").json() == {"status": "ready"}
    meaning = bare.get("/problems/not-found").json()
    assert meaning["status"] == 404
    assert bare.get("/problems/nothing").status_code == 404
    assert len(bare.get("/problems/").json()["items"]) > 20


def test_a_server_whose_tokens_can_not_be_read_is_not_ready(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        http = server.http()
        server.gate.tokens._file.write_text("not ours", encoding="utf-8")
        assert server.bare().get("/readyz").status_code == 503
        reply = http.get("/v1/status")
        assert reply.status_code == 503
        assert reply.json()["type"] == "/problems/not-ready"
