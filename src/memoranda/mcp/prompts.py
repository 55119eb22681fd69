"""Prompts that a person can pick: recall something, write notes at the end of a talk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptResult,
    ListPromptsResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

from memoranda.mcp.arguments import MAX_QUERY
from memoranda.memory import Memory

PROMPTS: Final = ListPromptsResult(
    prompts=[
        Prompt(
            name="recall",
            title="Recall",
            description="Bring what is remembered about something into the talk.",
            arguments=[
                PromptArgument(name="topic", description="What it is about.", required=True)
            ],
        ),
        Prompt(
            name="notes",
            title="Notes at the end of a talk",
            description="Go through the talk and remember what should be known later.",
            arguments=[
                PromptArgument(name="session", description="A name for the talk.", required=False)
            ],
        ),
    ]
)

_RECALL: Final = """\
Tell me what you know about this from memory: {topic}
Say the newest state first, with its date and who said it, and name the document or entry. Say so if \
memory has nothing on it. Here is what a search brought; use search, ask or fetch for more.

{found}"""
_NOTHING: Final = "(the search brought nothing)"
_NOTES: Final = """\
Go through our talk from its start and keep what should be known in later talks.
- Call remember once for each fact, preference, decision, change of state or open task, in a sentence \
that stands by itself: names in place of pronouns, dates in place of "yesterday".
- Set source truly: user for what I said, in my words; assistant for what you concluded; tool for \
what a tool gave.{session}
- Where it changes something that memory has, look it up with search and call correct on that entry.
- Leave out small talk, what is only of use now, secrets and keys.
Then list in a few lines what you kept."""


def given(memory: Memory, name: str, arguments: Mapping[str, str] | None) -> GetPromptResult:
    """Give a prompt, filled in.

    Raises:
        MCPError: there is no such prompt, or its parameters are not right.
        MemorandaError: the memory can't be read.
    """
    told = dict(arguments or {})
    takes = next(
        (prompt.arguments or [] for prompt in PROMPTS.prompts if prompt.name == name), None
    )
    if takes is None:
        raise _refused(f"no prompt {name[:100]!r}; there are recall and notes")
    unknown = sorted(set(told) - {argument.name for argument in takes})
    if unknown:
        raise _refused(f"prompt {name} has no parameter {unknown[0][:100]!r}")
    if any(len(text) > MAX_QUERY for text in told.values()):
        raise _refused(f"a parameter is longer than {MAX_QUERY} characters")
    return _recall(memory, told) if name == "recall" else _notes(told)


def _recall(memory: Memory, told: Mapping[str, str]) -> GetPromptResult:
    topic = told.get("topic", "").strip()
    if not topic:
        raise _refused("prompt recall needs its parameter topic")
    found = memory.context(topic) or _NOTHING
    return _one(_RECALL.format(topic=topic, found=found), f"Recall: {topic[:60]}")


def _notes(told: Mapping[str, str]) -> GetPromptResult:
    name = told.get("session", "").strip()
    session = f"\n- Give each the session {name!r}." if name else ""
    return _one(_NOTES.format(session=session), "Notes at the end of a talk")


def _one(text: str, description: str) -> GetPromptResult:
    message = PromptMessage(role="user", content=TextContent(type="text", text=text))
    return GetPromptResult(description=description, messages=[message])


def _refused(message: str) -> MCPError:
    return MCPError(code=INVALID_PARAMS, message=message)
