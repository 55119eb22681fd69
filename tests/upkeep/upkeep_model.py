"""An honest model for every step, made as a function of the request, and the talk that it knows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from memoranda import NewEvent, Settings
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request

SIZES = Settings(current_tokens=260, split_tokens=150, merge_tokens=60, entry_tokens=60, auto=False)

_FENCED = re.compile(r"<<<DATA (\S+) (\S+)\n(.*?)\nDATA \1 \2>>>", re.DOTALL)
_FIELDS = {
    "go": "route",
    "join": "rewrite",
    "facts": "extract",
    "parts": "split",
    "merge": "merge",
    "docs": "summarize",
}
_LINE = re.compile(r"^\s*([a-z]{3,6}|-)(?: (.*?))?: (.*)$")
_NUMBER = re.compile(r"\b555-\d{4}\b")


def step_of(request: Request) -> str:
    """Name the step that a request asks for, by the fields of its form."""
    assert request.schema is not None
    return next(step for field, step in _FIELDS.items() if field in request.schema["properties"])


class Asked:
    """What one request shows: its step and its data, by place of the prompt."""

    def __init__(self, request: Request) -> None:
        said = request.messages[1].content
        self.step = step_of(request)
        self.data = {name: text for name, _, text in _FENCED.findall(said)}

    def lines(self, place: str) -> list[tuple[str, str, str]]:
        """Give (name, what is told of it, text) of the lines of a place, in order."""
        found: list[tuple[str, str, str]] = []
        for line in self.data[place].splitlines():
            if found and line.startswith("    "):
                name, about, text = found[-1]
                found[-1] = (name, about, f"{text}\n{line.strip()}")
            elif told := _LINE.match(line):
                found.append((told[1], told[2] or "", told[3]))
        return found

    def blocks(self) -> dict[str, list[tuple[str, str, str]]]:
        """Give the lines of each block that is to be routed."""
        found: dict[str, list[tuple[str, str, str]]] = {}
        for line in self.data["blocks"].splitlines():
            if head := re.fullmatch(r"block ([a-z]{3,6})", line):
                found[head[1]] = []
            elif found and (told := _LINE.match(line)):
                found[list(found)[-1]].append((told[1], told[2] or "", told[3]))
        return found

    def names(self, place: str) -> list[str]:
        """Give the names of the lines of a place."""
        return [name for name, _, _ in self.lines(place)]


# --- the talk ---------------------------------------------------------------------------------

TOPICS = {
    "kiln": "old kiln",
    "窑": "旧窑",
    "ferry": "ferry to Skarholm",
    "渡轮": "渡轮",
    "bread": "Rye bread",
    "面包": "黑麦面包",
    "goats": "goats and fence",
    "羊": "羊群和篱笆",
    "phone": "phone number",
    "电话": "我的电话",
    "limit": "deployment limit",
}
"""A word that tells of a matter -> what a document on it is called."""

GOATS = (
    "The goats broke the fence near the mill. Olek wants the goats and fence looked at before May.\n\n"
    "Mira counted nineteen goats and two kids. The black goats sleep in the barn behind the mill. "
    "The goats don't eat thistles. The fence is 240 metres long, and the posts are of larch."
)
"""A long message: the rules cut it."""

FACTS: dict[str, tuple[dict[str, str], ...]] = {
    "The old kiln cracks above 1100 degrees. It stands behind the boat shed.": (
        {"fact": "The old kiln cracks above 1100 degrees."},
        {"fact": "The old kiln stands behind the boat shed."},
    ),
    "I may move to Skarholm next month.": (
        {"fact": "Mira may move to Skarholm next month.", "when": "next month"},
    ),
    "The ferry to Skarholm leaves at 22:40 from pier nine.": (
        {"key": "ferry to Skarholm / departure"},
    ),
    "The ferry to Skarholm leaves at 23:15 from pier nine.": (
        {"key": "ferry to Skarholm / departure"},
    ),
    "The deployment limit is 40 pods on staging.": (
        {"key": "deployment / limit", "only": "on staging"},
    ),
    "旧窑在一千一百度以上会开裂。它在船屋后面。": (
        {"fact": "旧窑在一千一百度以上会开裂。"},
        {"fact": "旧窑在船屋后面。"},
    ),
    "黑麦面包要醒发十八个小时。": (
        {"fact": "黑麦面包要醒发十八个小时。", "key": "黑麦面包 / 醒发"},
    ),
}
"""What is worth keeping of an event."""
SKIPPED = {
    "Hello there!": "greeting",
    "ok thanks": "filler",
    "你好！": "greeting",
    "Sure, noted.": "filler",
}
JOINED = (
    (
        ("Rye bread needs eighteen hours of rest.", "Rye bread is baked at 240 degrees."),
        "Rye bread needs eighteen hours of rest. Rye bread is baked at 240 degrees.",
    ),
    (
        ("渡轮周二停开。", "渡轮周三九点开。"),
        "渡轮周二停开。渡轮周三九点开。",
    ),
)
SAME = (
    "The ferry to Skarholm leaves at 22:40 from pier nine.",
    "The ferry to Skarholm leaves at 22:40 from pier nine!",
)


def talk(number: int) -> list[NewEvent]:
    """One talk, in two languages, of several voices and projects; numbers make it unlike others."""
    day = f"2026-05-{number % 27 + 1:02}"
    here = {"time": day, "session": f"t{number}"}
    mira = {**here, "speaker": "Mira"}
    lin = {**here, "speaker": "米拉"}
    acme = {**here, "project": "acme"}
    kiln, hours = 1000 + number, 12 + number % 9
    return [
        NewEvent(content="Hello there!", **mira),
        NewEvent(content=f"My phone number is 555-{kiln}.", **mira),
        NewEvent(
            content="The old kiln cracks above 1100 degrees. It stands behind the boat shed.",
            **mira,
        ),
        NewEvent(
            content=f"You could fire the old kiln at {kiln} degrees.", source="assistant", **here
        ),
        NewEvent(content=f"kiln sensor: {kiln} degrees, door closed", source="tool", **acme),
        NewEvent(content="The deployment limit is 40 pods on staging.", **acme),
        NewEvent(content="旧窑在一千一百度以上会开裂。它在船屋后面。", **lin),
        NewEvent(content=f"我的电话是555-{kiln + 1000}。", **lin),
        NewEvent(content="The ferry to Skarholm leaves at 22:40 from pier nine.", **mira),
        NewEvent(content="I may move to Skarholm next month.", **mira),
        NewEvent(
            content=f"The code of the kiln room is {kiln + 6000}.", sensitivity="private", **mira
        ),
        NewEvent(content=f"{GOATS} Round {number}.", **mira),
        NewEvent(content="The ferry to Skarholm leaves at 22:40 from pier nine!", **mira),
        NewEvent(content="Rye bread needs eighteen hours of rest.", **mira),
        NewEvent(content="Rye bread is baked at 240 degrees.", **mira),
        NewEvent(content="渡轮周二停开。", **lin),
        NewEvent(content="渡轮周三九点开。", **lin),
        NewEvent(content=f"黑麦面包要醒发{hours}个小时。", **lin),
        NewEvent(content="ok thanks", **mira),
        NewEvent(content="Sure, noted.", source="assistant", **here),
        NewEvent(
            content=f"The goats may come back on May {number % 27 + 1}.",
            source="external",
            speaker="mail",
            **here,
        ),
        NewEvent(content="The ferry to Skarholm leaves at 23:15 from pier nine.", **mira),
        NewEvent(content=f"米拉希望五月{number % 27 + 1}日羊群回来之前把篱笆刷好。", **lin),
    ]


# --- the model --------------------------------------------------------------------------------


def right(request: Request) -> str:
    """Answer as a careful reader would."""
    asked = Asked(request)
    reply = {
        "extract": _extract,
        "rewrite": _rewrite,
        "route": _route,
        "split": _split,
        "merge": _merge,
    }[asked.step](asked)
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":"))


def honest() -> ScriptedModel:
    """Make a model that is right at every step."""
    return ScriptedModel(right, name="honest")


def topic_of(*texts: str) -> str | None:
    """Name the matter of some texts by a word of theirs."""
    return next((word for word in TOPICS for text in texts if word in text), None)


def _extract(asked: Asked) -> dict[str, Any]:
    keys = {key: name for name, _, key in asked.lines("keys")}
    facts: list[dict[str, str]] = []
    skip: list[dict[str, str]] = []
    for name, _, text in asked.lines("events"):
        if text in SKIPPED:
            skip.append({"of": name, "why": SKIPPED[text]})
        for fact in FACTS.get(text, _number_of(text)):
            key = fact.get("key", "")
            offered = next((n for k, n in keys.items() if key and k.endswith(f" / {key}")), key)
            facts.append({"of": name, **fact, **({"key": offered} if key else {})})
    return {"facts": facts, "skip": skip}


def _number_of(text: str) -> tuple[dict[str, str], ...]:
    if not _NUMBER.search(text):
        return ()
    return ({"key": "米拉 / 电话" if "电话" in text else "mira / phone number"},)


def _rewrite(asked: Asked) -> dict[str, Any]:
    own, older = asked.lines("entries"), asked.lines("older")
    names: dict[str, str] = {}
    for name, _, text in own:
        names.setdefault(text, name)
    groups: dict[str, list[str]] = {}
    for name, _, text in own:
        groups.setdefault(topic_of(text) or "", []).append(name)
    joins = [
        {"of": f"{names[one]} {names[two]}", "text": text}
        for (one, two), text in JOINED
        if one in names and two in names
    ]
    lines = [*older, *own]
    return {
        "blocks": [
            {"under": topic, "of": " ".join(group)}
            for topic, group in groups.items()
            if topic and len(group) > 1
        ],
        "same": [f"{names[SAME[1]]} {names[SAME[0]]}"] if {*SAME} <= names.keys() else [],
        "join": joins,
        "old": [f"{one} {two}" for one, two in _replaced(lines)],
    }


def _replaced(lines: Sequence[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """Pair the phone numbers of one language, each with the one that was said next."""
    for mark in ("My phone", "我的电话"):
        found = [name for name, _, text in lines if text.startswith(mark)]
        yield from pairwise(found)


def _route(asked: Asked) -> dict[str, Any]:
    documents = asked.lines("documents")
    go: dict[str, dict[str, str]] = {}
    for block, lines in asked.blocks().items():
        texts = [text for _, _, text in lines]
        topic = topic_of(*texts)
        if topic is None:
            continue
        known = next((name for name, about, _ in documents if topic in about), None)
        to = known or _title(topic, texts)
        item = go.setdefault(to, {"blocks": "", "to": to, "sum": ""})
        item["blocks"] = f"{item['blocks']} {block}".strip()
        item["sum"] = _sum(topic, texts)
    return {"go": [*go.values()], "old": []}


def _title(topic: str, texts: Sequence[str]) -> str:
    title = TOPICS[topic]
    if any(title in text for text in texts):
        return title
    words = next(text for text in texts if topic in text)
    return words[:8] if not words.isascii() else " ".join(words.split()[:3]).rstrip(".,:")


def _sum(topic: str, texts: Sequence[str]) -> str:
    held = [text for text in texts if topic in text]
    return (held[-1].split("\n")[0] if held else topic)[:200]


def _split(asked: Asked) -> dict[str, Any]:
    rows = asked.lines("blocks")
    half = [name for name, _, _ in rows[1 : 1 + max(1, len(rows) // 2)]]
    words = next(text for name, _, text in rows if name == half[0])
    title = words[:8] if not words.isascii() else " ".join(words.split()[:3]).rstrip(".,:")
    return {"parts": [{"title": title, "of": " ".join(half), "sum": ""}]}


@dataclass(frozen=True)
class _Small:
    name: str
    about: str


def _merge(asked: Asked) -> dict[str, Any]:
    groups: dict[str, list[_Small]] = {}
    for name, about, summary in asked.lines("documents"):
        if topic := topic_of(about, summary):
            groups.setdefault(topic, []).append(_Small(name, about))
    return {
        "merge": [
            {"of": " ".join(one.name for one in group[:3]), "title": "", "sum": ""}
            for group in groups.values()
            if len(group) > 1
        ]
    }
