"""`memoranda install` and `uninstall`: each host's file, with a backup, and twice is once."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_agent import environment

import memoranda
from cli_command import Command
from memoranda.install.hosts import HOSTS, Machine

FILES = {
    "claude-code": ".claude.json",
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".config/Code/User/mcp.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
}
BEFORE = {
    "json": '{\n  // mine\n  "theme": "dark"\n}\n',
    "toml": '# mine\nmodel = "x"\n',
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of our own, with nothing in it."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "MEMORANDA_ROOT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setattr(Path, "home", lambda: folder)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run(home: Path) -> Any:
    """The command, without a root from the environment."""
    command = Command(home / "data")
    return lambda *args, **env: command(*args, MEMORANDA_ROOT="", **env)


def entry(host: str, text: str) -> Any:
    form = HOSTS[host].form
    whole = tomllib.loads(text) if form == "toml" else json.loads(text.replace("// mine", ""))
    return whole.get(HOSTS[host].section, {}).get("memoranda")


def below(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("host", FILES)
def test_a_new_file_is_made_where_the_host_looks(home: Path, run: Any, host: str) -> None:
    done = run("install", host)
    assert done.exit_code == 0, done.output
    assert list(below(home)) == [FILES[host]]
    file = home / FILES[host]
    found = entry(host, file.read_text(encoding="utf-8"))
    assert found["command"] == sys.executable
    assert found["args"] == ["-P", "-m", "memoranda", "mcp"]
    assert "+" in done.stdout
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("host", FILES)
def test_what_is_there_stays_byte_for_byte_and_a_copy_is_kept(
    home: Path, run: Any, host: str
) -> None:
    file = home / FILES[host]
    file.parent.mkdir(parents=True, exist_ok=True)
    before = BEFORE[HOSTS[host].form]
    file.write_text(before, encoding="utf-8")
    file.chmod(0o640)
    assert run("install", host).exit_code == 0
    after = file.read_text(encoding="utf-8")
    for line in before.rstrip("}\n").splitlines():
        assert line in after
    (copy,) = [name for name in below(home) if name.endswith(".bak")]
    assert (home / copy).read_text(encoding="utf-8") == before
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
    again = run("install", host)
    assert again.exit_code == 0
    assert "nothing to do" in again.stderr
    assert len(below(home)) == 2
    assert run("uninstall", host).exit_code == 0
    assert entry(host, file.read_text(encoding="utf-8")) is None
    if HOSTS[host].form == "toml":
        assert file.read_text(encoding="utf-8") == before
    assert "nothing to do" in run("uninstall", host).stderr


@pytest.mark.parametrize("host", FILES)
def test_a_dry_run_shows_the_difference_and_writes_nothing(home: Path, run: Any, host: str) -> None:
    for command in (("install", host), ("uninstall", host)):
        done = run(*command, "--dry-run")
        assert done.exit_code == 0
        assert below(home) == {}
        assert ("memoranda" in done.stdout) == (command[0] == "install")


@pytest.mark.parametrize("host", FILES)
def test_a_broken_file_is_refused_and_left_alone(home: Path, run: Any, host: str) -> None:
    file = home / FILES[host]
    file.parent.mkdir(parents=True, exist_ok=True)
    for data in (b'{"a": \n', b"\xff\xfe\x00", b"= 3"):
        file.write_bytes(data)
        for command in ("install", "uninstall"):
            done = run(command, host)
            assert done.exit_code == 2
            assert "nothing was changed" in done.stderr
            assert str(file) in done.stderr
        assert below(home) == {FILES[host]: data}


def test_an_entry_of_ours_that_says_something_else_stays_until_it_is_to_be_replaced(
    home: Path, run: Any
) -> None:
    assert run("install", "cursor", "--user", "anna").exit_code == 0
    kept = below(home)
    done = run("install", "cursor")
    assert done.exit_code == 4
    assert "--replace" in done.stderr
    assert below(home) == kept
    assert run("install", "cursor", "--replace").exit_code == 0
    found = entry("cursor", (home / FILES["cursor"]).read_text(encoding="utf-8"))
    assert found["args"] == ["-P", "-m", "memoranda", "mcp"]


def test_scope_and_root_are_written_into_the_entry_the_root_absolute(home: Path, run: Any) -> None:
    args = ("--user", "anna", "--project", "mill", "--root", "data", "--name", "mill memory")
    done = run("install", "codex", *args, "--command", "uvx --from 'memoranda[mcp]' memoranda")
    assert done.exit_code == 0
    whole = tomllib.loads((home / FILES["codex"]).read_text(encoding="utf-8"))
    found = whole["mcp_servers"]["mill memory"]
    assert found["command"] == "uvx"
    assert found["args"] == [
        "--from", "memoranda[mcp]", "memoranda", "mcp",
        "--root", str(home / "data"), "--user", "anna", "--project", "mill",
    ]  # fmt: skip
    assert run("uninstall", "codex", "--name", "mill memory").exit_code == 0


def test_through_uvx_the_entry_names_uvx(
    home: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/cache/uv/archive-v0/x1/bin/python")
    assert run("install", "cursor").exit_code == 0
    found = entry("cursor", (home / FILES["cursor"]).read_text(encoding="utf-8"))
    assert (found["command"], found["args"][-1]) == ("uvx", "mcp")


def test_the_file_of_a_project_lies_in_the_current_folder(home: Path, run: Any) -> None:
    for host, file in (
        ("claude-code", ".mcp.json"),
        ("vscode", ".vscode/mcp.json"),
        ("codex", ".codex/config.toml"),
    ):
        assert run("install", host, "--scope", "project").exit_code == 0
        assert (home / file).is_file()
    done = run("install", "claude-desktop", "--scope", "project")
    assert done.exit_code == 2
    assert "--scope user" in done.stderr


def test_a_link_to_a_file_kept_elsewhere_stays_a_link(home: Path, run: Any) -> None:
    kept = home / "dotfiles" / "gemini.json"
    kept.parent.mkdir()
    kept.write_text("{}", encoding="utf-8")
    file = home / FILES["gemini"]
    file.parent.mkdir()
    file.symlink_to(kept)
    assert run("install", "gemini").exit_code == 0
    assert file.is_symlink()
    assert entry("gemini", kept.read_text(encoding="utf-8"))


def test_json_tells_what_was_done_without_what_others_wrote(home: Path, run: Any) -> None:
    file = home / FILES["gemini"]
    file.parent.mkdir()
    file.write_text('{"key": "k-123"}', encoding="utf-8")
    told = json.loads(run("install", "gemini", "--json").stdout)
    assert told["what"] == "added"
    assert told["file"] == str(file)
    assert Path(told["backup"]).read_text(encoding="utf-8") == '{"key": "k-123"}'
    assert "after" not in told


@pytest.mark.parametrize(
    ("system", "environ", "host", "file"),
    [
        (
            "darwin",
            {},
            "claude-desktop",
            "Library/Application Support/Claude/claude_desktop_config.json",
        ),
        ("darwin", {}, "vscode", "Library/Application Support/Code/User/mcp.json"),
        (
            "win32",
            {"APPDATA": "/roam"},
            "claude-desktop",
            "/roam/Claude/claude_desktop_config.json",
        ),
        ("win32", {}, "vscode", "AppData/Roaming/Code/User/mcp.json"),
        ("linux", {"XDG_CONFIG_HOME": "/xdg"}, "vscode", "/xdg/Code/User/mcp.json"),
        ("linux", {"CODEX_HOME": "/codex"}, "codex", "/codex/config.toml"),
        ("linux", {"CLAUDE_CONFIG_DIR": "/claude"}, "claude-code", "/claude/.claude.json"),
    ],
)
def test_each_system_has_its_places(
    system: str, environ: dict[str, str], host: str, file: str
) -> None:
    home = Path("/home/ada")
    machine = Machine(system=system, home=home, environ=environ, here=Path("/here"))
    assert HOSTS[host].file("user", machine) == home / file


def test_what_is_installed_starts_and_answers(home: Path, run: Any, root: Path) -> None:
    assert run("install", "claude-desktop", "--root", str(root), "--user", "anna").exit_code == 0
    told = entry("claude-desktop", (home / FILES["claude-desktop"]).read_text(encoding="utf-8"))

    async def work() -> str:
        server = StdioServerParameters(**told, env=environment(HOME=str(home)))
        async with Client(server) as agent:
            found = await agent.read_resource("memory://status")
            return str(found.contents[0].text)

    assert json.loads(anyio.run(work))["folder"] == str(root / "users" / "anna" / "_")


def test_what_lies_in_the_folder_of_a_host_is_not_run_with_us(home: Path, run: Any) -> None:
    """A host starts the server in the project at hand, which may hold a module of any name."""
    assert run("install", "cursor").exit_code == 0
    found = entry("cursor", (home / FILES["cursor"]).read_text(encoding="utf-8"))
    project = home / "project"
    project.mkdir()
    for name in ("http", "logging", "mcp", "memoranda"):
        text = "raise SystemExit('a file of the project was run')"
        (project / f"{name}.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [found["command"], *found["args"], "--help"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(Path(memoranda.__file__).parents[1])},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert "a file of the project was run" not in done.stderr
    assert done.returncode == 0
    assert "Serve this memory to agents" in done.stdout
