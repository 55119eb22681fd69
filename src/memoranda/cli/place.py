"""Which memory a command works on: the flags of every command and the environment, read once."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec

import click

from memoranda.cli.pages import receipts_line
from memoranda.cli.streams import UTF8, note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memoranda.memory import Memory
    from memoranda.settings import Settings

P = ParamSpec("P")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the memory lies, whose it is, and how the answer is to be printed."""

    root: str | None = None
    user: str = "default"
    workspace: str | None = None
    project: str | None = None
    all_projects: bool = False
    documents: str | None = None
    clearance: Any = "private"
    role: Any = "owner"
    only_projects: str | None = None
    labels: str | None = None
    as_json: bool = False
    changes: Mapping[str, object] = field(default_factory=dict)
    """Settings given as flags; they win over the environment and the files."""

    def settings(self, environ: Mapping[str, str]) -> Settings:
        """Give the settings in force: flags, else environment, else files, else defaults.

        Raises:
            InputError: a value is not of its setting's kind, or a file can't be used.
        """
        from memoranda.config import load_settings  # noqa: PLC0415 - start-up time
        from memoranda.store.scope import data_root  # noqa: PLC0415 - start-up time

        flags = dict(self.changes)
        if self.documents:
            flags["documents"] = self.documents
        return load_settings(environ, data_root(self.root, environ), flags)

    @contextmanager
    def open(self, *, dry: bool = False, heal: bool = True) -> Iterator[Memory]:
        """Open the memory for one command, creating the scope where it is new.

        What was due and is done at opening is told on stderr; `dry` leaves it undone, and without
        `heal` the files stay as they are too. With
        consolidation by itself switched off, one line says afterwards since when it is due.

        Raises:
            InputError: a name, a setting or the model can't be used.
            StoreError: the folder can't be used as it is.
        """
        from memoranda.memory import Memory  # noqa: PLC0415 - start-up time

        settings = self.settings(os.environ)
        if dry:
            settings = replace(settings, auto=False)
        with Memory.open(
            self.root,
            user=self.user,
            workspace=self.workspace,
            project=self.project,
            all_projects=self.all_projects,
            model=settings.model,
            settings=settings,
            heal=heal,
            clearance=self.clearance,
            role=self.role,
            projects=_listed(self.only_projects),
            labels=_listed(self.labels),
        ) as memory:
            if memory.opening:
                note(f"due at opening: {receipts_line(memory.opening)}")
            yield memory
            if not memory.runs_by_itself:
                note_due(memory.status().due_since)


def _listed(text: str | None) -> tuple[str, ...] | None:
    """Read names parted by commas; None stays None, and "" names nothing."""
    return None if text is None else tuple(filter(None, map(str.strip, text.split(","))))


def note_due(due_since: str | None) -> None:
    """Say on standard error that consolidation is due and did not run."""
    if due_since:
        note(f"consolidation is due since {due_since}; run 'memoranda consolidate'")


def _option(*names: str, env: str | None = None, **about: Any) -> Decorator:  # noqa: ANN401
    return click.option(*names, envvar=env, show_envvar=env is not None, **about)


def _limit(ctx: click.Context, param: click.Parameter, text: str | None) -> object:
    """Read a number that is not negative, or keep `none`, which lifts a limit set elsewhere."""
    kind, told = (float, "number") if param.name == "run_money" else (int, "whole number")
    try:
        number = 0 if text in {None, "none"} else kind(text or "")
    except ValueError:
        number = -1
    if not 0 <= number < math.inf:
        raise click.BadParameter(f"{text!r} is not a {told} from 0 on, or none", ctx, param)
    return text if text in {None, "none"} else number


_PLACE: Final[tuple[Decorator, ...]] = (
    _option("--root", env="MEMORANDA_ROOT", type=click.Path(), help="Folder of all memories."),
    _option(
        "--user", env="MEMORANDA_USER", type=UTF8, default="default", show_default=True,
        help="Whose memory.",
    ),
    _option("--workspace", env="MEMORANDA_WORKSPACE", type=UTF8, help="Workspace of the user."),
    _option(
        "--project", env="MEMORANDA_PROJECT", type=UTF8,
        help="Write to this project; read it and what has none.",
    ),
    _option(
        "--all-projects", env="MEMORANDA_ALL_PROJECTS", is_flag=True,
        help="Read all projects.",
    ),
    _option(
        "--documents", env="MEMORANDA_DOCUMENTS", type=click.Path(),
        help="Folder of the Markdown files, if elsewhere.",
    ),
    _option(
        "--clearance", type=click.Choice(["public", "internal", "private"]), default="private",
        help="See and add only up to this sensitivity.",
    ),
    _option(
        "--role", type=click.Choice(["reader", "writer", "maintainer", "owner"]), default="owner",
        help="Do only what this role may.",
    ),
    _option("--only-projects", type=UTF8, metavar="A,B", help="See only these, and what has none."),
    _option(
        "--labels", type=UTF8, metavar="A,B",
        help="Of what names access labels, see only what has one of these.",
    ),
    _option("--json", "as_json", is_flag=True, help="Print JSON."),
)  # fmt: skip
_SETTINGS: Final[tuple[Decorator, ...]] = (
    _option(
        "--model", env="MEMORANDA_MODEL", type=UTF8, metavar="SPEC",
        help="Who maintains and answers: rules (default), openai:NAME, anthropic:NAME or command:PROGRAM.",
    ),
    _option(
        "--auto/--no-auto", default=None,
        help="Consolidate as soon as it is due (default with rules), or only say so.",
    ),
    _option("--current-tokens", type=int, metavar="N", help="CURRENT is due from N tokens on."),
    _option(
        "--current-seconds", type=float, metavar="S",
        help="CURRENT is due S seconds after its first entry.",
    ),
    _option("--split-tokens", type=int, metavar="N", help="Split documents above N tokens."),
    _option("--merge-tokens", type=int, metavar="N", help="Merge documents below N tokens."),
    _option("--structure", type=click.Choice(["on", "off"]), help="Split and merge at all."),
    _option(
        "--git/--no-git", default=None,
        help="Commit the topic files, a commit a plan, to git in the documents folder.",
    ),
)  # fmt: skip
_MODE: Final = (
    _option(
        "--mode", type=click.Choice(["auto", "review", "shadow"]),
        help="Apply what policy allows (auto), let all plans wait, or change nothing.",
    ),
)  # fmt: skip
_BUDGET: Final = (
    _option(
        "--max-calls", "run_calls", callback=_limit, metavar="N",
        help="Call the model N times at most; none lifts the limit.",
    ),
    _option(
        "--max-tokens", "run_tokens", callback=_limit, metavar="N",
        help="Let the model use N tokens at most, prompts and replies.",
    ),
    _option(
        "--max-money", "run_money", callback=_limit, metavar="USD",
        help="Spend USD dollars on the model at most.",
    ),
)  # fmt: skip
_SETTING_NAMES: Final = (
    "mode",
    "model",
    "auto",
    "current_tokens",
    "current_seconds",
    "split_tokens",
    "merge_tokens",
    "structure",
    "git",
    "run_calls",
    "run_tokens",
    "run_money",
)
_PLACE_NAMES: Final = tuple(f.name for f in fields(Place) if f.name != "changes")


def at_place(function: Callable[Concatenate[Place, P], int]) -> Callable[..., int]:
    """Give a command the flags of a place, and hand the place over as its first argument."""

    @functools.wraps(function)
    def command(*args: Any, **given: Any) -> int:  # noqa: ANN401 - as click calls it
        flags = {name: given.pop(name, None) for name in _SETTING_NAMES}
        changes: dict[str, object] = {k: v for k, v in flags.items() if v is not None}
        place = Place(**{name: given.pop(name) for name in _PLACE_NAMES}, changes=changes)
        return function(place, *args, **given)

    return _with(command, _PLACE)


def at_root(function: Callable[Concatenate[Place, P], int]) -> Callable[..., int]:
    """Give a command the flags `--root` and `--json` alone; it works on all memories."""

    @functools.wraps(function)
    def command(*args: Any, **given: Any) -> int:  # noqa: ANN401 - as click calls it
        flags = {name: given.pop(name, None) for name in _SETTING_NAMES}
        changes: dict[str, object] = {k: v for k, v in flags.items() if v is not None}
        place = Place(root=given.pop("root"), as_json=given.pop("as_json"), changes=changes)
        return function(place, *args, **given)

    return _with(command, (_PLACE[0], _PLACE[-1]))


def with_settings(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the flags that change settings; stands above `at_place`."""
    return _with(function, _SETTINGS)


def with_mode(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the flag that says whether plans apply; stands above `at_place`."""
    return _with(function, _MODE)


def with_model(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the flag that names the model, and its limits; stands above `at_place`."""
    return _with(function, (_SETTINGS[0], *_BUDGET))


def with_budget(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the flags that limit what a model may use; stands above `at_place`."""
    return _with(function, _BUDGET)


def _with(function: Callable[..., int], options: tuple[Decorator, ...]) -> Callable[..., int]:
    for option in reversed(options):
        function = option(function)
    return function
