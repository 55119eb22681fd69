"""The real command as a process: bytes, locales, pipes, interrupts, start-up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SOURCE = str(Path(__file__).parents[2] / "src")
TEA = "林小姐每天早上喝龙井绿茶。"
LOCALES = [
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "cp1252"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii:strict"},
]


def environment(root: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    kept = {
        name: os.environ[name]
        for name in ("PATH", "HOME", "TMPDIR", "XDG_CONFIG_HOME")
        if name in os.environ
    }
    return {**kept, "PYTHONPATH": SOURCE, "MEMORANDA_ROOT": str(root), **(more or {})}


def run(
    root: Path, *args: str | bytes, given: bytes = b"", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    command: list[str | bytes] = [sys.executable, "-m", "memoranda", *args]
    return subprocess.run(
        command, input=given, env=environment(root, env), capture_output=True, check=False
    )


@pytest.mark.parametrize("locale", LOCALES, ids=" ".join)
def test_chinese_survives_every_locale(root: Path, locale: dict[str, str]) -> None:
    added = run(root, "add", TEA.encode(), b"--speaker", "林".encode(), env=locale)
    assert added.returncode == 0, added.stderr
    assert run(root, "get", "1", env=locale).stdout == TEA.encode()
    found = run(root, "search", "绿茶".encode(), env=locale)
    assert f"user 林  {TEA}".encode() in found.stdout, found.stderr


def test_standard_input_is_utf_8_whatever_the_locale(root: Path) -> None:
    added = run(root, "add", "-", given=TEA.encode(), env=LOCALES[0])
    assert added.returncode == 0, added.stderr
    assert run(root, "get", "1", env=LOCALES[1]).stdout == TEA.encode()


def test_bytes_that_are_no_utf_8_are_refused_as_input_and_as_argument(root: Path) -> None:
    for locale in LOCALES:
        piped = run(root, "add", "-", given=b"caf\xe9", env=locale)
        assert piped.returncode == 2
        assert b"byte offset 3" in piped.stderr
        typed = run(root, "add", b"caf\xe9", env=locale)
        assert typed.returncode == 2
        assert b"byte offset 3" in typed.stderr
    assert b'"events": 0' in run(root, "status", "--json").stdout


def test_a_reader_that_leaves_early_is_no_error(root: Path) -> None:
    rows = "".join(f'{{"content": "note {n} {"x" * 500}"}}\n' for n in range(400)).encode()
    waiting = {"MEMORANDA_AUTO": "off", "MEMORANDA_CURRENT_TOKENS": "1000000"}
    assert run(root, "import", "-", given=rows, env=waiting).returncode == 0
    log = subprocess.Popen(
        [sys.executable, "-m", "memoranda", "log", "--json"],
        env=environment(root, waiting), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert log.stdout is not None
    assert log.stderr is not None
    log.stdout.readline()
    log.stdout.close()
    assert log.stderr.read() == b""
    log.stderr.close()
    assert log.wait(timeout=30) == 141


def heed() -> None:
    """Take interrupts, whatever a shell in the background made of them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_interrupt_ends_with_130_and_one_sentence(root: Path) -> None:
    reader, writer = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "memoranda", "import", "-"],
        env=environment(root), stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=heed,  # noqa: PLW1509 - before any thread
    ) as work:  # fmt: skip
        wait_for(lambda: work.poll() is not None or any(root.rglob("memory.db")))
        time.sleep(0.2)
        work.send_signal(signal.SIGINT)
        _, said = work.communicate(timeout=30)
    os.close(reader)
    os.close(writer)
    assert work.returncode == 130
    assert said.strip() == b"memoranda: stopped"


def wait_for(done: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


def loaded(code: str) -> list[str]:
    """Give what a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(Path()), capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return done.stdout.split()


def test_starting_up_loads_no_store_no_rich_and_no_stemmer() -> None:
    code = (
        "import sys, memoranda.cli; "
        "print(*sorted({m.split('.')[0] for m in sys.modules} & "
        "{'rich', 'sqlite3', 'ruamel', 'snowballstemmer', 'filelock', 'platformdirs'}), "
        "*sorted(m for m in sys.modules if m.startswith(('memoranda.store', 'memoranda.memory'))))"
    )
    assert loaded(code) == []


def test_a_memory_kept_by_rules_loads_nothing_that_talks_to_models(root: Path) -> None:
    code = (
        f"import sys; from memoranda import Memory; memory = Memory.open({str(root)!r}); "
        "memory.add('The kiln is hot.'); memory.consolidate(); memory.search('kiln'); memory.status(); "
        "print(*sorted(m for m in sys.modules if m.startswith(('memoranda.llm', 'memoranda.write.by'))))"
    )
    assert loaded(code) == []


def test_the_version_is_told(root: Path) -> None:
    assert run(root, "--version").stdout.startswith(b"memoranda ")
    assert not root.exists()


def test_completion_knows_the_commands(root: Path) -> None:
    env = {"_MEMORANDA_COMPLETE": "bash_complete", "COMP_WORDS": "memoranda con", "COMP_CWORD": "1"}
    assert run(root, env=env).stdout.split() == [b"plain,consolidate", b"plain,context"]
