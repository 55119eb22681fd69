"""What waits for a model is not taken from it by the way."""

from __future__ import annotations

from memoranda import Memory, Settings
from memoranda.errors import ModelTimeoutError
from memoranda.llm.doubles import ScriptedModel
from scene import Place

SMALL = Settings(current_tokens=60, prompt_tokens=200)
TALK = [f"炉子 {number} 在周二烧到一千二百度，然后慢慢冷却到第二天早上。" for number in range(12)]


def told(memory: Memory) -> None:
    for text in TALK:
        memory.add(text)


def test_after_a_model_rules_do_not_take_over_by_themselves(place: Place) -> None:
    with place.open(settings=SMALL, model=ScriptedModel(lambda _: {})) as memory:
        memory.add(TALK[0])
        memory.consolidate()
    with place.open(settings=SMALL) as memory:  # a look, without naming the model
        told(memory)
        waiting = memory.status()
        assert waiting.due_since is not None
        assert not memory.runs_by_itself
    with place.open(settings=SMALL) as memory:
        assert memory.opening == ()
        assert memory.status().current_entries == waiting.current_entries
        memory.consolidate()  # asked for, rules do it, and go on by themselves from then on
        assert memory.status().current_entries == 0
        told(memory)
        assert memory.status().due_since is None


def test_auto_says_it_whoever_maintained_before(place: Place) -> None:
    with place.open(settings=SMALL, model=ScriptedModel(lambda _: {})) as memory:
        memory.add(TALK[0])
        memory.consolidate()
    with place.open(settings=Settings(current_tokens=60, auto=True)) as memory:
        told(memory)
        assert memory.status().due_since is None


def test_a_model_that_hangs_once_is_left_to_the_rules_and_twice_ends_the_run(place: Place) -> None:
    late = ModelTimeoutError("slow", 1.0)
    memory = place.open(settings=SMALL, model=ScriptedModel(late, late, name="slow"))
    told(memory)
    memory.consolidate()
    run = memory.last_run
    assert run is not None
    assert "2 times in a row" in run.stopped
    assert "model_seconds" in run.stopped
    assert memory.status().current_entries == len(TALK)
    assert run.spent.calls <= 2
