"""Commands that open memories to services and people over HTTP: serve, token."""

from __future__ import annotations

import json
import os
import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import click

from memoranda import __version__
from memoranda.cli.failures import NOT_FOUND, OK
from memoranda.cli.place import Place, at_root, with_mode, with_settings
from memoranda.cli.shown import one_line
from memoranda.cli.streams import UTF8, note, say, say_json
from memoranda.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memoranda.gate.allowed import Allowed
    from memoranda.gate.gate import Gate
    from memoranda.gate.grant import Grant
    from memoranda.gate.tokens import Tokens

PORT: Final = 8378
_MISSING: Final = "the server needs more packages: pip install 'memoranda[server]'"
_PARTS: Final = frozenset(
    {"fastapi", "uvicorn", "starlette", "mcp", "mcp_types", "jinja2", "pydantic"}
)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True,
    help="The port; 0 takes a free one.",
)  # fmt: skip
@click.option("--allow-host", multiple=True, type=UTF8, metavar="NAME", help="Take this Host too.")
@click.option(
    "--allow-origin", multiple=True, type=UTF8, metavar="ORIGIN", help="Take this Origin too."
)
@click.option(
    "--https",
    is_flag=True,
    help="It is reached over HTTPS, through a proxy that you run before it.",
)
@click.option(
    "--rate", type=click.IntRange(0), default=6_000, show_default=True, metavar="N",
    help="Calls of one token in a minute; 0 sets no limit.",
)  # fmt: skip
@click.option("--web/--no-web", default=True, help="Serve the pages for people (default), or not.")
@click.option("--mcp/--no-mcp", default=True, help="Serve agents at /mcp (default), or not.")
@with_settings
@with_mode
@at_root
def serve(  # noqa: PLR0913 - the flags
    place: Place,
    *,
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    allow_origin: tuple[str, ...],
    https: bool,
    rate: int,
    web: bool,
    mcp: bool,
) -> int:
    """Serve memories over HTTP.

    REST for services, pages for people, MCP for agents.

    Each call needs a token, also on loopback: 'memoranda token add' makes one, which says whose
    memory it opens and what may be done with it. Other addresses than loopback have to be asked for
    with --host. Requests are written to no log.
    """
    try:
        from memoranda.gate import listening  # noqa: PLC0415 - start-up time
        from memoranda.gate.allowed import Allowed  # noqa: PLC0415 - start-up time
        from memoranda.rest.app import make  # noqa: PLC0415 - start-up time
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PARTS:
            raise
        raise click.ClickException(_MISSING) from error
    tokens = _tokens(place)
    if not tokens.all():
        raise InputError(
            "there is no token yet, so nobody could call; run: memoranda token add NAME"
        )
    _look_at(host, allow_host)
    origins = (*allow_origin, *(f"https://{name}" for name in allow_host if https))
    listening.log_to_stderr()
    with listening.listen(host, port) as sock:
        at = sock.getsockname()[1]
        allowed = Allowed.at(host, at, hosts=allow_host, origins=origins)
        application = make(_gate(place, tokens, allowed, rate=rate, secure=https), web=web, mcp=mcp)
        _ready(place, f"http://{f'[{host}]' if ':' in host else host}:{at}")
        listening.serve(application, sock)
    return OK


def _gate(place: Place, tokens: Tokens, allowed: Allowed, *, rate: int, secure: bool) -> Gate:
    from memoranda.gate.gate import Gate  # noqa: PLC0415 - start-up time
    from memoranda.gate.rates import Rates  # noqa: PLC0415 - start-up time
    from memoranda.gate.shelf import Shelf  # noqa: PLC0415 - start-up time

    return Gate(
        tokens=tokens,
        shelf=Shelf(_root(place), place.settings(os.environ)),
        allowed=allowed,
        rates=Rates(calls=rate),
        version=__version__,
        secure=secure,
    )


def _look_at(host: str, allow_host: tuple[str, ...]) -> None:
    """Say what an address means that others can reach."""
    from memoranda.gate.allowed import LOOPBACK  # noqa: PLC0415 - start-up time

    if host in LOOPBACK:
        return
    if not allow_host and host in {"0.0.0.0", "::", ""}:  # noqa: S104 - asked for, and looked at
        raise InputError(
            f"{host!r} is every address of this machine; name what it is called by with --allow-host"
        )
    note(
        f"others can reach {host}: whoever bears a token can call, and tokens go over the wire as "
        "they are; put TLS before it, and give --https"
    )


def _ready(place: Place, url: str) -> None:
    root = _root(place)
    if place.as_json:
        click.echo(json.dumps({"url": url, "root": str(root)}, ensure_ascii=False), err=True)
    else:
        note(f"serving the memories of {root} at {url}")


def _root(place: Place) -> Path:
    from memoranda.store.files import real  # noqa: PLC0415 - start-up time
    from memoranda.store.scope import data_root  # noqa: PLC0415 - start-up time

    return real(data_root(place.root, os.environ))


def _tokens(place: Place) -> Tokens:
    from memoranda.gate.tokens import FILE, Tokens  # noqa: PLC0415 - start-up time

    return Tokens(_root(place) / FILE)


@click.group()
def token() -> None:
    """Make, list and revoke the tokens of callers.

    Only a hash of each is kept, in tokens.json in the folder of all memories. A running server
    heeds every change at once.
    """


def _granting(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command what a token grants."""
    for option in (
        click.option(
            "--days", type=click.IntRange(1, 36_500), metavar="N", help="It holds so long; default: on."
        ),
        click.option("--labels", type=UTF8, metavar="A,B", help="Of what has labels only these."),
        click.option(
            "--only-projects", type=UTF8, metavar="A,B", help="Only these projects, and what has none."
        ),
        click.option(
            "--clearance", type=click.Choice(["public", "internal", "private"]), default="private",
            show_default=True, help="Up to this sensitivity.",
        ),
        click.option(
            "--role", type=click.Choice(["reader", "writer", "maintainer", "owner"]),
            default="reader", show_default=True, help="What may be done.",
        ),
        click.option("--all-projects", is_flag=True, help="Read all projects."),
        click.option("--project", type=UTF8, help="Write to this project; read it and what has none."),
        click.option("--workspace", type=UTF8, help="Workspace of the user."),
        click.option(
            "--user", envvar="MEMORANDA_USER", show_envvar=True, type=UTF8, default="default",
            show_default=True, help="Whose memory.",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


@token.command("add")
@click.argument("name", type=UTF8)
@_granting
@at_root
def add_token(place: Place, /, *, name: str, days: int | None, **given: Any) -> int:  # noqa: ANN401
    """Make a token for NAME, and print it once.

    NAME says who or what bears it; records of what it does say so. The token can't be shown again.
    """
    from memoranda.gate.grant import Grant  # noqa: PLC0415 - start-up time

    now = datetime.now(UTC).replace(microsecond=0)
    until = None if days is None else now + timedelta(days=days)
    grant = Grant(
        token_id=secrets.token_hex(4),
        name=name,
        created=_told(now),
        expires=None if until is None else _told(until),
        projects=_listed(given.pop("only_projects")),
        labels=_listed(given.pop("labels")),
        **given,
    )
    made = _tokens(place).add(grant, secrets.token_urlsafe(32))
    if place.as_json:
        say_json({"token": made, **grant.to_dict()})
    else:
        say(made)
    note(f"shown this once: {_line(grant)}")
    return OK


@token.command("list")
@at_root
def list_tokens(place: Place) -> int:
    """List the tokens: what each grants, never the token itself."""
    found = _tokens(place).all()
    if place.as_json:
        say_json([grant.to_dict() for grant in found])
        return OK
    for grant in found:
        say(_line(grant))
    if not found:
        note("there is no token")
    return OK if found else NOT_FOUND


@token.command("revoke")
@click.argument("ref", metavar="ID_OR_NAME", type=UTF8)
@at_root
def revoke_token(place: Place, *, ref: str) -> int:
    """Take a token out of force, at once."""
    grant = _tokens(place).revoke(ref)
    if place.as_json:
        say_json(grant.to_dict())
    note(f"revoked: {_line(grant)}")
    return OK


def _line(grant: Grant) -> str:
    parts = [f"{grant.token_id} {grant.name}: {grant.role} of user {grant.user}"]
    parts += [
        f"{name} {value}" for name in ("workspace", "project") if (value := getattr(grant, name))
    ]
    parts += ["all projects"] if grant.all_projects else []
    parts += [f"clearance {grant.clearance}"] if grant.clearance != "private" else []
    for name in ("projects", "labels"):
        listed = getattr(grant, name)
        parts += [] if listed is None else [f"only {name} {', '.join(listed) or 'none'}"]
    parts += [f"until {grant.expires}"] if grant.expires else []
    return one_line(", ".join(parts))


def _listed(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(filter(None, map(str.strip, text.split(","))))


def _told(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


COMMANDS: Final[tuple[click.Command, ...]] = (serve, token)
