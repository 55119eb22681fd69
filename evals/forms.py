"""The common form of the data sets: contexts to remember, questions with answers and gold evidence."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from memoranda import NewEvent

Judge = Literal["substring", "exact", "letter", "f1", "rubric", "none"]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question; answers that will do; the ids of the events (or sessions) that hold the answer."""

    name: str
    kind: str
    text: str
    answers: tuple[str, ...] = ()
    gold: frozenset[str] = frozenset()
    """Evidence; empty where the set names none."""
    by_session: bool = False
    """Whether `gold` names sessions in place of events."""
    judge: Judge = "substring"
    search: str = ""
    """What to search for, where that is less than the whole question."""
    avoid: tuple[str, ...] = ()
    """What must not be said: stale, forgotten, or another project's."""
    counts: bool = True
    """Whether it counts in the main figure."""

    @property
    def query(self) -> str:
        """What a retriever is given."""
        return self.search or self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is remembered once and asked many times."""

    name: str
    events: tuple[NewEvent, ...]
    questions: tuple[Question, ...]
    rule: str = ""
    """How a reader of plain lines tells new from old."""
    details: dict[str, Any] = field(default_factory=dict)


def read_json(path: Path) -> Any:  # noqa: ANN401 - JSON
    """Read a JSON file, gzipped or plain."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as stream:
        return json.load(stream)


def read_lines(path: Path) -> Iterator[Any]:
    """Read a file of one JSON value a line, gzipped or plain."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as stream:
        yield from (json.loads(line) for line in stream if line.strip())


def data_hash(files: Iterable[Path], root: Path) -> str:
    """Hash names and bytes of the files of a data set."""
    digest = hashlib.sha256()
    for file in sorted(files):
        name = file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name
        data = file.read_bytes()
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:16]
