"""Which entries replace which: by rules, decided in code, on what the window could know."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from memoranda import Entry, Memory, NewEvent
from memoranda.store.statements import statement
from memoranda.store.view import View
from memoranda.write.supersede import supersessions
from scene import LIMIT, PHONE, Place, home


def pairs(memory: Memory, upto: int | None = None) -> set[tuple[int, int]]:
    entries = list(memory.current())[:upto]
    found = home(memory).with_index(lambda index: supersessions(entries, home(memory).view, index))
    return {(link.older, link.newer) for link in found}


def test_a_later_value_replaces_the_earlier(memory: Memory) -> None:
    memory.add(PHONE.format(1111))
    memory.add("The goat is loose.")
    memory.add(PHONE.format(2222))
    assert pairs(memory) == {(1, 3)}


def test_event_time_counts_and_not_arrival(memory: Memory) -> None:
    memory.add(PHONE.format(1111), time="2026-05-01")
    memory.add(PHONE.format(2222), time="2026-04-01")
    assert pairs(memory) == {(2, 1)}


def test_what_comes_after_the_window_is_not_looked_at(memory: Memory) -> None:
    memory.add(PHONE.format(1111))
    memory.add("The goat is loose.")
    before = pairs(memory, upto=2)
    memory.add(PHONE.format(2222))
    assert pairs(memory, upto=2) == before == set()


def test_a_retracted_entry_replaces_nothing(memory: Memory) -> None:
    memory.add(PHONE.format(1111))
    memory.add(PHONE.format(2222))
    memory.retract(2)
    assert pairs(memory) == set()


@pytest.mark.parametrize("source", ["assistant", "tool", "external"])
def test_no_weaker_voice_replaces_a_user(memory: Memory, source: str) -> None:
    memory.add(PHONE.format(1111))
    memory.add(PHONE.format(2222), source=source)  # type: ignore[arg-type]
    assert pairs(memory) == set()
    memory.consolidate()
    assert memory.current() == ()


@pytest.mark.parametrize("older", ["user", "assistant", "tool", "external"])
@pytest.mark.parametrize(
    ("newer", "form"),
    [*((newer, LIMIT) for newer in ("user", "assistant", "tool", "external")), ("user", PHONE)],
)
def test_rules_propose_what_policy_holds_back_for_high_risk_only(
    memory: Memory, older: str, newer: str, form: str
) -> None:
    memory.add(form.format(1111), source=older)  # type: ignore[arg-type]
    memory.add(form.format(2222), source=newer)  # type: ignore[arg-type]
    memory.consolidate()
    assert memory.current() == ()
    assert memory.status().failed == ()


def test_speakers_do_not_replace_each_other(memory: Memory) -> None:
    memory.add(PHONE.format(1111), speaker="Mira")
    memory.add(PHONE.format(2222), speaker="Olek")
    assert pairs(memory) == set()


def test_projects_do_not_replace_each_other(place: Place) -> None:
    for project in ("acme", "Acme", "zeta", None):
        place.open(project=project).add(LIMIT.format(len(project or "")))
    memory = place.open()
    assert pairs(memory) == set()
    memory.consolidate()
    assert memory.current() == ()


def test_a_statement_says_who_when_and_where(memory: Memory) -> None:
    memory.add("The kiln is hot.", source="tool", speaker="Olek", time="2026-03-01")
    (entry,) = memory.current()
    told = statement(entry)
    assert (told.text, told.source, told.speaker, told.project, told.time) == (
        "The kiln is hot.",
        "tool",
        "Olek",
        None,
        "2026-03-01",
    )


DIFFERENT = (
    ("Room 12 is free.", "Room 14 is free."),
    ("Ticket 45 is closed.", "Ticket 46 is closed."),
    ("Barge 1 passed the lock at noon.", "Barge 2 passed the lock at noon."),
    ("Bus 7 leaves at 9:10.", "Bus 8 leaves at 9:40."),
    ("Kiln 1 burns at 900 degrees.", "Kiln 2 burns at 950 degrees."),
    ("Server 3 has 16 GB of memory.", "Server 4 has 32 GB of memory."),
    ("We sold 12 pots today.", "We sold 15 pots today."),
    ("Lunch cost 12 euros.", "Lunch cost 15 euros."),
    ("The meeting on Monday is at 3 pm.", "The meeting on Tuesday is at 4 pm."),
    ("My first son is 5.", "My second son is 3."),
    ("第3章讲窑。", "第4章讲窑。"),
    ("三号窑很热。", "四号窑很热。"),
    ("I live in Berlin.", "The meeting was moved to 4 pm."),
    ("I live in Berlin.", "The shop was moved to Hull."),
    ("My manager is Ines.", "The meeting with Ines is cancelled."),
    ("Ines keeps the harbour keys in the tin.", "The meeting with Ines is cancelled."),
    ("I like green tea.", "I like black coffee."),
    ("I bought a red boat.", "I bought a blue boat."),
    ("I visited Hull in May.", "I visited York in June."),
)


@pytest.mark.parametrize("pair", DIFFERENT, ids=[one for one, _ in DIFFERENT])
def test_two_things_do_not_replace_each_other(memory: Memory, pair: tuple[str, str]) -> None:
    for text in pair:
        memory.add(text)
    assert pairs(memory) == set()


class _Counting(View):
    """Counts the lines that are read."""

    read = 0

    def entries(self, lines: Iterable[int]) -> dict[int, Entry]:
        found = super().entries(lines)
        self.read += len(found)
        return found


@pytest.mark.parametrize("form", ["The pressure is {} bar.", "Barge {} passed the lock.", PHONE])
def test_only_so_many_lines_are_looked_at(memory: Memory, form: str) -> None:
    memory.add_many([NewEvent(content=form.format(number)) for number in range(1000, 1800)])
    view = _Counting(home(memory).log.connection)
    last = view.entries([800])[800]
    home(memory).with_index(lambda index: supersessions([last], view, index))
    assert view.read <= 400
