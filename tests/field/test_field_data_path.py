"""Field cases: where the data lies is said, kept, and never inside what an upgrade deletes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from processes import asked, bytes_below, environment, installed, ok, python, run

from memoranda import Memory, errors

FIVE = b"".join(
    b'{"content": "The %s is in the shed."}\n' % name
    for name in (b"rain barrel", b"oak stave", b"iron hoop", b"linen rope", b"tar pot")
)
OPENING = """
import sys, memoranda
for path in sys.argv[1:]:
    try:
        memoranda.Memory.open(path)
    except memoranda.errors.InputError as error:
        print(error)
"""


def test_data_outlives_the_installed_package_and_its_cache(root: Path) -> None:  # fc-005
    work = root / "work"
    work.mkdir(parents=True)
    first = installed(root / "cache" / "first")
    ok("data", "import", "-", given=FIVE, source=first, cwd=work)
    told = str(work / "data")
    shutil.rmtree(root / "cache")
    second = installed(root / "cache" / "second")
    status = asked("data", "status", source=second, cwd=work)
    assert (status["root"], status["events"]) == (told, 5)
    assert [path.name for path in root.rglob("memory.db")] == ["memory.db"]


def test_the_path_is_printed_absolute_at_the_start_and_by_status(root: Path) -> None:  # fc-005
    elsewhere = root / "elsewhere"
    elsewhere.mkdir(parents=True)
    made = ok("here", "init", cwd=root).decode()
    assert str(root / "here" / "users" / "default") in made
    shown = ok("../here", "status", cwd=elsewhere).decode()
    assert str(root / "here" / "users" / "default") in shown
    flag = asked("unused", "status", "--root", "other", cwd=elsewhere)
    assert flag["root"] == str(elsewhere / "other")
    assert not (elsewhere / "unused").exists()


def test_a_path_inside_the_installed_package_is_refused(root: Path) -> None:  # fc-005
    package = installed(root / "cache")
    before = bytes_below(package)
    inside = [package / "memoranda" / name for name in ("", "data", "store/../data")]
    said = python(OPENING, *inside, paths=(package,), PYTHONDONTWRITEBYTECODE="1").decode()
    assert said.count("lies inside an installed package") == 3
    assert bytes_below(package) == before


@pytest.mark.parametrize("packages", ["site-packages", "dist-packages"])
def test_a_path_among_installed_packages_is_refused_by_every_surface(
    root: Path, packages: str
) -> None:  # fc-005
    place = root / "env" / "lib" / packages
    place.mkdir(parents=True)
    for given in (place, place / "memory"):
        with pytest.raises(errors.InputError, match="inside an installed package"):
            Memory.open(given)
    done = run("data", "add", "Tar pot.", cwd=place)
    assert done.returncode == 2
    assert b"choose another with --root or MEMORANDA_ROOT" in done.stderr
    assert list(place.iterdir()) == []


def test_without_a_path_the_home_of_the_user_decides_wherever_the_process_runs(
    root: Path,
) -> None:  # fc-005
    root.mkdir()
    code = "import memoranda; print(memoranda.Memory.open().status().root)"
    env = environment(HOME=str(root), XDG_DATA_HOME=str(root / "share"))
    assert "MEMORANDA_ROOT" not in env
    told = python(code, HOME=str(root), XDG_DATA_HOME=str(root / "share")).decode().strip()
    assert told == str(root / "share" / "memoranda")
    assert Path(told).is_dir()
