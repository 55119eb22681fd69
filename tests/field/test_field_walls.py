"""Field cases: a user's memory is that user's; a name never leads out of the data folder."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from processes import SOURCE, TESTS, bytes_below, environment, python

from cli_command import Command
from memoranda import Memory
from memoranda.errors import InputError, NotFoundError, ScopeNameError
from scene import Place

CANARIES = {"anna": "zorvelkin", "boris": "quandrivex", "default": "mithrolane"}


def fill(place: Place) -> dict[str, str]:
    """One canary a user, placed and not yet placed; gives the event ids."""
    ids = {}
    for user, canary in CANARIES.items():
        with place.open(user=user) as memory:
            memory.add(f"The password of the cellar is {canary}.", speaker=canary, session=canary)
            memory.consolidate()
            added = memory.add(f"The cellar key named {canary} is lost.", id=f"id-{user}")
            ids[user] = added.event_ids[0]
    return ids


def said(memory: Memory) -> Iterator[object]:
    """All that a handle tells, by every way to ask."""
    for canary in (*CANARIES.values(), "password cellar", "cellar key", "lost"):
        yield memory.search(canary, budget=50_000)
        yield memory.ask(canary)
        yield memory.context(canary)
    yield memory.current()
    yield memory.documents()
    yield [memory.document(info.document_id) for info in memory.documents()]
    yield memory.status().events
    yield [memory.history(entry.seq) for entry in memory.current()]


def told(memory: Memory) -> str:
    """What a handle tells, less the words of the questions."""
    found = list(said(memory))
    with suppress(InputError):  # bound to a project
        found.append(list(memory.log()))
    return repr([item if not hasattr(item, "question") else item.claims for item in found])


FORMS: dict[str, dict[str, object]] = {
    "user": {},
    "project": {"project": "cellar"},
    "all projects": {"project": "cellar", "all_projects": True},
    "reading all": {"all_projects": True},
    "workspace": {"workspace": "home"},
    "workspace and project": {"workspace": "home", "project": "cellar"},
}


@pytest.mark.parametrize("form", FORMS)
def test_no_parameter_form_shows_another_users_memory(place: Place, form: str) -> None:  # fc-044
    ids = fill(place)
    memory = place.open(user="boris", **FORMS[form])
    found = told(memory)
    assert CANARIES["anna"] not in found
    assert CANARIES["default"] not in found
    assert (CANARIES["boris"] in found) == ("workspace" not in form)
    for ref in (ids["anna"], "id-anna", ids["default"], "id-default"):
        for call in (memory.get, memory.history, memory.document):
            with pytest.raises(NotFoundError):
                call(ref)
        with pytest.raises(NotFoundError):
            memory.forget(event=ref)
        with pytest.raises(NotFoundError):
            memory.forget(external_id=ref)
    with place.open(user="anna") as other:
        assert other.status().events == 2


@pytest.mark.parametrize("user", ["carla", "Anna", "anna ".strip() + "a", "*", "%", "anna,boris"])
def test_an_unknown_user_has_nothing(place: Place, user: str) -> None:  # fc-044
    fill(place)
    memory = place.open(user=user)
    found = told(memory)
    assert [canary for canary in CANARIES.values() if canary in found] == []
    assert memory.search("password cellar").evidence == ()
    assert memory.documents() == memory.current() == ()


def test_without_a_user_only_the_default_scope_is_read(place: Place) -> None:  # fc-044
    fill(place)
    for given in ({}, {"all_projects": True}):
        found = told(place.open(**given))
        assert [canary for canary in CANARIES.values() if canary in found] == [CANARIES["default"]]


@pytest.mark.parametrize("user", ["", " ", None])
def test_an_empty_user_is_refused_and_never_means_everybody(
    place: Place, memoranda: Command, user: str | None
) -> None:  # fc-044
    fill(place)
    if user is not None:
        with pytest.raises(ScopeNameError):
            place.open(user=user)
        assert memoranda("search", "cellar", "--user", user).exit_code == 2
    else:
        with pytest.raises((InputError, TypeError)):
            place.open(user=None)


COMMANDS = (
    ["search", "password", "cellar"], ["ask", "cellar", "key"], ["context", "cellar"], ["list"],
    ["show", "CURRENT"], ["show", "d1"], ["log"], ["get", "1"], ["history", "1"],
    ["search", "password", "cellar", "--all-projects"],
)  # fmt: skip


def test_no_command_shows_another_users_memory(place: Place, memoranda: Command) -> None:  # fc-044
    fill(place)
    for command in COMMANDS:
        for given, env, own in (
            (["--user", "boris"], {}, "boris"),
            ([], {"MEMORANDA_USER": "boris"}, "boris"),
            (["--user", "boris"], {"MEMORANDA_USER": "anna"}, "boris"),
            (["--user", "carla"], {}, None),
            ([], {}, "default"),
            ([], {"MEMORANDA_USER": ""}, "default"),
        ):
            for shape in ([], ["--json"]):
                said_ = memoranda(*command, *given, *shape, **env).output
                shown = [user for user, canary in CANARIES.items() if canary in said_]
                assert shown in ([], [own]), (command, given, env)
    assert CANARIES["boris"] in memoranda.ok("search", "password", "--user", "boris")


# --- names that would lead out ----------------------------------------------------------------

HOSTILE = (
    "../victim", "../../victim", "..", ".", "/victim", "users/../../victim", "a/../../../victim",
    "..\\victim", "..\\..\\victim", "C:\\victim", "\\\\host\\victim", "%2e%2e%2fvictim",
    "..%2fvictim", "%252e%252e%252fvictim", "..%5cvictim", "vic\0tim", "../victim\0", "%00",
    "victim/", "~/../victim\n", "v" * 5000, "../" * 2000 + "victim",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:24])
def test_a_hostile_name_is_refused_as_scope_and_unknown_as_document(
    place: Place, memoranda: Command, name: str
) -> None:  # fc-057
    memory = place.open()
    memory.add("The kiln is hot.")
    memory.consolidate()
    before = sorted(path for path in place.root.parent.rglob("*") if path.is_dir())
    for kind in ("user", "workspace", "project"):
        with pytest.raises(ScopeNameError):
            Memory.open(place.root, **{kind: name})  # type: ignore[arg-type]
    line = json.dumps({"content": "The kiln is cold.", "project": name}).encode()
    assert [number for number, _ in memory.import_lines([line]).malformed] == [1]
    for call in (memory.document, memory.history, memory.get):
        with pytest.raises(NotFoundError) as refused:
            call(name)
        with pytest.raises(NotFoundError) as unknown:
            call("no-such-thing")
        assert type(refused.value) is type(unknown.value)
    for named in ({"event": name}, {"external_id": name}):
        with pytest.raises(NotFoundError):
            memory.forget(**named)
    if "\0" not in name:
        for command in (["search", "kiln"], ["add", "x"], ["list"], ["rebuild"]):
            for option in ("--user", "--workspace", "--project"):
                done = memoranda(*command, option, name)
                assert (done.exit_code, "can't be used" in done.stderr) == (2, True)
        for command in (["show"], ["history"], ["get"], ["forget", "--yes", "--event"]):
            assert memoranda(*command, name).exit_code == 3
    assert sorted(path for path in place.root.parent.rglob("*") if path.is_dir()) == before


EVERYTHING = """
import json, os, sys
from pathlib import Path
from cli_command import Command
from memoranda import Memory, Settings
from memoranda.errors import MemorandaError
from test_field_walls import HOSTILE

names = [name for name in HOSTILE if len(name) < 200] if len(sys.argv) > 2 else HOSTILE
root = Path(sys.argv[1])
command = Command(root)
memory = Memory.open(root, settings=Settings(auto=False))
memory.add("The kiln is hot.", id="k")
memory.consolidate()
command("search", "kiln")
seen, refused = [], 0
def hook(event, arguments):
    if event.split(".")[0] in {"open", "os", "sqlite3", "shutil", "glob", "pathlib"}:
        seen.append([event, *(os.fsdecode(item) for item in arguments if isinstance(item, (str, bytes)))])
sys.addaudithook(hook)
before_any_open = True
for name in names:
    for kind in ("user", "workspace", "project"):
        start = len(seen)
        try:
            Memory.open(root, **{kind: name})
        except MemorandaError:
            refused += 1
        before_any_open = before_any_open and len(seen) == start
    for call in (memory.document, memory.get, memory.history, memory.search, memory.context,
                 lambda n: memory.forget(event=n), lambda n: memory.forget(external_id=n),
                 lambda n: memory.add("The kiln is cold.", id=n, session=n, speaker=n)):
        try:
            call(name)
        except MemorandaError:
            pass
    if "\\0" not in name:
        command("list", "--user", name)
        command("show", name)
memory.consolidate()
memory.rebuild()
memory.close()
print(json.dumps({"seen": seen, "refused": refused, "names": len(names), "before": before_any_open}))
"""


@pytest.fixture
def beside(root: Path) -> Path:
    """A folder beside the data root, and one to work in."""
    for name in ("victim", "work"):
        (root.parent / name).mkdir()
    (root.parent / "victim" / "memory.db").write_bytes(b"not yours")
    return root.parent


def test_no_hostile_name_opens_a_path_outside_the_root(root: Path, beside: Path) -> None:  # fc-057
    paths = (SOURCE, TESTS, Path(__file__).parent)
    found = json.loads(python(EVERYTHING, root, paths=paths))
    assert found["before"]
    assert found["refused"] == 3 * found["names"] == 3 * len(HOSTILE)
    files = [row for row in found["seen"] if len(row) > 1]
    assert len(files) > 100
    for event, *names in files:
        for name in names:
            assert "victim" not in name, event
            if name.startswith(str(beside)):
                assert Path(name).is_relative_to(root), event
            assert ".." not in Path(name).parts, event
    assert bytes_below(beside / "victim") == {"memory.db": b"not yours"}
    assert list((beside / "work").iterdir()) == []


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_the_system_calls_of_hostile_names_stay_below_the_root(
    root: Path, beside: Path
) -> None:  # fc-057
    trace = beside / "trace"
    paths = (SOURCE, TESTS, Path(__file__).parent)
    done = subprocess.run(
        ["strace", "-f", "-y", "-qq", "-s", "9000", "-e", "trace=%file", "-o", str(trace),
         sys.executable, "-c", EVERYTHING, str(root), "short"],
        env=environment(*paths), cwd=beside / "work", capture_output=True, check=False,
    )  # fmt: skip
    if b"PTRACE" in done.stderr or b"not permitted" in done.stderr:
        pytest.skip("tracing is not permitted here")
    assert done.returncode == 0, done.stderr.decode()
    touched = list(calls(trace.read_text(encoding="utf-8", errors="replace"), beside / "work"))
    below = [path for path in touched if path.startswith(f"{root}/")]
    assert len(below) > 200
    strays = {
        path for path in touched
        if path.startswith(f"{beside}/") and path != str(root) and not path.startswith(f"{root}/")
    }  # fmt: skip
    assert strays <= {str(beside / "work")}
    assert not any("victim" in path for path in touched)


def calls(trace: str, work: Path) -> Iterator[str]:
    """The path of each traced call, made absolute."""
    for line in trace.splitlines():
        for folder, name in re.findall(
            r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"', line
        ):
            yield os.path.normpath(Path(folder or work, name))
            if "rename" not in line and "link" not in line.replace("readlink", ""):
                break
