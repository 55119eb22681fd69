"""Field cases: whatever a model plans, no event is lost, and what it may not do is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from field_model import Shown, left, model, placed, program

from cli_command import Command
from memoranda import Memory, Settings
from memoranda.errors import ReplyError
from memoranda.write.by_model.names import Pool, named
from scene import Place, shown

PRINTER = "The lab printer is on the third floor."
BLACK = "I take my coffee black."
STOPPED = "I stopped drinking coffee."


def test_a_model_that_deletes_the_older_copy_of_a_fact_deletes_nothing(place: Place) -> None:
    # fc-001
    deleting = model(
        extract=lambda s: {"skip": [{"of": " ".join(s.names("events")), "why": "repeat"}]},
        rewrite=lambda s: {"delete": s.names("entries")[0]},
    )
    memory = place.open(model=deleting)
    memory.add(PRINTER)
    memory.add(PRINTER)
    memory.consolidate()
    assert memory.status().events == 2
    assert left(memory) == {("rewrite", "unknown_field"): 1}
    assert memory.last_run is not None
    assert memory.last_run.reworded == 2
    assert placed(memory) == {PRINTER: 2}
    assert [text for _, _, text in shown(memory, "lab printer")] == [PRINTER]


def test_the_same_through_a_program_and_the_command(
    place: Place, memoranda: Command, tmp_path: Path
) -> None:  # fc-001
    names = "re.findall(r'^([a-z]{3,6}) ', asked.split('Reply with')[-2], re.M)"
    deleting = program(tmp_path, f"print(json.dumps({{'delete': {names}[:1]}}))")
    for _ in range(2):
        memoranda.ok("add", PRINTER)
    result = memoranda("consolidate", "--model", deleting)
    assert result.exit_code == 0, result.output
    for step in ("extract", "rewrite", "route"):
        assert f"{step} was left to the rules: unknown_field" in result.stderr
    assert "unknown_field" in memoranda.ok("status")
    assert placed(place.open()) == {PRINTER: 2}


def settled(place: Place, **given: object) -> Memory:
    """A scope with one document that says how coffee is taken."""
    with place.open() as memory:
        memory.add(BLACK, time="2026-05-01")
        memory.consolidate()
    memory = place.open(**given)
    memory.add(STOPPED, time="2026-05-20")
    return memory


def test_a_plan_that_only_removes_the_old_line_loses_neither(place: Place) -> None:  # fc-002
    removing = model(
        extract=lambda s: {"skip": [{"of": s.of(STOPPED), "why": "noise"}]},
        rewrite=lambda s: {"remove": s.of(BLACK, "older"), "old": []},
    )
    memory = settled(place, model=removing)
    memory.consolidate()
    assert memory.status().events == 2
    assert left(memory) == {("rewrite", "unknown_field"): 1}
    assert placed(memory) == {BLACK: 1, STOPPED: 1}
    assert {text for _, _, text in shown(memory, "coffee")} == {BLACK, STOPPED}


def test_on_a_contradiction_the_newer_is_current_and_the_older_only_as_replaced(
    place: Place,
) -> None:  # fc-002
    pair = model(rewrite=lambda s: {"old": [f"{s.of(BLACK, 'older')} {s.of(STOPPED, 'entries')}"]})
    memory = settled(place, model=pair)
    memory.consolidate()
    (waits,) = memory.waiting()
    assert placed(memory) == {BLACK: 1, STOPPED: 1}
    assert {(old, text) for _, old, text in shown(memory, "coffee")} == {
        (None, BLACK), (None, STOPPED)
    }  # fmt: skip
    memory.approve(waits)
    assert shown(memory, "coffee") == [(2, None, STOPPED), (1, 2, BLACK)]
    assert memory.status().events == 2
    assert memory.current() == ()


MOVED = "The office moved to Harbour Street 4. The old lease ends on 30 June."
MOVED_ZH = "办公室搬到了海港街4号。旧租约六月三十日到期。"


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (MOVED, ["The office moved to Harbour Street 4."]),
        (MOVED, ["The office moved to Harbour Street 4.", "The old lease ends on 31 July."]),
        (MOVED_ZH, ["办公室搬到了海港街4号。"]),
    ],
    ids=["a part is left out", "a part is refused", "一部分被漏掉"],
)
def test_facts_that_tell_a_part_of_an_event_do_not_take_the_place_of_the_whole(
    place: Place, text: str, facts: list[str]
) -> None:  # fc-002
    asking = model(
        extract=lambda s: {"facts": [{"of": s.of(text), "fact": fact} for fact in facts]}
    )
    memory = place.open(model=asking)
    memory.add(text)
    memory.consolidate()
    assert placed(memory) == {text: 1}
    assert memory.last_run is not None
    assert memory.last_run.reworded == 1


def test_facts_that_tell_the_whole_event_take_its_place(place: Place) -> None:  # fc-002
    facts = ["The office moved to Harbour Street 4.", "The old lease ends on 30 June."]
    asking = model(
        extract=lambda s: {"facts": [{"of": s.of(MOVED), "fact": fact} for fact in facts]}
    )
    memory = place.open(model=asking)
    memory.add(MOVED)
    memory.consolidate()
    assert placed(memory) == dict.fromkeys(facts, 1)


TEXTS = (
    "The kiln needs new bricks before the winter.",
    "The choir sings on Thursdays above the pharmacy.",
    "二号锅炉的压力每天夜里下降半个大气压。",
)


@pytest.mark.parametrize("again", ["the same reply", "a good reply"])
def test_names_that_were_never_given_refuse_the_whole_reply(place: Place, again: str) -> None:
    # fc-031
    with place.open(settings=Settings(auto=False, structure="off")) as memory:
        for number, text in enumerate(TEXTS):
            memory.add(text, session=f"s{number}")
        memory.consolidate()
        files = place.files()

    def routing(asked: Shown) -> dict[str, object]:
        good = {"blocks": asked.names("blocks")[0], "to": asked.names("documents")[0]}
        if asked.again and again == "a good reply":
            return {"go": [good]}
        return {"go": [good, {"blocks": "qaqax xaxaq", "to": "12"}], "old": ["d12 e999"]}

    asking = model(route=routing)
    memory = place.open(model=asking, settings=Settings(auto=False, structure="off"))
    memory.add("The kiln was fired on Monday.", session="s9")
    memory.consolidate()
    heard = [r.messages[-1].content for r in asking.requests if len(r.messages) > 2]
    assert len(heard) == 1
    assert "qaqax, xaxaq" in heard[0]
    assert left(memory) == ({} if again == "a good reply" else {("route", "unknown_alias"): 1})
    assert memory.current() == ()
    assert len(placed(memory)) == 4
    for name, data in files.items():
        lines = [line for line in data.splitlines() if line.startswith(b"- ")]
        kept = place.files().get(name, b"")
        assert all(line in kept for line in lines)


def test_the_error_names_all_that_was_never_given_and_nothing_near_it_is_guessed() -> None:
    # fc-031
    table = Pool("0123456789abcdef").table([1, 2, 3])
    with pytest.raises(ReplyError, match=re.escape("are not offered here")) as error:
        named(f"{table.of(1)} 12 e999", table)
    assert "12, e999" in error.value.detail
