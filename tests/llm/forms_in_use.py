"""A small closed language of operations, as the tests of the models use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from memoranda.llm.forms import Form
from memoranda.llm.kinds import Alias, Each, Says, Text, Within
from memoranda.llm.model import Message, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """Keep entries as they are."""

    op: Literal["keep"] = "keep"
    entries: Annotated[tuple[str, ...], Alias("entry"), Each(least=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Make one line of several."""

    op: Literal["merge"] = "merge"
    entries: Annotated[tuple[str, ...], Alias("entry"), Each(least=2, most=6)]
    text: Annotated[str, Text(most=120), Says("The merged line")]
    key: Annotated[str | None, Alias("key")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a block goes."""

    document: Annotated[str, Alias("document")]
    line: Annotated[int, Within(1, 40)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A whole reply."""

    operations: Annotated[tuple[Keep | Merge, ...], Each(most=8), Says("What to do, in order")]
    place: Place | None = None
    mood: Literal["sure", "unsure"] = "sure"
    done: bool = True


FORM = Form(Draft)
OFFERED = {"entry": ["e1", "e2", "e3"], "key": ["k1"], "document": ["d1", "d2"]}
RIGHT: dict[str, Any] = {
    "operations": [
        {"op": "keep", "entries": ["e1"]},
        {"op": "merge", "entries": ["e2", "e3"], "text": "渡轮周二停开。", "key": "k1"},
    ],
    "place": {"document": "d2", "line": 3},
    "mood": "unsure",
    "done": False,
}
WANTED = Draft(
    operations=(
        Keep(entries=("e1",)),
        Merge(entries=("e2", "e3"), text="渡轮周二停开。", key="k1"),
    ),
    place=Place(document="d2", line=3),
    mood="unsure",
    done=False,
)


def request(text: str = "What changed? 有什么变化？", **more: Any) -> Request:
    """Make a request of two turns."""
    turns = (Message(role="system", content="Be brief."), Message(role="user", content=text))
    return Request(messages=turns, **{"timeout": 5.0, **more})
