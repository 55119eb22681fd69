"""Looking at the bytes of a database takes no lock from the connection that has it open."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memoranda import Memory
from memoranda.store.connection import look_before
from memoranda.store.scan import scan
from scene import Place, home

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")

FREE = """
import fcntl, os, sys
for path, at, size in ((sys.argv[1], 0x40000002, 510), (sys.argv[1] + "-shm", 128, 1)):
    fd = os.open(path, os.O_RDWR)
    try:
        fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB, size, at)
    except OSError:
        print("held")
    else:
        print("free")
"""
"""Tries to take the locks that every connection to a database in WAL mode shares: of the file, and of
the shared memory, for as long as it is open."""


def locks(place: Place) -> list[str]:
    """What another process finds of the locks."""
    done = subprocess.run(
        [sys.executable, "-c", FREE, str(place.database)],
        capture_output=True,
        check=True,
        encoding="ascii",
    )
    return done.stdout.split()


def scanned(place: Place, _: Memory) -> None:
    assert scan([place.root], ["The harbour keys hang there."]).unread == ()


def read(_: Place, memory: Memory) -> None:
    assert home(memory).files.read(Path("memory.db"))


def looked(place: Place, _: Memory) -> None:
    look_before(place.database)


def opened_again(place: Place, _: Memory) -> None:
    place.open().close()


def checked(_: Place, memory: Memory) -> None:
    assert memory.check(full=True).ok


def backed_up(_: Place, memory: Memory) -> None:
    memory.backup()


def forgotten(_: Place, memory: Memory) -> None:
    memory.forget(external_id="keys")


WAYS = (scanned, read, looked, opened_again, checked, backed_up, forgotten)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_locks_stay_whatever_is_looked_at(
    place: Place, way: Callable[[Place, Memory], None]
) -> None:
    memory = place.open()
    memory.add("The harbour keys hang there.", id="keys")
    assert locks(place) == ["held", "held"]
    way(place, memory)
    assert locks(place) == ["held", "held"]


def test_descriptors_that_were_put_aside_are_used_again_and_go_with_the_connection(
    place: Place,
) -> None:
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        pytest.skip("no list of open files")
    before = len(list(folder.iterdir()))
    memory = place.open()
    memory.add("The harbour keys hang there.")
    scanned(place, memory)
    once = len(list(folder.iterdir()))
    for _ in range(20):
        scanned(place, memory)
    assert len(list(folder.iterdir())) == once
    memory.close()
    assert len(list(folder.iterdir())) == before


def test_a_scope_is_whole_after_one_process_forgot_and_another_came_and_went(place: Place) -> None:
    memory = place.open()
    for number in range(3):
        memory.add(f"Draft {number}, not kept.", id=f"d{number}")
        memory.forget(external_id=f"d{number}")
        code = "import sys; from memoranda import Memory; Memory.open(sys.argv[1]).close()"
        subprocess.run([sys.executable, "-c", code, str(place.root)], check=True)
        memory.add(f"Boat {number} is to be painted.")
    memory.close()
    with place.open() as again:
        assert again.check(full=True).ok
        assert again.status().events == 6
