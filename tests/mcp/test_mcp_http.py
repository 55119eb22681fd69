"""The server over HTTP: whose Host, Origin and token it takes, and the official client through it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_agent import ERAS, command, ended, environment
from mcp_types import ElicitResult

from memoranda.errors import InputError, MemorandaError
from memoranda.gate.allowed import Allowed
from memoranda.gate.guard import MAX_BODY, Guard, only
from memoranda.gate.listening import listen
from memoranda.mcp.token import VARIABLE, find

TOKEN = "t" * 32
PORT = 8377
RIGHT_HOSTS = (f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}")
WRONG_HOSTS = (
    "", "evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80",
    f"127.0.0.1.evil.example:{PORT}", f"localhost:{PORT}@evil.example", f"localhost:{PORT}.evil.example",
)  # fmt: skip
RIGHT_ORIGINS = (None, f"http://127.0.0.1:{PORT}", f"http://localhost:{PORT}")
WRONG_ORIGINS = ("null", "https://evil.example")


class Reached:
    """An application that counts who comes through to it."""

    def __init__(self) -> None:
        self.times = 0

    async def __call__(self, _scope: Any, _receive: Any, send: Any) -> None:
        self.times += 1
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"in"})


def status(
    guard: Guard, *headers: tuple[bytes, bytes], path: str = "/mcp", method: str = "POST"
) -> int:
    """The status of one request."""
    sent: list[dict[str, Any]] = []

    async def run() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        scope = {"type": "http", "method": method, "path": path, "headers": list(headers)}
        await guard(scope, receive, send)

    anyio.run(run)
    return int(sent[0]["status"])


def bearer(token: str = TOKEN) -> tuple[bytes, bytes]:
    return (b"authorization", f"Bearer {token}".encode())


def host(name: str = RIGHT_HOSTS[0]) -> tuple[bytes, bytes]:
    return (b"host", name.encode())


def at_home(app: Any = None, **more: Any) -> tuple[Guard, Reached]:
    inner = Reached()
    return Guard(app or inner, Allowed.at("127.0.0.1", PORT, **more), only(TOKEN)), inner


MATRIX = [
    (name, origin)
    for name in (*RIGHT_HOSTS, *WRONG_HOSTS)
    for origin in (*RIGHT_ORIGINS, *WRONG_ORIGINS)
]


def test_the_matrix_has_sixty_combinations() -> None:
    assert len(MATRIX) == 60


@pytest.mark.parametrize(("name", "origin"), MATRIX)
def test_a_foreign_host_or_origin_is_refused_before_any_work(name: str, origin: str | None) -> None:
    guard, inner = at_home()
    headers = [host(name), bearer(), *([(b"origin", origin.encode())] if origin else [])]
    right = 421 if name in WRONG_HOSTS else 403 if origin in WRONG_ORIGINS else 200
    for path, method in (
        ("/mcp", "POST"),
        ("/mcp", "GET"),
        ("/", "GET"),
        ("/.well-known/x", "GET"),
    ):
        assert status(guard, *headers, path=path, method=method) == right
    assert inner.times == (4 if right == 200 else 0)


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", TOKEN,
     "Bearer \xe9"],
)  # fmt: skip
def test_without_the_token_nobody_gets_in(header: str | None) -> None:
    guard, inner = at_home()
    given = [] if header is None else [(b"authorization", header.encode("latin-1"))]
    assert status(guard, host(), *given) == 401
    assert inner.times == 0


def test_a_header_that_is_there_twice_is_refused() -> None:
    guard, inner = at_home()
    for twice in (host(), bearer(), (b"origin", b"null"), (b"content-length", b"1")):
        assert status(guard, host(), bearer(), twice, twice) == 400
    assert status(guard, bearer()) == 421
    assert inner.times == 0


@pytest.mark.parametrize(
    ("size", "code"), [(str(MAX_BODY), 200), (str(MAX_BODY + 1), 413), ("9" * 30, 400), ("-1", 400)]
)
def test_a_large_request_is_refused_by_what_it_says_of_itself(size: str, code: int) -> None:
    assert status(at_home()[0], host(), bearer(), (b"content-length", size.encode())) == code


def test_other_names_are_taken_when_they_are_given() -> None:
    guard, _ = at_home(hosts=("Memory.Home", "proxy.home:443"), origins=("https://app.home/",))
    for name in (f"memory.home:{PORT}", "proxy.home:443", "memory.home"):
        assert status(guard, host(name), bearer(), (b"origin", b"https://app.home")) == 200
    assert status(guard, host("other.home"), bearer()) == 421


def test_an_address_for_all_has_no_name_until_one_is_given() -> None:
    assert Allowed.at("0.0.0.0", PORT).hosts == frozenset()  # noqa: S104 - refused
    assert Allowed.at("192.0.2.7", PORT).hosts == {f"192.0.2.7:{PORT}"}
    assert "localhost" in Allowed.at("::1", 80).hosts


def test_a_web_socket_gets_no_answer() -> None:
    guard, inner = at_home()

    async def run() -> None:
        await guard({"type": "websocket", "headers": []}, None, None)  # type: ignore[arg-type]

    anyio.run(run)
    assert inner.times == 0


def test_the_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "token"
    made = find({}, file, lambda: TOKEN)
    assert made == TOKEN
    assert find({}, file, lambda: "other" * 8) == TOKEN
    assert find({VARIABLE: "e" * 20}, file, lambda: "") == "e" * 20
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "short", "with blanks in between it", "é" * 20, "a" * 600])
def test_what_is_no_token_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "token"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    with pytest.raises(InputError, match="holds no token"):
        find({}, file, lambda: TOKEN)
    if text:
        with pytest.raises(InputError, match=VARIABLE):
            find({VARIABLE: text}, file, lambda: TOKEN)


@pytest.mark.skipif(os.name != "posix", reason="rights and links of POSIX")
def test_a_token_that_others_read_or_that_is_a_link_is_refused(tmp_path: Path) -> None:
    file, link = tmp_path / "token", tmp_path / "link"
    file.write_text(TOKEN, encoding="utf-8")
    file.chmod(0o640)
    with pytest.raises(InputError, match="chmod 600"):
        find({}, file, lambda: TOKEN)
    file.chmod(0o600)
    link.symlink_to(file)
    for odd in (link, tmp_path):
        with pytest.raises((MemorandaError, OSError)):
            find({}, odd, lambda: TOKEN)


@contextmanager
def serving(root: Path, *args: str) -> Iterator[tuple[str, str, subprocess.Popen[bytes]]]:
    """A server process over HTTP; gives its URL and token."""
    with subprocess.Popen(
        command(root, "--http", "--port", "0", "--json", *args),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    ) as process:
        try:
            assert process.stderr is not None
            told = json.loads(process.stderr.readline())
            yield told["url"], Path(told["token"]).read_text(encoding="ascii").strip(), process
        finally:
            process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="ends by a signal")
def test_a_real_server_takes_the_official_client_and_nobody_else(root: Path) -> None:
    async def work(url: str, token: str) -> None:
        for mode in ERAS:
            headers = {"Authorization": f"Bearer {token}"}
            async with (
                httpx2.AsyncClient(headers=headers, trust_env=False) as http,
                Client(
                    streamable_http_client(url, http_client=http),
                    mode=mode,
                    elicitation_callback=agree,
                ) as agent,
            ):
                given = {"text": f"The {mode} bell rings.", "source": "user"}
                assert not (await agent.call_tool("remember", given)).is_error
                found = await agent.call_tool("search", {"query": "bell"})
                assert f"The {mode} bell rings." in found.content[0].text
                (plan,) = (await agent.call_tool("consolidate")).structured_content["waiting"]
                given = {"plan_id": plan, "decision": "approve"}
                decided = (await agent.call_tool("plans", given)).structured_content["decided"]
                assert decided["state"] == "approved"
        async with httpx2.AsyncClient(trust_env=False) as http:
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            foreign = {"Authorization": f"Bearer {token}"}
            for headers, code in (
                ({}, 401),
                (foreign | {"Host": "evil.example"}, 421),
                (foreign | {"Origin": "https://evil.example"}, 403),
                (foreign | {"Content-Type": "text/plain"}, 400),
            ):
                assert (await http.post(url, json=body, headers=headers)).status_code == code
            large = (await http.post(url, content=pieces(), headers=foreign)).status_code
            assert large == 413

    with serving(root, "--mode", "review") as (url, token, process):
        assert url.startswith("http://127.0.0.1:")
        anyio.run(work, url, token)
        process.terminate()
        assert ended(process) in {0, -15}
        assert process.stdout is not None
        assert process.stdout.read() == b""
        assert token.encode() not in process.stderr.read()  # type: ignore[union-attr]
    assert stat.S_IMODE((root / "mcp-token").stat().st_mode) == 0o600


async def agree(_: Any, __: Any) -> ElicitResult:
    """A person who says yes."""
    return ElicitResult(action="accept", content={"agreed": True})


async def pieces() -> Any:
    """A body that does not say how large it is."""
    for _ in range(5):
        yield b" " * (1024 * 1024)


def test_an_address_that_can_not_be_had_is_told() -> None:
    with pytest.raises(InputError, match=r"can't listen on 192\.0\.2\.1 port 0"):
        listen("192.0.2.1", 0)
