"""Every connection that the package opens is durable (WAL, FULL) and overwrites what it deletes."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from failing import lived

from memoranda.store import held
from memoranda.store.connection import PRAGMAS

SOURCE = Path(__file__).parents[2] / "src" / "memoranda"
SETTING = re.compile(r"journal_mode|synchronous|secure_delete|sqlite3\.connect\b|\bapsw\b")


def test_every_connection_of_a_life_runs_wal_and_full(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: Counter[tuple[str, str, int, int]] = Counter()
    real = sqlite3.connect

    class Looked(held.Connection):
        closed = False

        def close(self) -> None:
            if self.closed:
                return
            self.closed = True
            name = Path(self.execute("PRAGMA database_list").fetchone()[2]).suffix
            found[
                (
                    name,
                    self.execute("PRAGMA journal_mode").fetchone()[0],
                    self.execute("PRAGMA synchronous").fetchone()[0],
                    self.execute("PRAGMA secure_delete").fetchone()[0],
                )
            ] += 1
            super().close()

    def connect(path: Any, **given: Any) -> sqlite3.Connection:
        return real(path, **{**given, "factory": Looked})

    monkeypatch.setattr("memoranda.store.connection.sqlite3.connect", connect)
    assert lived(root, lambda: None, anew=False).said == []
    assert {state[1:] for state in found} == {("wal", 2, 1)}
    assert found[".db", "wal", 2, 1] >= 3  # memory.db, and index.db before and after the rebuild
    assert found[".tmp", "wal", 2, 1] == 1  # the copy that became a backup


def test_no_other_module_opens_a_database_or_changes_how_it_is_opened() -> None:
    using = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if SETTING.search(path.read_text(encoding="utf-8"))
    }
    in_memory = {"store/past.py", "store/wreck.py"}  # states of another time, and what is salvaged
    assert using == {"store/connection.py", "store/image.py", *in_memory}
    for name in sorted(in_memory):
        opened = re.findall(
            r"sqlite3\.connect\(([^,)]*)", (SOURCE / name).read_text(encoding="utf-8")
        )
        assert opened == ['":memory:"']
    looking = (SOURCE / "store" / "image.py").read_text(encoding="utf-8")
    opened = re.findall(r"sqlite3\.connect\(([^,)]*)", looking)
    assert opened == ["address", '":memory:"']  # nothing that could be written
    assert re.search(r"address = .*mode=ro.*immutable=1", looking)
    assert {"synchronous = FULL", "secure_delete = ON"} <= set(PRAGMAS)
