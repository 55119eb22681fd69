"""Forgetting a user whole: every workspace, with all files, and no folder left that bears the name."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from memoranda.errors import MemorandaError, NotFoundError
from memoranda.memory.making import new_id, now
from memoranda.selections import Wiped, Workspace
from memoranda.settings import Settings
from memoranda.store.files import Files, look
from memoranda.store.home import Home
from memoranda.store.projection import MARKER
from memoranda.store.scope import Scope, check_name, data_root, scopes
from memoranda.store.wiping import measured, user_folder, wipe
from memoranda.write import elsewhere


def forget_user(
    root: str | Path | None = None,
    *,
    user: str,
    dry_run: bool = False,
    by: str | None = None,
    clock: Callable[[], datetime] = now,
) -> Wiped:
    """Take away all that is kept of a user: every workspace, its files, and its documents elsewhere.

    Nothing of it can be had back, and no ledger is left: keep what this returns as the receipt. Close
    every memory of the user first; what another program adds meanwhile goes too. A kill in between
    is ended by the next call, or by opening any memory below the root.

    Args:
        root: the data root; default as for `Memory.open`.
        user: whose folder.
        dry_run: only say what would go.
        by: who asks for it.
        clock: gives aware times.

    Raises:
        ScopeNameError: the name can't be used.
        NotFoundError: nothing is kept of that user.
        BusyError, StoreError: something is in use; nothing, or only documents elsewhere, are gone.
    """
    name = check_name("user", user)
    base = data_root(None if root is None else str(root), os.environ)
    found = [item.scope for item in scopes(Files(base)) if item.scope and item.scope.user == name]
    folder = user_folder(base, name)
    size = measured(folder) if look(folder) == "folder" else (0, 0)
    if not found and not size[0]:
        raise NotFoundError("user", name)
    told = Wiped(
        user=name,
        time=clock().astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        by=by,
        workspaces=(),
        files=size[0],
        bytes=size[1],
        dry_run=dry_run,
    )
    with ExitStack() as stack:
        homes = [_held(base, scope, clock, stack) for scope in found]
        told = replace(told, workspaces=tuple(_workspace(home) for home in homes))
        if dry_run:
            return told
        left = tuple(item for home in homes for item in _documents(home))
    wipe(base, name, secrets.token_hex(8))
    return replace(told, left=left)


def _held(root: Path, scope: Scope, clock: Callable[[], datetime], stack: ExitStack) -> Home:
    home = Home(root, scope, Settings(), clock=clock, ids=new_id, entropy=secrets.token_bytes)
    stack.callback(home.close)
    stack.enter_context(home.locked())
    return home


def _workspace(home: Home) -> Workspace:
    db = home.log.connection
    last = db.execute(
        "SELECT position, lower(hex(chain)) FROM record ORDER BY position DESC LIMIT 1"
    ).fetchone()
    counts = db.execute(
        "SELECT (SELECT count(*) FROM record WHERE kind = 'event'), "
        "(SELECT count(*) FROM entry WHERE erased IS NULL), "
        "(SELECT count(*) FROM document WHERE retired IS NULL)"
    ).fetchone()
    return Workspace(
        workspace=home.scope.workspace,
        events=counts[0],
        entries=counts[1],
        documents=counts[2],
        position=last[0] if last else 0,
        chain=last[1] if last else "",
        out_of_reach=elsewhere.out_of_reach(home, ()),
    )


def _documents(home: Home) -> list[str]:
    """Take away our files in a documents folder elsewhere; name what could not be."""
    if home.shelf.root == home.folder:
        return []
    left = []
    rows = home.log.connection.execute("SELECT file FROM projection").fetchall()
    for name in [*(row[0] for row in rows), MARKER]:
        try:
            home.shelf.remove(home.shelf.root / name)
        except MemorandaError as error:
            left.append(str(error))
    if elsewhere.history(home) is not None:
        left.append(f"{home.shelf.root / '.git'} (git repository: delete it)")
    return left
