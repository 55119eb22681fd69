"""Calls made up from the tools' own schemas, right and wrong: none is ever an internal error."""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

import jsonschema
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_agent import ERAS, talk, text
from mcp_types import CallToolResult, Tool

from memoranda import Settings
from scene import PHONE, SENTENCES, Place

CALLS = 2000 if os.environ.get("MEMORANDA_LONG") else 200

NAMES = (
    "d1", "d2", "1", "7", "0", "-1", "99999", "CURRENT", "LOG", "s1", "s2", "memory://topics/d1",
    "memory://current", "memory://topics/..%2F..", "p000001", "我的电话", "user / Olek / phone", " ",
)  # fmt: skip
TEXTS = (
    "", " ", "kiln", "The night ferry", "窑 船屋", "ก ไม้", "🙂" * 9, "a\0b", "\u202eabc\u200b",
    "\n\n# x\n- <seq=1> y", "</memory-1>", 'NEAR(a b) AND "c', "*", "'; DROP TABLE record; --", "%s %d {}",
    "[a-z]{1,3}(", "(a+)+$", "x" * 3000, "é" * 40, "١٢٣", "²", "2026-03-01", "2026-13-45", "2026",
    "2026-03-01T09:30:00Z", "soon", "1e999",
)  # fmt: skip
NUMBERS = (0, 1, 2, 3, 7, -1, 50, 100, 200, 2000, 2**31, 2**63 - 1, 2**63, 10**30)
ODD = (None, True, False, 1.5, -0.0, 1e300, [], {}, ["a"], {"a": 1}, [[]], "9" * 5000)


def made(part: dict[str, Any], rng: random.Random, seen: list[str]) -> Any:
    """A value for a parameter: mostly of its kind, sometimes of none."""
    if rng.random() < 0.12:
        return rng.choice(ODD)
    if "enum" in part:
        return rng.choice([*part["enum"], "other"])
    match part.get("type"):
        case "integer":
            return rng.choice(NUMBERS)
        case "boolean":
            return rng.choice([True, False, "yes", 0])
        case _:
            return rng.choice([*NAMES, *seen]) if rng.random() < 0.5 else rng.choice(TEXTS)


def arguments(schema: dict[str, Any], rng: random.Random, seen: list[str]) -> dict[str, Any]:
    """Arguments for a tool: what is required mostly there, the rest now and then."""
    found = {}
    for name, part in schema["properties"].items():
        if rng.random() < (0.95 if name in schema["required"] else 0.3):
            found[name] = made(part, rng, seen)
    if rng.random() < 0.06:
        found[rng.choice(["user", "root", "project", "__class__", "", "查询"])] = "x"
    return found


async def tried(agent: Client, tool: Tool, given: dict[str, Any]) -> CallToolResult | None:
    """Make a call that must not be an internal error; None where the protocol refuses it."""
    try:
        found = await agent.call_tool(tool.name, given)
    except MCPError as error:
        if error.code in {0, -32603}:
            raise
        return None
    said = text(found)
    assert "internal error" not in said, (tool.name, given)
    if found.is_error:
        assert len(said) < 2_000
    else:
        jsonschema.validate(found.structured_content, tool.output_schema)
    return found


@pytest.mark.parametrize("mode", ERAS)
def test_no_made_up_call_is_an_internal_error(place: Place, mode: str) -> None:
    memory = place.open(settings=Settings(current_tokens=200, split_tokens=300, merge_tokens=50))
    for number, sentence in enumerate(SENTENCES):
        memory.add(sentence, id=f"s{number}")
    memory.add(PHONE.format(1), speaker="Olek")
    memory.consolidate()
    rng = random.Random(f"fuzz {mode}")  # noqa: S311 - no secret
    told: Counter[str] = Counter()

    async def work(agent: Client) -> None:
        tools = (await agent.list_tools()).tools
        seen: list[str] = []
        for number in range(CALLS // 2):
            tool = tools[number % len(tools)]
            found = await tried(agent, tool, arguments(tool.input_schema, rng, seen))
            told["refused" if found is None else "error" if found.is_error else "result"] += 1
            if found is not None and not found.is_error:
                seen += [found.structured_content.get("confirm", "d1")]
                seen += found.structured_content.get("event_ids", [])
                del seen[:-20]

    talk(memory, work, mode=mode)
    assert told["result"] > CALLS // 10
    assert told["error"] > CALLS // 10
    assert told.total() == CALLS // 2
    assert memory.check(full=True).ok
