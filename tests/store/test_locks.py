"""Claims about the scope's lock: one holder at a time, and none after a kill."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from memoranda.errors import BusyError, StoreError, UnsafePathError
from memoranda.store.locks import scope_lock, try_scope_lock

if TYPE_CHECKING:
    from pathlib import Path

HOLDER = """
import pathlib, sys, time
from memoranda.store.locks import scope_lock
with scope_lock(pathlib.Path(sys.argv[1]), 5):
    print("held", flush=True)
    time.sleep(60)
"""
ADDER = """
import pathlib, sys
from memoranda.store.locks import scope_lock
lock, counter = map(pathlib.Path, sys.argv[1:])
for _ in range(20):
    with scope_lock(lock, 10):
        counter.write_text(str(int(counter.read_text("utf-8")) + 1), "utf-8")
"""


def run(script: str, *arguments: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_a_held_lock_is_busy_and_free_again_after_the_body(tmp_path: Path) -> None:
    path = tmp_path / "scope.lock"
    with scope_lock(path, 0):
        wanted = pytest.raises(BusyError, match=r"held by another process for over 0\.05 s")
        with wanted as caught, scope_lock(path, 0.05):
            pytest.fail("two holders")
        assert caught.value.__context__ is None
        with try_scope_lock(path) as held:
            assert held is False
    with try_scope_lock(path) as held:
        assert held is True


def test_an_error_in_the_body_frees_the_lock_and_passes_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "scope.lock"
    for lock in (scope_lock(path, 1), try_scope_lock(path)):
        with pytest.raises(KeyError, match="mine"), lock:
            raise KeyError("mine")
    with scope_lock(path, 0):
        assert path.is_file()


def test_threads_of_one_process_exclude_each_other(tmp_path: Path) -> None:
    inside, most = [0], [0]

    def work() -> None:
        for _ in range(5):
            with scope_lock(tmp_path / "scope.lock", 10):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                time.sleep(0.001)
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (inside, most) == ([0], [1])


def test_processes_exclude_each_other(tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0", "utf-8")
    adders = [run(ADDER, tmp_path / "scope.lock", counter) for _ in range(3)]
    assert [adder.communicate(timeout=30)[0] for adder in adders] == [""] * 3
    assert counter.read_text("utf-8") == "60"


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "scope.lock"
    holder = run(HOLDER, path)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with try_scope_lock(path) as held:
        assert held is False
    holder.kill()
    holder.communicate(timeout=10)
    with try_scope_lock(path) as held:
        assert held is True


def test_a_waiting_process_gets_the_lock_when_the_holder_ends(tmp_path: Path) -> None:
    path = tmp_path / "scope.lock"
    holder = run(HOLDER, path)
    assert holder.stdout is not None
    holder.stdout.readline()
    timer = threading.Timer(0.2, holder.kill)
    timer.start()
    start = time.monotonic()
    with scope_lock(path, 10):
        waited = time.monotonic() - start
    holder.communicate(timeout=10)
    assert 0.1 < waited < 5


def test_a_link_or_an_odd_file_is_never_locked(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"canary")
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "folder").mkdir()
    (tmp_path / "away").symlink_to("folder")
    for name in ("link", "folder", "away/scope.lock"):
        with pytest.raises(UnsafePathError), scope_lock(tmp_path / name, 0):
            pytest.fail("locked")
    assert (tmp_path / "target").read_bytes() == b"canary"


def test_a_missing_folder_is_told_and_not_made(tmp_path: Path) -> None:
    path = tmp_path / "no" / "scope.lock"
    with pytest.raises(StoreError, match="its folder is missing"), scope_lock(path, 0):
        pytest.fail("locked")
    assert not (tmp_path / "no").exists()


def test_a_timeout_below_zero_is_a_fault_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="below 0"), scope_lock(tmp_path / "scope.lock", -1):
        pytest.fail("locked")
