"""Field cases: what is deleted is just what was meant; model calls and secrets leave no trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from processes import bytes_below

from cli_command import Command
from memoranda import NewEvent
from memoranda.errors import InputError, MemorandaError
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from scene import QUIET, Place, rows

SESSIONS = ("one", "two")


def two_users(root: Path) -> dict[str, Place]:
    """Two users with two sessions each."""
    places = {}
    for user in ("ines", "mira"):
        places[user] = Place(root, QUIET, ids=f"{user}-")
        with places[user].open(user=user) as memory:
            for session in SESSIONS:
                memory.add_many(
                    NewEvent(content=f"{user} told {session} thing {n}.", session=session)
                    for n in range(3)
                )
            memory.consolidate()
    return places


def hashes(root: Path, user: str) -> dict[str, bytes]:
    """Every file of a user, but for SQLite's side files."""
    found: Mapping[str, bytes] = bytes_below(root / "users" / user)
    return {name: data for name, data in found.items() if not name.endswith(("-shm", "-wal"))}


def test_all_of_one_session_of_one_user_goes_and_nothing_else(root: Path) -> None:  # fc-049
    places = two_users(root)
    other = hashes(root, "mira")
    with places["ines"].open(user="ines") as memory:
        done = memory.forget(session="one", all=True)
        assert (len(done.events), done.seqs) == (3, (1, 2, 3))
        left = memory.selected(all=True).entries
        assert [entry.text for entry in left] == [f"ines told two thing {n}." for n in range(3)]
        assert memory.status().events == 6
        assert memory.status().forgotten == 3
    assert hashes(root, "mira") == other
    with places["mira"].open(user="mira") as memory:
        assert (memory.status().events, memory.status().forgotten) == (6, 0)


@pytest.mark.parametrize("empty", [{}, {"session": None}, {"seq": ""}, {"all": False}], ids=str)
def test_an_empty_filter_is_refused_and_deletes_nothing(  # fc-049
    root: Path, empty: dict[str, object]
) -> None:
    places = two_users(root)
    with places["ines"].open(user="ines") as memory:
        before = rows(memory)
        with pytest.raises(InputError, match="say what is to be forgotten"):
            memory.forget(**empty)  # type: ignore[arg-type]
        assert rows(memory) == before
    command = Command(root)
    for given in ((), ("--session", ""), ("--seq", "")):
        assert command("forget", "--user", "ines", "--yes", *given).exit_code == 2
    assert command.json("status", "--user", "ines")["forgotten"] == 0


def test_no_selector_reaches_another_user(root: Path) -> None:  # fc-044
    places = two_users(root)
    with places["mira"].open(user="mira") as memory:
        event = memory.get(1).event_ids[0]  # type: ignore[union-attr]
    other = hashes(root, "mira")
    with places["ines"].open(user="ines") as memory:
        for parts in ({"event": event}, {"query": "mira told"}, {"speaker": "mira"}):
            with pytest.raises(MemorandaError):
                memory.forget(**parts)  # type: ignore[arg-type]
        memory.forget(all=True)
    assert hashes(root, "mira") == other


NAME = "Wenzeslaus Quorbitz"
TOLD = (
    f"{NAME} asked for the key of the boat shed.",
    "The boat shed is painted in May.",
    f"Dinner with {NAME} is on Friday.",
)


def test_kept_texts_of_model_calls_go_by_citation_and_their_counts_stay(  # fc-051
    root: Path,
) -> None:
    place = Place(root, replace(QUIET, keep_calls=True))

    def reply(_: Request) -> str:
        return f"I can't say, {NAME}."

    with place.open(model=ScriptedModel(reply)) as memory:
        memory.add_many(NewEvent(content=text, external_id=f"n{n}") for n, text in enumerate(TOLD))
        memory.consolidate()
        memory.ask("Who asked for the key?")
        kept = memory.calls()
        assert any(NAME in (call.prompt or "") for call in kept)
        done = memory.forget(query=NAME.upper())
        assert len(done.events) == 2
        assert done.counts["calls"][0] == len(kept)
        assert done.counts["calls"][1] == 0
        after = memory.calls()
        figures = [(call.purpose, call.calls, call.usage.tokens, call.at) for call in after]
        assert figures == [(c.purpose, c.calls, c.usage.tokens, c.at) for c in kept]
        assert all(call.prompt is call.reply is None for call in after)
        assert any("scripted" in text for text in done.out_of_reach)
        assert memory.get("n1")
        memory.consolidate()
    left = [name for name, data in bytes_below(root).items() if _holds(data)]
    assert left == []


def _holds(data: bytes) -> bool:
    return any(
        part.encode(code) in data
        for part in (NAME, NAME.lower(), "Quorbitz", "quorbitz")
        for code in ("utf-8", "utf-16-le")
    )
