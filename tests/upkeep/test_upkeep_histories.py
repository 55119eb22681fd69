"""Whatever is done between runs of a model, honest or faulty: all is kept, and comes back the same."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from upkeep_laws import Heard, laws
from upkeep_model import honest, talk

from memoranda import Memory, Settings
from memoranda.errors import InputError, StalePlanError
from memoranda.llm.doubles import FaultyModel
from scene import Place, all_seqs, fast, home, index_rows, log_bytes, rows

OFTEN = settings(
    max_examples=300 if os.environ.get("MEMORANDA_LONG") else 25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@dataclass(frozen=True)
class Step:
    """One thing done: its name and a number that chooses with what."""

    do: str
    number: int


steps = st.builds(
    Step,
    st.sampled_from(
        ("add", "add", "add", "consolidate", "consolidate", "forget event", "forget entry",
         "correct", "retract", "approve", "reject", "by rules")
    ),
    st.integers(0, 99),
)  # fmt: skip
histories = st.lists(steps, min_size=3, max_size=9)
sizes = st.builds(
    Settings,
    current_tokens=st.sampled_from((80, 260)),
    split_tokens=st.sampled_from((120, 300)),
    merge_tokens=st.sampled_from((0, 60)),
    entry_tokens=st.just(60),
    auto=st.just(False),
    mode=st.sampled_from(("auto", "auto", "review")),
    trust=st.sampled_from(("rules", "model")),
    keep_calls=st.booleans(),
)


class History:
    """A scope, what was acknowledged of it, and what of that was forgotten."""

    def __init__(self, place: Place, faulty: FaultyModel) -> None:
        self.place = place
        self.heard = Heard(faulty)
        self.memory = place.open(model=self.heard)
        self.told: dict[str, str] = {}

    def do(self, step: Step) -> None:
        self.place.clock.tick(60)
        memory, number = self.memory, step.number
        known = all_seqs(memory)
        waiting = memory.waiting()
        match step.do:
            case "add":
                whole = talk(number % 7)
                at = Random(number).sample(range(len(whole)), 6)  # noqa: S311 - no secret
                events = [whole[place] for place in sorted(at)]
                ids = memory.add_many(events).event_ids
                self.told |= {i: e.content for i, e in zip(ids, events, strict=True)}
            case "consolidate":
                memory.consolidate()
            case "by rules":
                other = self.place.open(settings=self.place.settings)
                other.consolidate()
                other.close()
            case "forget event" if self.told:
                gone = sorted(self.told)[number % len(self.told)]
                assert memory.forget(event=gone).left == ()
                del self.told[gone]
            case "approve" | "reject" if waiting:
                plan_id = waiting[number % len(waiting)]
                with suppress(StalePlanError):
                    (memory.approve if step.do == "approve" else memory.reject)(plan_id)
            case _ if known:
                self._on_entry(step, known[number % len(known)])

    def _on_entry(self, step: Step, seq: int) -> None:
        match step.do:
            case "forget entry":
                done = self.memory.forget(entry=seq)
                assert done.left == ()
                self._without(set(done.events))
            case "correct":
                corrected = self.memory.correct(seq, f"No: the old kiln cracks at {step.number}.")
                assert corrected
            case "retract":
                with suppress(InputError):  # it was retracted before
                    self.memory.retract(seq)
            case _:
                pass

    def _without(self, events: set[str]) -> None:
        """Events that lost a part only are there still, in other words."""
        for event_id in events & self.told.keys():
            del self.told[event_id]


def derived(memory: Memory) -> tuple[Any, ...]:
    return (memory.state(), rows(memory), index_rows(memory), log_bytes(memory))


@OFTEN
@given(
    history=histories,
    size=sizes,
    seed=st.integers(0, 9999),
    rate=st.sampled_from((0.0, 0.0, 0.3, 0.7)),
)
def test_conservation_and_replay_hold_after_any_history(
    history: list[Step], size: Settings, seed: int, rate: float, monkeypatch: Any
) -> None:
    numbers = count(1)
    monkeypatch.setattr("memoranda.memory.upkeeping._nonce", lambda: f"{next(numbers):016x}")
    with tempfile.TemporaryDirectory(dir=fast()) as folder:
        place = Place(Path(folder).resolve() / "root", size)
        lived = History(place, FaultyModel(honest(), seed=seed, rate=rate))
        for step in (Step("add", seed), *history, Step("consolidate", 0)):
            lived.do(step)
        laws(lived.memory, lived.told, lived.heard)
        before = derived(lived.memory)
        lived.memory.close()
        place.drop()
        memory = place.open(heal=False)
        memory.rebuild()
        assert derived(memory) == before
        assert home(memory).view.counter("seq") >= len(lived.told)
        place.close()


def test_a_reply_that_is_no_unicode_is_kept_as_far_as_it_is(kept: Place) -> None:
    model = FaultyModel(honest(), seed=3, family="lone_surrogate")
    memory = kept.open(model=model, settings=replace(kept.settings, keep_calls=True))
    memory.add_many(talk(5))
    memory.consolidate()
    assert model.struck
    assert memory.last_run is not None
    assert memory.last_run.used == 0
    assert any(call.reply and "\ufffd" in call.reply for call in memory.calls())
    assert memory.current() == () or memory.waiting()
