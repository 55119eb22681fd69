"""Field cases: a password and a key in a note are not stored, wherever the note comes in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from processes import bytes_below

from memoranda.errors import SecretError
from memoranda.store.scan import scan
from scene import QUIET, Place

PASSWORD = "Vq7" + "#tzKw9" + "!mLp2x"
KEY = "ghp_" + "J4kQ9wZt2LmX8vRb" + "5NcY7dFg3HsP1aTe6UoE"
NOTE = (
    f"Deploy note: on Tuesdays we roll out with password={PASSWORD} and the token {KEY} to Brask."
)


def left(root: Path) -> list[str]:
    """Name the files, and names, that hold a piece of either."""
    pieces = [PASSWORD.encode(), KEY.encode(), KEY[:20].encode(), PASSWORD[:9].encode()]
    found = [
        name for name, data in bytes_below(root).items() if any(piece in data for piece in pieces)
    ]
    return found + [hit.file for hit in scan([root], [PASSWORD, KEY]).hits]


def test_redacted_the_note_is_kept_with_marks_and_the_reply_says_so(root: Path) -> None:  # fc-060
    place = Place(root, replace(QUIET, secrets="redact", keep_calls=True))
    with place.open() as memory:
        added = memory.add(NOTE, id="note", metadata={"raw": KEY})
        assert sum(number for _, number in added.secrets) >= 2
        memory.consolidate()
        text = str(memory.get("note"))
        assert "on Tuesdays we roll out" in text
        assert memory.search("deploy Brask").evidence
        memory.ask(f"What is {PASSWORD}?")
        memory.backup()
    assert left(root) == []


@pytest.mark.parametrize("where", ["content", "metadata", "speaker"])
def test_refused_nothing_is_stored(root: Path, where: str) -> None:  # fc-060
    place = Place(root, replace(QUIET, secrets="refuse"))
    given = {
        "content": ((NOTE,), {}),
        "metadata": (("A note.",), {"metadata": {"token": KEY}}),
        "speaker": (("A note.",), {"speaker": KEY}),
    }[where]
    with place.open() as memory:
        with pytest.raises(SecretError) as refused:
            memory.add(*given[0], **given[1])  # type: ignore[arg-type]
        assert KEY not in str(refused.value)
        assert memory.status().events == 0
    assert left(root) == []
