"""What an endpoint is told in words: the form of the reply, where nothing else holds it to it."""

from __future__ import annotations

import json
from dataclasses import replace

from memoranda.llm.model import Message, Request
from memoranda.llm.prompts import Prompt
from memoranda.text.tokens import count

REPLY = "reply"
"""Name of the schema, and of the tool that is forced where schemas are not known."""


def with_form(request: Request) -> tuple[Message, ...]:
    """Give the turns of a request with the schema told at the end of the system's turn."""
    if request.schema is None:
        return request.messages
    told = Prompt.load("form").messages(nonce="0" * 8, data={}, form=request.schema)[0]
    first, *rest = request.messages or (told,)
    if first.role != "system":
        return (told, *request.messages)
    return (replace(first, content=f"{first.content}\n\n{told.content}"), *rest)


def prompt_tokens(request: Request) -> int:
    """Estimate the tokens of a request: turns, tools and schema."""
    said = [turn.content for turn in request.messages]
    said += [call.arguments for turn in request.messages for call in turn.tool_calls]
    said += [json.dumps(tool.to_dict(), ensure_ascii=False) for tool in request.tools]
    if request.schema is not None:
        said.append(json.dumps(request.schema, ensure_ascii=False))
    return sum(count(text) + 4 for text in said)


def tokens(told: object) -> int:
    """Read a number of tokens that an endpoint tells; None is 0.

    Raises:
        ValueError: it is no number that could be one.
    """
    if told is None:
        return 0
    if not isinstance(told, int) or not 0 <= told < 10**10:
        raise ValueError(told)
    return int(told)
