"""The configuration files: found, read strictly, and joined with the environment and the flags."""

from __future__ import annotations

import difflib
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import platformdirs

from memoranda.errors import InputError
from memoranda.settings import NONE, Settings, objection_to, stated

FILE = "memoranda.toml"
TABLE = "settings"
RETENTION = "retention"
"""A table of its own: how long things are kept, one rule a line."""
MAX_BYTES = 1 << 20

_SECRET_WORDS = frozenset({
    "apikey", "auth", "authorization", "bearer", "credential", "credentials", "key", "keys",
    "passphrase", "passwd", "password", "secret", "secrets", "token",
})  # fmt: skip
_PLACES = frozenset({"root", "user", "workspace", "project", "all_projects"})
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def load_settings(
    environ: Mapping[str, str],
    root: Path,
    overrides: Mapping[str, object],
    *,
    folder: Path | None = None,
) -> Settings:
    """Give the settings in force; for a door to call, once.

    The first of these that states a setting decides: the overrides, the environment
    (`MEMORANDA_...`), `memoranda.toml` in the data root, `memoranda.toml` in the user's configuration
    folder, the defaults. Reads at most two files and writes nothing.

    Args:
        environ: the environment.
        root: the data root, as `store.scope.data_root` finds it; it need not exist.
        overrides: settings by name, as the caller or flags state them; the text `none` takes an
            optional one's value away.
        folder: where the user's own file lies; None = the platform's folder for configurations.

    Raises:
        InputError: a file or a value can't be used; the message names file, variable or setting.
    """
    own = folder or platformdirs.user_config_path("memoranda", appauthor=False)
    found = read_file(own / FILE)
    if own.resolve() != root.resolve():  # on some platforms both are one folder by default
        found |= read_file(root / FILE, shared=True)
    found |= stated(environ, without=overrides)
    for name, value in overrides.items():
        found[name] = _value(name, value, where="setting")
    return Settings(**found)  # type: ignore[arg-type]


def read_file(path: Path, *, shared: bool = False) -> dict[str, object]:
    """Give the settings that one file states, by name; none when there is no file.

    Args:
        path: the file; TOML in UTF-8, at most 1 MiB, with one table `[settings]`.
        shared: it lies in a data folder, which may come from somebody else: so it may not name a
            command to run, nor code to load.

    Raises:
        InputError: the file, a key or a value can't be used; the message names them.
    """
    tables = _parsed(path)
    _refuse_secrets(path, tables)
    for name in tables:
        if name not in {TABLE, RETENTION}:
            raise InputError(f"{path}: {_shown(name)} {_why_not(name)}")
    table = tables.get(TABLE, {})
    if not isinstance(table, dict):
        raise InputError(f"{path}: settings must be a table; begin it with a line [settings]")
    found: dict[str, object] = {}
    for name, value in table.items():
        if reason := _why_not_set(name):
            raise InputError(f"{path}: {_shown(name)} {reason}")
        found[name] = _value(name, value, where=f"{path}:")
    if RETENTION in tables:
        found[RETENTION] = _retention(path, tables[RETENTION], found)
    if shared:
        _refuse_code(path, found)
    return found


def _retention(path: Path, table: object, found: Mapping[str, object]) -> object:
    """Give the rules of the table `[retention]` as the setting of that name."""
    if not isinstance(table, dict) or not all(isinstance(life, str) for life in table.values()):
        raise InputError(f'{path}: retention must be a table of lines such as tool = "90d"')
    if RETENTION in found:
        raise InputError(f"{path}: retention is a table and a setting; keep one of them")
    rules = ", ".join(f"{name}={life}" for name, life in table.items())
    return _value(RETENTION, rules, where=f"{path}:") if rules else None


def _refuse_code(path: Path, found: Mapping[str, object]) -> None:
    """Refuse what would run a program, or somebody's code, in a file that may be somebody else's."""
    for name in ("tools", "permits"):
        if found.get(name) is not None:
            raise InputError(
                f"{path}: {name} must not name code here: a data folder may come from somebody else; "
                f"give it in MEMORANDA_{name.upper()}, or in the file of your configuration folder"
            )
    if str(found.get("model", "")).strip().startswith("command"):
        raise InputError(
            f"{path}: model must not name a command here: a data folder may come from somebody else; "
            "give it with --model, in MEMORANDA_MODEL, or in the file of your configuration folder"
        )


def _parsed(path: Path) -> dict[str, Any]:
    """Read a file as TOML; a missing one is empty."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError(f"{path} is not a file; move it away, or put a file of settings there")
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"{path} can't be read: {reason}; check its owner and rights") from error
    if len(content) > MAX_BYTES:
        raise InputError(f"{path} is larger than 1 MiB; settings need a few lines only")
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8; save it as UTF-8") from error
    except (ValueError, RecursionError) as error:
        reason = _why_no_toml(error)
        raise InputError(f"{path} is not TOML: {reason}; mend it, or move it away") from error


def _why_no_toml(error: ValueError | RecursionError) -> str:
    if isinstance(error, tomllib.TOMLDecodeError):
        return str(error)
    deep = isinstance(error, RecursionError)
    return "it is nested too deep" if deep else "a number has too many digits"


def _refuse_secrets(path: Path, tables: Mapping[str, Any]) -> None:
    for name in _keys(tables):
        if _is_secret(name):
            raise InputError(
                f"{path}: {_shown(name)} looks like a secret; secrets belong in environment variables "
                "(OPENAI_API_KEY, ANTHROPIC_API_KEY), never in a file: take it out"
            )


def _keys(table: Mapping[str, Any]) -> Iterator[str]:
    """Give the keys of a table and of all tables and lists in it."""
    left: list[object] = [table]
    while left:
        match left.pop():
            case dict() as inner:
                yield from inner
                left.extend(inner.values())
            case list() as items:
                left.extend(items)
            case _:
                pass


def _is_secret(name: str) -> bool:
    words = {word.lower() for word in _WORD.findall(name)}
    meant = [near for near in _near(name) if near == name or near != "secrets"]
    return bool(words & _SECRET_WORDS) and not meant


def _near(name: str) -> list[str]:
    """Give the setting that a name was meant for, if one is near."""
    known = [field.name for field in fields(Settings)]
    plain = name.lower().replace("-", "_")
    return difflib.get_close_matches(plain, known, n=1, cutoff=0.8)


def _why_not(name: str) -> str:
    """Say why a key can't stand outside of `[settings]`."""
    if name in _PLACES:
        return _why_no_place(name)
    if name in {field.name for field in fields(Settings)}:
        return "stands outside of a table; put it below a line [settings]"
    return "is not known; a file holds the tables [settings] and [retention]"


def _why_not_set(name: str) -> str | None:
    """Say why a key can't stand in `[settings]`; None if it can."""
    if name in _PLACES:
        return _why_no_place(name)
    if name == "documents":
        return (
            "is one scope's, and a file holds for all scopes; "
            "give it with --documents or in MEMORANDA_DOCUMENTS"
        )
    if name in {field.name for field in fields(Settings)}:
        return None
    near = _near(name)
    return f"is no setting; {f'did you mean {near[0]}?' if near else 'see docs/configuration.md'}"


def _why_no_place(name: str) -> str:
    flag, variable = name.replace("_", "-"), name.upper()
    return f"is not set in a file; give it with --{flag} or in MEMORANDA_{variable}"


def _value(name: str, given: object, *, where: str) -> object:
    """Check one value; `none` is how TOML and flags say that there is none."""
    if name not in {field.name for field in fields(Settings)}:
        raise InputError(f"{where} {_shown(name)} {_why_not_set(name)}")
    if given == NONE and objection_to(name, None) is None:
        return None
    if objection := objection_to(name, given):
        raise InputError(f"{where} {name} {objection}")
    return given


def _shown(name: str) -> str:
    """Quote a key; a long one is cut, as it may be a secret in the wrong place."""
    return repr(name) if len(name) <= 40 else repr(name[:12] + "...")
