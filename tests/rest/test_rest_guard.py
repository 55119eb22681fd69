"""Who gets in: Host, Origin, token, size and rate, on every route, before any work."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import httpx2
import pytest

from memoranda.gate.allowed import Allowed
from memoranda.gate.guard import MAX_BODY
from memoranda.gate.rates import Rates, Turns
from served import Served, served

HOSTS = ("127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}")
FOREIGN_HOSTS = (
    "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:80",
    "127.0.0.1.evil.example:{port}", "localhost:{port}@evil.example", "localhost:{port}.evil.example",
    "0.0.0.0:{port}",
)  # fmt: skip
ORIGINS = (None, "http://127.0.0.1:{port}", "http://localhost:{port}")
FOREIGN_ORIGINS = ("null", "https://evil.example")
MATRIX = [(h, o) for h in (*HOSTS, *FOREIGN_HOSTS) for o in (*ORIGINS, *FOREIGN_ORIGINS)]
ROUTES = (
    "GET /v1/status", "POST /v1/search", "GET /healthz", "POST /mcp", "GET /openapi.json", "GET /",
    "GET /login", "POST /login", "GET /nowhere",
)  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):  # noqa: ANN201 - a fixture
    with served(tmp_path_factory.mktemp("guard") / "root", mcp=True, web=True) as found:
        yield found


@pytest.fixture(scope="module")
def http(server: Served) -> httpx2.Client:
    return server.http()


def test_the_matrix_has_sixty_combinations() -> None:
    assert len(MATRIX) == 60


@pytest.mark.parametrize(("name", "origin"), MATRIX)
def test_a_foreign_host_or_origin_is_refused_on_every_route(
    server: Served, http: httpx2.Client, name: str, origin: str | None
) -> None:
    port = server.url.rpartition(":")[2]
    headers = {"Host": name.format(port=port)}
    headers |= {"Origin": origin.format(port=port)} if origin else {}
    right = 421 if name in FOREIGN_HOSTS else 403 if origin in FOREIGN_ORIGINS else None
    for route in ROUTES:
        verb, path = route.split()
        found = http.request(
            verb, path, headers=headers, json={"query": "x"} if verb == "POST" else None
        )
        if right is None:
            assert found.status_code not in {401, 403, 421}, route
        else:
            assert found.status_code == right, route
            assert found.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Bearer mem_00000000_" + "a" * 43, "Basic x", "bearer x y", "Bearer \xe9",
     "Bearer " + "x" * 5_000],
    ids=range(8),
)  # fmt: skip
def test_without_a_token_nobody_gets_in(server: Served, header: str | None) -> None:
    bare = server.bare()
    given = {} if header is None else {"Authorization": header.encode("latin-1")}
    for path in ("/v1/status", "/v1/nothing", "/mcp", "/openapi.json", "/v1"):
        reply = bare.get(path, headers=given)
        assert reply.status_code == 401, path
        assert reply.headers["www-authenticate"].startswith("Bearer")
    assert bare.get("/healthz", headers=given).status_code == 200


def test_a_cookie_is_no_token(server: Served) -> None:
    token = server.http().headers["authorization"].removeprefix("Bearer ")
    for name in ("token", "memoranda_session", "Authorization"):
        reply = server.bare().get("/v1/status", headers={"Cookie": f"{name}={token}"})
        assert reply.status_code == 401
    assert server.bare().get(f"/v1/status?token={token}").status_code == 401


def raw(server: Served, head: str, body: bytes = b"") -> bytes:
    """Send bytes as they are; give the first of what comes back."""
    port = int(server.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sock:
        sock.sendall(head.replace("\n", "\r\n").encode("latin-1") + b"\r\n\r\n" + body)
        return sock.recv(100)


def test_a_header_that_is_there_twice_is_refused(server: Served, http: httpx2.Client) -> None:
    port = server.url.rpartition(":")[2]
    token = http.headers["authorization"]
    head = f"GET /v1/status HTTP/1.1\nHost: 127.0.0.1:{port}\nAuthorization: {token}"
    assert raw(server, head).startswith(b"HTTP/1.1 200")
    for twice in (
        f"Authorization: {token}",
        f"Host: 127.0.0.1:{port}",
        "Origin: null\nOrigin: null",
    ):
        assert raw(server, f"{head}\n{twice}").startswith(b"HTTP/1.1 400")


def pieces(size: int) -> Any:
    """A body that does not say how large it is."""
    yield b'{"content": "'
    for _ in range(size // 65_536):
        yield b"x" * 65_536
    yield b'"}'


def test_a_body_that_is_too_large_is_refused_also_when_it_does_not_say_so(
    server: Served, http: httpx2.Client
) -> None:
    headers = {"Content-Type": "application/json"}
    told = http.post("/v1/events", content=b"x" * (MAX_BODY + 1), headers=headers)
    silent = http.post("/v1/events", content=pieces(MAX_BODY + 65_536), headers=headers)
    for reply in (told, silent):
        assert reply.status_code == 413
        assert reply.json()["type"] == "/problems/too-large"
    right = http.post("/v1/events", content=pieces(65_536), headers=headers)
    assert right.status_code == 200


def test_who_calls_too_often_is_told_when_to_come_back(tmp_path: Path) -> None:
    with served(tmp_path, calls=60) as server:
        http, other = server.http(), server.http()
        codes = [http.get("/v1/state").status_code for _ in range(15)]
        assert codes.count(200) == 10
        late = http.get("/v1/state")
        assert late.status_code == 429
        assert int(late.headers["retry-after"]) >= 1
        assert late.json()["type"] == "/problems/too-many"
        assert other.get("/v1/state").status_code == 200
        assert server.bare().get("/healthz").status_code == 200


def test_a_bucket_fills_again_as_time_goes_by() -> None:
    now = [0.0]
    rates = Rates(calls=60, misses=2, clock=lambda: now[0])
    assert [rates.take("a") for _ in range(10)] == [None] * 10
    assert rates.take("a") == pytest.approx(1.0)
    now[0] = 1.0
    assert rates.take("a") is None
    assert rates.take("a") is not None
    assert [rates.missed("1.2.3.4") for _ in range(2)] == [None, None]
    assert rates.missed("1.2.3.4") == pytest.approx(30)
    assert rates.missed("1.2.3.5") is None


def test_who_asks_for_too_much_at_once_waits_for_none_but_itself() -> None:
    turns = Turns(most=2)
    with turns.turn("a") as first, turns.turn("a") as second, turns.turn("b") as other:
        with turns.turn("a") as third:
            assert [first, second, other, third] == [True, True, True, False]
        with turns.turn("a") as again:
            assert not again
    with turns.turn("a") as free:
        assert free


def test_who_guesses_tokens_is_slowed_down(tmp_path: Path) -> None:
    with served(tmp_path, misses=3) as server:
        bare, known = server.bare(), server.http()
        assert [bare.get("/v1/status").status_code for _ in range(5)] == [401, 401, 401, 429, 429]
        assert known.get("/v1/status").status_code == 200


def test_every_answer_forbids_frames_guessing_and_caches(
    server: Served, http: httpx2.Client
) -> None:
    for reply in (
        http.get("/v1/status"),
        server.bare().get("/healthz"),
        server.bare().get("/v1/x"),
    ):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["x-frame-options"] == "DENY"
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert "server" not in reply.headers


def test_an_address_for_all_has_no_name_until_one_is_given() -> None:
    assert Allowed.at("0.0.0.0", 80).hosts == frozenset()  # noqa: S104 - refused
    named = Allowed.at("0.0.0.0", 8378, hosts=("Memory.Home",))  # noqa: S104 - named
    assert named.hosts == {"memory.home", "memory.home:8378"}
