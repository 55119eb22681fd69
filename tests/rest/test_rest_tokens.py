"""Tokens: shown once, kept as hashes, for a scope and a role, out of force at once when revoked."""

from __future__ import annotations

import json
import os
import secrets
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cli_command import Command
from memoranda.errors import InputError, MemorandaError, NotFoundError
from memoranda.gate.grant import Grant
from memoranda.gate.tokens import FILE, Tokens
from served import served

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
SECRET = "s" * 43


def grant(number: int = 1, **given: object) -> Grant:
    return Grant(**{"token_id": f"{number:08x}", "name": "cron"} | given)  # type: ignore[arg-type]


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    return Tokens(tmp_path / "root" / FILE, clock=lambda: NOW)


def test_a_token_is_known_and_its_neighbours_are_not(tokens: Tokens) -> None:
    text = tokens.add(grant(user="ann", role="writer"), SECRET)
    assert text == f"mem_00000001_{SECRET}"
    assert tokens.known(text) == grant(user="ann", role="writer")
    wrong = [
        text[:-1], f"{text}x", f"{text[:-1]}t", text.upper(), f" {text}", "", "mem_", SECRET,
        text.replace("00000001", "00000002"), f"{text}\n", "mem_00000001_" + "é" * 43, "x" * 10_000,
    ]  # fmt: skip
    assert [tokens.known(item) for item in wrong] == [None] * len(wrong)


def test_only_a_hash_is_kept_in_a_file_of_its_owner(tokens: Tokens, tmp_path: Path) -> None:
    text = tokens.add(grant(), SECRET)
    file = tmp_path / "root" / FILE
    assert SECRET not in file.read_text(encoding="utf-8")
    assert text not in repr(tokens.all())
    assert not any(
        SECRET.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()
    )
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_token_that_is_revoked_elsewhere_is_unknown_at_once(
    tokens: Tokens, tmp_path: Path
) -> None:
    text = tokens.add(grant(), SECRET)
    assert tokens.known(text) is not None
    other = Tokens(tmp_path / "root" / FILE)
    assert other.revoke("cron") == grant()
    assert tokens.known(text) is None
    assert tokens.grant("00000001") is None
    with pytest.raises(NotFoundError):
        other.revoke("cron")


def test_a_token_ends_with_its_time(tmp_path: Path) -> None:
    now = [NOW]
    tokens = Tokens(tmp_path / FILE, clock=lambda: now[0])
    text = tokens.add(grant(expires="2026-06-02T09:00:00Z"), SECRET)
    assert tokens.known(text) is not None
    now[0] += timedelta(days=1)
    assert tokens.known(text) is None
    assert tokens.grant("00000001") is None


def test_a_name_that_two_tokens_have_names_none(tokens: Tokens) -> None:
    first = tokens.add(grant(1), SECRET)
    tokens.add(grant(2), SECRET)
    with pytest.raises(InputError, match="00000001, 00000002"):
        tokens.revoke("cron")
    tokens.revoke("00000002")
    assert tokens.known(first) is not None


@pytest.mark.parametrize(
    "wrong",
    [{"user": "../x"}, {"role": "king"}, {"clearance": "top"}, {"name": " "}, {"name": "a\nb"},
     {"project": "a/../b"}, {"projects": ("",)}, {"expires": "soon"}, {"workspace": "a\0b"}],
    ids=str,
)  # fmt: skip
def test_a_grant_that_can_not_be_is_refused(tokens: Tokens, wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        tokens.add(grant(**wrong), SECRET)
    assert tokens.all() == ()


@pytest.mark.parametrize(
    "text", ["", "not json", "[]", '{"format": 1, "tokens": [{}]}', '{"format": 2, "tokens": []}']
)
def test_a_file_that_is_none_of_ours_lets_nobody_in(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    (tmp_path / FILE).chmod(0o600)
    with pytest.raises(InputError):
        Tokens(tmp_path / FILE).known(f"mem_00000001_{SECRET}")


@pytest.mark.skipif(os.name != "posix", reason="rights and links of POSIX")
def test_a_file_that_others_read_or_that_is_a_link_lets_nobody_in(tmp_path: Path) -> None:
    text = Tokens(tmp_path / FILE).add(grant(), SECRET)
    (tmp_path / FILE).chmod(0o644)
    with pytest.raises(InputError, match="chmod 600"):
        Tokens(tmp_path / FILE).known(text)
    (tmp_path / FILE).chmod(0o600)
    (tmp_path / "link.json").symlink_to(tmp_path / FILE)
    with pytest.raises((MemorandaError, OSError)):
        Tokens(tmp_path / "link.json").known(text)


def test_the_command_makes_lists_and_revokes(root: Path) -> None:
    memoranda = Command(root)
    made = memoranda("token", "add", "cron", "--user", "ann", "--role", "writer", "--days", "2",
                     "--only-projects", "a,b", "--clearance", "internal")  # fmt: skip
    token = made.stdout.strip()
    assert token.startswith("mem_")
    assert token not in made.stderr
    (told,) = memoranda.json("token", "list")
    assert [told["name"], told["user"], told["role"]] == ["cron", "ann", "writer"]
    assert [told["projects"], told["clearance"]] == [["a", "b"], "internal"]
    assert "hash" not in told
    listed = memoranda.ok("token", "list")
    assert "writer of user ann" in listed
    assert token.rpartition("_")[2] not in listed
    again = memoranda.json("token", "add", "cli", "--role", "owner")
    assert memoranda.json("token", "revoke", again["token_id"])["name"] == "cli"
    assert memoranda("token", "revoke", "nobody").exit_code == 3
    assert memoranda("token", "add", "x", "--role", "king").exit_code == 2
    memoranda.ok("token", "revoke", "cron")
    assert memoranda("token", "list").exit_code == 3


def test_a_server_needs_a_token_and_a_name_for_an_address_of_all(root: Path) -> None:
    memoranda = Command(root)
    found = memoranda("serve", "--port", "0")
    assert found.exit_code == 2
    assert "memoranda token add" in found.stderr
    memoranda.ok("token", "add", "cron")
    found = memoranda("serve", "--port", "0", "--host", "0.0.0.0")  # noqa: S104 - refused
    assert found.exit_code == 2
    assert "--allow-host" in found.stderr
    found = memoranda("serve", "--port", "0", "--host", "192.0.2.1")
    assert found.exit_code == 2
    assert "others can reach" in found.stderr


def test_two_tokens_open_two_memories_and_nothing_crosses(root: Path) -> None:
    with served(root) as server:
        ann, bob = server.http(user="ann"), server.http(user="bob", workspace="mill")
        ann.post("/v1/events", json={"content": "Anna keeps a heron."})
        assert bob.post("/v1/search", json={"query": "heron"}).json()["evidence"] == []
        for given in ({"user": "ann"}, {"workspace": None, "user": "ann"}, {"scope": "ann"}):
            assert bob.post("/v1/search", json={"query": "heron", **given}).status_code == 422
            assert (
                bob.get("/v1/documents", params={k: str(v) for k, v in given.items()}).status_code
                == 422
            )
        named = bob.post("/v1/search", json={"query": "heron"}, headers={"X-User": "ann"})
        assert named.json()["evidence"] == []
        assert ann.post("/v1/search", json={"query": "heron"}).json()["evidence"]


def test_a_project_s_token_reads_its_project_and_what_has_none(root: Path) -> None:
    with served(root) as server:
        whole = server.http()
        for project in ("mill", "kiln"):
            http = server.http(project=project)
            http.post("/v1/events", json={"content": f"The heron stands at the {project}."})
        whole.post("/v1/events", json={"content": "The heron is grey."})
        found = server.http(project="mill").post("/v1/search", json={"query": "heron"}).json()
        texts = sorted(e["text"] for item in found["evidence"] for e in item["entries"])
        assert texts == ["The heron is grey.", "The heron stands at the mill."]


def test_no_token_comes_into_a_log_or_an_answer(
    root: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(0)
    secret = secrets.token_urlsafe(32)
    with served(root, mcp=True) as server:
        http = server.http()
        token = http.headers["authorization"].removeprefix("Bearer ")
        replies = [http.get("/v1/status"), http.get("/nowhere"), http.get("/v1/entries/1"),
                   http.post("/mcp", json={"jsonrpc": "2.0"}),
                   server.http(secret).get("/v1/status")]  # fmt: skip
        for reply in replies:
            told = reply.text + json.dumps(dict(reply.headers))
            assert token not in told
            assert secret not in told
    out, err = capfd.readouterr()
    ours = [r.getMessage() for r in caplog.records if not r.name.startswith(("httpx", "httpcore"))]
    for text in (out, err, *ours):
        assert token not in text
        assert secret not in text
