"""The house style, as far as a machine can hold it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "memoranda"
MODULES = sorted(PACKAGE.rglob("*.py"))


def code_lines(source: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function that are code: no blanks, comments or docstring."""
    lines = source.split("\n")
    told = node.body[0] if ast.get_docstring(node) else None
    skipped = range(told.lineno, (told.end_lineno or 0) + 1) if told else range(0)
    numbers = range(node.lineno, (node.end_lineno or 0) + 1)
    kept = [lines[number - 1].strip() for number in numbers if number not in skipped]
    return sum(1 for line in kept if line and not line.startswith("#"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_is_small_and_says_what_it_is(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    long = {
        node.name: size
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (size := code_lines(source, node)) > 40
    }
    assert long == {}
    assert source.count("\n") <= 400
    assert ast.get_docstring(tree)
