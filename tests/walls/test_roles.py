"""Roles: each operation names what it needs, asks for it first, and says so where it is refused."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from memoranda import Memory, Settings
from memoranda.errors import NotAllowedError
from memoranda.memory.clearance import NEEDS, ROLES

OUTSIDE = {"open", "close", "salvage"}
"""What is no operation of an opened memory."""
PAGE = Path(__file__).parents[2] / "docs" / "permissions.md"


def operations() -> list[str]:
    return [
        name
        for name, _ in inspect.getmembers(Memory, callable)
        if not name.startswith("_") and name not in OUTSIDE
    ]


def test_every_operation_says_what_it_needs() -> None:
    assert sorted(NEEDS) == operations()


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_every_operation_asks_before_it_works(name: str) -> None:
    found = [kind.__dict__[name] for kind in Memory.__mro__ if name in kind.__dict__]
    assert any(f'self._may("{name}")' in inspect.getsource(work) for work in found)


def call(memory: Memory, name: str) -> object:
    """Call an operation with something in each place that must be filled."""
    work = getattr(memory, name)
    needed = [
        1 if "int" in str(parameter.annotation) else "x"
        for parameter in inspect.signature(work).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    return work(*needed)


@pytest.mark.parametrize("role", ["reader", "writer", "maintainer"])
def test_a_role_is_refused_all_that_needs_a_higher_one(root: Path, role: str) -> None:
    refused = {n for n, need in NEEDS.items() if ROLES.index(need.role) > ROLES.index(role)}
    with Memory.open(root, role=role, settings=Settings(auto=False)) as memory:
        for name in sorted(refused):
            with pytest.raises(
                NotAllowedError, match=rf"^{name} is not allowed here: it needs the role"
            ):
                call(memory, name)
    assert refused


@pytest.mark.parametrize("name", sorted(name for name, need in NEEDS.items() if need.all))
def test_what_spans_the_scope_is_refused_to_a_limited_handle(root: Path, name: str) -> None:
    with (
        Memory.open(root, clearance="internal", settings=Settings(auto=False)) as memory,
        pytest.raises(NotAllowedError, match="this one is limited"),
    ):
        call(memory, name)


def test_the_page_on_permissions_has_the_same_table() -> None:
    rows = {
        line.split("|")[1].strip(" `"): line.split("|")[2].strip()
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `") and line.split("|")[1].strip(" `") in NEEDS
    }
    told = {
        name: f"{need.role}, sees all" if need.all else need.role for name, need in NEEDS.items()
    }
    assert rows == told
