"""No byte of a secret is written, whichever way it comes in, and whoever sent it is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cli_command import Command
from memoranda import Added, Memory, NewEvent
from memoranda.errors import InputError, SecretError
from memoranda.mcp.writing import _what
from scene import BY_HAND, Place

CODE = "ghp_" + "aB3xK9mQ2wE7rT5yU1iO" + "pL4kJ8hG6fD0sA2z"
WORD = "Tiger#2031lake"
TEXT = f"My password is {WORD}, and the token is {CODE}."
KINDS = (("github-token", 1), ("password", 1))


def held(root: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file())


def assert_gone(root: Path) -> None:
    found = held(root)
    for secret in (CODE, WORD):
        for piece in (secret, secret[:10], secret[-10:]):
            assert piece.encode() not in found


WAYS: dict[str, Callable[[Memory], Added]] = {
    "a text": lambda memory: memory.add(TEXT),
    "messages": lambda memory: memory.add([{"role": "user", "content": TEXT}]),
    "a part of a message that is kept as metadata": lambda memory: memory.add(
        [{"role": "user", "content": "Hello.", "tool_calls": [{"arguments": TEXT}]}]
    ),
    "events": lambda memory: memory.add_many([NewEvent(content=TEXT)]),
    "a correction": lambda memory: memory.correct(memory.add("Something.").seqs[0], TEXT),
    "a speaker": lambda memory: memory.add("Hello.", speaker=f"Anna (password: {WORD}) {CODE}"),
    "an id": lambda memory: memory.add("Hello.", id=f"{CODE} password={WORD}"),
    "a session": lambda memory: memory.add("Hello.", session=f"{CODE} password={WORD}"),
    "an actor": lambda memory: memory.add("Hello.", actor=f"{CODE} password={WORD}"),
    "metadata": lambda memory: memory.add("Hello.", metadata={"a": [{"password": WORD}, CODE]}),
    "a key of metadata": lambda memory: memory.add(
        "Hello.", metadata={CODE: 1, "x": f"password={WORD}"}
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_no_byte_of_a_secret_is_written(place: Place, way: str) -> None:
    memory = place.open()
    added = WAYS[way](memory)
    memory.consolidate()
    memory.search("password token")
    memory.close()
    assert added.secrets == KINDS
    assert_gone(place.root)


def test_an_import_says_what_it_left_out(place: Place) -> None:
    memory = place.open()
    lines = [json.dumps({"content": TEXT, "id": "m1", "meta": {"password": WORD}})]
    done = memory.import_lines(lines)
    assert (done.added, done.malformed, done.secrets) == (
        1,
        (),
        (("github-token", 1), ("password", 2)),
    )
    assert memory.import_lines(lines).known == 1
    assert_gone(place.root)


def test_a_mark_stands_in_the_place_of_a_secret(place: Place) -> None:
    memory = place.open()
    memory.add(TEXT)
    assert memory.current()[0].text == (
        "My password is [secret: password], and the token is [secret: github-token]."
    )


def test_a_reason_is_screened_too(place: Place) -> None:
    memory = place.open()
    receipt = memory.retract(memory.add("Hello.").seqs[0], reason=TEXT)
    memory.undo(receipt.plan_id, reason=TEXT)
    assert_gone(place.root)


@pytest.mark.parametrize("way", WAYS)
def test_refused_is_refused_whole_and_the_error_tells_nothing(place: Place, way: str) -> None:
    memory = place.open(settings=replace(BY_HAND, secrets="refuse"))
    with pytest.raises(SecretError) as caught:
        WAYS[way](memory)
    assert WORD not in str(caught.value)
    assert CODE not in str(caught.value)
    assert caught.value.kinds
    assert "redact" in str(caught.value)
    assert_gone(place.root)


def test_an_import_refuses_line_by_line(place: Place) -> None:
    memory = place.open(settings=replace(BY_HAND, secrets="refuse"))
    done = memory.import_lines([json.dumps({"content": TEXT}), json.dumps({"content": "Tea."})])
    assert (done.added, [number for number, _ in done.malformed]) == (1, [1])
    assert WORD not in done.malformed[0][1]


def test_kept_is_kept(place: Place) -> None:
    memory = place.open(settings=replace(BY_HAND, secrets="keep"))
    assert memory.add(TEXT).secrets == ()
    assert memory.current()[0].text == TEXT


def test_an_id_is_known_although_its_text_was_kept_before(place: Place) -> None:
    place.open(settings=replace(BY_HAND, secrets="keep")).add(TEXT, id="m1")
    memory = place.open()
    assert memory.add(TEXT, id="m1").known
    with pytest.raises(InputError, match="another text"):
        memory.add("Something else.", id="m1")


def test_what_was_forgotten_does_not_come_back_with_its_secret_marked(place: Place) -> None:
    line = json.dumps({"content": TEXT})
    kept = place.open(settings=replace(BY_HAND, secrets="keep"))
    kept.import_lines([line])
    kept.forget(entry=1)
    kept.close()
    assert place.open().import_lines([line]).forgotten == 1


def test_a_project_whose_name_is_a_secret_is_refused(place: Place) -> None:
    with pytest.raises(SecretError, match="project"):
        place.open().add_many([NewEvent(content="Hello.", project=CODE)])


def test_what_is_recalled_and_corrected_keeps_its_mark(place: Place) -> None:
    memory = place.open()
    seq = memory.add(TEXT).seqs[0]
    again = memory.correct(seq, memory.get(seq).text + " 真的")  # type: ignore[union-attr]
    assert again.secrets == ()


def test_the_command_says_so_on_standard_error(root: Path) -> None:
    done = Command(root)("add", TEXT)
    assert "github-token" in done.stderr
    assert WORD not in done.stderr + done.stdout
    assert CODE not in done.stderr + done.stdout


def test_an_agent_is_told_of_what_was_left_out(place: Place) -> None:
    said = _what(place.open().add(TEXT))
    assert "1 github-token" in said
    assert WORD not in said
