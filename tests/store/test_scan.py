"""The scan finds every piece of a text, in every form and container, and nothing else."""

from __future__ import annotations

import gzip
import io
import os
import random
import re
import shutil
import sqlite3
import subprocess
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from canaries import Canary, canaries, encodings, leaks, plain, word
from memoranda.store.disk import Disk, Handle
from memoranda.store.image import leftovers
from memoranda.store.kept import kept_in
from memoranda.store.scan import scan
from memoranda.store.walk import PART
from memoranda.text.analyse import terms
from scene import SENTENCES

ALL = canaries()
PLAIN = plain()
WORD = PLAIN.secret.split()[0]


def zipped(data: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inside/some.txt", data)
    return held.getvalue()


CONTAINERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: b"before " + data + b" after",
    "nothing around": lambda data: data,
    "gzip": lambda data: gzip.compress(b"some text " + data),
    "second member of a gzip": lambda data: gzip.compress(b"some") + gzip.compress(data),
    "zlib": zlib.compress,
    "zip": zipped,
    "gzip in a zip": lambda data: zipped(gzip.compress(data)),
    "zip in a gzip": lambda data: gzip.compress(zipped(data)),
}


def planted(
    folder: Path, container: Callable[[bytes], bytes], chosen: Sequence[Canary] = ALL
) -> dict[str, str]:
    """Plant canaries in every form, each in a file of its own; give what each file holds."""
    folder.mkdir()
    held: dict[str, str] = {}
    for canary in chosen:
        for form, data in encodings(canary.secret).items():
            name = f"{len(held):04}"
            (folder / name).write_bytes(container(data))
            held[name] = f"{canary.name}: {form}"
    return held


def found_in(folder: Path) -> set[str]:
    """The files in which a piece of any canary's secret was found."""
    done = scan([folder], [canary.secret for canary in ALL])
    assert done.unread == ()
    return {hit.file.partition("!")[0] for hit in done.hits}


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_form_of_every_canary_is_found_in_every_container(
    tmp_path: Path, container: str
) -> None:
    held = planted(tmp_path / "folder", CONTAINERS[container])
    missed = sorted(held.keys() - found_in(tmp_path / "folder"))
    assert [held[name] for name in missed] == []


def test_every_form_is_found_over_the_border_of_two_parts(tmp_path: Path) -> None:
    def over(data: bytes) -> bytes:
        return b"." * (PART - len(data) // 2) + data

    held = planted(tmp_path / "folder", over, (ALL[0], ALL[14]))
    missed = sorted(held.keys() - found_in(tmp_path / "folder"))
    assert [held[name] for name in missed] == []


REST = {"plain": 8, "accents": 8, "Chinese": 4, "Japanese": 4, "Korean": 4, "emoji": 4}


@pytest.mark.parametrize("name", REST)
def test_a_small_rest_of_a_word_is_found_in_every_form(tmp_path: Path, name: str) -> None:
    canary = next(canary for canary in ALL if canary.name == name)
    said = re.split("[ ，、]", canary.secret)[0]
    held: dict[str, str] = {}
    for at in range(len(said) - REST[name] + 1):
        for form, data in encodings(said[at : at + REST[name]]).items():
            path = tmp_path / f"{len(held)}"
            path.write_bytes(b"\0\xff" + data.rstrip(b"=") + b"\xff")
            held[path.name] = f"{at}: {form}"
    hits = scan([tmp_path], [canary.secret]).hits
    missed = sorted(held.keys() - {hit.file for hit in hits})
    assert [held[name] for name in missed] == []


@pytest.mark.parametrize("size", [8, 12, 20])
def test_a_piece_is_found_at_every_offset_around_a_border(tmp_path: Path, size: int) -> None:
    text = (WORD * 2)[:size]
    for offset in range(-size - 1, 2):
        (tmp_path / str(offset)).write_bytes(b"." * (PART + offset) + text.encode() + b".")
    assert len({hit.file for hit in scan([tmp_path], [text]).hits}) == size + 3


def test_a_folder_of_other_texts_gives_no_alarm(tmp_path: Path) -> None:
    rng = random.Random(7)  # noqa: S311 - no secret
    letters = "abcdefghijklmnopqrstuvwxyzäöü"
    words = [word(rng, letters, rng.randint(2, 14)) for _ in range(3000)]
    for number in range(2000):
        text = " ".join(rng.choice(words) for _ in range(60))
        (tmp_path / f"{rng.choice(words)}-{number}.md").write_bytes(
            f"# {text[:40]}\n\n{text}\n{rng.choice(SENTENCES)}\n".encode()
        )
    (tmp_path / "random").write_bytes(rng.randbytes(2_000_000))
    (tmp_path / "hex").write_bytes(rng.randbytes(1_000_000).hex().encode())
    assert leaks(tmp_path, canaries=ALL) == ()


# Names

NAMES: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text[:60],
    "a slug": lambda text: "-".join(text.casefold().split())[:60] + "-d1.md",
    "a slug of one word": lambda text: f"the-{text.split()[0].casefold()[:20]}-d2.md",
    "escaped": lambda text: "".join(f"%{byte:02x}" for byte in text.encode())[:200],
}


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("made", ["file", "folder", "link"])
def test_a_name_is_searched_whatever_has_it(tmp_path: Path, kind: str, made: str) -> None:
    for canary in ALL[:1] + ALL[8:10] + ALL[12:]:
        folder = tmp_path / canary.name
        path = folder / "a" / NAMES[kind](canary.secret)
        path.parent.mkdir(parents=True)
        match made:
            case "file":
                path.write_bytes(b"")
            case "folder":
                path.mkdir()
            case "link":
                path.symlink_to("nowhere")
        hits = scan([folder], [canary.secret]).hits
        assert [(hit.file, hit.where) for hit in hits if hit.where == "name"], canary.name
        assert {hit.file for hit in hits} == {path.relative_to(folder).as_posix()}


def test_a_name_that_is_no_utf8_is_no_obstacle(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff" + WORD.encode()
    try:
        Path(os.fsdecode(path)).write_bytes(b"")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert [hit.where for hit in leaks(tmp_path, canaries=[PLAIN])] == ["name"]


# SQLite


def database(path: Path, *, wal: bool = False, secure: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode = {'WAL' if wal else 'DELETE'}")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(f"PRAGMA secure_delete = {'ON' if secure else 'OFF'}")
    return connection


def test_a_row_is_found_in_every_form(tmp_path: Path) -> None:
    forms = list(encodings(""))
    for number, form in enumerate(forms):
        data = encodings(ALL[number % len(ALL)].secret)[form]
        with closing(database(tmp_path / f"{number}.db")) as connection:
            connection.execute("CREATE TABLE note (text)")
            connection.execute("INSERT INTO note VALUES (?)", (data,))
    assert found_in(tmp_path) == {f"{number}.db" for number in range(len(forms))}


@pytest.mark.parametrize("canary", ALL, ids=lambda canary: canary.name)
def test_a_deleted_row_is_found_while_its_page_is_not_overwritten(
    tmp_path: Path, canary: Canary
) -> None:
    path = tmp_path / "a.db"
    with closing(database(path)) as connection:
        connection.execute("CREATE TABLE note (text)")
        connection.execute("INSERT INTO note VALUES (?), ('kept')", (canary.text,))
        connection.execute("DELETE FROM note WHERE text <> 'kept'")
        assert leaks(tmp_path, canaries=[canary])
        connection.execute("VACUUM")
        assert leaks(tmp_path, canaries=[canary]) == ()


def test_a_row_that_only_the_wal_holds_is_found(tmp_path: Path) -> None:
    with closing(database(tmp_path / "a.db", wal=True)) as connection:
        connection.execute("CREATE TABLE note (text)")
        connection.execute("INSERT INTO note VALUES (?)", (PLAIN.text,))
        assert {hit.file for hit in leaks(tmp_path, canaries=[PLAIN])} == {"a.db-wal"}


TOKENIZERS = ("unicode61", "porter", "trigram", "ascii")


@pytest.mark.parametrize("wal", [False, True], ids=["file", "wal"])
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("content", ["", ", content=''"], ids=["own", "contentless"])
def test_a_word_is_found_in_an_index_that_compressed_its_beginning(
    tmp_path: Path, content: str, tokenizer: str, *, wal: bool
) -> None:
    path = tmp_path / "a.db"
    with closing(database(path, wal=wal)) as connection:
        connection.execute(
            f"CREATE VIRTUAL TABLE note USING fts5(text{content}, tokenize = '{tokenizer}')"
        )
        connection.execute("INSERT INTO note (rowid, text) VALUES (1, ?)", (WORD[:8] + "xyz",))
        connection.execute("INSERT INTO note (rowid, text) VALUES (2, ?)", (WORD,))
        hits = scan([tmp_path], [WORD]).hits
    assert ("a.db", "vocabulary", WORD) in {(hit.file, hit.where, hit.piece) for hit in hits}


def test_only_the_vocabulary_tells_a_short_tail(tmp_path: Path) -> None:
    with closing(database(tmp_path / "a.db")) as connection:
        connection.execute("CREATE VIRTUAL TABLE note USING fts5(text, content='')")
        connection.execute("INSERT INTO note (rowid, text) VALUES (1, ?)", (WORD[:8] + "aaaa",))
        connection.execute("INSERT INTO note (rowid, text) VALUES (2, ?)", (WORD,))
        connection.execute("INSERT INTO note (note) VALUES ('optimize')")
        connection.execute("VACUUM")
    kept = kept_in([WORD], [WORD[:8] + "aaaa"])
    assert {hit.where for hit in scan([tmp_path], [WORD], kept=kept).hits} == {"vocabulary"}


@pytest.mark.parametrize("canary", [c for c in ALL if c.name != "emoji"], ids=lambda c: c.name)
def test_our_own_index_holds_no_word_that_is_not_found(tmp_path: Path, canary: Canary) -> None:
    from memoranda.store.index import FtsIndex, Unit  # noqa: PLC0415
    from memoranda.text.analyse import content_counts  # noqa: PLC0415

    index = FtsIndex(tmp_path / "index.db", scope_id="s", busy_seconds=1)
    index.add([Unit(1, canary.text, None)])
    assert any(hit.where == "vocabulary" for hit in leaks(tmp_path, canaries=[canary]))
    index.delete([Unit(1, canary.text, None)])
    assert all(hit.where == "content" for hit in leaks(tmp_path, canaries=[canary]))
    index.postings.put("d1", None, content_counts([canary.text]))
    assert any(hit.where == "vocabulary" for hit in leaks(tmp_path, canaries=[canary]))
    index.close()


def test_leftovers_tell_where_gone_rows_may_lie(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    assert leftovers(path) == leftovers(tmp_path / "nowhere.db")
    with closing(database(path, wal=True, secure=True)) as connection:
        connection.execute("CREATE TABLE note (text)")
        connection.execute("CREATE VIRTUAL TABLE idx USING fts5(text)")
        for number in range(200):
            connection.execute("INSERT INTO note VALUES (?)", (WORD * 50,))
            connection.execute("INSERT INTO idx (rowid, text) VALUES (?, ?)", (number, WORD))
        connection.execute("DELETE FROM note")
        connection.execute("DELETE FROM idx WHERE rowid = 1")
        found = leftovers(path)
        assert found.free_pages > 0
        assert found.wal_bytes == (tmp_path / "a.db-wal").stat().st_size
        assert found.index_segments > 0
        connection.execute("INSERT INTO idx (idx) VALUES ('optimize')")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        found = leftovers(path)
    assert (found.free_pages, found.wal_bytes, found.index_segments) == (0, 0, 0)


# What is read, and what is not


def everything(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    return {
        path.relative_to(folder).as_posix(): (
            path.stat().st_mtime_ns,
            path.stat().st_ino,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


def test_a_scan_changes_nothing(tmp_path: Path) -> None:
    with closing(database(tmp_path / "a.db", wal=True)) as connection:
        connection.execute("CREATE VIRTUAL TABLE idx USING fts5(text)")
        connection.execute("INSERT INTO idx VALUES (?)", (WORD,))
        (tmp_path / "a.db-shm").unlink()
        before = everything(tmp_path)
        assert leaks(tmp_path, canaries=[PLAIN])
        assert everything(tmp_path) == before


def test_temporaries_and_conflict_copies_are_searched(tmp_path: Path) -> None:
    names = (
        f".memoranda-{'0' * 32}.tmp",
        "conflicts/a-d1.md",
        ".hidden/x~",
        "a.sync-conflict-1.md",
    )
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(PLAIN.text, "utf-8")
    assert {hit.file for hit in leaks(tmp_path, canaries=[PLAIN])} == set(names)


@pytest.mark.skipif(os.name != "posix", reason="makes folders relative to an open one")
def test_a_tree_too_deep_to_be_walked_is_named_and_no_fault(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("in", dir_fd=folder)
        inner = os.open("in", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    (tmp_path / "last.txt").write_text(PLAIN.text, "utf-8")
    try:
        found = scan([tmp_path], [PLAIN.text])
    finally:
        subprocess.run(["rm", "-r", tmp_path / "in"], check=True)  # the library can't
    assert [line.rpartition(": ")[2] for line in found.unread] == ["it lies too deep"]
    assert {hit.file for hit in found.hits} == {"last.txt"}


def test_no_link_is_followed_and_each_is_named(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.md").write_text(PLAIN.text, "utf-8")
    root = tmp_path / "root"
    root.mkdir()
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "file").symlink_to(tmp_path / "outside" / "a.md")
    found = scan([root], [PLAIN.text])
    assert (found.hits, found.links, found.files) == ((), ("file", "folder"), 0)
    assert found.unread == ()


class Failing(Disk):
    """A disk on which one file or folder can't be opened, or not be read beyond some parts."""

    def __init__(self, name: str, *, after: int | None = None) -> None:
        super().__init__()
        self._name = name
        self._after = after
        self._reads: dict[int, int] = {}

    def enter(self, folder: Handle | None, name: str) -> Handle:
        if name == self._name:
            raise PermissionError(13, "Permission denied")
        return super().enter(folder, name)

    def open_file(self, folder: Handle, name: str, flags: int) -> int:
        if name == self._name and self._after is None:
            raise PermissionError(13, "Permission denied")
        fd = super().open_file(folder, name, flags)
        self._reads.pop(fd, None)
        if name == self._name:
            self._reads[fd] = 0
        return fd

    def read(self, fd: int, size: int) -> bytes:
        if fd in self._reads:
            self._reads[fd] += 1
            if self._reads[fd] > (self._after or 0):
                raise OSError(5, "Input/output error")
        return super().read(fd, size)


def test_what_cannot_be_read_is_named_and_the_rest_is_searched(tmp_path: Path) -> None:
    for name in ("a", "b", "c/d"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(PLAIN.text, "utf-8")
    for name, after, unread in (
        ("a", None, "a: Permission denied"),
        ("a", 0, "a: Input/output error"),
        ("c", None, "c: Permission denied"),
    ):
        found = scan([tmp_path], [PLAIN.text], disk=Failing(name, after=after))
        assert found.unread == (unread,)
        assert {hit.file for hit in found.hits} == {"a", "b", "c/d"} - {name, f"{name}/d"}


def test_what_was_read_before_a_fault_is_told_of_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(PLAIN.text.encode() + b"." * (2 * PART))
    (tmp_path / "b").write_bytes(b"." * (2 * PART))
    found = scan([tmp_path], [PLAIN.text], disk=Failing("a", after=1))
    assert [(hit.file, hit.count) for hit in found.hits] == [("a", 1)]
    assert found.unread == ("a: Input/output error",)


def test_what_goes_while_it_is_searched_is_gone(tmp_path: Path) -> None:
    class Going(Disk):
        def open_file(self, folder: Handle, name: str, flags: int) -> int:
            (tmp_path / "b").unlink(missing_ok=True)
            shutil.rmtree(tmp_path / "c", ignore_errors=True)
            return super().open_file(folder, name, flags)

    for name in ("a", "b", "c/d"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(PLAIN.text, "utf-8")
    found = scan([tmp_path], [PLAIN.text], disk=Going())
    assert ({hit.file for hit in found.hits}, found.unread) == ({"a"}, ())


def test_a_root_that_is_missing_is_not_taken_for_clean(tmp_path: Path) -> None:
    assert scan([tmp_path / "x"], [PLAIN.text]).unread == ("x: No such file or directory",)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (gzip.compress(b"a" * 100_000)[:-20], "ends too early"),
        (zipped(b"a" * 1000)[:-30], "not a zip file"),
        (b"\x1f\x8b\x08\x00 no gzip at all", "invalid"),
    ],
    ids=["cut gzip", "cut zip", "no gzip"],
)
def test_a_damaged_package_is_named(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "a").write_bytes(data)
    (unread,) = scan([tmp_path], [PLAIN.text]).unread
    assert unread.startswith("a")
    assert reason in unread


@pytest.mark.parametrize("text", ["x^2 + y^2 is the square of a distance", "x\x01 is odd"])
def test_a_text_that_begins_like_a_package_is_a_text(tmp_path: Path, text: str) -> None:
    (tmp_path / "a").write_text(f"{text} {PLAIN.text}", "utf-8")
    found = scan([tmp_path], [PLAIN.text])
    assert found.unread == ()
    assert [hit.file for hit in found.hits] == ["a"]


def test_a_package_that_would_fill_the_disk_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoranda.store.unpack.LIMIT", 1_000_000)
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"\0" * 20_000_000))
    found = scan([tmp_path], [PLAIN.text])
    assert found.unread == ("a.gz: it unpacks to more than 1000000 bytes",)
    assert found.bytes < 4_000_000


def test_a_damaged_index_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(database(path)) as connection:
        connection.execute("CREATE VIRTUAL TABLE idx USING fts5(text)")
        connection.execute("INSERT INTO idx VALUES (?)", (WORD,))
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    (unread,) = scan([tmp_path], [PLAIN.text]).unread
    assert unread.startswith("a.db: its index can't be read: ")


def test_a_file_below_two_roots_is_searched_once(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_text(PLAIN.text, "utf-8")
    found = scan([tmp_path / "a", tmp_path, tmp_path / "a" / "b"], [PLAIN.text])
    assert (found.files, [(hit.file, hit.count) for hit in found.hits]) == (1, [("a/b", 1)])


def test_a_file_may_be_a_root(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(PLAIN.text, "utf-8")
    assert [hit.file for hit in scan([tmp_path / "a"], [PLAIN.text]).hits] == ["a"]


# Pieces


def test_the_longest_piece_that_stands_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(f"{PLAIN.text} {WORD} {WORD[3:]}", "utf-8")
    hits = scan([tmp_path], [PLAIN.text]).hits
    assert sorted(hit.piece for hit in hits) == sorted([PLAIN.text[:59] + "…", WORD, WORD[3:11]])


def test_whole_lines_only_are_looked_for_if_asked(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(f"{WORD} and {PLAIN.text[:-1]}", "utf-8")
    assert scan([tmp_path], [PLAIN.text], whole=True).hits == ()
    (tmp_path / "a").write_bytes(PLAIN.text.encode("utf-16be"))
    assert [hit.form for hit in scan([tmp_path], [PLAIN.text], whole=True).hits] == ["utf-16be"]


def test_the_index_terms_of_a_whole_line_are_a_form_of_it(tmp_path: Path) -> None:
    text = "The families are happy with all deployments."
    (tmp_path / "a").write_text(" ".join(terms(text)), "utf-8")
    (hit,) = scan([tmp_path], [text], whole=True).hits
    assert (hit.form, hit.piece) == ("index terms", text)


def test_a_line_without_long_words_is_found_by_three_in_a_row(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("They say the pin is 4711 now.", "utf-8")
    hits = scan([tmp_path], ["My pin is 4711 at Bo's."]).hits
    assert [hit.piece for hit in hits] == ["pin is 4711"]


def test_what_is_too_short_is_told(tmp_path: Path) -> None:
    found = scan([tmp_path], ["yes\n\nno, sure", "the long line is looked for"])
    assert found.not_searched == ("yes",)
    assert scan([tmp_path], ["ok"]).forms == ()


def test_what_stays_is_no_leak(tmp_path: Path) -> None:
    gone = "Ines was unhappy with the configurations of the turbine."
    stays = ["CONFIGURATION of the pumps", "Ines is an unhappiness expert", "涡轮机的配置"]
    (tmp_path / "a").write_text("\n".join(stays), "utf-8")
    kept = kept_in([gone], stays)
    assert scan([tmp_path], [gone]).hits
    assert scan([tmp_path], [gone], kept=kept).hits == ()
    (tmp_path / "b").write_text("the configurations", "utf-8")
    assert [h.file for h in scan([tmp_path], [gone], kept=kept).hits] == ["b"]
