"""diff: a document between any two of its versions, byte for byte as it was printed then."""

from __future__ import annotations

import pytest

from cli_command import Command
from memoranda import Memory
from memoranda.errors import InputError, NotFoundError
from scene import SENTENCES, Place


@pytest.fixture
def pages(small: Place) -> tuple[Memory, dict[str, dict[int, str]]]:
    """A memory, and what each version of each document printed when it was made."""
    memory = small.open()
    found: dict[str, dict[int, str]] = {}
    for number, text in enumerate(SENTENCES * 2):
        memory.add(f"{text} ({number})", session=f"s{number // 5}")
        if number % 5 == 4:
            memory.consolidate()
            for info in memory.documents():
                page = memory.document(info.document_id).markdown
                found.setdefault(info.document_id, {})[info.version] = page
    return memory, found


def test_every_version_is_printed_as_it_was(
    pages: tuple[Memory, dict[str, dict[int, str]]],
) -> None:
    memory, found = pages
    seen = 0
    for name, versions in found.items():
        for version, page in versions.items():
            assert memory.diff(name, str(version)).after == page
            seen += 1
        first, last = min(versions), max(versions)
        if first == last:
            continue
        both = memory.diff(name, f"{first}..{last}")
        assert (both.before, both.after) == (versions[first], versions[last])
        assert (both.older, both.newer) == (first, last)
        assert {first, last} <= set(both.versions)
    assert seen > len(found)


def test_a_position_between_two_versions_names_the_earlier(
    pages: tuple[Memory, dict[str, dict[int, str]]],
) -> None:
    memory, found = pages
    name, versions = max(found.items(), key=lambda item: len(item[1]))
    first, second = sorted(versions)[:2]
    assert memory.diff(name, f"{second - 1}").newer <= second - 1
    assert memory.diff(name, f"{first}..{second - 1}").before == versions[first]
    assert memory.diff(name, f"{first}..").after == memory.document(name).markdown


def test_the_first_version_came_from_nothing(memory: Memory) -> None:
    memory.add("The kiln is red.")
    memory.consolidate()
    found = memory.diff("d1")
    assert (found.older, found.before) == (0, "")
    assert found.after == memory.document("d1").markdown
    assert memory.diff("d1", f"1..{found.newer}").before == ""


def test_without_versions_the_last_change_is_shown(memory: Memory) -> None:
    memory.add("The kiln is red.")
    memory.consolidate()
    before = memory.document("d1").markdown
    memory.retract(1)
    found = memory.diff("d1")
    assert found.after == memory.document("d1").markdown
    assert memory.diff("d1", f"{min(found.versions)}..").before == before


def test_what_was_forgotten_stands_as_erased(memory: Memory) -> None:
    memory.add("The safe opens with 48-17-93.")
    memory.add("The safe is green.")
    memory.consolidate()
    first = memory.document("d1").header.version
    memory.forget(entry=1)
    found = memory.diff("d1", f"{first}..")
    assert "48-17-93" not in found.before
    assert "erased" in found.before
    assert "green" in found.before


@pytest.mark.parametrize("text", ["9..3", "x", "1...2", "-1..2", "1..2..3", "٣"])
def test_what_names_no_versions_is_refused(memory: Memory, text: str) -> None:
    memory.add("The kiln is red.")
    memory.consolidate()
    with pytest.raises((InputError, NotFoundError)):
        memory.diff("d1", text)


def test_before_it_was_made_there_is_no_version(memory: Memory) -> None:
    memory.add("The kiln is red.")
    memory.consolidate()
    with pytest.raises(NotFoundError):
        memory.diff("d1", "1")
    with pytest.raises(NotFoundError):
        memory.diff("d7")


def test_looking_back_changes_nothing_and_holds_nobody_up(place: Place) -> None:
    memory, writing = place.open(), place.open()
    memory.add("The kiln is red.")
    memory.consolidate()
    state = memory.state()
    with writing._home.log.transaction():
        assert memory.diff("d1").newer
    assert memory.state() == state
    assert memory.check(full=True).ok


def test_the_command_prints_a_difference(place: Place) -> None:
    with place.open() as memory:
        memory.add("The kiln is red.")
        memory.consolidate()
        memory.retract(1)
        first = min(memory.diff("d1").versions)
    command = Command(place.root)
    text = command.ok("diff", "d1", f"{first}..", MEMORANDA_AUTO="off")
    assert "-- <seq=1, source=user> The kiln is red." in text
    assert "+- <seq=1, source=user, retracted> The kiln is red." in text
    found = command.json("diff", "d1", MEMORANDA_AUTO="off")
    assert found["newer"] == max(found["versions"])
    assert command("diff", "d1", "9..3").exit_code == 2
    assert command("diff", "d4").exit_code == 3
