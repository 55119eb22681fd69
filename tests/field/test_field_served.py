"""Field cases again through the server: other users, hostile names, code pages, foreign pages, patterns."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
from processes import SOURCE, TESTS, bytes_below, environment, ok, python
from test_field_walls import CANARIES, HOSTILE, fill

from scene import Place
from served import Served, served

ACTIVE = (
    "<script>document.title='x'</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>",
    "<iframe src=https://evil.example></iframe>", "[go](javascript:alert(1))",
    "![pixel](https://evil.example/p.png)", "</textarea><script>x</script>", "{{7*7}}${7*7}<%= 7 %>",
)  # fmt: skip


@contextmanager
def started(root: Path, **env: str) -> Iterator[httpx2.Client]:
    """A server process, started with nothing but its place, and the owner's client."""
    token = ok(root, "token", "add", "a test", "--role", "owner").decode().strip()
    command = [
        sys.executable,
        "-m",
        "memoranda",
        "serve",
        "--port",
        "0",
        "--json",
        "--no-web",
        "--no-mcp",
    ]
    with subprocess.Popen(
        [*command, "--root", str(root)], env=environment(**env), stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stderr is not None
            url = json.loads(process.stderr.readline())["url"]
            headers = {"Authorization": f"Bearer {token}"}
            with httpx2.Client(base_url=url, headers=headers, trust_env=False, timeout=30) as http:
                yield http
        finally:
            process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="locales of POSIX")
def test_what_is_sent_is_stored_and_given_as_utf_8_in_every_locale(root: Path) -> None:  # fc-024
    text = "→ — “quoted” 東京 e\u0301 \U0001f375"
    env = {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "cp1252",
        "PYTHONCOERCECLOCALE": "0",
    }
    with started(root, **env) as http:
        body = json.dumps({"content": text, "speaker": "東京"}, ensure_ascii=False).encode()
        reply = http.post("/v1/events", content=body, headers={"Content-Type": "application/json"})
        assert reply.status_code == 200
        http.post(
            "/v1/events/lines", content=json.dumps({"content": text}, ensure_ascii=False).encode()
        )
        for ref in ("1", "2"):
            found = http.get(f"/v1/entries/{ref}")
            assert text.encode() in found.content
            assert found.json()["text"] == text
        assert http.get("/v1/documents/東京").json()["name"] == "東京"
        http.post("/v1/consolidate")
    shelf = root / "users" / "default" / "_" / "topics"
    assert any(text.encode() in path.read_bytes() for path in shelf.glob("*.md"))


def test_a_foreign_page_reaches_no_route_of_a_server_started_with_defaults(
    root: Path,
) -> None:  # fc-056
    with started(root) as http:
        for route in ("/v1/status", "/healthz", "/mcp", "/", "//evil.example/v1/status"):
            for headers, right in (
                ({"Host": "evil.example"}, 421),
                ({"Origin": "https://evil.example"}, 403),
                ({"Origin": "null"}, 403),
                ({"Origin": str(http.base_url).rstrip("/")}, None),
            ):
                code = http.get(route, headers=headers).status_code
                assert code == right if right else code not in {403, 421}
        assert http.get("/v1/status").json()["events"] == 0


def test_no_form_of_a_request_shows_another_users_memory(place: Place) -> None:  # fc-044
    fill(place)
    with served(place.root) as server:
        boris, carla = server.http(user="boris"), server.http(user="carla")
        told = "".join(_everything(boris))
        assert CANARIES["boris"] in told
        for http, own in ((boris, "boris"), (carla, None)):
            shown = "".join(_everything(http))
            for user, canary in CANARIES.items():
                assert (canary in shown) == (user == own), user
        assert server.bare().post("/v1/search", json={"query": "password"}).status_code == 401


def _everything(http: httpx2.Client) -> Iterator[str]:
    """All that a token tells, asked in every form that might name somebody else."""
    forms: tuple[dict[str, Any], ...] = (
        {}, {"user": "anna"}, {"user_id": "anna"}, {"scope": "anna"}, {"user": None}, {"project": "anna"},
        {"speaker": "anna"}, {"filters": {"user": "anna"}},
    )  # fmt: skip
    for form in forms:
        for path in ("search", "context", "ask", "events/search", "catalog"):
            name = "question" if path == "ask" else "query"
            reply = http.post(f"/v1/{path}", json={name: "cellar key password", **form})
            yield _less(reply)
        for path in ("documents", "current", "log", "status", "lint", "plans"):
            yield _less(http.get(f"/v1/{path}", params=form))
            yield _less(http.get(f"/v1/{path}", headers={"X-User": "anna", "Cookie": "user=anna"}))
    for ref in ("id-anna", "d1", "d2", "1", "2", "../anna", "users/anna"):
        for path in ("entries", "documents", "history", "lines", "blame", "diff"):
            yield _less(http.get(f"/v1/{path}/{quote(ref, safe='')}"))


def _less(reply: httpx2.Response) -> str:
    assert reply.status_code < 500, reply.text
    return reply.text


@pytest.fixture(scope="module")
def kilns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("kilns") / "root") as found:
        http = found.http()
        http.post("/v1/events", json={"content": "The kiln is hot."})
        http.post("/v1/consolidate")
        yield found


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:24])
def test_a_hostile_name_is_as_unknown_as_any_other(kilns: Served, name: str) -> None:  # fc-057
    http = kilns.clients[0]
    for path in ("documents", "entries", "history", "lines", "blame", "diff", "timeline", "plans"):
        for ref in (quote(name, safe=""), quote(name, safe="/")):
            reply = http.get(f"/v1/{path}/{ref}")
            assert reply.status_code in {404, 405, 422, 200}, path
            if (
                reply.status_code == 200
            ):  # the client itself took the dots away: it is another address
                assert "victim" not in reply.text
    for given in ({"event": name}, {"external_id": name}, {"document": name}):
        assert http.post("/v1/forget", json=given).status_code in {404, 400, 422}
    line = json.dumps({"content": "The kiln is cold.", "project": name}).encode()
    done = http.post("/v1/events/lines", content=line).json()
    assert [number for number, _ in done["malformed"]] == [1]
    body = {"events": [{"content": "The kiln is cold.", "project": name}]}
    assert http.post("/v1/events/batch", json=body).status_code in {400, 422}


REQUESTS = """
import json, os, sys
from pathlib import Path
from urllib.parse import quote
from served import served
from test_field_walls import HOSTILE

root = Path(sys.argv[1])
seen = []
with served(root) as server:
    http = server.http()
    http.post("/v1/events", json={"content": "The kiln is hot.", "id": "k"})
    http.post("/v1/consolidate")
    http.post("/v1/search", json={"query": "kiln"})
    def hook(event, arguments):
        if event.split(".")[0] in {"open", "os", "sqlite3", "shutil", "glob", "pathlib"}:
            seen.append([event, *(os.fsdecode(i) for i in arguments if isinstance(i, (str, bytes)))])
    sys.addaudithook(hook)
    for name in HOSTILE:
        for path in ("documents", "entries", "lines", "blame", "diff", "history", "plans"):
            http.get(f"/v1/{path}/{quote(name, safe='')}")
        for body in ({"event": name}, {"document": name}, {"external_id": name}):
            http.post("/v1/forget", json=body)
        http.post("/v1/search", json={"query": name, "document": name})
        http.post("/v1/events", json={"content": "It is cold.", "id": name[:300], "session": name[:300]})
        http.put("/v1/archive", content=name.encode("utf-8", "replace"))
    http.post("/v1/consolidate")
print(json.dumps(seen))
"""


def test_no_request_opens_a_path_outside_the_root(root: Path) -> None:  # fc-057
    victim = root.parent / "victim"
    victim.mkdir()
    (victim / "memory.db").write_bytes(b"not yours")
    found = json.loads(python(REQUESTS, root, paths=(SOURCE, TESTS, Path(__file__).parent)))
    assert len(found) > 100
    for event, *names in found:
        for name in names:
            assert "victim" not in name, event
            if name.startswith(str(root.parent)):
                assert Path(name).is_relative_to(root), event
    assert bytes_below(victim) == {"memory.db": b"not yours"}


def test_a_pattern_that_would_never_end_holds_up_nobody(root: Path) -> None:  # fc-059
    with served(root) as server:
        http, bare = server.http(), server.bare()
        http.post("/v1/events", json={"content": "a" * 100_000 + "!"})
        codes: list[int] = []
        for pattern in ("(a+)+$", "(a|a)*b"):
            call = threading.Thread(
                target=lambda pattern=pattern: codes.append(  # type: ignore[misc]
                    http.post("/v1/grep", json={"pattern": pattern}).status_code
                )
            )
            begun = time.monotonic()
            call.start()
            waits = [_seconds(lambda: bare.get("/healthz")) for _ in range(10)]
            call.join()
            assert time.monotonic() - begun < 5
            assert sorted(waits)[len(waits) // 2] < 0.2
        assert codes == [200, 200]


def _seconds(work: Any) -> float:
    begun = time.monotonic()
    work()
    return time.monotonic() - begun


@pytest.mark.parametrize("text", ACTIVE, ids=range(len(ACTIVE)))
def test_text_that_would_act_in_a_page_comes_as_data(kilns: Served, text: str) -> None:  # fc-054
    http = kilns.clients[0]
    (seq,) = http.post("/v1/events", json={"content": text}).json()["seqs"]
    for reply in (
        http.get(f"/v1/entries/{seq}"),
        http.post("/v1/search", json={"query": text}),
        http.get(f"/v1/documents/{quote(text, safe='')}"),
    ):
        kind = reply.headers["content-type"]
        assert kind in {"application/json", "application/problem+json"}
        assert reply.headers["x-content-type-options"] == "nosniff"
    assert http.get(f"/v1/entries/{seq}").json()["text"] == text
