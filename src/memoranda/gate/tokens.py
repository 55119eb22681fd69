"""Tokens of callers: each for a scope and a role, kept as a hash in a file that only its owner reads."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from memoranda.errors import InputError, NotFoundError
from memoranda.gate import kept
from memoranda.gate.grant import Grant
from memoranda.memory.clearance import ROLES
from memoranda.store.locks import scope_lock
from memoranda.store.scope import Scope, check_project
from memoranda.text.times import instant
from memoranda.values import SENSITIVITIES

FILE: Final = "tokens.json"
"""The file's name, in the data root."""
FORMAT: Final = 1
_WAIT: Final = 10.0
_FORM: Final = re.compile(r"mem_([0-9a-f]{8})_([A-Za-z0-9_-]{43})")
_NOBODY: Final = "0" * 64
_MOST: Final = 1_000
_NAME: Final = 100

T = TypeVar("T")


class Tokens:
    """The tokens of one data root. A token that is added or revoked elsewhere counts at once.

    Args:
        file: where they are kept, with mode 0600; it need not exist.
        clock: gives aware times.
    """

    def __init__(
        self, file: Path, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._file = file
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: kept.Seen | None = None
        self._found: Mapping[str, tuple[str, Grant]] = {}

    def known(self, text: str) -> Grant | None:
        """Give what a token grants; None of one that is not known, revoked or out of date.

        Compares hashes in constant time, also when there is no token of that id.

        Raises:
            InputError, UnsafePathError: the file can't be used.
        """
        form = _FORM.fullmatch(text)
        token_id, secret = form.groups() if form else ("", text[:200])
        digest, grant = self._all().get(token_id, (_NOBODY, None))
        same = hmac.compare_digest(digest, _hash(secret))
        return grant if same and grant is not None and self._holds(grant) else None

    def grant(self, token_id: str) -> Grant | None:
        """Give what the token of an id grants now; None if it does not hold any more."""
        _, grant = self._all().get(token_id, ("", None))
        return grant if grant is not None and self._holds(grant) else None

    def all(self) -> tuple[Grant, ...]:
        """Give what each token grants, oldest first; no token can be made from it."""
        return tuple(grant for _, grant in self._all().values())

    def add(self, grant: Grant, secret: str) -> str:
        """Keep a new token's hash; give the token, which can't be had again.

        Args:
            grant: what it grants; `token_id` is 8 hexadecimal digits that are new.
            secret: 43 random characters, as `secrets.token_urlsafe(32)` gives them.

        Raises:
            InputError: a field can't be used, or there are too many tokens.
        """
        text = f"mem_{grant.token_id}_{secret}"
        if _FORM.fullmatch(text) is None:
            raise ValueError("a token is 8 hexadecimal digits and 43 characters")
        _check(grant)

        def added(found: dict[str, tuple[str, Grant]]) -> None:
            if len(found) >= _MOST or grant.token_id in found:
                raise InputError(f"there are {len(found)} tokens; revoke some, and try again")
            found[grant.token_id] = (_hash(secret), grant)

        self._change(added)
        return text

    def revoke(self, ref: str) -> Grant:
        """Take a token out of force, by its id, or by its name if only one has it.

        Raises:
            NotFoundError: there is no such token.
            InputError: several have that name.
        """

        def without(found: dict[str, tuple[str, Grant]]) -> Grant:
            named = [grant for _, grant in found.values() if ref in {grant.token_id, grant.name}]
            if not named:
                raise NotFoundError("token", ref)
            if len(named) > 1:
                ids = ", ".join(grant.token_id for grant in named)
                raise InputError(f"several tokens have the name {ref!r}; name one of {ids}")
            del found[named[0].token_id]
            return named[0]

        return self._change(without)

    def _holds(self, grant: Grant) -> bool:
        return grant.expires is None or self._clock() < instant(grant.expires)

    def _all(self) -> Mapping[str, tuple[str, Grant]]:
        with self._lock:
            seen = kept.look(self._file)
            if seen != self._seen:
                self._found = {} if seen is None else _read(self._file)
                self._seen = seen
            return self._found

    def _change(self, change: Callable[[dict[str, tuple[str, Grant]]], T]) -> T:
        kept.make_folder(self._file)
        with scope_lock(self._file.with_name(f"{self._file.name}.lock"), _WAIT):
            found = dict(self._all())
            done = change(found)
            kept.put(self._file, _written(found))
        return done


def _hash(secret: str) -> str:
    """Hash a secret; it has 256 random bits, so it needs no salt and no slow hash."""
    return hashlib.sha256(b"memoranda token\0" + secret.encode("utf-8", "replace")).hexdigest()


def _check(grant: Grant) -> None:
    Scope(grant.user, grant.workspace)
    for project in (grant.project, *(grant.projects or ())):
        if project is not None:
            check_project(project)
    if not grant.name.strip() or len(grant.name) > _NAME or not grant.name.isprintable():
        raise InputError(f"a token's name is 1 to {_NAME} characters that can be seen")
    if grant.role not in ROLES:
        raise InputError(f"role is one of {', '.join(ROLES)}, not {grant.role!r}")
    if grant.clearance not in SENSITIVITIES:
        raise InputError(f"clearance is one of {', '.join(SENSITIVITIES)}, not {grant.clearance!r}")
    if grant.expires is not None:
        instant(grant.expires)


def _written(found: Mapping[str, tuple[str, Grant]]) -> bytes:
    told = [{**grant.to_dict(), "hash": digest} for digest, grant in found.values()]
    return json.dumps({"format": FORMAT, "tokens": told}, indent=1).encode("ascii") + b"\n"


def _read(file: Path) -> Mapping[str, tuple[str, Grant]]:
    names = {field.name for field in fields(Grant)}
    try:
        told = json.loads(kept.read(file))
        if told["format"] != FORMAT:
            raise InputError(f"{file} was written by a newer version; use that")
        found = {}
        for item in told["tokens"]:
            grant = Grant(**{name: _tuple(item[name]) for name in names if name in item})
            _check(grant)
            found[grant.token_id] = (str(item["hash"]), grant)
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        text = f"{file} can't be read as tokens; move it away, and make new ones"
        raise InputError(text) from error
    return found


def _tuple(value: Any) -> Any:  # noqa: ANN401 - a field of a grant
    return tuple(value) if isinstance(value, list) else value
