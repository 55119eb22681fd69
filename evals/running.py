"""Running a suite: units in parallel processes, rows on disk as they come, the rest later."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import memoranda
from evals.forms import Row

END = "end"
"""The last line of a unit's file: nothing is missing in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a suite is run; must be picklable."""

    data: Path
    out: Path
    limit: int | None = None
    """Contexts, or questions where a model is asked."""
    model: str | None = None
    judge: str | None = None
    """The model that judges; default the model that answers."""
    reader: str | None = None
    seed: int = 1
    jobs: int = 1
    half: str = "dev"
    budget: int = 2000
    vectors: bool = False
    more: tuple[tuple[str, Any], ...] = ()
    """What one suite alone needs."""

    def settings(self) -> dict[str, Any]:
        """Give what a result depends on, besides data and version."""
        return {
            "limit": self.limit, "model": self.model, "judge": self.judge, "reader": self.reader,
            "seed": self.seed, "half": self.half, "budget": self.budget, "vectors": self.vectors,
            **dict(self.more),
        }  # fmt: skip


Work = Callable[[Options, str, frozenset[str]], Iterator[Row]]
"""Options, a unit, and the names of rows that are known -> the rows that are missing, one by one."""


@dataclass(slots=True)
class Run:
    """One run of one suite."""

    suite: str
    options: Options
    data_hash: str
    rows: list[Row] = field(default_factory=list)
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    """Of all its processes: what a machine that does nothing else would need, on one core."""
    resumed: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    """Unit -> why it could not be done; the others are done all the same."""

    @property
    def folder(self) -> Path:
        """Where its rows are kept: another model, seed, version or data has another folder.

        The limit is not part of it: a longer run goes on where a shorter one ended. Without a model
        the code is part of it; with one, answers are too dear to be asked anew for each change.
        """
        kept = {**self.options.settings(), "limit": None}
        kept |= {"code": code()} if self.options.model is None else {}
        named = [
            self.suite,
            self.data_hash,
            memoranda.__version__,
            json.dumps(kept, sort_keys=True),
        ]
        return self.options.out / "rows" / f"{self.suite}-{_digest(named)}"

    def go(self, units: Sequence[str], work: Work) -> None:
        """Do all units; what a stopped run left is gone on with."""
        begun, used = time.monotonic(), cpu()
        self.folder.mkdir(parents=True, exist_ok=True)
        tasks = [(self.options, unit, self._file(unit), work) for unit in units]
        if self.options.jobs > 1 and len(tasks) > 1:
            with ProcessPoolExecutor(self.options.jobs) as pool:
                waiting = {pool.submit(_unit, task): task[1] for task in tasks}
                for done in as_completed(waiting):
                    self._ended(waiting[done], done.result)
        else:
            for task in tasks:
                self._ended(task[1], partial(_unit, task))
        self.rows = [row for unit in units for row in read_rows(self._file(unit))]
        self.seconds = round(time.monotonic() - begun, 1)
        self.cpu_seconds = round(cpu() - used, 1)

    def _ended(self, unit: str, result: Callable[[], int]) -> None:
        """Take what a unit came to; one that fails is told, and holds up no other."""
        try:
            self.resumed += result()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told with the results
            self.failed[unit] = f"{type(error).__name__}: {error}"[:300]
            print(f"  {self.suite}: {unit}: FAILED, {self.failed[unit]}", flush=True)
        else:
            print(f"  {self.suite}: {unit}", flush=True)

    def _file(self, unit: str) -> Path:
        safe = re.sub(r"[^\w.-]+", "-", unit)[:60]
        return self.folder / f"{safe}-{_digest([unit])[:6]}.jsonl"

    def result(self, figures: Row) -> Row:
        """Give the JSON of the run: what it was, its figures, its rows."""
        if self.failed:
            lost = bound("units that failed", len(self.failed), "==", 0)
            figures = {**figures, "failed": self.failed, "bounds": [*figures["bounds"], lost]}
        return {
            "suite": self.suite,
            "version": memoranda.__version__,
            "code": code(),
            "data": self.data_hash,
            "model": self.options.model,
            "settings": self.options.settings(),
            "machine": f"{platform.machine()}, Python {platform.python_version()}",
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "resumed": self.resumed,
            **figures,
            "rows": self.rows,
        }


@lru_cache(maxsize=1)
def code() -> str:
    """Hash the package and the suites, as they are on disk."""
    digest = hashlib.sha256()
    for root in (Path(memoranda.__file__).parent, Path(__file__).parent):
        for path in sorted(root.rglob("*")):
            if path.suffix in {".py", ".md", ".txt"} and path.is_file():
                digest.update(
                    path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes()
                )
    return digest.hexdigest()[:12]


def cpu() -> float:
    """Give the seconds of processor time that this process and its ended children have used."""
    return sum(os.times()[:4])


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def _unit(task: tuple[Options, str, Path, Work]) -> int:
    """Do what is missing of one unit; give how many rows were there before."""
    options, unit, file, work = task
    rows = read_rows(file)
    if is_whole(file) and options.model is None:
        return len(rows)
    known = frozenset(row["name"] for row in rows)
    cut = file.exists() and not file.read_text(encoding="utf-8").endswith("\n")
    with file.open("a", encoding="utf-8") as stream:
        stream.write("\n" if cut else "")  # a line that was cut off stays a line of its own
        for row in work(options, unit, known):
            stream.write(json.dumps({"unit": unit, **row}, ensure_ascii=False) + "\n")
            stream.flush()
        stream.write(json.dumps(END) + "\n")
    return len(rows)


def read_rows(file: Path) -> list[Row]:
    """Read the rows of a unit; a last line that was cut off counts as not done."""
    return [row for row in _lines(file) if isinstance(row, dict)]


def is_whole(file: Path) -> bool:
    """Say whether a unit was done to its end."""
    return END in _lines(file)


def _lines(file: Path) -> list[Any]:
    found: list[Any] = []
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def file_part(name: str) -> str:
    """Give a name, of a model say, as a part of a file's name."""
    return re.sub("[^A-Za-z0-9._-]+", "-", name)


def bound(figure: str, value: float | None, sign: str, wanted: float) -> Row:
    """State a bound and whether it is met; what was not measured is not met."""
    met = value is not None and {
        ">=": value >= wanted, "<=": value <= wanted, "==": value == wanted, ">": value > wanted
    }[sign]  # fmt: skip
    shown = None if value is None else round(value, 4)
    return {"figure": figure, "value": shown, "bound": f"{sign} {wanted:g}", "met": bool(met)}
