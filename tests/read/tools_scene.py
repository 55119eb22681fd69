"""What the tests of the tools share: statements with keys, a toolbox, what a result shows."""

from __future__ import annotations

from typing import Any

from memoranda import Memory, NewEvent
from memoranda.read.tools import Toolbox, ToolResult
from scene import home

NONCE = "0123456789abcdef"


def state(memory: Memory, text: str, key: str, **signature: Any) -> int:
    """An entry in words of its own with a stated key, made from an event; gives its seq."""
    silent(memory, f"(said) {text}", **signature)
    log, fold = home(memory).log, home(memory).fold
    with log.transaction():
        at, seq = log.position(), fold.counter("seq") + 1
        entry = {"seq": seq, "events": [0], "said": text, "tokens": 6, "keys": [key]}
        body: dict[str, Any] = {"by": "a test", "events": [at], "entries": [entry]}
        fold.apply(log.append("extraction", body))
    return seq


def silent(memory: Memory, content: str, **signature: Any) -> str:
    """An event that no entry cites; gives its id."""
    body = NewEvent(content=content, **signature).to_dict()
    log, fold = home(memory).log, home(memory).fold
    with log.transaction():
        record = log.append("event", body)
        fold.apply(record)
        return str(record.record_id)


def toolbox(memory: Memory, **given: Any) -> Toolbox:
    return memory.toolbox(nonce=NONCE, **given)


def inside(result: ToolResult) -> str:
    """The text of a result without its fence, which is looked at."""
    name = "error" if result.error else result.name
    start, end = f"<<<DATA {name} {NONCE}\n", f"\nDATA {name} {NONCE}>>>"
    assert result.text.startswith(start)
    assert result.text.endswith(end)
    text = result.text[len(start) : -len(end)]
    assert NONCE not in text
    return text


def shown(result: ToolResult) -> list[str]:
    """The texts that a result gives as evidence."""
    return [entry.text for item in result.evidence for entry in item.entries]
