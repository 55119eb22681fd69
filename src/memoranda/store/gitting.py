"""The topic files in a git repository of their own folder: a commit for each plan, and nothing else.

Only git's plumbing is used, on an index of our own, with hooks, filters, watchers and the network
switched off: nothing that a repository's configuration names is run. Nothing is ever pushed.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from memoranda.errors import MemorandaError, StoreError
from memoranda.store.files import Files
from memoranda.store.git import EMAIL, GIT, Git
from memoranda.store.log import Log, Record
from memoranda.store.projection import TOPICS

DONE, FAULT = "git", "git_fault"
"""Names of the values in the database: the position that is committed, what went wrong last."""
INDEX = "memoranda.index"
KINDS = ("plan", "undo", "retraction", "forget", "edit")
"""Records that change topic files."""
BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG")
_NONE = "0" * 40


class Gitting:
    """Commits the topic files of one scope. Call it under the scope's lock, after the files are written.

    Args:
        log: the log; it also keeps how far is committed.
        shelf: the folder of the documents.
    """

    def __init__(self, log: Log, shelf: Files) -> None:
        self._log = log
        self._shelf = shelf
        self._git = Git(shelf.root)

    def commit(self) -> None:
        """Commit what changed since the last time; what goes wrong shows in `status`, and is tried again."""
        position = self._last()
        if position <= int(self._log.meta(DONE) or b"0"):
            return
        try:
            self._commit()
            fault = ""
        except (MemorandaError, OSError, subprocess.SubprocessError) as error:
            fault = f"git: {error}"
        with self._log.transaction():
            self._log.set_meta(FAULT, fault.encode())
            if not fault:
                self._log.set_meta(DONE, str(position).encode())

    def _last(self) -> int:
        row = self._log.connection.execute(
            "SELECT max(position) FROM record WHERE kind NOT IN ('event', 'extraction') "
            f"AND kind IN ({','.join('?' * len(KINDS))})",
            KINDS,
        ).fetchone()
        return int(row[0] or 0)

    def _commit(self) -> None:
        self._prepare()
        head = self._git.asked("rev-parse", "--quiet", "--verify", "HEAD").strip()
        changes = self._changes(head)
        if not changes:
            return
        with suppress(StoreError):  # the person's own index: as `git add` of these files
            self._git.run("update-index", "-z", "--index-info", given=changes)
        own = {"GIT_INDEX_FILE": str(self._shelf.root / GIT / INDEX)}
        self._git.run("read-tree", head or "--empty", environ=own)
        self._git.run("update-index", "-z", "--index-info", given=changes, environ=own)
        tree = self._git.run("write-tree", environ=own).strip()
        records = self._since()
        when = {f"GIT_{who}_DATE": records[-1].recorded for who in ("AUTHOR", "COMMITTER")}
        parent = ("-p", head) if head else ()
        told = message(records).encode()
        made = self._git.run("commit-tree", tree, *parent, given=told, environ=when).strip()
        self._git.run("update-ref", "-m", "memoranda", "HEAD", made, head or _NONE)

    def _since(self) -> list[Record]:
        done = int(self._log.meta(DONE) or b"0")
        return [record for record in self._log.marked(after=done) if record.kind in KINDS]

    def _prepare(self) -> None:
        """Make the repository, if there is none; refuse one that a person is in the middle of."""
        if not any(item.name == GIT for item in self._shelf.names(self._shelf.root)):
            self._git.call(["init", "--quiet", "--template=", str(self._shelf.root)])
            self._git.run("config", "status.showUntrackedFiles", "no")
        names = {item.name for item in self._shelf.names(self._shelf.root / GIT)}
        if names & {*BUSY, "rebase-merge", "rebase-apply"}:
            raise StoreError(
                "a merge or a rebase is under way; end it, and the next plan is committed"
            )

    def _changes(self, head: str) -> bytes:
        """Say which topic files differ from the last commit, as `update-index` reads it."""
        known: dict[str, str] = {}
        if head:
            listed = self._git.asked("ls-tree", "-r", "-z", head, "--", f"{TOPICS}/")
            for line in filter(None, listed.split("\0")):
                about, _, name = line.partition("\t")
                known[name] = about.split()[2]
        rows = self._log.connection.execute(
            "SELECT file FROM projection WHERE file LIKE ? ORDER BY file", (f"{TOPICS}/%",)
        ).fetchall()
        lines, there = [], set()
        for (name,) in rows:
            data = self._shelf.read(self._shelf.root / name)
            if data is None:
                continue
            there.add(name)
            if known.get(name) != _blob(data):
                made = self._git.run(
                    "hash-object", "-w", "--no-filters", "--stdin", given=data
                ).strip()
                if known.get(name) != made:
                    lines.append(f"100644 {made}\t{name}")
        gone = [name for name in known if name not in there]
        ours = self._ever() if gone else frozenset()
        lines += [f"0 {_NONE}\t{name}" for name in gone if name in ours]
        return "".join(f"{line}\0" for line in lines).encode()

    def _ever(self) -> frozenset[str]:
        """Name the files that we have committed: others' files in the folder are left alone."""
        listed = self._git.asked(
            "log", f"--author={EMAIL}", "--format=", "--name-only", "-z", "--no-renames"
        )
        return frozenset(name.strip("\n") for name in listed.split("\0"))


def _blob(data: bytes) -> str:
    """Give the name that git has for a file's bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def message(records: Sequence[Record]) -> str:
    """Say what plans did: ids and numbers, no text, so that nothing has to be forgotten in it."""
    parts = [_told(record) for record in records]
    subject = (
        parts[0][0] if len(parts) == 1 else f"{len(parts)} records up to {records[-1].position}"
    )
    body = [
        f"{head}\n" + "".join(f"  {line}\n" for line in lines) if len(parts) > 1 else
        "".join(f"{line}\n" for line in lines)
        for head, lines in parts
    ]  # fmt: skip
    return f"{subject}\n\n" + "\n".join(body)


def _told(record: Record) -> tuple[str, list[str]]:
    body: Mapping[str, Any] = record.body or {}
    kind = body.get("kind", record.kind) if record.kind == "plan" else record.kind
    lines = [_operation(item) for item in body.get("operations", ())]
    lines += [f"{name}: {value}" for name, value in _about(record, body)]
    return f"{kind} {record.record_id}", lines


def _operation(item: Mapping[str, Any]) -> str:
    name = item.get("document", "")
    match item["op"]:
        case "split":
            return f"split {name}: " + ", ".join(part["document"] for part in item["parts"])
        case "merge":
            return f"merge {', '.join(item['absorbs'])} into {name}"
        case "create" | "update":
            number = sum(len(block["seqs"]) for block in item["blocks"])
            return f"{item['op']} {name}: {number} entries"
        case "supersede":
            return f"supersede {item['older']} by {item['newer']}"
        case other:
            return str(other).replace("_", " ")


def _about(record: Record, body: Mapping[str, Any]) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    if record.kind == "undo":
        found.append(("undone", body.get("undone")))
    if record.kind == "retraction":
        found.append(("entry", body.get("seq")))
    return [*found, ("by", body.get("by") or "user"), ("position", record.position)]
