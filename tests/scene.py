"""What the core's tests share: a clock that stands still, ids that count, sentences of our own."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from memoranda import Entry, Memory, NewEvent, Settings
from memoranda.store.operations import Create, NewBlock, Operation, Plan, Text
from memoranda.store.schema import VIEW_NAMES
from memoranda.write.apply import Applier

START = datetime(2026, 6, 1, 9, tzinfo=UTC)
SMALL = Settings(current_tokens=300, split_tokens=450, merge_tokens=120, entry_tokens=120)
QUIET = replace(SMALL, auto=False)
BY_HAND = Settings(auto=False)

PHONE = "My phone number is 555-{}."
"""A state of one value, which the rules know: a later one replaces it."""
LIMIT = "The deployment limit is {} pods."
CHINESE_PHONE = "我的电话是{}。"


_PLANS = count(1)
_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - looked at before it is used
_ROOM = 256 * 1024 * 1024


def fast() -> str | None:
    """A file system in memory, where there is one with room: the store syncs at every step."""
    if _IN_MEMORY.is_dir() and shutil.disk_usage(_IN_MEMORY).free > _ROOM:
        return str(_IN_MEMORY)
    return None


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def tick(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Ids:
    """Ids that count, in six digits and a name."""

    def __init__(self, name: str = "") -> None:
        self._name = name
        self._next = count(1)

    def __call__(self) -> str:
        return f"{self._name}{next(self._next):06d}"


class Place:
    """One data root in which a test opens as many handles as it likes."""

    def __init__(self, root: Path, settings: Settings | None = None, *, ids: str = "") -> None:
        self.root = root
        self.clock = Clock()
        self.settings = settings or BY_HAND
        self._handles: list[Memory] = []
        self._ids = Ids(ids)

    def open(self, **given: Any) -> Memory:
        """Open a handle; what is left open is closed when the test ends."""
        arguments = {"settings": self.settings, "clock": self.clock, "ids": self._ids, **given}
        memory = Memory.open(self.root, **arguments)
        self._handles.append(memory)
        return memory

    @property
    def folder(self) -> Path:
        """The folder of the default scope."""
        return self.root / "users" / "default" / "_"

    @property
    def database(self) -> Path:
        return self.folder / "memory.db"

    def files(self) -> dict[str, bytes]:
        """Every Markdown file of the default scope, with its bytes."""
        found = [self.folder / "CURRENT.md", *(self.folder / "topics").glob("*.md")]
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(found)
            if path.is_file()
        }

    def copies(self) -> list[str]:
        """The names of the conflict copies."""
        return sorted(path.name for path in (self.folder / "conflicts").glob("*"))

    @contextmanager
    def sql(self) -> Iterator[sqlite3.Connection]:
        """Look at the database behind the library's back."""
        connection = sqlite3.connect(self.database)
        try:
            yield connection
        finally:
            connection.close()

    def drop(self, *, topics: bool = True, current: bool = True, index: bool = True) -> None:
        """Delete what is derived, as a person would."""
        gone = [*(self.folder / "topics").glob("*")] if topics else []
        gone += [self.folder / "CURRENT.md"] if current else []
        gone += [*self.folder.glob("index.db*")] if index else []
        for path in gone:
            path.unlink(missing_ok=True)
        if topics:
            (self.folder / "topics").rmdir()

    def close(self) -> None:
        """Close without a last word; a call that somebody gave up may still be under way."""
        for memory in self._handles:
            with memory._mutex:
                memory._home.close_index()
                memory._home.log.connection.close()


def home(memory: Memory) -> Any:
    """The rooms behind the facade, for tests of the rooms."""
    return memory._home


def rows(memory: Memory) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every view table."""
    return {
        name: sorted(
            (tuple(row) for row in home(memory).log.connection.execute(f"SELECT * FROM {name}")),
            key=repr,
        )
        for name in VIEW_NAMES
    }


def index_rows(memory: Memory) -> list[tuple[object, ...]]:
    """Every row of the index, caught up."""
    found: list[tuple[object, ...]] = home(memory).with_index(lambda index: index.rows())
    return found


def log_bytes(memory: Memory) -> list[tuple[Any, ...]]:
    """Every record with its payload, as it lies in the database."""
    db = home(memory).log.connection
    return [
        tuple(row) for row in db.execute("SELECT * FROM record LEFT JOIN payload USING (position)")
    ]


def signature(entry: Entry) -> tuple[object, ...]:
    """What of an entry no consolidation may change."""
    return (entry.time, entry.source, entry.speaker, entry.sensitivity, entry.event_ids)


def signatures(memory: Memory) -> dict[int, tuple[Any, ...]]:
    """What the log says of each seq: it can't change, wherever the entry stands."""
    db = home(memory).log.connection
    found = db.execute(
        "SELECT entry.seq, text, time, source, speaker, sensitivity, project, session, record.id "
        "FROM entry JOIN entry_event USING (seq) JOIN record ON record.position = event "
        "WHERE erased IS NULL ORDER BY entry.seq, event"
    ).fetchall()
    kept: dict[int, tuple[Any, ...]] = {}
    for row in found:
        kept[row[0]] = (*kept.get(row[0], tuple(row)[1:-1]), row[-1])
    return kept


def everywhere(memory: Memory) -> list[int]:
    """Each seq once for every place where it stands: CURRENT and the documents."""
    lines = [entry.seqs for entry in memory.current()]
    for info in memory.documents():
        for block in memory.document(info.document_id).blocks:
            lines += [entry.seqs for entry in block.entries]
    return sorted(seq for line in lines for seq in line)


def all_seqs(memory: Memory) -> list[int]:
    db = home(memory).log.connection
    rows = db.execute("SELECT seq FROM entry WHERE erased IS NULL AND line <> 0 ORDER BY seq")
    return [row[0] for row in rows]


def holding(memory: Memory) -> list[str]:
    """The texts of the lines that hold now, oldest first."""
    db = home(memory).log.connection
    return [
        row[0]
        for row in db.execute(
            "SELECT text FROM entry WHERE line = seq AND superseded_by IS NULL "
            "AND retracted IS NULL ORDER BY moment, seq"
        )
    ]


def shown(memory: Memory, query: str, budget: int = 4000) -> list[tuple[int, int | None, str]]:
    """What a search shows: (seq, superseded by, text)."""
    return [
        (entry.seq, entry.superseded_by, entry.text)
        for item in memory.search(query, budget=budget).evidence
        for entry in item.entries
    ]


def said(text: str, made_from: int = 1) -> Text:
    return Text(text=text, made_from=(made_from,))


def block(*seqs: int, heading: str = "2026-06-01") -> NewBlock:
    return NewBlock(headings=(said(heading, seqs[0] if seqs else 1),), seqs=seqs)


def create(
    document: str, *blocks: NewBlock, title: str = "Kilns", project: str | None = None
) -> Create:
    return Create(
        document_id=document,
        project=project,
        title=said(title),
        summary=said("About kilns."),
        blocks=blocks,
    )


def plan(
    *operations: Operation,
    window: Iterable[int] = (),
    versions: Mapping[str, int] | None = None,
    epoch: int = 1,
    kind: Any = "consolidate",
) -> Plan:
    """A plan made by hand."""
    return Plan(
        plan_id=f"p-by-hand-{next(_PLANS)}",
        kind=kind,
        epoch=epoch,
        window=tuple(window),
        input_event_ids=(),
        versions=dict(versions or {}),
        operations=operations,
        warnings=(),
        by="a test",
    )


def applier(memory: Memory) -> Applier:
    return Applier(home(memory).log, home(memory).fold, home(memory).view, trust="model")


def versions(memory: Memory) -> dict[str, int]:
    return {info.document_id: info.version for info in memory.documents()}


def everything(memory: Memory) -> tuple[object, ...]:
    """All that must be the same after an attempt that changes nothing."""
    return (log_bytes(memory), rows(memory), memory.state())


def lines_of(events: Iterable[NewEvent]) -> list[bytes]:
    """Events as an import file has them."""
    return [
        json.dumps(
            {
                "id": event.external_id,
                "source": event.source,
                "speaker": event.speaker,
                "time": event.time,
                "content": event.content,
                "session": event.session,
                "project": event.project,
                "sensitivity": event.sensitivity,
                "meta": dict(event.metadata),
            },
            ensure_ascii=False,
        ).encode()
        for event in events
    ]


def told(texts: Iterable[str], **common: Any) -> list[NewEvent]:
    """Events of texts, with ids n1, n2, ..."""
    return [
        replace(NewEvent(content=text, **common), external_id=f"n{number}")
        for number, text in enumerate(texts, start=1)
    ]


Opener = Callable[..., Memory]

SENTENCES: tuple[str, ...] = (
    "The old kiln behind the boat shed cracks when it is fired above 1100 degrees.",
    "Ines keeps the harbour keys in the blue tin under the stairs.",
    "The night ferry to Skarholm leaves at 22:40 from pier nine.",
    "Olek repaired the wind pump with a bicycle chain and some leather.",
    "Rye bread needs eighteen hours of rest before it is baked.",
    "The seed catalogue lists forty kinds of beans, three of them purple.",
    "Mira wants the fence painted before the goats come back in May.",
    "Pressure in the second boiler drops by half a bar every night.",
    "The choir meets on Thursdays in the rooms above the pharmacy.",
    "A letter from the land office asks for the map of 1987.",
    "船屋后面的旧窑在一千一百度以上会开裂。",
    "伊内斯把码头的钥匙放在楼梯下面的蓝色铁盒里。",
    "去北岛的夜间渡轮晚上十点四十分从九号码头开出。",
    "老李用自行车链条和皮子修好了风力水泵。",
    "黑麦面包烘烤之前需要醒发十八个小时。",
    "种子目录里有四十种豆子,其中三种是紫色的。",
    "米拉希望五月羊群回来之前把篱笆刷好。",
    "二号锅炉的压力每天夜里下降半个大气压。",
    "合唱团每星期四在药店楼上的房间排练。",
    "土地局来信索要一九八七年的地图。",
)
