"""git keeps what files said: our own history is written anew, and that of others is named."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memoranda import Memory
from memoranda.store.githistory import GitHistory, cites, without
from memoranda.store.operations import NewBlock, Text
from scene import SENTENCES, SMALL, Place, applier, create, home, plan

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

GIT = replace(SMALL, git=True)
KEYS = "Quenwick keeps the flimbart key under the trundlebox."
HAN = "昆维克的钥匙藏在滚轮箱底下。"


def git(place: Place, *words: str, given: bytes = b"") -> bytes:
    """Run git as a person would, with an own name."""
    who = ["-c", "user.name=Ines", "-c", "user.email=ines@example.org"]
    return subprocess.run(
        ["git", *who, "-C", str(place.folder), *words], capture_output=True, check=True, input=given
    ).stdout


def everything(place: Place) -> bytes:
    """Every object that lies in the repository, whether a commit holds it or not, and every name."""
    objects = git(place, "cat-file", "--batch-all-objects", "--batch")
    folder = place.folder / ".git"
    loose = [path for path in folder.rglob("*") if path.is_file() and "objects" not in path.parts]
    return objects + b"".join(path.read_bytes() for path in loose)


@pytest.fixture
def kept(root: Path) -> Place:
    """A scope with git: a secret in a document that is changed, renamed and grown afterwards."""
    place = Place(root, GIT)
    with place.open() as memory:
        memory.add(KEYS, id="secret", session="s0", speaker="Quenwick")
        memory.add(HAN, id="han", session="s0")
        name = Text(text="Quenwick flimbart", made_from=(1,))
        made = create("d1", NewBlock(headings=(name,), seqs=(1, 2)))
        applier(memory).apply(plan(replace(made, title=name, summary=name), window=(1, 2)))
        memory.consolidate()
        for number, text in enumerate(SENTENCES):
            memory.add(f"{text} ({number})", session=f"s{number // 5}")
        memory.consolidate()
        memory.retract(4)
    return place


def forgotten(place: Place) -> Memory:
    memory = place.open()
    assert b"flimbart" in everything(place)
    return memory


def test_no_object_and_no_name_of_ours_holds_it_any_more(kept: Place) -> None:
    before = git(kept, "log", "--format=%s %ad").splitlines()
    assert b"quenwick-flimbart" in git(kept, "log", "--format=", "--name-only")
    memory = forgotten(kept)
    done = memory.forget(seq="1-2")
    assert done.counts["commits"] == (done.counts["commits"][0], 0)
    assert done.counts["commits"][0] >= 1
    assert (done.left, done.out_of_reach) == ((), ())
    left = everything(kept)
    names = git(kept, "log", "--all", "--format=", "--name-only")
    for word in (b"flimbart", b"trundlebox", b"Quenwick", b"quenwick", "昆维克".encode()):
        assert word not in left
        assert word not in names
    assert git(kept, "log", "--format=%s %ad").splitlines()[1:] == before
    assert git(kept, "status", "--short") == b""
    assert git(kept, "fsck", "--strict") == b""
    assert memory.verify_forgotten(done).ok
    memory.close()
    with kept.open() as again:
        again.add("The ferry is late.")
        again.consolidate()
        assert home(again).log.meta("git_fault") == b""
    assert b"ferry is late" in git(kept, "log", "-p")


def test_what_others_said_stays_in_the_history(kept: Place) -> None:
    memory = forgotten(kept)
    memory.forget(seq="1-2")
    told = git(kept, "log", "-p")
    for number, text in enumerate(SENTENCES[:6]):
        assert f"{text} ({number})".encode() in told


def test_the_history_is_packed_and_still_nothing_is_left(kept: Place) -> None:
    git(kept, "gc", "--quiet", "--prune=now")
    memory = forgotten(kept)
    done = memory.forget(seq="1-2")
    assert done.left == ()
    assert b"flimbart" not in everything(kept)


def test_what_is_left_in_a_pack_is_seen_by_the_scan(
    kept: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(kept, "gc", "--quiet", "--prune=now")
    memory = forgotten(kept)
    monkeypatch.setattr(GitHistory, "rewrite", lambda *_: None)
    assert ".git (packed objects)" in memory.forget(seq="1-2").left


def _remote(place: Place) -> None:
    git(place, "remote", "add", "origin", "https://example.org/memory.git")


def _branch(place: Place) -> None:
    git(place, "branch", "mine")


def _tag(place: Place) -> None:
    git(place, "tag", "v1")


def _note(place: Place) -> None:
    (place.folder / "notes.txt").write_text("mine", encoding="utf-8")
    git(place, "add", "notes.txt")
    git(place, "commit", "-q", "-m", "my note")


@pytest.mark.parametrize("theirs", [_remote, _branch, _tag, _note], ids=lambda f: f.__name__)
def test_a_repository_that_is_not_ours_alone_is_left_and_named_with_its_commits(
    kept: Place, theirs: Callable[[Place], None]
) -> None:
    theirs(kept)
    heads = git(kept, "log", "--all", "--format=%H").decode().split()
    memory = forgotten(kept)
    done = memory.forget(seq="1-2")
    (named,) = done.out_of_reach
    assert "so it is left as it is" in named
    assert any(head[:12] in named for head in heads)
    assert set(heads) <= set(git(kept, "log", "--all", "--format=%H").decode().split())
    assert done.counts["commits"][1] > 0
    assert not memory.verify_forgotten(done).ok


def test_without_the_setting_an_older_history_is_reached_too(kept: Place) -> None:
    with kept.open(settings=SMALL) as memory:
        done = memory.forget(seq="1-2")
    assert done.out_of_reach == ()
    assert b"flimbart" not in everything(kept)


def test_a_history_that_never_held_it_stays_as_it_is(kept: Place) -> None:
    with kept.open() as memory:
        seq = memory.add("The ferry waits.").seqs[0]
        before = git(kept, "rev-parse", "HEAD")
        memory.forget(entry=seq)
    assert git(kept, "merge-base", "HEAD", before.decode().strip()) == before


# --- one document ------------------------------------------------------------------------------

PAGE = """---
id: d1
title: "Quenwick and the key"
summary: "Quenwick hides it."
token_count: 31
update_log:
  - "epoch 1: 2 entries"
mine: Quenwick
---

# Quenwick and the key

## Key

- <seq=1, time=2026-05-01, source=user> Quenwick hides the key
  under the box.
- <seq=2-3,9, source=user> The horse is called Aska.

## Horse

- <seq=4, source=user> It is brown.
"""


def test_of_one_document_its_lines_and_all_its_names_go() -> None:
    assert without(PAGE.encode(), {1}).decode() == (
        '---\nid: d1\ntitle: "[erased]"\nsummary: "[erased]"\ntoken_count: 31\n---\n\n'
        "# [erased]\n\n## [erased]\n\n- [erased]\n"
        "- <seq=2-3,9, source=user> The horse is called Aska.\n\n## [erased]\n\n"
        "- <seq=4, source=user> It is brown.\n"
    )
    assert b"Aska" not in without(PAGE.encode(), {3})


@pytest.mark.parametrize(("seqs", "there"), [({1}, True), ({3}, True), ({9}, True), ({5}, False)])
def test_a_document_cites_what_it_prints(seqs: set[int], *, there: bool) -> None:
    assert cites(PAGE.encode(), seqs) is there
