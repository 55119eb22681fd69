"""What a program gives by mistake is refused in words, before anything is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memoranda import Memory, NewEvent
from memoranda.errors import InputError
from scene import Place

LINE = '{"content": "渡轮的泊位是九号码头。", "id": "a1"}'


def test_lines_may_be_text_as_well_as_bytes(root: Path) -> None:
    with Place(root).open() as memory:
        assert memory.import_lines(["\ufeff" + LINE, "{half", '"\ud800"']).added == 1
        again = memory.import_lines([LINE.encode("utf-8")])
        assert (again.added, again.known) == (0, 1)
        assert memory.import_lines(["{half", LINE]).malformed[0][0] == 1


@pytest.mark.parametrize("lines", [LINE, LINE.encode("utf-8"), [{"content": "x"}], [5]])
def test_what_is_no_line_is_refused(root: Path, lines: Any) -> None:
    with Place(root).open() as memory:
        with pytest.raises(InputError, match="line"):
            memory.import_lines(lines)
        assert memory.status().events == 0


@pytest.mark.parametrize("event", [{"content": "x"}, "x", None])
def test_what_is_no_event_is_refused(root: Path, event: Any) -> None:
    with Place(root).open() as memory:
        with pytest.raises(InputError, match="NewEvent"):
            memory.add_many([NewEvent(content="渡轮晚点了。"), event])
        assert memory.status().events == 0


@pytest.mark.parametrize("model", [object(), 5, {"model": "x"}])
def test_what_is_no_model_is_refused_at_opening(root: Path, model: Any) -> None:
    with pytest.raises(InputError, match="model"):
        Memory.open(root, model=model)
    assert not root.exists()
