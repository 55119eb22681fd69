"""What the tests of the readers share: a small library of our own, and models that play their parts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memoranda import Memory
from memoranda.answers import Answer, ReaderName
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.doubles.obedient import data_of
from memoranda.llm.doubles.said import Said
from memoranda.llm.model import Model, Reply, Request, ToolCall
from memoranda.llm.prompts import Prompt
from memoranda.read.readers.ask import ask
from memoranda.read.readers.desk import Calling, Desk, Limits

FERRY = "The night ferry to Skarholm leaves at {}."
LIBRARY = (
    FERRY.format("22:40"),
    "Captain Ylva keeps the harbour key under the blue crate.",
    "The harbour café sells cardamom buns on Sundays.",
    "Ylva paints the lighthouse door every second spring.",
    "The kiln in the pottery reaches 1,240 degrees.",
    "Mira glazes her bowls with ash from the apple orchard.",
    "The pottery closes in February.",
    "Mira's kiln was built by an uncle from Faro.",
    "The beekeeper Osei has forty hives behind the chapel.",
    "Osei harvests the linden honey in July.",
    "A swarm settled in the bell tower last May.",
    "The chapel roof needs nine hundred slates.",
)
CHINESE = (
    "夜班渡轮二十二点四十分开往北岛。",
    "船长把码头的钥匙放在蓝箱子下面。",
    "陶窑能烧到一千二百四十度。",
    "米拉用苹果树的灰给碗上釉。",
    "养蜂人在教堂后面有四十个蜂箱。",
    "椴树蜜在七月采收。",
)


def stocked(memory: Memory, texts: Iterable[str] = LIBRARY) -> Memory:
    """Fill a memory, four sentences a session, and consolidate it."""
    for number, text in enumerate(texts):
        memory.add(text, session=f"s{number // 4}", time=f"2026-05-{number + 1:02}")
    memory.consolidate()
    return memory


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    """One call of a tool, in our own form."""
    return {"tool": tool, "arguments": arguments}


def step(
    *calls: Mapping[str, Any], lines: Sequence[int] = (), done: bool = False
) -> dict[str, Any]:
    """One round, in our own form."""
    return {"calls": list(calls), "lines": list(lines), "done": done}


def natively(*calls: Mapping[str, Any], text: str = "") -> Reply:
    """One round of native tool calls."""
    made = tuple(
        ToolCall(
            call_id=f"c{number}",
            name=one["tool"],
            arguments=json.dumps(one["arguments"], ensure_ascii=False),
        )
        for number, one in enumerate(calls)
    )
    return Reply(text=text, tool_calls=made, stop="tool")


@dataclass
class Cast:
    """A model that plays a part for each prompt: replies in order, or what a function makes."""

    name: str = "cast"
    hops: Said | None = None
    select: Said | Callable[[Request], Said] | None = None
    tools: Sequence[Said] | Callable[[Request, int], Said] = ()
    value: Said | Callable[[Request], Said] | None = None
    lines: Said | Callable[[Request], Said] | None = None
    answer: Said | Callable[[Request], Said] | None = None
    asked: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    def ask(self, request: Request) -> Reply:
        part = part_of(request)
        self.asked.append(part)
        self.requests.append(request)
        return ScriptedModel(self._said(part, request), name=self.name).ask(request)

    def _said(self, part: str, request: Request) -> Said:
        if part == "read_tools":
            number = self.asked.count(part) - 1
            if callable(self.tools):
                return self.tools(request, number)
            return self.tools[number] if number < len(self.tools) else step(done=True)
        given = {
            "read_hops": self.hops,
            "read_select": self.select,
            "read_value": self.value,
            "read_lines": self.lines,
            "answer": self.answer,
        }[part]
        said = given(request) if callable(given) else given
        return _SILENT[part] if said is None else said


_SILENT: Mapping[str, dict[str, Any]] = {
    "read_hops": {"hops": ["?"]},
    "read_select": {"documents": []},
    "read_value": {"line": None, "value": ""},
    "read_lines": {"lines": []},
    "answer": {"because": [], "answer": ""},
}


def part_of(request: Request) -> str:
    """Name the prompt that a request was made of."""
    rules = request.messages[0].content
    names = ("read_hops", "read_select", "read_tools", "read_value", "read_lines", "answer")
    return next(name for name in names if rules.startswith(Prompt.load(name).rules[:60]))


def name_of(request: Request, words: str) -> str:
    """Give the name under which the line or document with these words is shown."""
    lines = [line for data in data_of(request)[1:] for line in data.splitlines()]
    return next(line.split(" ", 1)[0] for line in lines if words in line and line[:1] != "#")


def quoting(words: str, answer: str | None = None) -> Callable[[Request], Said]:
    """Answer with a quote from the line that holds these words."""
    return lambda request: {
        "because": [{"line": name_of(request, words), "quote": words}],
        "answer": words if answer is None else answer,
    }


def picking(*words: str) -> Callable[[Request], Said]:
    """Pick the documents whose lines in the catalog hold these words."""
    return lambda request: {"documents": [name_of(request, each) for each in words]}


@dataclass
class Ticks:
    """A clock that a test moves on."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def asked(
    memory: Memory,
    question: str,
    model: Model | None,
    *,
    reader: ReaderName = "agentic",
    limits: Limits | None = None,
    clock: Callable[[], float] | None = None,
    calling: Calling = "auto",
) -> Answer:
    """Ask with a model of one's own and a clock of one's own."""
    desk = Desk(
        looking=memory._state({}),
        limits=limits or Limits(),
        seconds=clock or Ticks(),
        nonce="0f1e2d3c4b5a6978",
        model=model,
        tools=memory.toolbox(nonce="0f1e2d3c4b5a6978"),
        calling=calling,
    )
    return ask(question, reader, desk)


def texts(answer: Answer) -> list[str]:
    """Every line of the evidence, in order."""
    return [entry.text for item in answer.evidence for entry in item.entries]
