"""Field case: a server started with defaults refuses foreign Hosts and Origins on every route."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from processes import environment

ROUTES = (
    ("POST", "/mcp"), ("GET", "/mcp"), ("DELETE", "/mcp"), ("OPTIONS", "/mcp"), ("GET", "/"),
    ("GET", "/mcp/"), ("GET", "/.well-known/oauth-protected-resource"), ("GET", "//evil.example/mcp"),
)  # fmt: skip
BODY = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
    "name": "remember", "arguments": {"text": "It came from outside.", "source": "user"}}})  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int, str]]:
    """A server that was started with nothing but its place; gives host, port, token."""
    root = tmp_path_factory.mktemp("rebinding") / "root"
    command = [sys.executable, "-m", "memoranda", "mcp", "--http", "--port", "0", "--json"]
    with subprocess.Popen(
        [*command, "--root", str(root)], env=environment(), stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stderr is not None
            told = json.loads(process.stderr.readline())
            url = urlsplit(told["url"])
            token = Path(told["token"]).read_text(encoding="ascii").strip()
            assert url.hostname is not None
            assert url.port is not None
            yield url.hostname, url.port, token
        finally:
            process.kill()


def ask(server: tuple[str, int, str], method: str, route: str, **headers: str) -> int:
    """Send one request, with the right token; give its status."""
    host, port, token = server
    connection = http.client.HTTPConnection(host, port, timeout=20)
    try:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.putrequest(method, route, skip_host=True, skip_accept_encoding=True)
        accept = "application/json, text/event-stream"
        more = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        for name, value in {**more, "Accept": accept, **given}.items():
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(BODY)))
        connection.endheaders(BODY.encode())
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize(("method", "route"), ROUTES)
def test_foreign_hosts_and_origins_are_refused_on_every_route(
    server: tuple[str, int, str], method: str, route: str
) -> None:  # fc-056
    right = f"{server[0]}:{server[1]}"
    for host in ("evil.example", f"evil.example:{server[1]}", server[0], f"{right}.evil.example"):
        assert ask(server, method, route, Host=host) == 421
    for origin in ("https://evil.example", "null", f"https://{right}", "http://127.0.0.1"):
        assert ask(server, method, route, Host=right, Origin=origin) == 403


@pytest.mark.parametrize("origin", [None, "http://127.0.0.1", "http://localhost"])
def test_the_right_ones_pass(server: tuple[str, int, str], origin: str | None) -> None:  # fc-056
    names = {} if origin is None else {"Origin": f"{origin}:{server[1]}"}
    for host in ("127.0.0.1", "localhost"):
        assert ask(server, "POST", "/mcp", Host=f"{host}:{server[1]}", **names) in {200, 202, 400}
        assert ask(server, "GET", "/nowhere", Host=f"{host}:{server[1]}", **names) == 404
