"""The house's rule on files: one module makes the calls, and no other knows how."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "memoranda"
FILE_LAYER = "store/disk.py"
ALLOWED = {  # module -> what it may do besides
    "cli/streams.py": {"os.open", "os.dup2", "os.O_WRONLY"},  # a closed pipe becomes /dev/null
    "llm/command.py": {"os.killpg"},  # ends a program with all it started
    "store/locks.py": {"import filelock"},
    "store/archive.py": {"import zipfile", ".open()"},  # to bytes in memory
    "store/archived.py": {"import zipfile"},  # of an open stream
    "store/connection.py": {"sqlite3.connect"},
    "store/past.py": {"sqlite3.connect"},  # in memory, the log attached
    "store/wreck.py": {"sqlite3.connect"},  # in memory
    "store/image.py": {"sqlite3.connect"},  # in memory, or read-only and immutable
    "store/unpack.py": {"import zipfile"},  # of bytes in memory
    "config.py": {".stat()", ".open()"},  # files of settings, outside of any memory
    "store/githistory.py": {".exists()", ".is_dir()", ".iterdir()", ".unlink()"},  # git's own folder
    "store/wiping.py": {"import shutil", ".rename()"},  # a user's whole folder, never through a link
    "memory/shade.py": {"import tempfile"},  # a memory to compare with, outside the data root
    "rest/archives.py": {"import tempfile", ".open()"},  # what goes over the wire, outside the root
    "rest/client.py": {".exists()", ".open()"},  # files of the caller, on another machine
    "write/replay.py": {".exists()", ".is_dir()", ".iterdir()"},  # is a folder free to write to?
    "store/held.py": {  # a part of the file layer: which descriptors may be closed
        "os.close", "os.SEEK_SET", "os.lseek", "os.fstat", "os.stat",
    },
}  # fmt: skip
OUTSIDE = {"install/installing.py", "gate/kept.py"}
"""Modules about files that are no memory's: a host's configuration, the tokens of a server."""
BANNED_IMPORTS = re.compile(
    "shutil|tempfile|glob|fileinput|mmap|fcntl|msvcrt|filelock|linecache"
    "|zipfile|tarfile|gzip|bz2|lzma|dbm|shelve"
)
HARMLESS_OS = re.compile(
    "environ|getenv|getpid|cpu_count|urandom|fspath|PathLike|stat_result|isatty|name|path"
    "|linesep|sep|altsep|pathsep|get_terminal_size|devnull|fsencode|fsdecode|strerror|error"
)
HARMLESS_OS_PATH = re.compile(
    "join|basename|dirname|normpath|normcase|split|splitext|splitdrive|isabs|commonpath|sep"
)
BANNED_CALLS = {
    "io": {"open", "open_code", "FileIO"},
    "codecs": {"open"},
    "click": {"open_file", "File", "edit"},
    "sqlite3": {"connect"},
}
PATH_METHODS = (  # with the most plain arguments they take: `files.stat(path)` is another's
    (0, "unlink rmdir stat lstat exists is_file is_dir is_symlink is_mount iterdir readlink walk"),
    (0, "read_bytes"),
    (1, "rename replace symlink_to hardlink_to samefile chmod glob rglob write_bytes mkdir touch"),
    (9, "read_text write_text"),
)
MOST_ARGUMENTS = {name: most for most, names in PATH_METHODS for name in names.split()}


class Finder(ast.NodeVisitor):
    """Collects what a module does to files, each as `line: what`."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []
        self.imported: dict[str, str] = {}

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.imported[alias.asname or alias.name.split(".")[0]] = (
                alias.name if alias.asname else alias.name.split(".")[0]
            )
            self._ban_import(node, alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        self._ban_import(node, module)
        for alias in node.names:
            self.imported[alias.asname or alias.name] = f"{module}.{alias.name}"
            self._judge(node, module, alias.name)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._judge(node, self._module(node.value), node.attr)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Name(id="open") if "open" not in self.imported:
                self._add(node, "open()")
            case ast.Attribute(value=value, attr=attr):
                if self._is_file_method(node, attr) and not self._is_no_path(value):
                    self._add(node, f".{attr}()")
        self.generic_visit(node)

    def _is_file_method(self, node: ast.Call, attr: str) -> bool:
        values = [item.value for item in node.args if isinstance(item, ast.Constant)]
        keywords = {keyword.arg for keyword in node.keywords}
        if attr == "open":
            mode = any(re.fullmatch("[rwxabt+]{1,4}", str(value)) for value in values)
            return mode or bool(keywords & {"mode", "encoding"}) or not self._is_named(node.func)
        if attr == "replace" and keywords:
            return False
        return len(node.args) <= MOST_ARGUMENTS.get(attr, -1)

    def _is_named(self, node: ast.expr) -> bool:
        """Say that a method's receiver is a plain name or attribute, so maybe no Path."""
        return isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute))

    def _module(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return self.imported.get(name, "")
            case ast.Attribute(value=value, attr=attr):
                inner = self._module(value)
                return f"{inner}.{attr}" if inner else ""
        return ""

    def _is_no_path(self, node: ast.expr) -> bool:
        """Say that a receiver is a module, a class or our own package's text."""
        match node:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name)):
                return self.imported.get(name, "pathlib").partition(".")[0] != "pathlib"
            case ast.Call(func=func) if self._module(func) == "importlib.resources.files":
                return True
            case ast.BinOp(left=left) | ast.Call(func=ast.Attribute(value=left)):
                return isinstance(left, ast.Call | ast.BinOp) and self._is_no_path(left)
        return False

    def _ban_import(self, node: ast.AST, module: str) -> None:
        top, _, _ = module.partition(".")
        if BANNED_IMPORTS.fullmatch(top):
            self._add(node, f"import {top}")

    def _judge(self, node: ast.AST, module: str, name: str) -> None:
        if (
            (module == "os" and not HARMLESS_OS.fullmatch(name))
            or (module in {"os.path", "posixpath"} and not HARMLESS_OS_PATH.fullmatch(name))
            or name in BANNED_CALLS.get(module, ())
        ):
            self._add(node, f"{module}.{name}")

    def _add(self, node: ast.AST, what: str) -> None:
        self.found.append((getattr(node, "lineno", 0), what))


def uses(text: str) -> list[str]:
    finder = Finder()
    finder.visit(ast.parse(text))
    return [what for _, what in sorted(set(finder.found))]


def test_only_the_file_layer_touches_files() -> None:
    modules = sorted(SOURCE.rglob("*.py"))
    assert SOURCE / FILE_LAYER in modules
    wrong = {}
    for path in modules:
        name = path.relative_to(SOURCE).as_posix()
        found = uses(path.read_text(encoding="utf-8"))
        rest = [what for what in found if what not in ALLOWED.get(name, set())]
        if rest and name != FILE_LAYER and name not in OUTSIDE:
            wrong[name] = rest
    assert wrong == {}


def test_the_scan_sees_what_the_file_layer_does() -> None:
    found = uses((SOURCE / FILE_LAYER).read_text(encoding="utf-8"))
    assert {"os.open", "os.replace", "os.unlink", "os.mkdir", ".read_text()"} <= set(found)


CAUGHT = {
    "open('a')": ["open()"],
    "import os\nos.remove('a')": ["os.remove"],
    "import os as system\nsystem.replace('a', 'b')": ["os.replace"],
    "from os import unlink": ["os.unlink"],
    "import os\nf = os.open": ["os.open"],
    "import os\nos.path.exists('a')": ["os.path.exists"],
    "import os.path\nos.path.isfile('a')": ["os.path.isfile"],
    "from os.path import exists": ["os.path.exists"],
    "import shutil\nshutil.rmtree('a')": ["import shutil"],
    "from tempfile import mkstemp": ["import tempfile"],
    "import io\nio.open('a')": ["io.open"],
    "import sqlite3\nsqlite3.connect('a')": ["sqlite3.connect"],
    "from sqlite3 import connect": ["sqlite3.connect"],
    "from pathlib import Path\nPath('a').write_text('b')": [".write_text()"],
    "(root / 'a').unlink()": [".unlink()"],
    "path.rename(other)": [".rename()"],
    "path.replace(other)": [".replace()"],
    "path.open('w')": [".open()"],
    "for item in folder.iterdir(): pass": [".iterdir()"],
    "def f():\n    if path.exists(): path.mkdir()": [".exists()", ".mkdir()"],
    "from filelock import FileLock": ["import filelock"],
    "from pathlib import Path\nPath.unlink()": [".unlink()"],
    "path.open(encoding='utf-8')": [".open()"],
    "(root / 'a').open()": [".open()"],
    "from click import open_file": ["click.open_file"],
}


@pytest.mark.parametrize(("text", "found"), CAUGHT.items())
def test_a_way_around_the_file_layer_is_found(text: str, found: list[str]) -> None:
    assert uses(text) == found


FREE = """
import ast, os, sqlite3, dataclasses
import importlib.resources
from importlib.resources import files as package
from memoranda.memory import Memory
from memoranda.store import log
text.replace("a", "b")
dataclasses.replace(entry)
when.replace(tzinfo=None)
os.environ.get("A"); os.getpid(); os.path.join("a", "b")
files.read(path); self.files.stat(path); self._shelf.rename(old, new); disk.mkdir(folder, name)
place.open(); self.place.open(); found.group()
Memory.open(root); log.open(root); cls.open(root)
ast.walk(tree)
importlib.resources.files("memoranda").joinpath("words.txt")
(package("memoranda") / "text" / "words.txt").read_text(encoding="utf-8")
raise sqlite3.OperationalError
"""


def test_what_touches_no_file_is_free() -> None:
    assert uses(FREE) == []
