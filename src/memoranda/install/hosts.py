"""The hosts: where each keeps its configuration, in which form, and under which name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from memoranda.errors import InputError

Reach = Literal["user", "project"]
Form = Literal["json", "toml"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What the places depend on: the system's name, the home folder, the environment, the current folder."""

    system: str
    """As `sys.platform` has it."""
    home: Path
    environ: Mapping[str, str]
    here: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One host of MCP servers."""

    name: str
    title: str
    form: Form
    section: str
    """The name under which its servers stand."""
    user: Callable[[Machine], Path]
    """The file of the user."""
    project: str | None
    """The file of a project, below its folder; None if there is none."""
    typed: bool = False
    """An entry says that it is of type stdio."""

    def file(self, reach: Reach, machine: Machine) -> Path:
        """Give the file to write.

        Raises:
            InputError: the host has no file of a project.
        """
        if reach == "user":
            return self.user(machine)
        if self.project is None:
            raise InputError(f"{self.title} has no configuration of a project; use --scope user")
        return machine.here / self.project


def _claude_code(machine: Machine) -> Path:
    folder = machine.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(folder) if folder else machine.home) / ".claude.json"


def _application(machine: Machine) -> Path:
    """Give the folder in which desktop programs keep their configuration."""
    if machine.system == "darwin":
        return machine.home / "Library" / "Application Support"
    if machine.system == "win32":
        return Path(machine.environ.get("APPDATA") or machine.home / "AppData" / "Roaming")
    return Path(machine.environ.get("XDG_CONFIG_HOME") or machine.home / ".config")


def _codex(machine: Machine) -> Path:
    folder = machine.environ.get("CODEX_HOME")
    return (Path(folder) if folder else machine.home / ".codex") / "config.toml"


HOSTS: Final[Mapping[str, Host]] = {
    host.name: host
    for host in (
        Host(
            name="claude-code",
            title="Claude Code",
            form="json",
            section="mcpServers",
            user=_claude_code,
            project=".mcp.json",
            typed=True,
        ),
        Host(
            name="claude-desktop",
            title="Claude Desktop",
            form="json",
            section="mcpServers",
            user=lambda machine: _application(machine) / "Claude" / "claude_desktop_config.json",
            project=None,
        ),
        Host(
            name="cursor",
            title="Cursor",
            form="json",
            section="mcpServers",
            user=lambda machine: machine.home / ".cursor" / "mcp.json",
            project=".cursor/mcp.json",
        ),
        Host(
            name="vscode",
            title="VS Code",
            form="json",
            section="servers",
            user=lambda machine: _application(machine) / "Code" / "User" / "mcp.json",
            project=".vscode/mcp.json",
            typed=True,
        ),
        Host(
            name="codex",
            title="Codex",
            form="toml",
            section="mcp_servers",
            user=_codex,
            project=".codex/config.toml",
        ),
        Host(
            name="gemini",
            title="Gemini CLI",
            form="json",
            section="mcpServers",
            user=lambda machine: machine.home / ".gemini" / "settings.json",
            project=".gemini/settings.json",
        ),
    )
}
