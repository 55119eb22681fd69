"""One look at a folder: what killed runs left is gone, the rest is seen as a look at each sees it."""

from __future__ import annotations

from pathlib import Path

from memoranda.store.files import Files


def test_one_look_sees_what_a_look_at_each_file_sees(tmp_path: Path) -> None:
    files = Files(tmp_path)
    for name in ("b.md", "a.md", "第一.md"):
        files.write(tmp_path / name, name.encode())
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    seen = files.tidy(tmp_path)
    assert list(seen) == ["a.md", "b.md", "第一.md"]
    assert seen == {name: files.stat(tmp_path / name) for name in seen}


def test_the_look_takes_away_what_a_killed_run_left(tmp_path: Path) -> None:
    files = Files(tmp_path)
    left = tmp_path / f".memoranda-{'0a' * 16}.tmp"
    left.write_bytes(b"half")
    (tmp_path / ".hidden").write_bytes(b"not ours")
    assert list(files.tidy(tmp_path)) == [".hidden"]
    assert not left.exists()


def test_a_missing_folder_holds_nothing(tmp_path: Path) -> None:
    assert files_of(tmp_path / "none") == {}


def files_of(folder: Path) -> dict[str, object]:
    return dict(Files(folder.parent).tidy(folder))
