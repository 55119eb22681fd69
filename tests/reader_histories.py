"""Random histories of one memory: everything that can happen to lines that were cited."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from contextlib import suppress

from memoranda import Memory
from memoranda.errors import InputError, NotFoundError, UndoError
from scene import CHINESE_PHONE, LIMIT, PHONE, SENTENCES, Place

LONG = os.environ.get("MEMORANDA_LONG") == "1"
QUESTIONS = (
    "What is my phone number?",
    "我的电话是多少？",
    "What is the deployment limit?",
    "When does the night ferry leave, and what cracks the kiln?",
    "老李修好了什么？",
)
STATES = (PHONE, CHINESE_PHONE, LIMIT)


def happen(memory: Memory, chance: random.Random, number: int, *, forgets: bool = True) -> None:
    """Let one thing happen: mostly something is said, now and then something is done about it."""
    deeds: dict[str, Callable[[Memory, random.Random], object]] = {
        "consolidate": lambda memory, _: memory.consolidate(),
        "correct": _correct,
        "retract": lambda memory, chance: memory.retract(_any(memory, chance)),
        "forget": lambda memory, chance: memory.forget(entry=_any(memory, chance)),
        "undo": _undo,
    }
    weights = (3, 1, 1, int(forgets), 1)
    if number < 6 or chance.random() < 0.6:
        said = chance.choice((*STATES, *SENTENCES))
        text = said.format(chance.randrange(1000, 9999))
        if chance.random() < 0.2:
            text = f"{text}\n{chance.choice(SENTENCES)}\n- {chance.randrange(100)}"
        memory.add(
            text, session=f"s{number // 4}", time=f"2026-{1 + number // 28:02}-{1 + number % 28:02}"
        )
        return
    name = chance.choices([*deeds], weights)[0]
    with suppress(NotFoundError, InputError, UndoError):
        deeds[name](memory, chance)


def _any(memory: Memory, chance: random.Random) -> int:
    status = memory.status()
    return chance.randint(1, max(1, status.entries + status.forgotten))


def _correct(memory: Memory, chance: random.Random) -> None:
    memory.correct(_any(memory, chance), chance.choice(STATES).format(chance.randrange(1000, 9999)))


def _undo(memory: Memory, chance: random.Random) -> None:
    plans = [record.record_id for record in memory.log(kind="plan")]
    if plans:
        memory.undo(chance.choice(plans[-4:]))


def lived(
    place: Place,
    seed: int,
    length: int,
    look: Callable[[Memory, int], None],
    *,
    forgets: bool = True,
) -> Memory:
    """Live a history of so many steps, and look after each."""
    chance = random.Random(seed)  # noqa: S311 - the same each time, on purpose
    memory = place.open()
    for number in range(length):
        happen(memory, chance, number, forgets=forgets)
        look(memory, number)
        place.clock.tick(60)
    return memory
