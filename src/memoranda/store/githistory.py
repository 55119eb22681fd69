"""The history of our own git repository, written anew without what was forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from memoranda.store.erasure import ERASED
from memoranda.store.files import look
from memoranda.store.git import EMAIL, GIT, Git
from memoranda.store.gitting import BUSY, INDEX
from memoranda.store.projection import TOPICS

ANEW = "refs/memoranda/anew"
"""The reference under which the new history is made."""
_ITEM = re.compile(rb"[ \t]*- <seq=([0-9]{1,18}(?:[,-][0-9]{1,18})*)")
_ID = re.compile(rb"^id: \"?([\w-]{1,60})\"?[ \t]*$", re.MULTILINE)
_NUMBERS = re.compile(
    rb"(?:id|token_count|created_time|updated_time|update_count|current_epoch|format|counter): "
)
_NAMED = re.compile(rb"\"?topics/.*-([\w]+)\.md\"?")
_FILE = re.compile(rb"(M [0-9]{6} \S+|D) (.*)\n")
_DATA = re.compile(rb"data ([0-9]+)\n")
_ORIGINAL = b"original-oid"


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What the history of a repository holds of some entries."""

    commits: tuple[str, ...] = ()
    """Commits that brought a file in which one of them stands, oldest first."""
    documents: frozenset[bytes] = frozenset()
    """Ids of the documents that held them at any time."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an export: a command, or the bytes that belong to the one before."""

    line: bytes
    data: bytes | None = None


class GitHistory:
    """The commits of the topic files of one folder.

    Args:
        root: the folder that holds `.git`.
        fresh: the last commit holds the files as they are now: they say nothing that is forgotten.
    """

    def __init__(self, root: Path, *, fresh: bool = False) -> None:
        self._git = Git(root)
        self._root = root
        self._fresh = fresh

    def holding(self, seqs: AbstractSet[int]) -> History:
        """Say what the history holds of some entries.

        Raises:
            StoreError: git can't be run.
        """
        if look(self._root / GIT) is None or not self._git.asked("rev-parse", "--verify", "HEAD"):
            return History()
        found = _Look(seqs, frozenset(self._now().values()))
        with self._git.printing("fast-export", "--show-original-ids", "--all") as stream:
            for part in _parts(stream):
                found.take(part)
        return History(commits=tuple(found.commits), documents=frozenset(found.documents))

    def _now(self) -> dict[bytes, bytes]:
        """Give path and object of what the last commit holds; nothing when it is not fresh."""
        if not self._fresh:
            return {}
        found: dict[bytes, bytes] = {}
        for line in self._git.run("ls-tree", "-r", "-z", "HEAD").split("\0"):
            about, _, name = line.partition("\t")
            if name:
                found[name.encode("utf-8", "surrogateescape")] = about.split()[2].encode()
        return found

    def foreign(self) -> str:
        """Say why the history is not ours alone to write anew; "" when it is."""
        head = self._git.asked("symbolic-ref", "--quiet", "HEAD").strip()
        refs = self._git.asked("for-each-ref", "--format=%(refname)").split()
        if not (self._root / GIT).is_dir():
            return "it is part of another repository"
        if self._git.asked("remote").strip():
            return "it has remotes, which may hold copies"
        if not head or {*refs} - {head, ANEW}:
            return "it has branches, tags or a stash of yours"
        people = {*self._git.asked("log", "--all", "--format=%ae%n%ce").split()}
        if people - {EMAIL}:
            return "others have committed to it"
        inside = [*BUSY, "rebase-merge", "rebase-apply", "worktrees", "objects/info/alternates"]
        if any((self._root / GIT / name).exists() for name in inside):
            return "something is under way in it, or it is shared"
        return ""

    def rewrite(self, seqs: AbstractSet[int], documents: Iterable[str]) -> None:
        """Write the history anew without some entries, and throw the old one away.

        The lines that print them read `[erased]`; so do titles, summaries and headings of every
        document that ever held one, and its old file names go.

        Args:
            seqs: what was forgotten.
            documents: documents that were named anew for it, besides those that held it.

        Raises:
            StoreError: git can't be run, or the new history could not be made.
        """
        held = self.holding(seqs)
        named = held.documents | {name.encode() for name in documents}
        head = self._git.run("symbolic-ref", "HEAD").strip()
        old = self._git.run("rev-parse", "HEAD").strip()
        now = self._now()
        with (
            self._git.printing("fast-export", "--show-original-ids", head) as stream,
            self._git.taking("fast-import", "--quiet", "--force", "--date-format=raw") as into,
        ):
            _Anew(seqs, named, now).copy(stream, into)
        made = self._git.run("rev-parse", ANEW).strip()
        self._git.run("update-ref", "-m", "memoranda", head, made, old)
        self._unstage(named)
        self.tidy()

    def _unstage(self, documents: AbstractSet[bytes]) -> None:
        """Let what is staged of some documents be what the last commit holds: a stage keeps objects."""
        own = {"GIT_INDEX_FILE": str(self._root / GIT / INDEX)}
        self._git.run("read-tree", "HEAD", environ=own)
        staged = self._git.run("ls-files", "-z", "--", f"{TOPICS}/").split("\0")
        listed = self._git.run("ls-tree", "-r", "-z", "HEAD", "--", f"{TOPICS}/").split("\0")
        there = {line.partition("\t")[2]: line for line in listed if line}
        lines = [f"0 {'0' * 40}\t{name}" for name in staged if name and name not in there]
        lines += there.values()
        wanted = [line for line in lines if _of(line.partition("\t")[2], documents)]
        given = "".join(f"{line}\0" for line in wanted).encode("utf-8", "surrogateescape")
        self._git.run("update-index", "-z", "--index-info", given=given)

    def tidy(self) -> None:
        """Take away what no commit holds any more, and every way back to it."""
        self._git.asked("update-ref", "-d", ANEW)
        self._git.run("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
        for name in ("ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG"):
            with suppress(FileNotFoundError):
                (self._root / GIT / name).unlink()
        if self.packs():
            self._git.run("repack", "-a", "-d", "-f", "-q")
        self._git.run("prune", "--expire=now")

    def packs(self) -> bool:
        """Say whether objects lie packed together, where no scan of files can see into them."""
        folder = self._root / GIT / "objects" / "pack"
        return folder.is_dir() and any(item.suffix == ".pack" for item in folder.iterdir())

    def objects(self) -> Iterator[bytes]:
        """Give every object's bytes, those that no commit holds included, in large parts."""
        with self._git.printing("cat-file", "--batch-all-objects", "--batch") as stream:
            while part := stream.read(1 << 20):
                yield part


def cites(data: bytes, seqs: AbstractSet[int]) -> bool:
    """Say whether a document prints one of some entries."""
    return any(_names(item[1], seqs) for line in data.splitlines() if (item := _ITEM.match(line)))


def _of(path: str, documents: AbstractSet[bytes]) -> bool:
    found = _NAMED.fullmatch(path.encode("utf-8", "surrogateescape"))
    return found is not None and found[1] in documents


def _names(runs: bytes, seqs: AbstractSet[int]) -> bool:
    for run in runs.split(b","):
        first, _, last = run.partition(b"-")
        start, end = int(first), int(last or first)
        if end - start > len(seqs):
            if any(start <= seq <= end for seq in seqs):
                return True
        elif any(seq in seqs for seq in range(start, end + 1)):
            return True
    return False


def _head(data: bytes) -> bytes:
    """Give the front matter of a document."""
    end = data.find(b"\n---", 3)
    return data[: max(end, 0) + 1]


def without(data: bytes, seqs: AbstractSet[int]) -> bytes:
    """Give a document without some entries, and without every name in it."""
    lines: list[bytes] = []
    fences, gone = 0, False
    for line in data.splitlines(keepends=True):
        item = _ITEM.match(line)
        if line.rstrip() == b"---" and fences < 2 and (fences or not lines):
            fences += 1
            lines.append(line)
        elif fences == 1:
            lines += _of_head(line)
        elif item is not None:
            gone = _names(item[1], seqs)
            lines.append(f"- {ERASED}\n".encode() if gone else line)
        elif line.startswith(b"#"):
            gone = False
            lines.append(line.split(b" ")[0] + f" {ERASED}\n".encode())
        elif line.strip() and line[:1].isspace() and gone:
            continue
        else:
            gone = gone and not line.strip()
            lines.append(line)
    return b"".join(lines)


def _of_head(line: bytes) -> list[bytes]:
    if _NUMBERS.match(line):
        return [line]
    name = line.partition(b":")[0]
    return [name + f': "{ERASED}"\n'.encode()] if name in {b"title", b"summary"} else []


class _Look:
    """Reads an export, and notes what holds some entries."""

    def __init__(self, seqs: AbstractSet[int], now: AbstractSet[bytes]) -> None:
        self.commits: list[str] = []
        self.documents: set[bytes] = set()
        self._seqs = seqs
        self._now = now
        self._marks: set[bytes] = set()
        self._inside, self._mark, self._name = b"", b"", b""

    def take(self, part: Part) -> None:
        """Take the next part."""
        word, _, rest = part.line.rstrip(b"\n").partition(b" ")
        if part.data is not None:
            if self._inside == b"blob" and self._name not in self._now:
                self._look(part.data)
        elif word in {b"blob", b"commit", b"reset", b"tag"}:
            self._inside = word
        elif word == b"mark":
            self._mark = rest
        elif word == _ORIGINAL:
            self._name = rest
        elif word == b"M" and rest.split(b" ")[1] in self._marks:
            commit = self._name.decode()
            self.commits += [commit] if commit not in self.commits[-1:] else []

    def _look(self, data: bytes) -> None:
        if cites(data, self._seqs):
            self._marks.add(self._mark)
            self.documents.update(found[1] for found in _ID.finditer(_head(data)))


class _Anew:
    """Copies an export to an import, and leaves out what is forgotten."""

    def __init__(
        self, seqs: AbstractSet[int], documents: AbstractSet[bytes], now: Mapping[bytes, bytes]
    ) -> None:
        self._seqs = seqs
        self._documents = documents
        self._names = frozenset(now)
        self._objects = frozenset(now.values())

    def copy(self, stream: IO[bytes], into: IO[bytes]) -> None:
        """Copy everything."""
        blob, name = False, b""
        files: list[bytes] = []
        for part in _parts(stream):
            found = _FILE.fullmatch(part.line) if part.data is None else None
            if found is not None:
                files.append(found[1] + b" " + self._path(found[2]) + b"\n")
                continue
            into.writelines(_in_order(files))
            files = []
            if part.data is not None:
                data = self._blob(part.data, name) if blob else part.data
                into.write(b"data %d\n" % len(data) + data + b"\n")
            elif part.line.startswith((b"commit ", b"reset ")):
                blob = False
                into.write(part.line.split(b" ")[0] + b" " + ANEW.encode() + b"\n")
            elif part.line.startswith(_ORIGINAL):
                name = part.line.split()[1]
            else:
                blob = blob or part.line == b"blob\n"
                into.write(part.line)
        into.writelines(_in_order(files))

    def _blob(self, data: bytes, name: bytes) -> bytes:
        if name in self._objects:
            return data
        ids = {found[1] for found in _ID.finditer(_head(data))}
        if ids & self._documents or cites(data, self._seqs):
            return without(data, self._seqs)
        return data

    def _path(self, path: bytes) -> bytes:
        """Give a path; of a document that held it, one that tells nothing, unless it stands so now."""
        found = _NAMED.fullmatch(path)
        if found is None or found[1] not in self._documents or path in self._names:
            return path
        return b"topics/erased-" + found[1] + b".md"


def _in_order(files: list[bytes]) -> list[bytes]:
    """Put what is deleted before what is written: two old names may have become one."""
    return sorted(files, key=lambda line: not line.startswith(b"D "))


def _parts(stream: IO[bytes]) -> Iterator[Part]:
    """Read an export: its commands, and the bytes of blobs and messages."""
    for line in iter(stream.readline, b""):
        found = _DATA.fullmatch(line)
        if found is None:
            if line != b"\n":
                yield Part(line)
            continue
        data = stream.read(int(found[1]))
        yield Part(line, data)
