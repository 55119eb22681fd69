"""A model that reads what it is shown and answers rightly, and the entries and events it is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from memoranda import Entry, NewEvent
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from memoranda.store.operations import Text
from memoranda.write.by_model import Asker, Block, Candidate
from memoranda.write.draft import Draft
from memoranda.write.route import Route
from memoranda.write.segments import segments

NONCE = "5e" * 8
_FENCED = re.compile(r"<<<DATA (\S+) (\S+)\n(.*?)\nDATA \1 \2>>>", re.DOTALL)
_FIELDS = {
    "go": "route",
    "blocks": "rewrite",
    "facts": "extract",
    "parts": "split",
    "merge": "merge",
    "docs": "summarize",
}


class Shown:
    """What one request shows."""

    def __init__(self, request: Request) -> None:
        said = request.messages[1].content
        self.data = {name: text for name, _, text in _FENCED.findall(said)}
        assert request.schema is not None
        self.step = next(_FIELDS[n] for n in request.schema["properties"] if n in _FIELDS)
        self.text = "\n".join(self.data.values())

    def of(self, text: str) -> str:
        """Give the name under which a text is shown."""
        found = re.search(
            rf"^\s*([a-z]{{3,6}})\b[^\n]*: {re.escape(text)}$", self.text, re.MULTILINE
        )
        assert found, (text, self.text)
        return found[1]

    def has(self, text: str) -> bool:
        return f": {text}\n" in f"{self.text}\n"

    def block_of(self, text: str) -> str:
        """Give the name of the block that holds a text."""
        before = self.data["blocks"].split(f": {text}")[0]
        return str(re.findall(r"^block ([a-z]{3,6})$", before, re.MULTILINE)[-1])

    def names(self, place: str) -> list[str]:
        """Give the names of one place of the prompt, in order; of blocks, those of the blocks."""
        mark = "block " if place == "blocks" and self.step == "route" else ""
        text = "" if self.data[place] == "none" else self.data[place]
        return re.findall(rf"^{mark}([a-z]{{3,6}})\b", text, re.MULTILINE)

    def titled(self, title: str) -> str:
        """Give the name of the document of a title."""
        found = re.search(rf'^([a-z]{{3,6}}) "{re.escape(title)}"', self.text, re.MULTILINE)
        assert found, (title, self.text)
        return found[1]


Answer = Callable[[Shown], Mapping[str, Any]]


def librarian(answer: Answer) -> ScriptedModel:
    """Make a model that answers what a function makes of what it is shown."""
    return ScriptedModel(lambda request: _compact(answer(Shown(request))))


def _compact(reply: Mapping[str, Any]) -> str:
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":"))


def asker(model: Any, **more: Any) -> Asker:
    return Asker(model=model, nonce=NONCE, **more)


def entry(seq: int, text: str, **more: Any) -> Entry:
    made: dict[str, Any] = {
        "seqs": (seq,),
        "text": text,
        "source": "user",
        "speaker": "Mira",
        "time": f"2026-05-{seq % 28 + 1:02}",
        "session": "s1",
        "event_ids": (f"e{seq}",),
    }
    return Entry(**{**made, **more})


def event(content: str, **more: Any) -> NewEvent:
    made = {"content": content, "speaker": "Mira", "time": "2026-05-12", **more}
    return NewEvent(**made)


def draft_of(entries: tuple[Entry, ...], **more: Any) -> Draft:
    made: dict[str, Any] = {
        "window": tuple(e.seq for e in entries),
        "segments": segments(entries),
        "duplicates": (),
        "supersedes": (),
    }
    return Draft(**{**made, **more})


def candidate(
    document_id: str, title: str, summary: str, *, project: str | None = None
) -> Candidate:
    return Candidate(
        document_id=document_id,
        project=project,
        title=title,
        summary=Text(text=summary, made_from=(900, 901)),
        headings=("2026-04-01",),
    )


def block(*entries: Entry, rules: str | int = 0, **more: Any) -> Block:
    known = rules if isinstance(rules, str) else None
    new = rules if isinstance(rules, int) else None
    return Block(entries=entries, by_rules=Route(known, new, 0.0), **more)
