"""The doctor: what keeps a memory from working, with what mends it; lint: what may want tidying."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cli_command import Command
from memoranda import Memory, Settings
from memoranda.errors import ModelUnavailableError
from memoranda.inspections import Examined, Untidy
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Reply, Request
from memoranda.memory import doctor as doctoring
from memoranda.store.operations import Key, Text
from scene import Place, applier, block, create, home, plan, said


def bad(found: Examined) -> dict[str, str]:
    return {item.name: item.fix for item in found.findings if item.state == "bad"}


def names(found: Examined) -> set[str]:
    return {item.name for item in found.findings}


def test_a_sound_memory_needs_nothing(library: Place) -> None:
    with library.open() as memory:
        found = memory.doctor()
    assert bad(found) == {}
    assert found.ok
    assert names(found) >= {"root", "folder", "lock", "database", "versions", "space", "files",
                            "backup", "model"}  # fmt: skip


def test_every_bad_finding_says_how_to_mend_it(
    library: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctoring, "room", lambda _: 1000)
    monkeypatch.setattr(doctoring, "OLD_SQLITE", (99, 0, 0))
    monkeypatch.setattr(doctoring, "doubt", lambda path: f"{path} is synced")
    (library.folder / "topics" / "mine.md").write_text("my own", encoding="utf-8")
    with library.open() as memory:
        found = memory.doctor()
    assert set(bad(found)) >= {"space", "versions", "folder", "documents", "conflict"}
    assert all(bad(found).values())


@pytest.mark.skipif(os.name != "posix", reason="rights are told otherwise there")
def test_a_folder_that_others_may_read_is_told(library: Place) -> None:
    library.folder.chmod(0o755)
    library.database.chmod(0o644)
    with library.open() as memory:
        assert bad(memory.doctor())["rights"] == f"chmod 700 '{library.folder}'"
    library.folder.chmod(0o700)
    with library.open() as memory:
        assert "rights" not in bad(memory.doctor())


def test_looking_changes_nothing(library: Place) -> None:
    with library.open() as memory:
        state, position = memory.state(), home(memory).log.position()
        memory.doctor()
        memory.lint()
        assert (memory.state(), home(memory).log.position()) == (state, position)


def test_another_at_work_is_a_note(library: Place) -> None:
    one, two = library.open(), library.open()
    with home(one).locked():
        found = {item.name: item.state for item in two.doctor().findings}
    assert found["lock"] == "note"


class Gone:
    """A model that can't be reached."""

    name = "gone"

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, _: Request) -> Reply:
        self.asked += 1
        raise ModelUnavailableError("gone", "connection", "nobody answers")


def test_the_model_is_asked_only_when_that_is_wished(place: Place) -> None:
    model = Gone()
    memory = place.open(model=model)
    assert memory.doctor().ok
    assert model.asked == 0
    assert "model" in bad(memory.doctor(ask_model=True))
    assert model.asked == 1
    other = place.open(model=ScriptedModel("yes"))
    assert other.doctor(ask_model=True).ok


def test_the_command_ends_with_1_if_something_needs_mending(library: Place) -> None:
    command = Command(library.root)
    told = command.ok("doctor", MEMORANDA_AUTO="off")
    assert "note  backup" in told
    (library.folder / "topics" / "mine.md").write_text("my own", encoding="utf-8")
    failed = command("doctor", MEMORANDA_AUTO="off")
    assert failed.exit_code == 1
    assert "topics/mine.md" in failed.stdout
    assert "to mend it:" in failed.stdout


@pytest.mark.parametrize("line", ["colour = 1", "auto = 7", "[broken"])
def test_a_broken_file_of_settings_is_a_finding(library: Place, line: str) -> None:
    (library.root / "memoranda.toml").write_text(f"[settings]\n{line}\n", encoding="utf-8")
    found = Command(library.root)("doctor", "--json")
    assert found.exit_code == 1
    assert "memoranda.toml" in found.stdout


def test_a_database_that_does_not_open_is_a_finding(library: Place) -> None:
    library.database.write_bytes(b"no database")
    found = Command(library.root)("doctor")
    assert found.exit_code == 1
    assert "bad   memory" in found.stdout


# --- lint -----------------------------------------------------------------------------------------


def kinds(found: tuple[Untidy, ...]) -> set[str]:
    return {item.kind for item in found}


KILNS = "The {} kiln behind the boat shed burns {} logs of birch wood at night."
CHOIR = "The {} choir sings {} psalms in the chapel above the pharmacy on Sunday."


def filled(memory: Memory, *groups: list[str]) -> None:
    """One document for each group of texts, a block a text."""
    seq = 0
    for number, texts in enumerate(groups, start=1):
        blocks = []
        for text in texts:
            memory.add(text)
            seq += 1
            blocks.append(block(seq))
        made = create(f"d{number}", *blocks, title=f"Things {number}")
        window = tuple(range(seq - len(texts) + 1, seq + 1))
        applier(memory).apply(plan(made, window=window), approved=True)


def test_two_documents_of_one_matter_are_nearly_the_same(memory: Memory) -> None:
    colours = ["red", "blue", "grey", "green"]
    filled(
        memory,
        [KILNS.format(c, n) for n, c in enumerate(colours)],
        [KILNS.format(c, n + 4) for n, c in enumerate(colours)],
        [CHOIR.format(c, n) for n, c in enumerate(colours)],
    )
    found = memory.lint()
    assert [item.documents for item in found if item.kind == "near-duplicate"] == [("d1", "d2")]


def test_a_document_of_two_matters_is_impure(memory: Memory) -> None:
    colours = ["red", "blue", "grey", "green", "white", "black"]
    filled(
        memory,
        [KILNS.format(c, n) for n, c in enumerate(colours[:3])]
        + [CHOIR.format(c, n) for n, c in enumerate(colours[:3])],
        [CHOIR.format(c, n + 7) for n, c in enumerate(colours)],
    )
    found = [item for item in memory.lint() if item.kind == "impure"]
    assert [item.documents for item in found] == [("d1", "d2")]
    assert set(found[0].seqs) <= {4, 5, 6}


def test_a_document_without_a_line_that_holds_is_empty(memory: Memory) -> None:
    filled(memory, ["The kiln is red."])
    memory.retract(1)
    assert kinds(memory.lint()) == {"empty"}


def test_a_document_over_the_limit_is_told(place: Place) -> None:
    with place.open() as memory:
        filled(memory, [KILNS.format("red", n) for n in range(6)])
    again = place.open(settings=Settings(auto=False, split_tokens=60, merge_tokens=10))
    assert "oversize" in kinds(again.lint())


def test_two_lines_that_tell_one_state_otherwise_are_a_conflict(memory: Memory) -> None:
    memory.add("The gate code is 4471.")
    memory.add("门禁密码是 9902。")
    keys = tuple(Key(seq=n, keys=(Text(text="key: gate / code", made_from=(n,)),)) for n in (1, 2))
    applier(memory).apply(plan(*keys, window=(1, 2), kind="extract"), approved=True)
    found = memory.lint()
    assert [(item.kind, item.seqs) for item in found] == [("conflict", (1, 2))]
    memory.retract(1)
    assert memory.lint() == ()


def test_a_tidy_library_has_nothing_to_tidy(memory: Memory) -> None:
    filled(memory, [KILNS.format("red", 1)], [CHOIR.format("blue", 2)])
    assert memory.lint() == ()


def test_the_lint_command_leaves_with_4_when_there_is_something(place: Place) -> None:
    with place.open() as memory:
        filled(memory, ["The kiln is red."])
    command = Command(place.root)
    assert command("lint", MEMORANDA_AUTO="off").exit_code == 0
    with place.open() as memory:
        memory.retract(1)
    found = command("lint", "--json", MEMORANDA_AUTO="off")
    assert found.exit_code == 4
    assert '"empty"' in found.stdout
    assert said("x").text == "x"
    assert Path(place.root).is_dir()
