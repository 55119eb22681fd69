"""What tests of undo and replay share: random histories, the bytes of a state, and laws of an undo."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from histories import FORMS, PROJECTS, Step, _do, _event, may_be_undone

from memoranda import Memory, Settings
from memoranda.errors import InputError, UndoError
from memoranda.reports import Undone
from memoranda.store.documents import print_current
from memoranda.store.view import View
from scene import SENTENCES, Place, everything, everywhere, home, rows, signatures

LONG = bool(os.environ.get("MEMORANDA_LONG"))
VOICES = (("user", None), ("user", "Mira"), ("assistant", None), ("tool", "Olek"))
DEEDS = {
    "add": 2, "add_many": 6, "consolidate": 8, "undo": 8, "correct": 2, "retract": 2, "forget": 2,
    "approve": 2, "reject": 1, "mode": 1, "reopen": 1,
}  # fmt: skip
"""What is done, and how often of 35 times."""


# --- random histories -----------------------------------------------------------------------------


def _random_event(random: Random) -> Any:
    kind = random.random()
    if kind < 0.4:
        text = random.choice(SENTENCES)
    elif kind < 0.8:
        text = random.choice(FORMS).format(random.randint(1000, 1003))
    else:
        text = "\n\n".join(random.sample(SENTENCES, 3))
    day = random.choice((None, *range(1, 28)))
    return _event(text, random.choice(PROJECTS), random.choice(VOICES), day, random.randint(0, 3))


def random_history(random: Random, *, most: int = 32, without: tuple[str, ...] = ()) -> list[Step]:
    """A history that consolidates and undoes often."""
    deeds = {deed: times for deed, times in DEEDS.items() if deed not in without}
    steps = []
    for _ in range(random.randint(10, most)):
        deed = random.choices(tuple(deeds), tuple(deeds.values()))[0]
        given: tuple[Any, ...] = (random.randint(0, 99),)
        match deed:
            case "add" | "add_many":
                number = 1 if deed == "add" else random.randint(2, 7)
                given = tuple(_random_event(random) for _ in range(number))
            case "correct":
                given = (*given, random.choice(SENTENCES))
            case "mode":
                given = (random.choice(("auto", "auto", "auto", "review", "shadow")),)
            case "reopen" | "consolidate":
                given = ()
        steps.append(Step(deed, given))
    return steps


def random_sizes(random: Random, *, auto: bool | None = None) -> Settings:
    return Settings(
        current_tokens=random.choice((60, 120, 400)),
        split_tokens=random.choice((100, 250)),
        merge_tokens=random.choice((0, 60, 100)),
        entry_tokens=random.choice((50, 80)),
        auto=random.random() < 0.3 if auto is None else auto,
    )


class Life:
    """A scope in which a history is lived, step by step."""

    def __init__(self, folder: str, sizes: Settings) -> None:
        self.place = Place(Path(folder).resolve() / "root", sizes)
        self.memory = self.place.open()
        self._mode: Any = sizes.mode

    def opened(self) -> None:
        """What is to be done whenever a handle was opened."""

    def do(self, step: Step) -> None:
        self.place.clock.tick(60)
        if step.do in {"reopen", "mode"}:
            self.memory.close()
            (self._mode,) = step.with_ or (self._mode,)
            sizes = replace(self.place.settings, mode=self._mode)
            self.memory = self.place.open(settings=sizes)
            self.opened()
        elif step.do == "undo":
            self.undo(step.with_[0])
        else:
            _do(step, self.memory)

    def undo(self, number: int) -> None:
        """Undo something, if anything can be."""
        if known := may_be_undone(self.memory):
            undone(self.memory, known[number % len(known)])


# --- states -----------------------------------------------------------------------------------------


def shown_by(view: View) -> dict[str, str]:
    """Every document and CURRENT, as the projection prints them."""
    view.forget_prints()
    found = {name: view.printed(name).text for name in view.ids()}
    found["CURRENT"] = print_current(view.current_blocks()).text
    return found


def printed(memory: Memory) -> dict[str, str]:
    return shown_by(home(memory).view)


def plans(memory: Memory) -> list[str]:
    """The ids of the plans that were applied, oldest first."""
    db = home(memory).log.connection
    rows = db.execute("SELECT id FROM record WHERE kind = 'plan' ORDER BY position")
    return [row[0] for row in rows]


# --- laws -------------------------------------------------------------------------------------------


def undone(memory: Memory, record_id: str) -> Undone | None:
    """Undo, and look whether nothing was lost; None if it is refused, and then nothing changed."""
    before, all_before = _kept(memory), everything(memory)
    try:
        done = memory.undo(record_id, by="Ines", reason="to see")
    except InputError:
        told = ""
    except UndoError as error:
        told = "" if error.first else str(error)
    else:
        told, all_before = "", ()
    if all_before:
        assert everything(memory) == all_before, "a refused undo has changed something"
        assert not told or "correction" in told, "a refusal names nothing that can be undone first"
        return None
    after = _kept(memory)
    assert before["signatures"] == after["signatures"], "what the log says of an entry has changed"
    assert after["shown"] == after["standing"], "an entry is lost, or stands twice"
    if done.what == "plan":
        assert before["corrected"] <= after["corrected"] | after["gone"], "a correction is lost"
        assert before["retracted"] <= after["retracted"], "a retraction is lost"
    assert before["forgotten"] <= after["forgotten"]
    return done


def _kept(memory: Memory) -> Mapping[str, Any]:
    db = home(memory).log.connection
    entries = {row["seq"]: row for row in db.execute("SELECT * FROM entry")}
    heads = {
        seq: entries.get(row["line"], row) for seq, row in entries.items() if row["erased"] is None
    }
    links = db.execute(
        "SELECT older, newer FROM supersession JOIN record USING (position) WHERE kind <> 'plan'"
    ).fetchall()
    holds = {seq for seq, row in entries.items() if row["retracted"] is None}
    corrected = {older for older, newer in links if newer in holds and older in heads}
    return {
        "signatures": signatures(memory),
        "shown": everywhere(memory),
        "standing": [
            seq
            for seq, row in sorted(entries.items())
            if row["erased"] is None and row["line"] > 0 and row["document_id"] != "LOG"
        ],
        "corrected": {
            seq
            for seq in heads
            if entries[seq]["line"] in corrected and heads[seq]["superseded_by"] is not None
        },
        "gone": {seq for seq, row in entries.items() if row["erased"] is not None},
        "retracted": {seq for seq, row in heads.items() if row["retracted"] is not None},
        "forgotten": {seq for seq, row in entries.items() if row["erased"] is not None},
    }


def sound(memory: Memory) -> None:
    """The views are what a fold of the whole log makes, and a rebuild gives the same bytes."""
    assert memory.check(full=True).flaws == ()
    state, tables = memory.state(), rows(memory)
    assert memory.rebuild().state == state
    assert rows(memory) == tables


def seeds(few: int, many: int) -> Iterator[int]:
    """Numbers of random histories: few in every run, many in a long one."""
    yield from range(many if LONG else few)


__all__ = ["LONG", "Life", "plans", "printed", "seeds", "shown_by", "sound", "suppress", "undone"]
