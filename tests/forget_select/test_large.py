"""Large selections: stopped at any step they are finished; a model at work meanwhile brings nothing back."""

from __future__ import annotations

import pytest

from memoranda import Memory, NewEvent
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from memoranda.write import forget, steps
from memoranda.write.steps import Step, Task
from scene import QUIET, SENTENCES, Place, home, index_rows, rows

WORD = "Quenwick"
HAN = "昆维克"


def filled(place: Place, **given: object) -> Memory:
    """Forty entries that name somebody among twenty that don't, in documents and in CURRENT."""
    memory = place.open(settings=QUIET, **given)
    for part in (0, 1):
        memory.add_many(
            NewEvent(content=text, session=f"s{number // 5}", time=f"2026-05-{part + 1:02}")
            for number in range(10)
            for text in (
                f"{SENTENCES[number]} ({part})",
                f"{WORD} counted {number * 7 + 3} goats on day {part + 1}.",
                f"{HAN}在第{part + 1}天数了{number * 9 + 4}只山羊。",
            )
        )
        if part == 0:
            memory.consolidate()
    memory.search("goats")
    memory.backup()
    return memory


def nothing_left(place: Place, memory: Memory) -> None:
    data = b"".join(
        path.read_bytes() + path.name.encode()
        for path in place.root.rglob("*")
        if path.is_file() and not path.name.endswith("-shm")
    )
    for word in (WORD, WORD.lower(), HAN):
        assert word.encode() not in data
    kept = memory.selected(all=True, limit=100).entries
    assert {entry.text for entry in kept} == {
        f"{text} ({part})" for text in SENTENCES[:10] for part in (0, 1)
    }


class StoppedError(Exception):
    """Stands for a kill."""


def stopping(name: str) -> tuple[Step, ...]:
    def stop(_: Task) -> None:
        raise StoppedError

    at = [step.name for step in steps.STEPS].index(name)
    stop_here = Step(name="stop", when=steps.STEPS[at].when, does="", work=stop)
    return (*steps.STEPS[:at], stop_here, *steps.STEPS[at:])


STOPS = ("events", "payloads", "views", "ledger", "index", "files", "backups", "wal")


@pytest.mark.parametrize("name", STOPS)
def test_one_that_was_stopped_is_finished_at_the_next_start(
    place: Place, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = filled(place)
    with monkeypatch.context() as patch:
        patch.setattr(forget, "STEPS", stopping(name))
        with pytest.raises(StoppedError):
            memory.forget(since="2026-05-01", query="quenWICK", by="Ines")
    begun = home(memory).log.meta("forgetting") != b""
    again = place.open(settings=QUIET)
    if begun:
        assert again.finished is not None
        assert (len(again.finished.seqs), again.finished.by) == (20, "Ines")
        assert again.finished.counts["events"] == (20, 0)
        assert again.receipts()[0] == again.finished
        assert again.verify_forgotten(again.finished).ok
    again.forget(query=HAN)
    if not begun:
        again.forget(query=WORD)
    nothing_left(place, again)
    before = (rows(again), place.files(), index_rows(again))
    again.rebuild()
    assert (rows(again), place.files(), index_rows(again)) == before


def test_the_same_call_again_gives_the_receipt_of_what_was_stopped(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = filled(place)
    with monkeypatch.context() as patch:
        patch.setattr(forget, "STEPS", stopping("index"))
        with pytest.raises(StoppedError):
            memory.forget(query=WORD)
    done = memory.forget(query=WORD)
    assert (len(done.seqs), done.counts["index"][1]) == (20, 0)


@pytest.mark.parametrize("when", [1, 2, 3])
def test_a_model_at_work_meanwhile_brings_nothing_back(place: Place, when: int) -> None:
    asked = 0

    def meanwhile(_: Request) -> str:
        nonlocal asked
        asked += 1
        if asked == when:
            other.forget(query=WORD)
            other.forget(query=HAN)
        return "no JSON at all"

    other = filled(place)
    memory = place.open(settings=QUIET, model=ScriptedModel(meanwhile))
    memory.consolidate()
    assert asked >= when
    other.consolidate()
    nothing_left(place, other)


def test_everything_can_be_forgotten_while_a_plan_waits(place: Place) -> None:
    memory = filled(place)
    proposal = memory.propose()
    assert proposal is not None
    memory.forget(query=WORD)
    memory.forget(query=HAN)
    memory.consolidate()
    nothing_left(place, memory)
