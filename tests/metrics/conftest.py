"""Fixtures: a library of several topics, kept by rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_command import Command
from memoranda import Memory, NewEvent, Settings

TOPICS = {
    "kiln": (
        "The kiln behind the boat shed fires at 1040 degrees.",
        "Clay for the kiln comes from the quarry road.",
        "Glazes for the kiln dry two days on the rack.",
        "The kiln's thermocouple was replaced in May.",
        "Two shelves of the kiln crack when they cool too fast.",
        "We load the kiln with the tall pots at the back.",
        "The chimney of the kiln needs a new cap.",
        "Cones in the kiln tell when the glaze melts.",
    ),
    "choir": (
        "合唱团每星期四在药店楼上的房间排练。",
        "合唱团的指挥是周老师，她带来乐谱。",
        "合唱团下个月在图书馆演出。",
        "合唱团的钢琴要先调音。",
        "合唱团的女高音缺两个人。",
        "合唱团排练前先做呼吸练习。",
        "合唱团的谱架放在储藏室。",
        "合唱团的新年音乐会需要灯光。",
    ),
}
SMALL = Settings(auto=False, count_shown=True)
"""Documents are as large as a project: each holds several blocks."""


def topics() -> list[NewEvent]:
    return [
        NewEvent(
            content=text,
            time=f"2026-03-0{number + 1}",
            session=topic,
            external_id=f"{topic}:{number}",
            project=topic,
            metadata={"topic": topic},
        )
        for topic, texts in TOPICS.items()
        for number, text in enumerate(texts)
    ]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "root", settings=SMALL) as opened:
        opened.add_many(topics())
        opened.consolidate()
        yield opened


@pytest.fixture
def memoranda(tmp_path: Path) -> Command:
    return Command(tmp_path / "root")
