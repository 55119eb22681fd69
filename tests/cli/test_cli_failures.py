"""Each kind of error has one exit code and one sentence."""

from __future__ import annotations

import click
import pytest

from memoranda import errors
from memoranda.cli.failures import code_of, sentence


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.InputError("x"), 2),
        (errors.TextError("text", "x"), 2),
        (errors.TimeError("noon", "x"), 2),
        (errors.ScopeNameError("user", "..", "x"), 2),
        (errors.NotFoundError("entry", 9), 3),
        (errors.StoreError("x"), 1),
        (errors.BusyError("x", 30), 1),
        (errors.StalePlanError("d1", 1, 2), 1),
        (click.UsageError("x"), 2),
        (click.Abort(), 130),
        (BrokenPipeError(), 141),
        (PermissionError(13, "Permission denied", "/x"), 1),
    ],
)
def test_the_table_gives_the_code(error: BaseException, code: int) -> None:
    assert code_of(error) == code


def test_every_error_of_the_tree_has_a_code() -> None:
    kinds = [k for k in vars(errors).values() if isinstance(k, type) and issubclass(k, Exception)]
    assert len(kinds) > 10
    for kind in kinds:
        assert code_of(kind.__new__(kind)) in {1, 2, 3, 4}


def test_a_sentence_is_one_line_and_can_not_steer_a_terminal() -> None:
    error = errors.NotFoundError("document", "tea", near=("Tea\n\x1b[2J",))
    assert sentence(error) == r"no document 'tea' in this scope; near names: Tea\n\u{1b}[2J"


def test_an_error_of_the_system_names_the_file() -> None:
    assert sentence(PermissionError(13, "Permission denied", "/x/y")) == "/x/y: Permission denied"


def test_a_closed_pipe_is_quiet() -> None:
    assert sentence(BrokenPipeError(32, "Broken pipe")) == ""
