"""What is told of an entry in a model's words: whose words, of which entry, and after forgetting too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from upkeep_model import Asked

from memoranda import Memory, Settings
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from scene import Place

SAID = "我搬到成都了，住在锦江区。"
WORDED = "林晓搬到成都了，住在锦江区。"


def right(request: Request) -> str:
    asked = Asked(request)
    if asked.step != "extract":
        return "{}"
    facts = [{"of": name, "fact": WORDED} for name in asked.names("events")]
    return json.dumps({"facts": facts}, ensure_ascii=False)


@pytest.fixture
def memory(root: Path) -> Memory:
    place = Place(root, Settings(auto=False))
    memory = place.open(model=ScriptedModel(right))
    memory.add(SAID, speaker="林晓", time="2026-04-20")
    memory.consolidate()
    assert memory.get(1) == memory.get(2)
    return memory


def texts(memory: Memory, seq: int) -> list[str]:
    return [change.text for change in memory.history(seq)]


def test_each_of_the_two_names_the_other(memory: Memory) -> None:
    assert "said in other words by a model: see entry 2" in texts(memory, 1)
    assert "entry 2 says in other words, by scripted, what entry 1 says" in texts(memory, 2)


def test_after_forgetting_no_entry_is_named_that_there_never_was(memory: Memory) -> None:
    memory.forget(entry=2)
    told = texts(memory, 1)
    assert "said in other words by a model" in told
    assert not any("entry 0" in text for text in told)
    assert any(text.startswith("entry 2 ") for text in texts(memory, 2))


def test_an_entry_of_the_rules_is_told_as_before(memory: Memory) -> None:
    assert "entry 1 extracted by rules/1" in texts(memory, 1)
