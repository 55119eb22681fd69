"""A model that carries what it is shown into every place where a model may write."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from memoranda.llm.doubles import FaultyModel, ScriptedModel
from memoranda.llm.model import Model, Request

_FENCED = re.compile(r"<<<DATA (\S+) (\S+)\n(.*?)\nDATA \1 \2>>>", re.DOTALL)
_LINE = re.compile(r"^\s*([a-z]{3,6}|-)(?: (.*?))?: (.*)$")
_BLOCK = re.compile(r"block ([a-z]{3,6})")
_STEPS = ("facts", "go", "join", "parts", "merge", "docs")

Line = tuple[str, str]


def quoting(seed: int, *, faults: bool = False) -> Model:
    """Make one; with faults, many replies are spoiled, and quote all the same."""
    model = ScriptedModel(quoted, name="quoting")
    return FaultyModel(model, seed=seed, rate=0.4) if faults else model


def quoted(request: Request) -> str:
    """Answer one request."""
    if request.schema is None:
        return request.messages[-1].content[-400:]
    fields = request.schema["properties"]
    step = next((name for name in _STEPS if name in fields), "")
    said = "\n".join(message.content for message in request.messages)
    data = {name: text for name, _, text in _FENCED.findall(said)}
    return json.dumps(_BY_STEP.get(step, _nothing)(data), ensure_ascii=False)


def _lines(text: str) -> list[Line]:
    found: list[Line] = []
    for line in text.splitlines():
        if found and line.startswith("    "):
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{line.strip()}")
        elif told := _LINE.match(line):
            found.append((told[1], told[3]))
    return found


def _few(text: str, words: int = 3) -> str:
    return " ".join(text.split()[:words])[:60].strip(".,:;!? ")


def _facts(data: dict[str, str]) -> dict[str, Any]:
    facts: list[dict[str, str]] = []
    shown = _lines(data["events"])
    for number, (name, text) in enumerate(shown):
        match number % 4:
            case 0:
                facts.append({"of": name, "key": f"{_few(text, 2)} / {_few(text, 1)}"})
            case 1:
                facts += [{"of": name, "fact": part} for part in _halves(text)]
            case 2 if number + 1 < len(shown):
                other, more = shown[number + 1]
                facts.append({"of": f"{name} {other}", "fact": f"{text} {more}"})
            case _:
                pass
    return {"facts": facts, "skip": []}


def _halves(text: str) -> list[str]:
    words = text.split()
    half = len(words) // 2
    return [" ".join(words[:half]), " ".join(words[half:])] if half > 2 else [text]


def _rewritten(data: dict[str, str]) -> dict[str, Any]:
    own = [(name, text) for name, text in _lines(data["entries"]) if name != "-"]
    joins = [
        {"of": f"{one} {two}", "text": f"{said} {more}"}
        for number, ((one, said), (two, more)) in enumerate(pairwise(own))
        if number % 3 == 0
    ]
    blocks = [{"under": _few(text), "of": name} for name, text in own[2::3]]
    return {"blocks": blocks, "join": joins, "same": [], "old": []}


def _routed(data: dict[str, str]) -> dict[str, Any]:
    go, block = [], ""
    for line in data["blocks"].splitlines():
        if head := _BLOCK.fullmatch(line):
            block = head[1]
        elif block and (told := _LINE.match(line)):
            go.append({"blocks": block, "to": _few(told[3]), "sum": told[3][:200]})
            block = ""
    return {"go": go, "old": []}


def _split(data: dict[str, str]) -> dict[str, Any]:
    rows = _lines(data["blocks"])
    if len(rows) < 2:
        return {"parts": []}
    return {"parts": [{"title": _few(rows[-1][1]), "of": rows[-1][0], "sum": rows[-1][1][:200]}]}


def _merged(data: dict[str, str]) -> dict[str, Any]:
    names = [name for name, _ in _lines(data["documents"])]
    return {"merge": [{"of": " ".join(names[:2]), "title": "", "sum": ""}] if names[1:] else []}


def _nothing(_: dict[str, str]) -> dict[str, Any]:
    return {}


_BY_STEP: dict[str, Callable[[dict[str, str]], dict[str, Any]]] = {
    "facts": _facts,
    "join": _rewritten,
    "go": _routed,
    "parts": _split,
    "merge": _merged,
}
