"""The documents say what is so: each requirement has a row, each path exists, no list is stale."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from memoranda import Memory
from memoranda.cli import program

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "memoranda"
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
ISSUES = (
    "A2 hardening",
    "B the maintainer",
    "C the readers",
    "D audit",
    "E forgetting",
    "F proof",
    "G1 MCP",
    "G2 REST and web",
)
REGISTRIES = re.compile(
    r"\b(?:pypi\.org|pythonhosted\.org|npmjs\.(?:com|org)|crates\.io|huggingface\.co"
    r"|proxy\.golang\.org|conda\.anaconda\.org|rubygems\.org)\b"
)
MACHINE_PATH = re.compile(r"(?:^|[\s`\"'(=])(/[a-z][\w.-]*/[\w./-]+|[A-Z]:\\\w+)", re.MULTILINE)
PATH = re.compile(r"`([\w./-]+(?:\.(?:py|md|toml|txt|json)|/)(?:::\w+)?|Makefile|LICENSE)`")


class Row(NamedTuple):
    """One requirement as `docs/requirements.md` has it."""

    name: str
    point: str
    state: str
    where: str


def rows() -> list[Row]:
    """Read the rows of the table of requirements."""
    text = (ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if re.match(r"\| R\d", line)]
    return [Row(*(cell.strip() for cell in line.strip("|").split(" | "))) for line in lines]


def paths(text: str) -> list[str]:
    """Give the paths that a text names in backticks, with `::test` if it names one."""
    return PATH.findall(text)


def found(path: str) -> Path | None:
    """Find a named path below the project or its package."""
    name = path.partition("::")[0]
    return next((base / name for base in (ROOT, PACKAGE) if (base / name).exists()), None)


def house_maker() -> ModuleType:
    """Load the script that makes the table of modules."""
    spec = importlib.util.spec_from_file_location("make_house", ROOT / "docs" / "make_house.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_requirement_has_exactly_one_row() -> None:
    assert [row.name for row in rows()] == [f"R{number}" for number in range(1, 326)]


def test_every_state_is_one_of_four_and_every_row_says_where_or_why() -> None:
    assert {row.state for row in rows()} <= {"done", "planned", "out of scope", "context"}
    assert [row.name for row in rows() if not row.point or not row.where] == []


def test_what_is_planned_names_the_issue_that_brings_it() -> None:
    homeless = [
        row.name
        for row in rows()
        if row.state == "planned" and not any(row.where.startswith(issue) for issue in ISSUES)
    ]
    assert homeless == []


def test_what_is_done_names_its_module_and_its_test() -> None:
    bare = []
    for row in rows():
        named = paths(row.where)
        code = [path for path in named if (PACKAGE / path).exists()]
        tests = [path for path in named if path.startswith("tests/")]
        written = [path for path in named if path.startswith("docs/")]
        if row.state == "done" and not ((code and tests) or (written and not code)):
            bare.append(row.name)
    assert bare == []


def test_the_sums_above_the_table_are_right() -> None:
    text = (ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")
    sums = Counter(row.state for row in rows())
    stated = {
        state: int(n)
        for state, n in re.findall(
            r"^- (done|planned|out of scope|context): (\d+)", text, re.MULTILINE
        )
    }
    assert stated == sums


@pytest.mark.parametrize("page", ["requirements.md", "house.md"])
def test_every_path_that_a_page_names_exists(page: str) -> None:
    named = paths((ROOT / "docs" / page).read_text(encoding="utf-8"))
    assert named
    assert sorted({path for path in named if found(path) is None}) == []


def test_every_test_that_a_row_names_is_there() -> None:
    missing = []
    for named in {path for row in rows() for path in paths(row.where) if "::" in path}:
        file, name = found(named), named.partition("::")[2]
        if file is None or f"def {name}(" not in file.read_text(encoding="utf-8"):
            missing.append(named)
    assert sorted(missing) == []


def test_the_table_of_modules_is_current() -> None:
    maker = house_maker()
    page = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
    assert page == maker.renewed(page, maker.table(PACKAGE))


def test_every_module_says_in_one_sentence_what_it_is_for() -> None:
    maker = house_maker()
    sentences = {
        module.relative_to(PACKAGE).as_posix(): maker.first_sentence(
            module.read_text(encoding="utf-8")
        )
        for module in PACKAGE.rglob("*.py")
    }
    assert sorted(name for name, said in sentences.items() if not said.endswith((".", "?"))) == []


def test_a_page_without_markers_is_refused_by_the_maker() -> None:
    maker = house_maker()
    with pytest.raises(ValueError, match="markers"):
        maker.renewed("# A page without any\n", "| module |")


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.name.partition("-")[0]) for path in DECISIONS]
    assert numbers == list(range(1, len(DECISIONS) + 1))


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.name)
def test_a_decision_is_short_and_names_its_price(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 40
    assert lines[0].startswith(f"# {path.name[:3]}. ")
    parts = [line for line in lines if line.startswith("## ")]
    assert parts == ["## Context", "## Decision", "## Why", "## What it costs"]


def test_every_gap_of_the_sources_is_answered() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DECISIONS)
    answered = {int(number) for number in re.findall(r"\bG(\d+)\b", text)}
    assert set(range(1, 16)) <= answered


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_document_names_a_registry_host_or_a_path_of_some_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert REGISTRIES.findall(text) == []
    assert MACHINE_PATH.findall(text) == []


@pytest.mark.parametrize("text", ["see /srv/data/book", "(`/a/b`)", "root=/x/y.db", "in C:\\books"])
def test_a_path_of_some_machine_is_noticed(text: str) -> None:
    assert MACHINE_PATH.findall(text)


@pytest.mark.parametrize(
    "text", ["docs/house.md", "~/notes/a", "https://a.example/b/c", "and/or/not"]
)
def test_a_path_inside_the_project_is_no_path_of_some_machine(text: str) -> None:
    assert MACHINE_PATH.findall(text) == []


def test_the_page_of_commands_is_current() -> None:
    done = subprocess.run([sys.executable, "docs/make_cli.py", "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0, "run `python docs/make_cli.py`"


def test_the_readme_names_every_command_and_every_call() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    api = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    commands = [name for name, command in program.commands.items() if not command.hidden]
    calls = [name for name in dir(Memory) if not name.startswith("_")]
    assert len(commands) > 30
    told = re.compile(r"(?:`|\$ memoranda )([\w-]+)")
    assert sorted(set(commands) - set(told.findall(readme))) == []
    own = {"open", "close", "runs_by_itself"}
    assert sorted(set(calls) - own - set(told.findall(readme))) == []
    named = re.findall(r"`(?:Memory\.|settings\.)?(\w+)", api)
    assert sorted(set(calls) - {"close"} - set(named)) == []


def test_every_example_of_the_readme_and_the_api_runs(tmp_path: Path) -> None:
    for page in ("README.md", "docs/python.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        code = text.split("```python\n", 1)[1].split("```", 1)[0]
        assert "Memory.open" in code
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip()
