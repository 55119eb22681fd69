"""Commands that open memory to agents: mcp, install, uninstall."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from memoranda import __version__
from memoranda.cli.failures import NEEDS_REVIEW, OK
from memoranda.cli.place import Place, at_place, with_mode, with_settings
from memoranda.cli.streams import UTF8, note, say, say_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.lowlevel import Server

    from memoranda.install.hosts import Machine, Reach
    from memoranda.install.installing import Edit
    from memoranda.memory import Memory

PORT: Final = 8377
_PASSING: Final = frozenset({"archive-v0", "environments-v2"})
"""Folders of environments that uv keeps in its cache."""
HOSTS: Final = ("claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini")
_MISSING: Final = "the MCP server needs the package mcp: pip install 'memoranda[mcp]'"


@click.command()
@click.option("--http", is_flag=True, help="Serve over HTTP in place of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="HTTP: the address.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True,
    help="HTTP: the port; 0 takes a free one.",
)  # fmt: skip
@click.option(
    "--allow-host", multiple=True, type=UTF8, metavar="NAME", help="HTTP: take this Host too."
)
@click.option(
    "--allow-origin", multiple=True, type=UTF8, metavar="ORIGIN", help="HTTP: take this Origin too."
)
@click.option(
    "--token-file", type=click.Path(), metavar="FILE",
    help="HTTP: where the bearer token is kept; default mcp-token in the data root.",
)  # fmt: skip
@click.option("--read-only", is_flag=True, help="Offer only the tools that change nothing.")
@with_settings
@with_mode
@at_place
def mcp(  # noqa: PLR0913 - the flags
    place: Place,
    *,
    http: bool,
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    allow_origin: tuple[str, ...],
    token_file: str | None,
    read_only: bool,
) -> int:
    """Serve this memory to agents (MCP).

    Whose memory and which project is fixed here, by the flags; a client can't change it. Standard
    output belongs to the protocol, all else is said on standard error. Over HTTP each request needs
    the bearer token, from MEMORANDA_MCP_TOKEN or the token file, which is made when it is new.
    """
    try:
        from memoranda.gate import listening  # noqa: PLC0415 - start-up time
        from memoranda.mcp import transports  # noqa: PLC0415 - start-up time
        from memoranda.mcp.seal import Seal  # noqa: PLC0415 - start-up time
        from memoranda.mcp.server import serve  # noqa: PLC0415 - start-up time
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "memoranda":
            raise
        raise click.ClickException(_MISSING) from error
    listening.log_to_stderr()
    with place.open() as memory:
        seal = Seal(secrets.token_bytes(32))
        server = serve(memory, seal, version=__version__, read_only=read_only)
        if http:
            names = Names(hosts=allow_host, origins=allow_origin)
            _over_http(place, memory, server, (host, port), names, token_file)
        else:
            _ready(place, memory, None)
            transports.over_stdio(server)
    return OK


class Names(NamedTuple):
    """What else a request over HTTP may name."""

    hosts: tuple[str, ...]
    origins: tuple[str, ...]


def _over_http(
    place: Place,
    memory: Memory,
    server: Server[Any],
    address: tuple[str, int],
    names: Names,
    token_file: str | None,
) -> None:
    from memoranda.gate import listening as at  # noqa: PLC0415 - start-up time
    from memoranda.gate.allowed import Allowed  # noqa: PLC0415 - start-up time
    from memoranda.mcp import token, transports  # noqa: PLC0415 - start-up time

    kept = Path(token_file) if token_file else Path(memory.status().root) / token.FILE
    secret = token.find(os.environ, kept, lambda: secrets.token_urlsafe(32))
    with at.listen(*address) as listening:
        host, port = address[0], listening.getsockname()[1]
        allowed = Allowed.at(host, port, hosts=names.hosts, origins=names.origins)
        shown = f"[{host}]" if ":" in host else host
        where = token.VARIABLE if os.environ.get(token.VARIABLE) else str(kept)
        application = transports.app(server, allowed, secret)
        _ready(place, memory, f"http://{shown}:{port}{transports.PATH}", where)
        at.serve(application, listening)


def _ready(place: Place, memory: Memory, url: str | None, token: str | None = None) -> None:
    """Say on standard error what is served from where."""
    status = memory.status()
    if place.as_json:
        told = {"folder": status.folder, "user": status.user, "url": url, "token": token}
        click.echo(json.dumps(told, ensure_ascii=False), err=True)
        return
    project = f", project {status.project}" if status.project else ""
    where = f" at {url}, with the token of {token}" if url else ""
    note(f"serving user {status.user}{project} from {status.folder}{where}")


def _host(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the host, and where its entry stands."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option("--dry-run", is_flag=True, help="Show the difference; change nothing."),
        click.option(
            "--name", type=UTF8, default="memoranda", show_default=True, help="Name of the entry."
        ),
        click.option(
            "--scope", "reach", type=click.Choice(["user", "project"]), default="user",
            show_default=True, help="The user's file, or that of the project in this folder.",
        ),
        click.argument("host", type=click.Choice(HOSTS)),
    ):  # fmt: skip
        function = option(function)
    return function


@click.command()
@_host
@click.option("--replace", is_flag=True, help="Also replace an entry that says something else.")
@click.option(
    "--command", "program", type=UTF8, metavar="TEXT",
    help="How to start memoranda; default this very installation, by its path.",
)  # fmt: skip
@click.option(
    "--root", envvar="MEMORANDA_ROOT", show_envvar=True, type=click.Path(),
    help="Folder of all memories; written into the entry.",
)  # fmt: skip
@click.option("--user", type=UTF8, help="Whose memory; written into the entry.")
@click.option("--workspace", type=UTF8, help="Workspace of the user; written into the entry.")
@click.option("--project", type=UTF8, help="The project to write to; written into the entry.")
def install(  # noqa: PLR0913 - the flags
    host: str,
    *,
    reach: Reach,
    name: str,
    dry_run: bool,
    as_json: bool,
    replace: bool,
    program: str | None,
    **scope: str | None,
) -> int:
    """Put memoranda into an agent's settings.

    Every byte of the file outside our entry stays as it is, and a copy of the file is kept beside
    it. A second time changes nothing. Prints what changes, as a difference.
    """
    from memoranda.install import installing  # noqa: PLC0415 - start-up time
    from memoranda.install.hosts import HOSTS as KNOWN  # noqa: PLC0415 - start-up time

    command = [*(shlex.split(program) if program else _self()), "mcp", *_flags(**scope)]
    if command[0] == "mcp":
        raise click.UsageError("--command is empty")
    wanted = KNOWN[host]
    told = installing.entry(wanted, command)
    edit = installing.install(wanted, reach, _machine(), name, told=told, replace=replace)
    return _edited(edit, dry_run=dry_run, as_json=as_json)


@click.command()
@_host
def uninstall(host: str, *, reach: Reach, name: str, dry_run: bool, as_json: bool) -> int:
    """Take memoranda out of an agent's settings.

    Memory itself stays. A copy of the file is kept beside it. Prints what changes.
    """
    from memoranda.install import installing  # noqa: PLC0415 - start-up time
    from memoranda.install.hosts import HOSTS as KNOWN  # noqa: PLC0415 - start-up time

    edit = installing.uninstall(KNOWN[host], reach, _machine(), name)
    return _edited(edit, dry_run=dry_run, as_json=as_json)


def _machine() -> Machine:
    from memoranda.install.hosts import Machine  # noqa: PLC0415 - start-up time

    return Machine(system=sys.platform, home=Path.home(), environ=os.environ, here=Path.cwd())


def _self() -> list[str]:
    """Give how to start this installation, by absolute paths: hosts have a PATH of their own.

    `-P`: a host starts it in the project at hand, and no module that lies there is to run with us.
    One that uvx made for this call may be cleared away; then uvx is to start it.
    """
    if _PASSING.intersection(Path(sys.executable).parts):
        return ["uvx", "--from", "memoranda[mcp]", "memoranda"]
    return [sys.executable, "-P", "-m", "memoranda"]


def _flags(root: str | None, **names: str | None) -> list[str]:
    """Give the flags of the server; the root absolute, for a host starts it where it likes."""
    from memoranda.store.scope import data_root  # noqa: PLC0415 - start-up time

    given = {"root": str(data_root(root, os.environ)) if root else None, **names}
    return [part for flag, value in given.items() if value for part in (f"--{flag}", value)]


def _edited(edit: Edit, *, dry_run: bool, as_json: bool) -> int:
    from memoranda.install import installing  # noqa: PLC0415 - start-up time

    done = edit if dry_run else installing.write(edit, datetime.now(UTC))
    if as_json:
        say_json({**done.to_dict(), "dry_run": dry_run})
    elif done.diff:
        say(done.diff.rstrip("\n"))
    note(_told(done, dry_run=dry_run))
    return NEEDS_REVIEW if done.what == "kept" else OK


def _told(edit: Edit, *, dry_run: bool) -> str:
    if edit.what == "unchanged":
        return f"nothing to do in {edit.file}"
    if edit.what == "kept":
        return f"an entry of that name says something else in {edit.file}; --replace replaces it"
    if dry_run:
        return f"nothing was written; without --dry-run: {edit.what} in {edit.file}"
    kept = f"; before: {edit.backup}" if edit.backup else ""
    return f"{edit.what} in {edit.file}{kept}; start the agent anew"


COMMANDS: Final[tuple[click.Command, ...]] = (mcp, install, uninstall)
