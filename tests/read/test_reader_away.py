"""A question to a model that is not there: the answer says why, in words of our own, at every door."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from memoranda import Settings
from memoranda.answers import ReaderName
from memoranda.cli import program
from memoranda.llm.doubles import ScriptedModel
from readers_scene import asked
from scene import Place

BERTH = "渡轮的泊位是九号码头。"
QUESTION = "渡轮的泊位是几号码头？"
CANARY = "canary-2718"
MISSING = "command:no-such-program-at-all --x"
NO_KEY = "no key is set; put it into the variable OPENAI_API_KEY"


@pytest.fixture
def place(root: Path) -> Place:
    place = Place(root, Settings(auto=False))
    with place.open() as memory:
        memory.add(BERTH)
    return place


@pytest.fixture
def no_key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    return "openai:heron"


def note(place: Place, model: str, reader: ReaderName | None = None) -> str:
    with place.open(model=model) as memory:
        answer = memory.ask(QUESTION, reader=reader)
    assert answer.claims[0].quote == BERTH
    return answer.note


@pytest.mark.parametrize("reader", ["lexical", "summary", "hybrid", "agentic"])
def test_a_program_that_is_not_there_is_told_once(place: Place, reader: ReaderName) -> None:
    said = note(place, MISSING, reader)
    assert said.count("the model can't be used: it can't be started") == 1
    assert "check the command" in said
    assert "unavailable" not in said


def test_a_key_that_is_not_set_is_told(place: Place, no_key: str) -> None:
    said = note(place, no_key)
    assert said.count(NO_KEY) == 1
    assert "The lexical reader answered in place of agentic" in said


def test_what_a_program_complains_of_is_not_in_the_answer(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(f"import sys; sys.exit('it read: {CANARY}')", encoding="utf-8")
    said = note(place, f"command:{sys.executable} {file}")
    assert "it ended with code 1" in said
    assert CANARY not in said


class Refusing(BaseHTTPRequestHandler):
    """Refuses each request, and repeats what it was sent."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        pass

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8")
        said = json.dumps({"error": {"message": f"{CANARY} {sent}"}}).encode("utf-8")
        self.send_response(401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)


def test_an_endpoint_that_refuses_is_told_with_its_status(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-tests")
        said = note(place, "openai:heron")
        server.shutdown()
    assert "status 401; check the key in OPENAI_API_KEY" in said
    assert CANARY not in said


def test_the_command_says_it_too(place: Place, no_key: str) -> None:
    line = ["ask", QUESTION, "--model", no_key, "--root", str(place.root)]
    result = CliRunner().invoke(program, line)
    assert result.exit_code == 0, result.output
    assert BERTH in result.stdout
    assert NO_KEY in result.stdout


def test_a_reply_that_is_no_use_is_not_called_a_model_that_is_away(place: Place) -> None:
    with place.open() as memory:
        said = asked(memory, QUESTION, ScriptedModel(*["也许是九号。"] * 9), reader="hybrid").note
    assert "what the model replied can't be used" in said
    assert "unavailable" not in said
