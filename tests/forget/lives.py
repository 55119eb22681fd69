"""What a memory is used for between the day something comes in and the day it is to be forgotten."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress

from dens import Den
from doomed import Doom
from killing import Fuse, light

from memoranda.errors import MemorandaError
from scene import Place

Step = Callable[[Den, Doom], object]


def add(den: Den, _: Doom) -> None:
    for _ in range(den.rng.randrange(1, 5)):
        den.memory.add(den.plain(), session=f"s{den.rng.randrange(3)}", time="2026-05-09")


def consolidate(den: Den, _: Doom) -> None:
    den.memory.consolidate()


def ask_for_it(den: Den, doom: Doom) -> None:
    """Its words stand in the questions, too."""
    den.memory.search(doom.text[:400])
    den.memory.ask(f"What of {doom.short}?")
    den.memory.context(doom.word)
    den.memory.grep(doom.word)


def correct(den: Den, _: Doom) -> None:
    (seq,) = den.memory.add(den.plain()).seqs
    den.memory.correct(seq, den.plain())


def retract(den: Den, _: Doom) -> None:
    (seq,) = den.memory.add(den.plain()).seqs
    den.memory.consolidate()
    den.memory.retract(seq, reason=den.plain())


def undo_and_redo(den: Den, _: Doom) -> None:
    plans = [
        one.record_id
        for one in den.memory.log(kind="plan")
        if one.body is not None and one.body.get("operations")
    ]
    for plan in plans[-den.rng.randrange(1, 3) :]:
        with suppress(MemorandaError):
            undone = den.memory.undo(plan)
            if den.rng.random() < 0.5:
                den.memory.undo(undone.undo_id)


def decide(den: Den, _: Doom) -> None:
    for plan in den.memory.waiting():
        with suppress(MemorandaError):
            (den.memory.approve if den.rng.random() < 0.6 else den.memory.reject)(plan, by="Mira")


def forget_another(den: Den, _: Doom) -> None:
    added = den.memory.add(den.plain())
    den.memory.consolidate()
    den.memory.forget(event=added.event_ids[0])


def rebuild(den: Den, _: Doom) -> None:
    den.memory.rebuild()


def back_up(den: Den, _: Doom) -> None:
    den.memory.backup()


def back_up_elsewhere(den: Den, _: Doom) -> None:
    path = den.out / f"{den.rng.random()}.db"
    den.memory.backup(path)
    den.backup = path


def export(den: Den, _: Doom) -> None:
    path = den.out / f"{den.rng.random()}.zip"
    den.memory.export(path)
    den.archive = path


def replay(den: Den, _: Doom) -> None:
    position = den.memory.status().position
    if position:
        den.memory.replay(max(1, position - den.rng.randrange(6)))


def check(den: Den, _: Doom) -> None:
    den.memory.check(full=den.rng.random() < 0.3)


def reopen(den: Den, _: Doom) -> None:
    den.reopened()


def edit_by_hand(den: Den, _: Doom) -> None:
    den.memory.state()
    shelf = den.folder / "elsewhere" if den.settings.documents else den.place.folder
    for path in sorted((shelf / "topics").glob("*.md"))[:1]:
        path.write_text(f"{path.read_text('utf-8')}\nMy own note {den.plain()}\n", "utf-8")
    den.memory.state()


def damage_what_is_derived(den: Den, _: Doom) -> None:
    den.close()
    name = den.rng.choice(("index.db", "vectors.db"))
    path = den.place.folder / name
    if path.exists():
        data = path.read_bytes()
        path.write_bytes(b"\0" * 64 + data[64:])
    den.open()
    den.memory.search("kiln")


def crash(den: Den, _: Doom) -> None:
    """The process is killed at some step of a consolidation."""
    den.memory.add(den.plain())
    den.close()
    at = den.rng.randrange(1, 30)
    child = os.fork()
    if child == 0:
        try:
            light(Fuse(at))
            den.place = Place(den.place.root, den.settings, ids=f"crash-{den.told}-{at}-")
            den.open().consolidate()
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    den.open()


STEPS: tuple[Step, ...] = (
    add, consolidate, ask_for_it, correct, retract, undo_and_redo, decide, forget_another, rebuild,
    back_up, back_up_elsewhere, export, replay, check, reopen, edit_by_hand,
    damage_what_is_derived, crash,
)  # fmt: skip
USUAL: tuple[Step, ...] = (add, consolidate, ask_for_it, add, consolidate)


def lived(den: Den, doom: Doom, steps: int) -> list[str]:
    """Use a memory for so many steps by chance; gives their names."""
    taken = [den.rng.choice(USUAL if den.rng.random() < 0.5 else STEPS) for _ in range(steps)]
    for step in taken:
        step(den, doom)
    return [step.__name__ for step in taken]
