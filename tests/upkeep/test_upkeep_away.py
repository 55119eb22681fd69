"""A model that is not there: what the run, a watcher and status say of it, and what they don't."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from memoranda import Settings
from scene import Place

BERTH = "渡轮的泊位是九号码头。"
CANARY = "canary-3141"


@pytest.fixture
def place(root: Path) -> Place:
    return Place(root, Settings(auto=False))


def program(folder: Path, source: str) -> str:
    """A model that is a program of one line."""
    file = folder / "model.py"
    file.write_text(source, encoding="utf-8")
    return f"command:{sys.executable} {file}"


def stopped(place: Place, model: str) -> str:
    with place.open(model=model) as memory:
        memory.add(BERTH)
        assert memory.consolidate() == ()
        assert memory.last_run is not None
        kept = memory.status().last_run
        assert kept is not None
        assert kept["stopped"] == memory.last_run.stopped
        return memory.last_run.stopped


def test_a_program_that_fails_is_told_with_its_code(place: Place, tmp_path: Path) -> None:
    said = stopped(place, program(tmp_path, "raise SystemExit(7)"))
    assert "it ended with code 7" in said
    assert "doctor --model-call" in said
    assert "stays in CURRENT" in said


def test_a_program_that_is_not_there_is_told(place: Place) -> None:
    said = stopped(place, "command:no-such-program-at-all --x")
    assert "it can't be started" in said
    assert "check the command" in said


def test_what_a_program_complains_of_is_not_kept(place: Place, tmp_path: Path) -> None:
    source = f"import sys; sys.exit('it read: {CANARY}')"
    assert CANARY not in stopped(place, program(tmp_path, source))


def test_a_program_that_says_too_much_is_told(place: Place, tmp_path: Path) -> None:
    said = stopped(place, program(tmp_path, "print('x' * 9_000_000)"))
    assert "it wrote over" in said


class Refusing(BaseHTTPRequestHandler):
    """Answers each request with one status, and repeats what it was sent."""

    status = 500

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        pass

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8")
        said = json.dumps({"error": {"message": f"{CANARY} {sent}"}}).encode("utf-8")
        self.send_response(self.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (401, "status 401; check the key in OPENAI_API_KEY"),
        (404, "status 404; check the model's name and the base URL"),
        (422, "status 422"),
        (500, "status 500"),
    ],
)
def test_an_endpoint_that_refuses_is_told_with_its_status(
    place: Place, monkeypatch: pytest.MonkeyPatch, status: int, told: str
) -> None:
    handler = type("Handler", (Refusing,), {"status": status})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-tests")
        said = stopped(place, "openai:heron")
        server.shutdown()
    assert told in said
    assert CANARY not in said


def test_where_nobody_listens_is_told(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        address = f"http://127.0.0.1:{server.server_port}/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    said = stopped(place, "openai:heron")
    assert "connection refused" in said
    assert address in said
