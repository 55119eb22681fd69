"""Random histories of a scope: what people and agents may do to it, as data."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from memoranda import Entry, Memory, NewEvent, Settings
from memoranda.errors import InputError, StalePlanError, UndoError
from scene import CHINESE_PHONE, LIMIT, PHONE, SENTENCES, Place, all_seqs, home

PROJECTS = (None, None, "acme", "zeta")
FORMS = (PHONE, LIMIT, CHINESE_PHONE)


@dataclass(frozen=True)
class Step:
    """One thing done: its name and what it is done with."""

    do: str
    with_: tuple[Any, ...] = ()


def _event(
    text: str, project: str | None, voice: tuple[str, str | None], day: int | None, session: int
) -> NewEvent:
    source, speaker = voice
    return NewEvent(
        content=text,
        source=source,  # type: ignore[arg-type]
        speaker=speaker,
        time=None if day is None else f"2026-05-{day:02}",
        session=None if session == 0 else f"s{session}",
        project=project,
    )


ANY = st.characters(exclude_characters="\0", codec="utf-8")
texts = st.one_of(
    st.sampled_from(SENTENCES[:4] + SENTENCES[10:14]),
    st.builds(str.format, st.sampled_from(FORMS), st.integers(1000, 1003)),
    st.sampled_from(("Yes, please.", "好的。", "Is it so?\n\n- a\n- b\n\n# c")),
    st.text(ANY, min_size=1, max_size=30).filter(str.strip),
    st.builds(str.__mul__, st.sampled_from(SENTENCES), st.integers(3, 6)),
)
voices = st.sampled_from((("user", None), ("user", "Mira"), ("assistant", None), ("tool", "Olek")))
events = st.builds(
    _event,
    texts,
    st.sampled_from(PROJECTS),
    voices,
    st.none() | st.integers(1, 28),
    st.integers(0, 3),
)
steps = st.one_of(
    st.builds(Step, st.just("add"), st.tuples(events)),
    st.builds(Step, st.just("add"), st.tuples(events)),
    st.builds(Step, st.just("add_many"), st.lists(events, min_size=2, max_size=8).map(tuple)),
    st.builds(Step, st.just("correct"), st.tuples(st.integers(0, 99), texts)),
    st.builds(Step, st.just("retract"), st.tuples(st.integers(0, 99))),
    st.builds(Step, st.just("forget"), st.tuples(st.integers(0, 99))),
    st.builds(Step, st.just("consolidate")),
    st.builds(Step, st.just("search"), st.tuples(texts)),
    st.builds(Step, st.just("reopen")),
    st.builds(Step, st.just("mode"), st.tuples(st.sampled_from(("auto", "review", "shadow")))),
    st.builds(Step, st.just("approve"), st.tuples(st.integers(0, 9))),
    st.builds(Step, st.just("reject"), st.tuples(st.integers(0, 9))),
    st.builds(Step, st.just("undo"), st.tuples(st.integers(0, 99))),
)
histories = st.lists(steps, min_size=2, max_size=14)
sizes = st.builds(
    Settings,
    current_tokens=st.sampled_from((60, 120, 400)),
    split_tokens=st.sampled_from((100, 250)),
    merge_tokens=st.sampled_from((0, 60, 100)),
    entry_tokens=st.sampled_from((50, 80)),
    structure=st.sampled_from(("on", "on", "off")),
    auto=st.booleans(),
)


def live(history: list[Step], place: Place) -> Memory:
    """Do what a history says; time goes on by a minute a step."""
    memory = place.open()
    mode: Any = place.settings.mode
    for step in history:
        place.clock.tick(60)
        if step.do in {"reopen", "mode"}:
            memory.close()
            (mode,) = step.with_ or (mode,)
            memory = place.open(settings=replace(place.settings, mode=mode))
        elif step.do == "undo":
            undo(step.with_[0], memory)
        else:
            _do(step, memory)
    return memory


def _do(step: Step, memory: Memory) -> None:
    known = all_seqs(memory)
    match step.do, step.with_:
        case "add" | "add_many", given:
            memory.add_many(given)
        case "correct", (number, text) if known:
            memory.correct(known[number % len(known)], text)
        case "retract", (number,) if known:
            with suppress(InputError):  # it was retracted before
                memory.retract(known[number % len(known)])
        case "forget", (number,) if known:
            _forget(known[number % len(known)], memory, whole=number % 2 == 0)
        case "approve" | "reject", (number,) if waiting := memory.waiting():
            decide(memory, waiting[number % len(waiting)], approve=step.do == "approve")
        case "consolidate", _:
            memory.consolidate()
        case "search", (text,):
            memory.search(text, budget=300)
        case _:
            pass


def may_be_undone(memory: Memory) -> list[str]:
    """The ids of the plans, retractions and undos, oldest first."""
    db = home(memory).log.connection
    rows = db.execute(
        "SELECT id FROM record WHERE kind IN ('plan', 'retraction', 'undo') ORDER BY position"
    )
    return [row[0] for row in rows]


def undo(number: int, memory: Memory) -> None:
    """Undo something, unless it is undone already, or something later needs it."""
    if known := may_be_undone(memory):
        with suppress(InputError, UndoError):
            memory.undo(known[number % len(known)], by="Ines", reason="to see")


def decide(memory: Memory, plan_id: str, *, approve: bool) -> None:
    """Approve a plan, or reject it; one that is stale by then is planned anew and waits again."""
    with suppress(StalePlanError):
        (memory.approve if approve else memory.reject)(plan_id)


def settle(memory: Memory) -> None:
    """Place all that is not placed: plan the rest, and decide on every plan that waits."""
    for number in range(200):
        memory.consolidate()
        if not memory.waiting():
            return
        for plan_id in memory.waiting():
            decide(memory, plan_id, approve=number < 5)
    raise AssertionError("plans wait for ever")


def _forget(seq: int, memory: Memory, *, whole: bool) -> None:
    """Forget the whole event of an entry, or the entry's line."""
    if whole:
        entry = memory.get(seq)
        assert isinstance(entry, Entry)
        memory.forget(event=entry.event_ids[0])
    else:
        memory.forget(entry=seq)


PLANNED: dict[int, list[Step]] = {
    20: [Step("mode", ("review",)), Step("consolidate")],
    24: [Step("consolidate"), Step("approve", (1,)), Step("forget", (21,))],
    28: [Step("consolidate"), Step("reject", (0,)), Step("mode", ("shadow",))],
    32: [Step("consolidate"), Step("mode", ("auto",))],
    58: [Step("mode", ("review",)), Step("consolidate")],
}
"""What the fixed history does with plans, after so many events."""


def fixed() -> list[Step]:
    """One history with everything in it, for other processes."""
    found: list[Step] = []
    for number in range(60):
        text = (SENTENCES[number % 20], FORMS[number % 3].format(1000 + number % 4))[
            number % 4 == 3
        ]
        event = _event(
            text,
            PROJECTS[number % 4],
            (("user", None), ("user", "Mira"), ("tool", "Olek"))[number % 3],
            number % 28 + 1 if number % 5 else None,
            number // 6,
        )
        found.append(Step("add", (event,)))
        if number % 9 == 8:
            found.append(Step("correct", (number // 2, f"No: {SENTENCES[number % 20]}")))
        if number % 13 == 12:
            found += [Step("retract", (number // 3,)), Step("consolidate")]
        if number % 17 == 16:
            found.append(Step("forget", (number // 4,)))
        if number in PLANNED:
            found += PLANNED[number]
    return found


QUESTIONS = (
    "kiln",
    "the blue tin under the stairs",
    "harbour keys",
    "Skarholm ferry 22:40",
    "phone number",
    "555-1002",
    "deployment limit pods",
    "pressure boiler night",
    "goats fence May",
    "rye bread hours",
    "窑",
    "旧窑开裂",
    "钥匙",
    "九号码头",
    "电话",
    "我的电话是多少",
    "合唱团星期四",
    "锅炉 kiln",
    "nothing-of-the-kind",
    'AND "OR" NEAR(*)',
)


def answers(memory: Memory) -> list[Any]:
    """Twenty searches, whole."""
    return [memory.search(question, budget=700).to_dict()["evidence"] for question in QUESTIONS]


def told_by(folder: Path) -> dict[str, bytes]:
    """Every Markdown file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.md"))
    }


def log_position(memory: Memory) -> int:
    position: int = home(memory).log.position()
    return position
