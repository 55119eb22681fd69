"""Field cases: a large text is done when its add returns, holds nothing up, and can be deleted."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from processes import bytes_below, environment

from memoranda import Memory, Settings
from memoranda.errors import ForgottenError, TextError
from scene import BY_HAND, Place, shown

KIB = 1024
HELD_UP = 2.0
"""Seconds that a small add may take beside large ones; alone it takes a hundredth of that."""
SLOW = pytest.mark.skipif(
    not os.environ.get("MEMORANDA_SLOW"), reason="takes minutes; set MEMORANDA_SLOW=1"
)


def ledger(name: str, size: int) -> str:
    """A text of so many bytes: pages with a number each, and the same rows."""
    rows = "".join(
        f"{sacks} sacks of rye, {sacks + 3} of oats and some hay.\n" for sacks in range(30)
    )
    pages = (f"{name} page {number}\n{rows}" for number in range(size // len(rows) + 1))
    return "".join(pages)[:size]


def small_ones(memory: Memory) -> None:
    for number in range(5):
        started = time.monotonic()
        memory.add(f"The miller's cat slept {number} times on the scales.", id=f"small-{number}")
        assert time.monotonic() - started < HELD_UP


def test_large_texts_are_done_at_once_and_hold_no_small_one_up(place: Place) -> None:  # fc-036
    texts = {"large": ledger("Rye", 200 * KIB), "largest": ledger("Oats", 5 * KIB * KIB)}
    memory = place.open()
    for name, text in texts.items():
        added = memory.add(text, id=name)
        assert len(added.seqs) > 10
    small_ones(memory)
    memory.close()
    again = place.open()
    assert again.status().events == 7
    assert again.status().failed == ()
    for name, text in texts.items():
        assert again.get(name).content == text  # type: ignore[union-attr]
    assert again.get("small-4").content.endswith("on the scales.")  # type: ignore[union-attr]


def test_a_text_beyond_the_limit_fails_with_a_reason_and_nothing_is_stored(
    memory: Memory,
) -> None:  # fc-036
    with pytest.raises(TextError, match=r"the limit is \d+; send it in parts"):
        memory.add("rye " * (17 * KIB * KIB))
    small_ones(memory)
    assert memory.status().events == 5


CONSOLIDATING = """
import sys
from memoranda import Memory, Settings
with Memory.open(sys.argv[1], settings=Settings(auto=False)) as memory:
    print("open", flush=True)
    memory.consolidate(progress=lambda done, of: print(done, flush=True))
"""


def gone(place: Place, memory: Memory, ref: str, mark: str) -> None:
    """Nothing of a text is left, and the small ones are."""
    with pytest.raises(ForgottenError):
        memory.get(ref)
    assert [text for _, _, text in shown(memory, f"{mark} page 77") if mark in text] == []
    assert [number for number in range(5) if memory.get(f"small-{number}")] == [0, 1, 2, 3, 4]
    memory.close()
    held = [name for name, data in bytes_below(place.root).items() if mark.encode() in data]
    assert held == []
    with place.open() as again:
        assert again.status().events == 6
        assert again.search("miller's cat scales").evidence
        with pytest.raises(ForgottenError):
            again.get(ref)


def test_a_large_text_is_deleted_while_it_is_being_processed(place: Place) -> None:  # fc-036
    mark = "Quandrivex"
    memory = place.open(settings=replace(BY_HAND, busy_seconds=60))
    memory.add(ledger(mark, 200 * KIB), id="large")
    small_ones(memory)
    with subprocess.Popen(
        [sys.executable, "-c", CONSOLIDATING, str(place.root)],
        env=environment(), stdout=subprocess.PIPE,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        assert other.stdout.readline()  # one window is placed, others wait
        assert other.poll() is None
        done = memory.forget(external_id="large")
        other.communicate()
    assert other.returncode == 0
    assert done.left == ()
    memory.consolidate()
    gone(place, memory, "large", mark)


@pytest.mark.parametrize("state", ["waiting", "placed", "after a kill"])
def test_a_large_text_can_be_deleted_in_every_state(place: Place, state: str) -> None:  # fc-036
    mark = "Quandrivex"
    memory = place.open()
    memory.add(ledger(mark, 66 * KIB), id="large")
    small_ones(memory)
    if state == "placed":
        memory.consolidate()
    if state == "after a kill":
        with subprocess.Popen(
            [sys.executable, "-c", CONSOLIDATING, str(place.root)],
            env=environment(), stdout=subprocess.PIPE,
        ) as other:  # fmt: skip
            assert other.stdout is not None
            assert other.stdout.readline() == b"open\n"
            assert other.stdout.readline()
            other.kill()
    assert memory.forget(external_id="large").left == ()
    gone(place, memory, "large", mark)


@SLOW
@pytest.mark.parametrize("size", [200 * KIB, 5 * KIB * KIB])
def test_the_largest_text_is_processed_by_default_and_deleted(
    place: Place, size: int
) -> None:  # fc-036
    mark = "Quandrivex"
    memory = place.open(settings=Settings())
    memory.add(ledger(mark, size), id="large")
    small_ones(memory)
    assert memory.status().failed == ()
    memory.forget(external_id="large")
    gone(place, memory, "large", mark)
