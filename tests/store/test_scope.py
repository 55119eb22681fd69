"""Claims about scopes: their names, their folders, and where the data folder is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import memoranda.store.scope
from memoranda.errors import InputError, ScopeNameError, UnsafePathError
from memoranda.store.files import Files
from memoranda.store.scope import (
    DATABASE,
    MAX_FOLDER_NAME,
    Found,
    Scope,
    check_project,
    data_root,
    decode,
    encode,
    folder,
    scopes,
)

REFUSED = {
    "": "empty",
    ".": "only dots",
    "..": "only dots",
    " anna": "space",
    "anna\u3000": "space",
    "a/b": "slash",
    "a\\b": "slash",
    "a\0b": "control",
    "a\nb": "control",
    "a\x85b": "control",
    "a\u202eb": "hidden",
    "\ufeffanna": "hidden",
    "a\u200bb": "hidden",
    "a\ud800": "Unicode",
    "a" * 257: "256",
    "茶" * 100_000: "256",
}


@pytest.mark.parametrize(("name", "reason"), REFUSED.items(), ids=ascii)
def test_a_name_that_can_do_harm_is_refused_with_its_kind_and_reason(
    name: str, reason: str
) -> None:
    with pytest.raises(ScopeNameError, match=rf"^user name .*{reason}"):
        Scope(name)
    with pytest.raises(ScopeNameError, match=r"^workspace name"):
        Scope("anna", name)
    with pytest.raises(ScopeNameError, match=r"^project name"):
        check_project(name)


def test_a_folder_name_is_plain_and_tells_case_and_script_apart() -> None:
    pairs = {
        "anna@example.org": "anna@example.org",
        "Anna": "%41nna",
        "张伟": "%e5%bc%a0%e4%bc%9f",
        "a b%c": "a%20b%25c",
        "_": "%5f",
        "__": "__",
        "-rf": "%2drf",
        ".hidden": "%2ehidden",
        "a.b.": "a.b%2e",
        "...": "%2e.%2e",
        "con": "%63on",
        "nul.txt": "%6eul.txt",
        "console": "console",
    }
    assert {name: encode(name) for name in pairs} == pairs
    assert [decode(name) for name in pairs.values()] == list(pairs)


def test_what_encode_did_not_make_is_not_decoded() -> None:
    strange = ["Anna", "%4A", "%61nna", "a%2", "%ff", "_", "..", "", "a.", "con", "%2fa", "茶"]
    assert [decode(name) for name in strange] == [None] * len(strange)


def test_a_long_name_ends_in_a_hash_and_stays_apart_from_its_neighbours() -> None:
    longest = "客户" * 128
    made = [encode(longest), encode(longest[:-1]), encode(longest[:-1] + "A"), encode("b" * 256)]
    assert len(set(made)) == 4
    assert {len(name) <= MAX_FOLDER_NAME for name in made} == {True}
    assert [decode(name) for name in made] == [None] * 4
    assert decode(encode("b" * MAX_FOLDER_NAME)) == "b" * MAX_FOLDER_NAME


def test_a_name_that_looks_like_a_hashed_one_does_not_meet_it() -> None:
    hashed = encode("B" * 200)
    assert encode(hashed) != hashed


def test_equal_names_in_two_normal_forms_are_one_scope() -> None:
    assert Scope("José", "Café") == Scope("José", "Café")
    assert check_project("Café") == "Café"


def test_a_scope_has_a_folder_below_its_user() -> None:
    root = Path("/data")
    assert folder(root, Scope("anna")) == Path("/data/users/anna/_")
    assert folder(root, Scope("anna", "_")) == Path("/data/users/anna/%5f")
    assert folder(root, Scope("张伟", "计费")).parts[-1] == "%e8%ae%a1%e8%b4%b9"


def test_scopes_are_the_folders_with_a_database_in_them(tmp_path: Path) -> None:
    files = Files(tmp_path)
    assert scopes(files) == ()
    long = Scope("anna", "客户" * 100)
    wanted = [Scope("anna"), Scope("anna", "Büro"), Scope("张伟", "计费"), long]
    for scope in wanted:
        files.make_folder(folder(tmp_path, scope))
        files.write(folder(tmp_path, scope) / DATABASE, b"")
    files.make_folder(folder(tmp_path, Scope("nobody")))
    files.make_folder(Path("users/Foreign/_"))
    files.write(Path("users/Foreign/_") / DATABASE, b"")
    files.write(Path("users/note.txt"), b"")
    found = {item.folder: item.scope for item in scopes(files)}
    assert found == {
        folder(files.root, scope): None if scope is long else scope for scope in wanted
    }
    assert list(found) == sorted(found)


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_linked_scope_is_not_listed_and_a_linked_users_folder_is_refused(tmp_path: Path) -> None:
    real = Files(tmp_path / "one")
    real.make_folder(Path("users/anna/_"))
    real.write(Path("users/anna/_") / DATABASE, b"")
    files = Files(tmp_path / "two")
    files.make_folder(Path("users"))
    (tmp_path / "two/users/anna").symlink_to(tmp_path / "one/users/anna")
    assert scopes(files) == ()
    (tmp_path / "three").mkdir()
    (tmp_path / "three/users").symlink_to(tmp_path / "one/users")
    with pytest.raises(UnsafePathError):
        scopes(Files(tmp_path / "three"))
    assert scopes(real) == (Found(tmp_path / "one/users/anna/_", Scope("anna")),)


# --- the data folder ---


def test_the_given_root_wins_over_the_environment_and_that_over_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    environ = {"MEMORANDA_ROOT": "from-environ"}
    assert data_root("sub/../given", environ) == tmp_path.resolve() / "given"
    assert data_root(None, environ) == tmp_path.resolve() / "from-environ"
    default = data_root(None, {})
    assert default.is_absolute()
    assert default.name == "memoranda"
    assert data_root(None, {"MEMORANDA_ROOT": ""}) == default
    assert list(tmp_path.iterdir()) == []


def test_a_tilde_is_the_home_folder_and_never_a_folder_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert data_root("~/notes", {}) == tmp_path.resolve() / "notes"
    with pytest.raises(InputError, match="no such home"):
        data_root("~nobody-of-that-name/notes", {})


@pytest.mark.parametrize("text", ["", "  ", "a\0b"])
def test_a_root_that_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="give the path of a folder"):
        data_root(text, {})


def test_a_root_inside_an_installed_package_is_refused(tmp_path: Path) -> None:
    package = Path(memoranda.store.scope.__file__).parents[1]
    inside = [package, package / "store/data", tmp_path / "lib/site-packages/memoranda/data"]
    for path in inside:
        with pytest.raises(InputError, match="upgrade would delete it"):
            data_root(None, {"MEMORANDA_ROOT": str(path)})
    assert data_root(str(package.parent / "data"), {}) == package.parent.resolve() / "data"
