"""Forgetting by an agent: a look first, and the deed only with the token of that look."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_agent import ERAS, beside, call, ok, refused, text

from canaries import leaks, plain
from memoranda import Memory
from scene import Place


def told(place: Place) -> Memory:
    memory = place.open()
    memory.add("The well behind the mill is dry.", id="well")
    memory.add("The miller's horse is called Aska.", id="horse")
    memory.consolidate()
    return memory


@pytest.mark.parametrize("mode", ERAS)
def test_a_first_call_only_looks_and_the_second_forgets_with_its_token(
    place: Place, mode: str
) -> None:
    memory = told(place)
    look = call(memory, "forget", mode, external_id="well")
    assert "The well behind the mill is dry." in text(look)
    assert look.structured_content["done"] is False
    assert memory.get("well")
    done = call(
        memory, "forget", mode, external_id="well", confirm=look.structured_content["confirm"]
    )
    assert done.structured_content["done"] is True
    assert done.structured_content["receipt"]["seqs"] == [1]
    assert "forgotten on" in refused(memory, "fetch", id="1")
    assert memory.get("horse")


@pytest.mark.parametrize("name", [{"event": True}, {"entry": 1}, {"external_id": "well"}])
def test_each_kind_of_name_works(place: Place, name: dict[str, Any]) -> None:
    memory = told(place)
    given = {"event": memory.get("well").event_id} if "event" in name else name
    token = ok(memory, "forget", **given)["confirm"]
    assert ok(memory, "forget", **given, confirm=token)["done"]
    assert "well" not in memory.context("well")


@pytest.mark.parametrize("token", ["", "0" * 24, "yes", "é" * 24])
def test_without_the_right_token_nothing_is_forgotten(place: Place, token: str) -> None:
    memory = told(place)
    ok(memory, "forget", external_id="well")
    assert "nothing was forgotten" in refused(memory, "forget", external_id="well", confirm=token)
    assert memory.status().forgotten == 0


def test_a_token_fits_no_other_name(place: Place) -> None:
    memory = told(place)
    token = ok(memory, "forget", external_id="well")["confirm"]
    for given in ({"external_id": "horse"}, {"entry": 2}, {"entry": 1}):
        assert "does not fit" in refused(memory, "forget", **given, confirm=token)
    assert memory.status().forgotten == 0


def test_a_token_does_not_fit_once_more_would_go_than_was_shown(place: Place) -> None:
    memory = told(place)
    token = ok(memory, "forget", entry=1)["confirm"]
    memory.add("The well behind the mill is dry.", id="well again")
    memory.consolidate()
    assert set(memory.forget(entry=1, dry_run=True).seqs) > {1}
    assert "look again" in refused(memory, "forget", entry=1, confirm=token)
    assert memory.get("well")


def test_a_token_of_another_memory_does_not_fit(place: Place, tmp_path: Path) -> None:
    memory, other = told(place), told(Place(tmp_path / "other"))
    assert ok(memory, "forget", external_id="well")["receipt"]["seqs"] == [1]
    foreign = ok(other, "forget", external_id="well")["confirm"]
    assert "does not fit" in refused(memory, "forget", external_id="well", confirm=foreign)
    assert memory.get("well")


def test_what_came_to_fit_after_the_look_stays_and_is_told(place: Place) -> None:
    memory = told(place)
    look = ok(memory, "forget", query="MILL")
    assert [entry["seq"] for entry in look["entries"]] == [1, 2]
    memory.add("The mill was sold.", id="sold")
    done = call(memory, "forget", query="MILL", confirm=look["confirm"])
    assert done.structured_content["receipt"]["seqs"] == [1, 2]
    assert "2 more came to fit since the preview, and stay" in text(done)
    assert memory.get("sold")


def test_what_was_forgotten_says_so_when_it_is_named_or_told_again(place: Place) -> None:
    memory = told(place)
    token = ok(memory, "forget", external_id="well")["confirm"]
    ok(memory, "forget", external_id="well", confirm=token)
    assert "forgotten" in refused(memory, "forget", external_id="well")
    assert "forgotten" in refused(memory, "forget", external_id="well", confirm=token)
    again = {"text": "The well behind the mill is dry.", "source": "user", "id": "well"}
    assert "forgotten before" in text(call(memory, "remember", **again))


def test_a_text_in_place_of_a_name_names_nothing_to_be_forgotten(place: Place) -> None:
    memory = told(place)
    assert "unknown parameter" in refused(memory, "forget", text="The well behind the mill is dry.")
    found = refused(memory, "forget", event="The well behind the mill is dry.")
    assert "no event" in found
    assert memory.status().forgotten == 0


def test_a_canary_that_came_in_by_mcp_is_in_no_byte_after_it_was_forgotten(root: Path) -> None:
    planted = plain("mcp")
    canary = planted.text

    async def work(agent: Client) -> None:
        given = {
            "text": canary,
            "source": "user",
            "id": "canary",
            "session": "s",
            "speaker": "Ines",
        }
        assert not (await agent.call_tool("remember", given)).is_error
        await agent.call_tool("consolidate", {})
        for name, arguments in (
            ("search", {"query": canary}),
            ("ask", {"question": canary}),
            ("context", {"query": canary}),
            ("grep", {"pattern": canary[:20]}),
        ):
            assert canary[:12] in text(await agent.call_tool(name, arguments))
        look = await agent.call_tool("forget", {"external_id": "canary"})
        token = look.structured_content["confirm"]
        done = await agent.call_tool("forget", {"external_id": "canary", "confirm": token})
        assert done.structured_content["done"]
        assert "left" not in done.structured_content["receipt"]
        assert canary[:12] not in text(await agent.call_tool("context", {"query": canary}))

    talk_beside(root, work)
    assert leaks(root, canaries=[planted]) == ()


def talk_beside(root: Path, work: Any) -> None:
    """Talk to a server process."""

    async def run() -> None:
        async with Client(beside(root)) as agent:
            await work(agent)

    anyio.run(run)
