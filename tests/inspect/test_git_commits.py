"""git: each plan is a commit of the topic files; nothing of a person's is touched, nothing is run."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cli_command import Command
from scene import SENTENCES, SMALL, Place

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

GIT = replace(SMALL, git=True)


def git(place: Place, *words: str) -> str:
    """Run git as a person would, with an own name."""
    who = ["-c", "user.name=Ines", "-c", "user.email=ines@example.org"]
    done = subprocess.run(
        ["git", *who, "-C", str(place.folder), *words],
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return done.stdout


@pytest.fixture
def kept(root: Path) -> Place:
    """A scope with git, and two windows consolidated."""
    place = Place(root, GIT)
    with place.open() as memory:
        for number, text in enumerate(SENTENCES):
            memory.add(f"{text} ({number})", session=f"s{number // 5}")
        memory.consolidate()
    return place


def test_each_plan_is_a_commit_that_names_it(kept: Place) -> None:
    with kept.open() as memory:
        plans = [record.record_id for record in memory.log(kind="plan")]
    subjects = git(kept, "log", "--reverse", "--format=%s").splitlines()
    assert len(plans) >= 2
    assert [line.split()[-1] for line in subjects] == plans
    assert set(git(kept, "log", "--format=%an <%ae>").splitlines()) == {
        "memoranda <memoranda@localhost>"
    }


def test_the_last_commit_holds_the_topic_files_and_nothing_else(kept: Place) -> None:
    names = git(kept, "-c", "core.quotePath=off", "ls-tree", "-r", "--name-only", "HEAD").split(
        "\n"
    )
    files = {name: data for name, data in kept.files().items() if name.startswith("topics/")}
    assert set(filter(None, names)) == set(files)
    for name, data in files.items():
        assert git(kept, "show", f"HEAD:{name}").encode() == data
    assert git(kept, "status", "--short") == ""


def test_every_commit_holds_the_files_as_they_were_after_its_plan(kept: Place) -> None:
    with kept.open() as memory:
        plans = {record.record_id: record.position for record in memory.log(kind="plan")}
        ids = [info.document_id for info in memory.documents()]
        for line in git(kept, "log", "--format=%H %s").splitlines():
            commit, _, plan = line.split()
            for name in git(kept, "ls-tree", "-r", "--name-only", commit).split():
                document = name.rsplit("-", 1)[-1].strip('"').removesuffix(".md")
                if document in ids and not name.startswith('"'):
                    page = memory.diff(document, f"{plans[plan]}").after
                    assert git(kept, "show", f"{commit}:{name}") == page


def test_a_message_holds_no_word_of_what_was_said(kept: Place) -> None:
    told = git(kept, "log", "--format=%B")
    assert "by: rules/1" in told
    for text in SENTENCES:
        for word in text.replace(".", "").split():
            assert len(word) < 6 or word not in told


def test_a_commit_by_hand_is_left_alone(kept: Place) -> None:
    note = kept.folder / "notes.txt"
    note.write_text("mine", encoding="utf-8")
    git(kept, "add", "notes.txt")
    git(kept, "commit", "-q", "-m", "my note")
    (kept.folder / "draft.txt").write_text("not yet", encoding="utf-8")
    git(kept, "add", "draft.txt")
    with kept.open() as memory:
        memory.retract(1)
    assert git(kept, "show", "HEAD:notes.txt") == "mine"
    assert git(kept, "log", "-1", "--format=%an", "--", "notes.txt").strip() == "Ines"
    assert git(kept, "status", "--short").split() == ["A", "draft.txt"]


def test_without_the_setting_nothing_is_made(library: Place) -> None:
    with library.open() as memory:
        memory.retract(1)
    assert not (library.folder / ".git").exists()


def test_hooks_and_filters_of_the_repository_are_not_run(kept: Place) -> None:
    trap = kept.root.parent / "ran"
    hook = kept.folder / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch '{trap}'\n", encoding="utf-8")
    hook.chmod(0o755)
    for name in ("pre-commit", "post-commit", "post-index-change"):
        shutil.copy(hook, hook.with_name(name))
    git(kept, "config", "filter.x.clean", f"touch '{trap}'; cat")
    git(kept, "config", "core.fsmonitor", f"touch '{trap}'")
    (kept.folder / ".gitattributes").write_text("*.md filter=x\n", encoding="utf-8")
    before = git(kept, "rev-parse", "HEAD")
    trap.unlink(missing_ok=True)
    with kept.open() as memory:
        memory.retract(1)
    assert not trap.exists()
    assert git(kept, "-c", "core.hooksPath=/dev/null", "rev-parse", "HEAD") != before


def test_the_environment_of_another_repository_is_not_followed(
    kept: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(kept.root.parent / "elsewhere"))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "somebody")
    with kept.open() as memory:
        memory.retract(1)
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_AUTHOR_NAME")
    assert git(kept, "log", "-1", "--format=%an").strip() == "memoranda"


def test_without_the_program_memory_works_and_status_says_so(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(root, GIT)
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", str(root.parent))
    with place.open() as memory:
        memory.add("The kiln is red.")
        memory.consolidate()
        assert memory.documents()
        assert any("not installed" in text for text in memory.status().warnings)
    monkeypatch.setenv("PATH", path)
    with place.open() as memory:
        assert memory.status().warnings == ()
    assert len(git(place, "log", "--oneline").splitlines()) == 1


def test_a_merge_under_way_is_waited_for(kept: Place) -> None:
    head = git(kept, "rev-parse", "HEAD")
    mark = kept.folder / ".git" / "MERGE_HEAD"
    mark.write_text(head, encoding="utf-8")
    with kept.open() as memory:
        memory.retract(1)
        assert any("merge" in text for text in memory.status().warnings)
    assert git(kept, "rev-parse", "HEAD") == head
    mark.unlink()
    with kept.open() as memory:
        memory.retract(2)
        assert memory.status().warnings == ()
    assert "retraction" in git(kept, "log", "-1", "--format=%B")


def test_the_flag_switches_it_on(place: Place) -> None:
    with place.open() as memory:
        memory.add("The kiln is red.")
    Command(place.root).ok("consolidate", "--git")
    assert git(place, "log", "--oneline")
