"""The typed client: the same values and the same errors as the library, and a stub that says so."""

from __future__ import annotations

import importlib.util
import inspect
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from memoranda import Answer, Memory, NewEvent, Selector, errors
from memoranda.answers import Round
from memoranda.gate.problems import kinds, of
from memoranda.rest import client as module
from memoranda.rest.client import Client
from memoranda.rest.received import UnreachableError, error
from memoranda.rest.ways import WAYS
from served import Served, served, token_for

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("client") / "root") as found:
        yield found


@pytest.fixture(scope="module")
def pair(server: Served) -> Iterator[tuple[Memory, Client]]:
    """The same memory from both sides of the door."""
    user = f"u{len(server.gate.tokens.all())}"
    memory = Memory.open(server.gate.shelf.root, user=user)
    with memory, Client(server.url, token_for(server.gate, user=user)) as client:
        memory.add("My phone number is 555-1.", time="2026-03-01", speaker="Anna", session="s1")
        memory.add(
            "小林的茶馆在河边。", source="external", metadata={"a": [1, {"b": None}]}, id="x/1"
        )
        memory.consolidate()
        memory.correct(1, "My phone number is 555-2.")
        yield memory, client


CALLS: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("search", ("phone number",), {}),
    ("search", ("茶馆",), {"source": ("external",), "since": date(2020, 1, 1), "budget": 50}),
    ("search", ("phone",), {"known_at": datetime(2100, 1, 1, tzinfo=UTC), "true_at": "2026-03-02"}),
    ("context", ("phone number", 500), {"speaker": "Anna"}),
    ("grep", ("555",), {"limit": 1, "ignore_case": True}),
    ("facts", ("Anna",), {}),
    ("events", ("茶馆",), {"limit": 3}),
    ("list_documents", (), {"query": "phone"}),
    ("documents", (), {}),
    ("document", ("d1",), {}),
    ("read_lines", ("d1", 2), {"last": 4}),
    ("get", (1,), {}),
    ("get", ("x/1",), {}),
    ("current", (), {}),
    ("history", (1,), {}),
    ("history", ("d1",), {}),
    ("timeline", (1,), {}),
    ("timeline", (1,), {"known_at": 5}),
    ("read_lines", ("CURRENT",), {"known_at": 2}),
    ("read_lines", ("CURRENT",), {"known_at": date(2100, 1, 1)}),
    ("grep", ("555",), {"known_at": 2}),
    ("facts", ("Anna",), {"known_at": "@3", "true_at": "2026-03-02"}),
    ("events", ("茶馆",), {"known_at": "2100"}),
    ("list_documents", (), {"known_at": 2}),
    ("blame", ("d1",), {}),
    ("diff", ("d1",), {}),
    ("status", (), {}),
    ("state", (), {}),
    ("lint", (), {}),
    ("plans", (), {}),
    ("plans", ("pending",), {}),
    ("waiting", (), {}),
    ("calls", (), {"limit": 2}),
    ("estimate", (), {}),
    ("check", (), {"subset": (1, 2)}),
    ("replay", (3,), {}),
    ("forget", (), {"entry": 2, "dry_run": True}),
    ("selected", (Selector(entry=2),), {}),
    ("receipts", (), {}),
    ("metrics", (), {"points": 1}),
    ("sample_plans", (2,), {"seed": 3}),
    ("asked", (), {}),
    ("doctor", (), {}),
)


@pytest.mark.parametrize(("name", "args", "given"), CALLS, ids=range(len(CALLS)))
def test_a_call_gives_the_value_that_the_library_gives(
    pair: tuple[Memory, Client], name: str, args: tuple[Any, ...], given: dict[str, Any]
) -> None:
    memory, client = pair
    theirs = getattr(client, name)(*args, **given)
    ours = getattr(memory, name)(*args, **given)
    assert type(theirs) is type(ours)
    if name not in {
        "forget",
        "selected",
        "doctor",
        "check",
    }:  # times, tokens and disks of their own
        assert theirs == ours


def test_an_answer_is_the_library_s_but_for_its_seconds(pair: tuple[Memory, Client]) -> None:
    memory, client = pair
    ours, theirs = memory.ask("phone number?"), client.ask("phone number?", reader="lexical")
    assert theirs.claims == ours.claims
    assert theirs.evidence == ours.evidence
    assert theirs.trace is not None
    assert theirs.to_dict().keys() == ours.to_dict().keys()
    assert client.resolve(ours.claims[0].citation) == memory.resolve(ours.claims[0].citation)
    *rounds, answer = client.ask_events("phone number?")
    assert isinstance(answer, Answer)
    assert all(isinstance(item, Round) for item in rounds)
    assert answer.claims == ours.claims


def test_the_log_comes_whole_and_in_parts(pair: tuple[Memory, Client]) -> None:
    memory, client = pair
    whole = list(memory.log())
    assert list(client.log()) == whole
    assert list(client.log(after=2, limit=3)) == whole[2:5]
    assert list(client.log(kind="event")) == list(memory.log(kind="event"))


def test_many_events_and_lines_go_in_pieces_and_are_told_as_one(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_EVENTS", 2)
    monkeypatch.setattr(module, "_PIECE", 200)
    with Client(server.url, token_for(server.gate, user="many")) as client:
        added = client.add_many(NewEvent(content=f"Valve {n} is new.") for n in range(5))
        assert added.seqs == (1, 2, 3, 4, 5)
        assert len(added.event_ids) == 5
        lines = [f'{{"content": "Line {n} is of some length, so that few fit."}}' for n in range(9)]
        done = client.import_lines([*lines[:5], "bad", *lines[5:], "worse"])
        assert done.added == 9
        assert [number for number, _ in done.malformed] == [6, 11]
        assert client.import_lines([]).added == 0
        assert client.add_many([]).event_ids == ()


@pytest.mark.parametrize("name", sorted(kinds()))
def test_an_error_comes_back_as_it_was(name: str) -> None:
    kind = kinds()[name]
    made = {
        errors.NotFoundError: lambda: kind("entry", 7, ("a", "b")),
        errors.ConservationError: lambda: kind(frozenset({3, 1}), frozenset(), frozenset({2})),
        errors.ReviewNeededError: lambda: kind(("why",), frozenset({1})),
        errors.UndoError: lambda: kind("why", ("p1",)),
        errors.StalePlanError: lambda: kind("d1", 3, 4, instead="p9"),
        errors.ModelRateLimitedError: lambda: kind("m", 3.5),
        errors.ChangedError: lambda: kind(1, 2, 3, "superseded"),
    }.get(kind)
    if made is None:
        texts = [
            p for p in inspect.signature(kind.__init__).parameters.values() if p.name != "self"
        ]
        plain = kind.__init__ is Exception.__init__ or any(
            p.kind is p.VAR_POSITIONAL for p in texts
        )
        given: list[Any] = (
            ["what to do"] if plain else [_value(p) for p in texts if p.default is p.empty]
        )
        made = lambda: kind(*given)  # noqa: E731 - one line says it
    was = made()
    found = error(of(was).to_dict())
    assert type(found) is kind
    assert str(found) == str(was)
    assert vars(found) == vars(was)


def _value(parameter: inspect.Parameter) -> Any:
    hint = str(parameter.annotation)
    if hint.startswith("tuple"):
        return ("a", "b")
    return 1 if hint == "int" else 2.5 if hint == "float" else "word"


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda it: it.get("nobody"), errors.NotFoundError),
        (lambda it: it.add(" "), errors.TextError),
        (lambda it: it.add("x", time="soon"), errors.TimeError),
        (lambda it: it.add("x", source="gossip"), errors.InputError),
        (lambda it: it.correct(1, "y", seen=0), errors.ChangedError),
        (lambda it: it.search("x", speaker="Nobody"), errors.NotFoundError),
        (lambda it: it.undo("p0"), errors.NotFoundError),
        (lambda it: it.forget(), errors.InputError),
        (lambda it: it.forget(entry=99), errors.NotFoundError),
    ],
    ids=range(9),
)
def test_the_same_error_comes_through_the_door(
    pair: tuple[Memory, Client], call: Any, kind: type[Exception]
) -> None:
    for side in pair:
        with pytest.raises(kind) as refused:
            call(side)
        assert type(refused.value) is kind


@pytest.mark.parametrize(
    ("name", "given"),
    [("backup", {"target": "/tmp/x"}), ("replay", {"known_at": 1, "to": "/tmp/x"}),  # noqa: S108
     ("consolidate", {"progress": print}), ("remaintain", {"model": "command:sh"})],
)  # fmt: skip
def test_what_is_of_the_caller_s_machine_is_refused_not_left_out(
    pair: tuple[Memory, Client], name: str, given: dict[str, Any]
) -> None:
    with pytest.raises(errors.InputError, match="over HTTP"):
        getattr(pair[1], name)(**given)
    with pytest.raises(TypeError):
        getattr(pair[1], name)(colour="red", **given)


def test_a_program_of_the_caller_can_not_be_named_on_the_wire(server: Served) -> None:
    http = server.http()
    assert http.post("/v1/remaintain", json={"model": "command:sh -c true"}).status_code == 422
    assert http.post("/v1/backups", json={"target": "/tmp/x"}).status_code == 422  # noqa: S108
    assert http.post("/v1/backups?target=/tmp/x").status_code == 422
    assert http.get("/v1/status?user=ann").status_code == 422
    assert http.post("/v1/replay", json={"known_at": 0, "to": "/x"}).status_code == 422


def test_a_wrong_token_and_a_server_that_is_not_there_are_told(server: Served) -> None:
    with (
        Client(server.url, "mem_00000000_" + "a" * 43) as client,
        pytest.raises(errors.NotAllowedError, match="bearer token"),
    ):
        client.status()
    with Client("http://127.0.0.1:9", "x") as client, pytest.raises(UnreachableError):
        client.status()
    reader = Client(server.url, token_for(server.gate, role="reader"))
    with reader as client, pytest.raises(errors.NotAllowedError, match="writer"):
        client.add("x y z")


def twins() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_twins", ROOT / "docs" / "make_twins.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_stubs_of_what_is_made_from_the_facade_are_current() -> None:
    for path, text in twins().pages().items():
        assert path.read_text(encoding="utf-8") == text, "run: python docs/make_twins.py"


def test_the_client_has_every_method_that_has_an_address() -> None:
    assert {way.method for way in WAYS} <= set(dir(Client))


def test_the_client_does_without_the_server_s_packages() -> None:
    code = "import memoranda.rest.client, sys; print('fastapi' in sys.modules, 'uvicorn' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.split() == ["False", "False"]
