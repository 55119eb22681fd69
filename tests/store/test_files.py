"""Claims about the file layer: whole files or none, no link followed, nothing outside the root."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from memoranda.errors import InputError, MemorandaError, StoreError, UnsafePathError
from memoranda.store.files import HAS_DIR_FD, Disk, Files, Item, mounts, opened, portable

POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="needs links and pipes")
CALLS = frozenset(vars(Disk)) - {"__init__", "token"}
OLD, NEW = "旧的内容\n".encode() * 50, "新的内容，更长一些\n".encode() * 90
Way = dict[str, bool]
CANARY = b"outside: nobody may read or change this"


class Counting(Disk):
    """Counts the calls, and fails those whose number `fails` accepts."""

    def __init__(
        self, *, by_fd: bool, first: int = 0, last: int = -1, code: int = errno.EIO
    ) -> None:
        super().__init__(by_fd=by_fd)
        self.calls: list[str] = []
        self.failing = range(first, last + 1)
        self.code = code

    def __getattribute__(self, name: str) -> Any:
        call = super().__getattribute__(name)
        if name not in CALLS:
            return call

        def counted(*args: Any) -> Any:
            self.calls.append(name)
            if len(self.calls) not in self.failing:
                return call(*args)
            if name == "close":
                call(*args)  # the double itself must not leak
            raise OSError(self.code, os.strerror(self.code))

        return counted


class Short(Disk):
    """Writes and reads at most seven bytes at a time."""

    def write(self, fd: int, data: memoryview) -> int:
        return super().write(fd, data[:7])

    def read(self, fd: int, size: int) -> bytes:
        return super().read(fd, min(size, 7))


class OneName(Disk):
    """A file system where a file can't have two names."""

    def link(self, *_: Any) -> None:
        raise OSError(errno.EPERM, "no links here")


@pytest.fixture(params=[True, False], ids=["by-fd", "by-path"])
def way(request: pytest.FixtureRequest) -> Way:
    if request.param and not HAS_DIR_FD:
        pytest.skip("this platform has no dir_fd")
    return {"by_fd": bool(request.param)}


@pytest.fixture
def files(tmp_path: Path, way: Way) -> Files:
    made = Files(tmp_path / "root", Disk(**way))
    made.make_folder(Path("topics"))
    return made


def listed(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def names(files: Files) -> list[str]:
    return listed(files.root / "topics")


# --- the plain cases ---


def test_what_is_written_is_read_back_with_every_byte(files: Files) -> None:
    data = bytes(range(256)) * 3 + "茶\r\n".encode()
    files.write(Path("topics/茶.md"), data)
    assert files.read(files.root / "topics" / "茶.md") == data
    assert names(files) == ["茶.md"]


def test_a_write_replaces_the_file_whole(files: Files) -> None:
    files.write(Path("topics/a.md"), NEW)
    files.write(Path("topics/a.md"), OLD)
    assert files.read(Path("topics/a.md")) == OLD


def test_an_empty_file_is_not_a_missing_one(files: Files) -> None:
    files.write(Path("topics/a.md"), b"")
    assert files.read(Path("topics/a.md")) == b""
    assert files.read(Path("topics/b.md")) is None


def test_below_a_missing_folder_all_is_missing_and_nothing_is_made(files: Files) -> None:
    path = Path("nowhere/deep/a.md")
    assert (files.read(path), files.stat(path), files.remove(path)) == (None, None, False)
    assert (files.names(path.parent), files.sweep(path.parent)) == ((), ())
    with pytest.raises(StoreError, match="its folder is missing"):
        files.write(path, OLD)
    assert listed(files.root) == ["topics"]


def test_a_root_that_is_not_there_yet_reads_as_empty(tmp_path: Path, way: Way) -> None:
    files = Files(tmp_path / "later" / "root", Disk(**way))
    assert files.names(files.root) == ()
    assert files.read(Path("a.md")) is None
    files.make_folder(files.root)
    files.write(Path("a.md"), OLD)
    assert files.names(files.root) == (Item("a.md", "file"),)


def test_a_file_above_the_limit_is_refused_and_never_cut(files: Files) -> None:
    files.write(Path("topics/a.md"), b"12345")
    assert files.read(Path("topics/a.md"), limit=5) == b"12345"
    with pytest.raises(StoreError, match="larger than 4 bytes"):
        files.read(Path("topics/a.md"), limit=4)


def test_create_never_replaces(files: Files) -> None:
    assert files.create(Path("topics/a.md"), OLD) is True
    assert files.create(Path("topics/a.md"), NEW) is False
    assert files.read(Path("topics/a.md")) == OLD
    assert names(files) == ["a.md"]


def test_create_writes_nothing_for_a_taken_name(files: Files, way: Way) -> None:
    files.write(Path("topics/a.md"), OLD)
    disk = Counting(**way)
    assert Files(files.root, disk).create(Path("topics/a.md"), NEW) is False
    assert "open_file" not in disk.calls


def test_of_many_creators_one_wins_with_its_whole_text(files: Files) -> None:
    won: list[bytes] = []

    def make(text: bytes) -> None:
        if files.create(Path("topics/a.md"), text):
            won.append(text)

    threads = [threading.Thread(target=make, args=(bytes([65 + n]) * 999,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [files.read(Path("topics/a.md"))] == won


def test_rename_moves_the_bytes_and_never_replaces(files: Files) -> None:
    files.make_folder(Path("other"))
    files.write(Path("topics/a.md"), OLD)
    files.write(Path("topics/b.md"), NEW)
    assert files.rename(Path("topics/a.md"), Path("topics/b.md")) is False
    assert files.rename(Path("topics/a.md"), Path("other/c.md")) is True
    assert files.read(Path("other/c.md")) == OLD
    assert names(files) == ["b.md"]


def test_renaming_what_is_missing_is_an_error(files: Files) -> None:
    with pytest.raises(StoreError, match="no such file"):
        files.rename(Path("topics/a.md"), Path("topics/b.md"))


def test_without_second_names_create_and_rename_still_never_replace(files: Files, way: Way) -> None:
    poor = Files(files.root, OneName(**way))
    assert poor.create(Path("topics/a.md"), OLD) is True
    assert poor.create(Path("topics/a.md"), NEW) is False
    assert poor.create(Path("topics/b.md"), NEW) is True
    assert poor.rename(Path("topics/a.md"), Path("topics/b.md")) is False
    assert poor.rename(Path("topics/a.md"), Path("topics/c.md")) is True
    assert (poor.read(Path("topics/c.md")), names(files)) == (OLD, ["b.md", "c.md"])


def test_remove_says_whether_there_was_something(files: Files) -> None:
    files.write(Path("topics/a.md"), OLD)
    assert [files.remove(Path("topics/a.md")) for _ in range(2)] == [True, False]
    assert names(files) == []


def test_stat_tells_a_change(files: Files) -> None:
    files.write(Path("topics/a.md"), OLD)
    before = files.stat(Path("topics/a.md"))
    files.write(Path("topics/a.md"), NEW)
    after = files.stat(Path("topics/a.md"))
    assert before is not None
    assert after is not None
    assert (before.size, after.size) == (len(OLD), len(NEW))
    assert before.ino != after.ino


@POSIX_ONLY
def test_names_come_sorted_with_their_kinds(files: Files) -> None:
    files.write(Path("topics/b.md"), OLD)
    files.make_folder(Path("topics/a"))
    (files.root / "topics/c").symlink_to("b.md")
    os.mkfifo(files.root / "topics/d")
    assert files.names(Path("topics")) == (
        Item("a", "folder"),
        Item("b.md", "file"),
        Item("c", "link"),
        Item("d", "other"),
    )


@POSIX_ONLY
def test_what_is_made_is_for_its_owner_alone(files: Files) -> None:
    files.make_folder(Path("users/anna"))
    files.write(Path("users/anna/a.md"), OLD)
    files.create(Path("users/anna/b.md"), OLD)
    modes = [
        stat.S_IMODE((files.root / name).stat().st_mode)
        for name in (".", "users", "users/anna", "users/anna/a.md", "users/anna/b.md")
    ]
    assert modes == [0o700, 0o700, 0o700, 0o600, 0o600]


@POSIX_ONLY
def test_the_root_may_be_reached_through_a_link(tmp_path: Path, way: Way) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    files = Files(tmp_path / "link", Disk(**way))
    files.write(tmp_path / "link" / "a.md", OLD)
    assert (tmp_path / "real/a.md").read_bytes() == OLD
    assert files.read(tmp_path / "real" / "a.md") == OLD


@POSIX_ONLY
def test_foreign_names_can_be_read_and_removed_but_not_made(files: Files) -> None:
    for name in ("con: a?.md", b"\xff\xfe.md", "trailing. "):
        (files.root / "topics" / os.fsdecode(name)).write_bytes(OLD)
    found = files.names(Path("topics"))
    assert len(found) == 3
    for item in found:
        assert files.read(Path("topics", item.name)) == OLD
        assert files.remove(Path("topics", item.name))
        with pytest.raises(UnsafePathError):
            files.write(Path("topics", item.name), OLD)
    assert names(files) == []


@POSIX_ONLY
def test_names_are_utf8_whatever_the_locale(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; from memoranda.store.files import Files, Disk\n"
        "for flag in (True, False):\n"
        "    files = Files(pathlib.Path(sys.argv[1]), Disk(by_fd=flag))\n"
        "    name = '\\u8336-%d.md' % flag\n"
        "    files.write(pathlib.Path(name), b'x')\n"
        "    assert files.read(pathlib.Path(name)) == b'x'\n"
        "    assert name in [item.name for item in files.names(files.root)]\n"
    )
    environ = {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], env=environ, check=True)
    assert listed(tmp_path) == ["茶-0.md", "茶-1.md"]


# --- short writes, errors and kills ---


def test_short_writes_and_reads_lose_nothing(files: Files, way: Way) -> None:
    short = Files(files.root, Short(**way))
    short.write(Path("topics/a.md"), NEW)
    assert (short.create(Path("topics/b.md"), OLD), short.read(Path("topics/a.md"))) == (True, NEW)
    assert (files.root / "topics/b.md").read_bytes() == OLD


def test_a_disk_that_takes_no_bytes_is_an_error_not_a_loop(files: Files, way: Way) -> None:
    class Stuck(Disk):
        def write(self, *_: Any) -> int:
            return 0

    with pytest.raises(StoreError, match="nothing was written"):
        Files(files.root, Stuck(**way)).write(Path("topics/a.md"), OLD)
    assert names(files) == []


def calls_of_a_write(files: Files, way: Way) -> list[str]:
    disk = Counting(**way)
    Files(files.root, disk).write(Path("topics/a.md"), NEW)
    return disk.calls


def test_a_write_syncs_the_bytes_before_the_name_and_the_name_before_the_return(
    files: Files, way: Way
) -> None:
    wanted = ["open_file", "write", "sync", "close", "replace", "sync_folder"]
    calls = calls_of_a_write(files, way)
    assert [call for call in calls if call in wanted][:6] == wanted


def test_an_error_at_any_call_of_a_write_leaves_the_old_or_the_new_text_and_no_rest(
    files: Files, way: Way
) -> None:
    seen = set()
    for nth in range(1, len(calls_of_a_write(files, way)) + 1):
        files.write(Path("topics/a.md"), OLD)
        failing = Files(files.root, Counting(**way, first=nth, last=nth, code=errno.ENOSPC))
        with pytest.raises(StoreError, match="free some space and try again"):
            failing.write(Path("topics/a.md"), NEW)
        seen.add(files.read(Path("topics/a.md")))
        assert names(files) == ["a.md"], nth
    assert seen == {OLD, NEW}


def test_a_kill_at_any_call_of_a_write_leaves_the_old_or_the_new_text_and_sweep_the_rest(
    files: Files, way: Way
) -> None:
    seen, rests = set(), 0
    for nth in range(1, len(calls_of_a_write(files, way)) + 1):
        files.write(Path("topics/a.md"), OLD)
        with pytest.raises(StoreError):
            Files(files.root, Counting(**way, first=nth, last=999)).write(Path("topics/a.md"), NEW)
        seen.add(files.read(Path("topics/a.md")))
        assert files.names(Path("topics")) == (Item("a.md", "file"),)
        rests += len(files.sweep(Path("topics")))
        assert names(files) == ["a.md"], nth
    assert seen == {OLD, NEW}
    assert rests >= 4  # at the write, the sync, the close and the rename at least


@pytest.mark.parametrize("verb", ["create", "rename"])
def test_a_kill_at_any_call_of_create_or_rename_loses_no_text(
    files: Files, way: Way, verb: str
) -> None:
    old, new = Path("topics/a.md"), Path("topics/b.md")
    done = False
    for nth in range(1, 99):
        files.write(old, OLD)
        files.remove(new)
        disk = Counting(**way, first=nth, last=999)
        dying = Files(files.root, disk)
        try:
            done = dying.create(new, OLD) if verb == "create" else dying.rename(old, new)
        except StoreError:
            files.sweep(Path("topics"))
            texts = {files.read(Path("topics", name)) for name in names(files)}
            assert texts == {OLD}, nth
        if done:
            break
    assert done


def test_sweep_leaves_all_that_is_not_ours(files: Files) -> None:
    for name in (".memoranda-notes.tmp", "x.tmp", ".memoranda-" + "0" * 33 + ".tmp"):
        files.write(Path("topics", name), OLD)
    before = names(files)
    (files.root / "topics" / (".memoranda-" + "a" * 32 + ".tmp")).write_bytes(b"half")
    assert files.sweep(Path("topics")) == (".memoranda-" + "a" * 32 + ".tmp",)
    assert names(files) == before


def test_an_error_says_where_why_and_what_to_do(files: Files, way: Way) -> None:
    full = Files(files.root, Counting(**way, first=1, last=999, code=errno.EACCES))
    with pytest.raises(StoreError) as caught:
        full.write(Path("topics/a.md"), OLD)
    assert str(caught.value) == (
        "topics/a.md: could not write: Permission denied; check its owner and rights"
    )


def test_no_verb_leaves_a_file_open(files: Files, way: Way) -> None:
    if not Path("/dev/fd").exists():
        pytest.skip("no list of open files")
    before = len(listed(Path("/dev/fd")))
    for number in range(len(verbs(files, Path("topics/a.md")))):
        for nth in range(1, 20):
            files.write(Path("topics/a.md"), OLD)
            broken = Files(files.root, Counting(**way, first=nth, last=nth))
            with_any_error(verbs(broken, Path("topics/a.md"))[number])
    assert len(listed(Path("/dev/fd"))) == before


# --- hostile names and planted links ---


def verbs(files: Files, path: Path) -> list[Any]:
    return [
        lambda: files.read(path),
        lambda: files.write(path, OLD),
        lambda: files.create(path, OLD),
        lambda: files.remove(path),
        lambda: files.rename(path, Path("topics/moved.md")),
        lambda: files.rename(Path("topics/mine.md"), path),
        lambda: files.make_folder(path),
        lambda: files.names(path),
        lambda: files.stat(path),
        lambda: files.sweep(path),
    ]


def with_any_error(verb: Any) -> object:
    try:
        return verb()
    except MemorandaError as error:
        return error


def hostile(outside: Path) -> list[str]:
    up = ["../victim", "../../victim", "topics/../../victim", "topics/../..", "..", "./../victim/a"]
    absolute = [str(outside), str(outside / "canary.md"), "/etc/passwd", "//etc/passwd", "/"]
    tricks = ["a\0b", "\0", "topics/a\0/../../victim", "..\\victim", "C:\\x", "C:x", "\\\\host\\x"]
    controls = [f"topics/a{chr(n)}b" for n in (*range(1, 32), 127)]
    devices = [
        "con",
        "PRN",
        "aux.md",
        "nul",
        "NUL.txt",
        "com1",
        "COM9.md",
        "lpt1",
        "lpt9.x",
        "COM¹",
    ]
    devices += ["conin$", "CONOUT$", "con .md", "nul..md"]
    edges = ["a.", "a ", " a", "a...", "a. .", "...", ". .", "x" * 256, "茶" * 86, "x" * 5000, ""]
    signs = [f"a{sign}b" for sign in '<>:"|?*\\'] + ["\ud800", "a\udfff", "\udc80"]
    fakes = ["%2e%2e/victim\0", "..%2fvictim\\", "．．/victim\n", "~\0", "file:///etc/passwd"]
    fakes += ["topics/../topics/../../victim/canary.md", "users/../../victim/canary.md"]
    nested = [f"{bad}/deep/a.md" for bad in ("..", "con", "a\\b", "a:b", "x.", "a\tb", "x" * 256)]
    return up + absolute + tricks + controls + devices + edges + signs + fakes + nested


def test_no_hostile_name_touches_anything_outside(files: Files, tmp_path: Path, way: Way) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "canary.md").write_bytes(CANARY)
    before = listed(tmp_path)
    paths = hostile(victim)
    assert len(paths) >= 100
    for text in paths:
        files.write(Path("topics/mine.md"), OLD)
        for number, verb in enumerate(verbs(files, Path(text))):
            outcome = with_any_error(verb)
            assert outcome != CANARY
            if number in {1, 2, 5}:
                assert isinstance(outcome, UnsafePathError), (text, number)
    assert listed(tmp_path) == before
    assert listed(victim) == ["canary.md"]
    assert (victim / "canary.md").read_bytes() == CANARY
    assert set(listed(files.root)) == {"topics"}
    assert set(names(files)) <= {"mine.md", "moved.md"}


PLANTS = [
    ("users", "victim", "users/anna/topics/a.md"),
    ("users/anna", "victim", "users/anna/topics/a.md"),
    ("users/anna/topics", "victim", "users/anna/topics/canary.md"),
    ("users/anna/topics/a.md", "victim/canary.md", "users/anna/topics/a.md"),
    ("users/anna/topics/a.md", "victim/new.md", "users/anna/topics/a.md"),
    ("users/anna/topics/a.md", "victim", "users/anna/topics/a.md"),
]


@POSIX_ONLY
@pytest.mark.parametrize("form", ["relative", "absolute"])
@pytest.mark.parametrize(("planted", "target", "asked"), PLANTS)
def test_no_planted_link_is_followed_at_any_level(
    files: Files, tmp_path: Path, planted: str, target: str, asked: str, form: str
) -> None:
    for folder in ("victim", "victim/anna/topics", "victim/topics"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.md").write_bytes(CANARY)
        (tmp_path / folder / "canary.md").write_bytes(CANARY)
    link = files.root / planted
    files.make_folder(link.parent)
    aim = tmp_path / target
    link.symlink_to(os.path.relpath(aim, link.parent) if form == "relative" else aim)
    before = picture(tmp_path / "victim")
    files.write(Path("topics/mine.md"), OLD)
    for verb in verbs(files, Path(asked)):
        outcome = with_any_error(verb)
        assert isinstance(outcome, UnsafePathError) or outcome is False, outcome
    for verb in verbs(files, Path(asked).parent)[6:8] if planted != asked else []:
        assert isinstance(with_any_error(verb), UnsafePathError)
    assert picture(tmp_path / "victim") == before
    assert link.is_symlink()


def picture(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@POSIX_ONLY
@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_an_odd_file_is_refused_and_never_waited_for(files: Files, kind: str) -> None:
    odd = files.root / "topics" / "odd"
    odd.mkdir() if kind == "folder" else os.mkfifo(odd)
    read, write, create, remove, *_ = verbs(files, Path("topics/odd"))
    for verb in (read, write, remove, lambda: files.stat(Path("topics/odd"))):
        assert isinstance(with_any_error(verb), UnsafePathError)
    assert create() is False
    assert odd.exists()


@POSIX_ONLY
def test_a_link_swapped_in_after_the_look_is_not_followed(tmp_path: Path, way: Way) -> None:
    (tmp_path / "canary.md").write_bytes(CANARY)

    class Swapping(Disk):
        def open_file(self, folder: Any, name: str, flags: int) -> int:
            if name == "a.md":
                (tmp_path / "root/a.md").unlink()
                (tmp_path / "root/a.md").symlink_to("../canary.md")
            return super().open_file(folder, name, flags)

    files = Files(tmp_path / "root", Swapping(**way))
    files.make_folder(files.root)
    files.write(Path("a.md"), OLD)
    with pytest.raises(UnsafePathError):
        files.read(Path("a.md"))


@POSIX_ONLY
def test_where_the_system_follows_links_the_swapped_file_is_told_by_its_identity(
    tmp_path: Path,
) -> None:
    (tmp_path / "canary.md").write_bytes(CANARY)

    class Following(Disk):
        def open_file(self, folder: Any, name: str, flags: int) -> int:
            if name != "a.md":
                return super().open_file(folder, name, flags)
            (tmp_path / "root/a.md").unlink()
            (tmp_path / "root/a.md").symlink_to("../canary.md")
            return os.open(tmp_path / "root/a.md", flags)

    files = Files(tmp_path / "root", Following(by_fd=False))
    files.make_folder(files.root)
    files.write(Path("a.md"), OLD)
    with pytest.raises(UnsafePathError):
        files.read(Path("a.md"))


@POSIX_ONLY
def test_a_pipe_swapped_in_after_the_look_is_not_waited_for(tmp_path: Path, way: Way) -> None:
    pipe = tmp_path / "a.md"

    class Swapping(Disk):
        def open_file(self, folder: Any, name: str, flags: int) -> int:
            if name == "a.md":
                pipe.unlink()
                os.mkfifo(pipe)
            return super().open_file(folder, name, flags)

    files = Files(tmp_path, Swapping(**way))
    files.write(Path("a.md"), OLD)
    rescue = threading.Timer(2, lambda: os.close(os.open(pipe, os.O_RDWR)))
    rescue.start()
    start = time.monotonic()
    with pytest.raises(UnsafePathError):
        files.read(Path("a.md"))
    assert time.monotonic() - start < 1
    rescue.cancel()


@POSIX_ONLY
@pytest.mark.skipif(not HAS_DIR_FD, reason="the fallback can't promise it")
def test_a_folder_swapped_for_a_link_in_mid_write_changes_nothing_outside(tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()

    class Swapping(Disk):
        def open_file(self, folder: Any, name: str, flags: int) -> int:
            (tmp_path / "root/topics").rename(tmp_path / "root/gone")
            (tmp_path / "root/topics").symlink_to("../victim")
            return super().open_file(folder, name, flags)

    files = Files(tmp_path / "root", Swapping())
    files.make_folder(Path("topics"))
    files.write(Path("topics/a.md"), OLD)
    assert listed(tmp_path / "victim") == []
    assert (tmp_path / "root/gone/a.md").read_bytes() == OLD


@POSIX_ONLY
def test_a_file_replaced_between_look_and_open_is_read_whole(tmp_path: Path, way: Way) -> None:
    plain = Files(tmp_path, Disk(**way))
    plain.write(Path("a.md"), OLD)

    class Replacing(Disk):
        times = 3

        def open_file(self, folder: Any, name: str, flags: int) -> int:
            if self.times:
                self.times -= 1
                plain.write(Path("a.md"), NEW)
            return super().open_file(folder, name, flags)

    assert Files(tmp_path, Replacing(**way)).read(Path("a.md")) == NEW


# --- helpers ---


def test_portable_names_are_those_that_every_system_takes() -> None:
    assert [
        portable(name) for name in ("茶-d1.md", "a b.md", ".hidden", "console.md", "x" * 255)
    ] == ([None] * 5)
    assert all(portable(name) for name in ("con", "a/b", "a.", "茶" * 86, "a\n", "..", ""))


def test_a_file_named_by_the_user_is_opened_as_bytes(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"one\r\n\ntwo")
    with opened(tmp_path / "in.jsonl") as stream:
        assert list(stream) == [b"one\r\n", b"\n", b"two"]
    with pytest.raises(InputError, match="can't be read"), opened(tmp_path / "missing.jsonl"):
        pytest.fail("opened")


def test_the_table_of_mounts_is_text_or_empty() -> None:
    assert bool(mounts()) == Path("/proc/mounts").exists()
