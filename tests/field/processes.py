"""Real processes of a copy or of the tree, and a helper that holds a lock as another program would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src"

HOLDING = """
import select, sqlite3, sys
held = [sqlite3.connect(path, isolation_level=None) for path in sys.argv[2:]]
for connection in held:
    connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
select.select([sys.stdin], [], [], float(sys.argv[1]))
for connection in held:
    connection.execute("ROLLBACK")
"""


def environment(*paths: Path | str, **more: str) -> dict[str, str]:
    """An environment with nothing of ours but what is given."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    found = os.pathsep.join(str(path) for path in paths or (SOURCE, TESTS))
    return {**kept, "PYTHONPATH": found, **more}


def run(
    root: Path | str,
    *args: str | bytes,
    given: bytes = b"",
    source: Path = SOURCE,
    cwd: Path | None = None,
    **env: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run `memoranda` as a process on a root."""
    return subprocess.run(
        [sys.executable, "-m", "memoranda", *args],
        input=given,
        env=environment(source, MEMORANDA_ROOT=str(root), **env),
        cwd=cwd,
        capture_output=True,
        check=False,
    )  # fmt: skip


def ok(root: Path | str, *args: str | bytes, **given: Any) -> bytes:
    """Run a command that must succeed; give its standard output."""
    done = run(root, *args, **given)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return done.stdout


def asked(root: Path | str, *args: str | bytes, **given: Any) -> Any:
    """Run a command with --json that must succeed; give what it printed, read."""
    return json.loads(ok(root, *args, "--json", **given))


def python(code: str, *args: str | Path, paths: tuple[Path, ...] = (), **env: str) -> bytes:
    """Run some code in a process of its own; it must succeed. Gives what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, args)],
        env=environment(*paths, **env),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return done.stdout


def installed(cache: Path) -> Path:
    """Put a copy of the package where a package runner would unpack it."""
    shutil.copytree(SOURCE, cache, ignore=shutil.ignore_patterns("__pycache__"))
    return cache


@contextmanager
def locking(seconds: float, *databases: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Let another process hold the write locks of some databases: so long, or to the body's end."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(seconds), *map(str, databases)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        yield other


def bytes_below(folder: Path) -> Mapping[str, bytes]:
    """Every regular file below a folder, with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
