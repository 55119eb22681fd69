"""The later of two versions comes first, and two things that a question tells apart stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from memoranda import Memory, NewEvent, Settings


def first(tmp_path: Path, question: str, *said: tuple[str, str, str | None]) -> list[str]:
    with Memory.open(tmp_path / "root", settings=Settings(auto=False)) as memory:
        memory.add_many(
            NewEvent(content=text, speaker=who, project=project, time=f"2026-0{month}-01",
                     session=str(month))
            for month, (text, who, project) in enumerate(said, start=1)
        )  # fmt: skip
        memory.consolidate()
        found = memory.search(question, budget=500)
        return [entry.text for item in found.evidence for entry in item.entries]


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("How does Minnow take tea?", "I take my tea black.", "I take my tea with lemon now."),
        ("Where does the van park?", "The van parks in bay 4.", "The van parks behind the mill."),
        ("Where does Ada live?", "I live in Kirkwall.", "I moved to Stromness in spring."),
        ("贝宁喝茶加奶吗？", "我喝茶不加奶。", "我现在喝茶要加奶。"),
        ("石桥从哪个分支部署？", "石桥从release分支部署。", "石桥改为从main分支部署。"),
    ],
)  # fmt: skip
def test_the_later_version_leads(tmp_path: Path, question: str, older: str, newer: str) -> None:
    found = first(tmp_path, question, (older, "Ada", None), (newer, "Ada", None))
    assert found.index(newer) < found.index(older)


def test_what_the_question_tells_apart_is_not_reordered(tmp_path: Path) -> None:
    one, two = "Osei lives above the bakery.", "Mira lives above the cinema."
    assert first(tmp_path, "Where does Osei live?", (one, None, None), (two, None, None))[0] == one


def test_two_speakers_are_not_versions_of_each_other(tmp_path: Path) -> None:
    one, two = "I take my tea black and hot.", "I take my tea with lemon."
    found = first(
        tmp_path, "Does Ada take tea black and hot?", (one, "Ada", None), (two, "Bo", None)
    )
    assert found[0] == one


def test_texts_from_outside_are_versions_only_if_one_place_differs(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "root", settings=Settings(auto=False)) as memory:
        memory.add_many(
            NewEvent(content=text, source="external", time=f"2026-0{month}-01")
            for month, text in enumerate(
                (
                    "Osei Brandt Dale is a citizen of Norway.",
                    "The heir of Nyhavn is Osei Brandt Dale.",
                ),
                1,
            )
        )
        memory.consolidate()
        found = memory.search("What is the citizenship of Osei Brandt Dale?", budget=500)
    assert found.evidence[0].entries[0].text.startswith("Osei Brandt Dale is a citizen")
