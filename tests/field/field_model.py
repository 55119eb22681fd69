"""What a model of a field case reads of a request, and models that are programs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from memoranda import Memory
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request

_FENCED = re.compile(r"<<<DATA (\S+) (\S+)\n(.*?)\nDATA \1 \2>>>", re.DOTALL)
_FIELDS = {"go": "route", "join": "rewrite", "facts": "extract", "parts": "split", "merge": "merge"}


class Shown:
    """One request: its step, and the names of what it shows."""

    def __init__(self, request: Request) -> None:
        assert request.schema is not None
        self.step = next(_FIELDS[name] for name in request.schema["properties"] if name in _FIELDS)
        self.data = {name: text for name, _, text in _FENCED.findall(request.messages[1].content)}
        self.again = len(request.messages) > 2
        """It asks for a repair."""

    def of(self, text: str, place: str | None = None) -> str:
        """Give the first name under which a text is shown; "" if it is not."""
        where = "\n".join(self.data.values()) if place is None else self.data.get(place, "")
        found = re.search(rf"^\s*([a-z]{{3,6}})\b[^\n]*: {re.escape(text)}$", where, re.MULTILINE)
        return found[1] if found else ""

    def names(self, place: str) -> list[str]:
        """Give the names of all that stands in a place, in order."""
        mark = "block " if place == "blocks" else ""
        return re.findall(rf"^{mark}([a-z]{{3,6}})\b", self.data[place], re.MULTILINE)


Saying = Callable[[Shown], "str | Mapping[str, Any]"]


def model(**steps: Saying) -> ScriptedModel:
    """Make a model that says something of its own at some steps, and changes nothing at others."""

    def said(request: Request) -> str | Mapping[str, Any]:
        shown = Shown(request)
        return steps[shown.step](shown) if shown.step in steps else {}

    return ScriptedModel(said, name="scripted")


def program(folder: Path, code: str) -> str:
    """Write a program that answers as a model, and name it as the setting `model` does."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "model.py"
    path.write_text(f"import json, re, sys\nasked = sys.stdin.read()\n{code}", encoding="utf-8")
    return f"command:'{sys.executable}' '{path}'"


def left(memory: Memory) -> dict[tuple[str, str], int]:
    """What the last run left to the rules, as status tells it."""
    last = memory.status().last_run
    assert last is not None
    return {(item["step"], item["reason"]): item["times"] for item in last["left_to_rules"]}


def placed(memory: Memory) -> dict[str, int]:
    """The lines of all documents, each with how many events it cites."""
    views = [memory.document(info.document_id) for info in memory.documents()]
    return {
        entry.text: len(set(entry.event_ids))
        for view in views
        for part in view.blocks
        for entry in part.entries
    }
