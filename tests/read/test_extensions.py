"""Extensions through settings: tools, limits and a permission check, from the handle and the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tools_scene import state

from cli_command import Command
from memoranda import Memory, Settings
from memoranda.errors import InputError, NotFoundError
from memoranda.llm.doubles import HashedEmbedder

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PERMIT = "house_rules:for_the_team"
SAFE = "The safe of the boathouse opens with 4711."
OPEN = "The boathouse is painted green."
BY_BO = "The boathouse key hangs behind the stove."
CHINESE = "船屋的密码是八八六六。"
CHECKED = Settings(auto=False, permits=PERMIT)


@pytest.fixture(autouse=True)
def _examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


@pytest.fixture
def told(root: Path) -> Path:
    with Memory.open(root, settings=Settings(auto=False)) as memory:
        memory.add(SAFE, sensitivity="private", speaker="Cy")
        memory.add(OPEN)
        memory.add(BY_BO, sensitivity="private", speaker="Bo")
        memory.add(CHINESE, sensitivity="private")
        memory.consolidate()
        memory.add("The boathouse alarm is 99815.", sensitivity="private")
    return root


def opened(root: Path, **given: Any) -> Memory:
    return Memory.open(root, settings=Settings(auto=False, **given))


@pytest.mark.parametrize("question", ["boathouse", "safe boathouse 4711", "船屋的密码", "alarm"])
def test_what_the_check_refuses_is_no_evidence_anywhere(told: Path, question: str) -> None:
    with opened(told, permits=PERMIT) as memory:
        said = json.dumps(
            [
                memory.search(question).to_dict(),
                memory.context(question),
                memory.ask(question).to_dict(),
                memory.ask(question, known_at="2099").to_dict(),
                memory.ask(question, true_at="2099").to_dict(),
                memory.grep(".").to_dict(),
                memory.read_lines("CURRENT").to_dict(),
                memory.events("").to_dict(),
                memory.toolbox().call("search", {"query": question}).to_dict(),
                memory.toolbox().call("search", {"query": question, "since": "2020"}).to_dict(),
                memory.search(question, since="2020").to_dict(),
            ],
            ensure_ascii=False,
        )  # fmt: skip
        for hidden in ("opens with 4711", "八八六六", "99815"):
            assert hidden not in said
        assert OPEN in json.dumps(memory.search("boathouse").to_dict())
        assert BY_BO in json.dumps(memory.search("boathouse key").to_dict())
        with pytest.raises(NotFoundError):
            memory.get(1)
    with opened(told) as memory:
        assert "opens with 4711" in json.dumps(memory.search("boathouse safe").to_dict())


def test_titles_and_headings_are_made_of_what_is_let_through(told: Path) -> None:
    with opened(told, permits=PERMIT) as memory:
        found = memory.search("boathouse").evidence
        assert [item.document_id for item in found] == ["d1"]
        assert {entry.text for entry in found[0].entries} == {OPEN, BY_BO}
        said = json.dumps([found[0].title, found[0].headings, memory.document("d1").to_dict()])
        assert "safe" not in said.casefold()
        assert "4711" not in said


def test_the_check_holds_for_what_is_near_in_meaning(told: Path) -> None:
    settings = Settings(auto=False, permits=PERMIT, vectors="on")
    embedder = HashedEmbedder({"strongbox": "safe", "cabin": "boathouse"})
    with Memory.open(told, settings=settings, embedder=embedder) as memory:
        found = json.dumps(memory.search("cabin strongbox").to_dict())
        assert OPEN in found
        assert "4711" not in found


def test_the_command_line_obeys_it(told: Path) -> None:
    memoranda = Command(told)
    for command in (["search", "boathouse"], ["ask", "boathouse safe"], ["context", "boathouse"]):
        assert "4711" in memoranda.ok(*command)
        assert "4711" not in memoranda.ok(*command, MEMORANDA_PERMITS=PERMIT)
    assert memoranda("grep", "4711", MEMORANDA_PERMITS=PERMIT).exit_code == 3
    refused = memoranda("search", "boathouse", MEMORANDA_PERMITS="house_rules:nobody")
    assert refused.exit_code == 2
    assert "permission check 'house_rules:nobody' can't be loaded" in refused.stderr


@pytest.mark.parametrize(
    ("permits", "why"),
    [
        ("no_such_module:x", "can't be loaded"),
        ("house_rules:OURS", "is no permission check"),
        ("nothing_offered", "no installed package offers a permission check"),
    ],
)
def test_memory_is_not_opened_without_the_check_that_is_named(
    root: Path, permits: str, why: str
) -> None:
    with pytest.raises(InputError, match=why):
        opened(root, permits=permits)


def test_a_tool_that_settings_name_is_in_every_toolbox(root: Path) -> None:
    with opened(root, tools=" house_rules:walk , ") as memory:
        state(memory, "Alma moors at berth five.", "none / Alma / berth", speaker="Alma")
        box = memory.toolbox()
        assert [spec.name for spec in box.specs()][-1] == "walk"
        found = box.call("walk", {"subject": "Alma", "attributes": ["berth"]})
        assert "Alma / berth: " in found.text
    with (
        opened(root, tools="house_rules:OURS") as memory,
        pytest.raises(InputError, match="no tool"),
    ):
        memory.toolbox()


def test_the_limits_of_the_settings_hold_and_a_call_may_ask_for_others(root: Path) -> None:
    given = {
        "search_hits": 2,
        "grep_hits": 3,
        "read_lines": 4,
        "catalog_page": 1,
        "evidence_tokens": 300,
    }
    with opened(root, inline_documents=7, **given) as memory:
        for number in range(9):
            memory.add(f"Crate {number} holds nails.")
        caps = memory.toolbox().caps
        assert (caps.search, caps.grep, caps.read) == (2, 3, 4)
        assert (caps.catalog, caps.inline, caps.evidence) == (1, 7, 300)
        assert len(memory.grep("nails").matches) == 3
        assert len(memory.grep("nails", limit=5).matches) == 5
        assert len(memory.toolbox().call("search", {"query": "nails"}).evidence) == 2


@pytest.mark.parametrize("name", ["tools", "permits"])
def test_a_data_folder_names_no_code(root: Path, name: str) -> None:
    root.mkdir(parents=True)
    (root / "memoranda.toml").write_text(f"[settings]\n{name} = '{PERMIT}'\n", encoding="utf-8")
    refused = Command(root)("search", "x")
    assert refused.exit_code == 2
    assert f"{name} must not name code here" in refused.stderr
