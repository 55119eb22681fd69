"""Makes a whole reply of what a double is to say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memoranda.errors import ModelError
from memoranda.llm.model import Reply, Request, Usage
from memoranda.llm.replies import completed
from memoranda.llm.told import prompt_tokens
from memoranda.text.tokens import count

Said = str | Mapping[str, Any] | Reply | ModelError
"""A text, a JSON object, a whole reply, or the error to raise."""


_LONG = 20_000
"""Characters; the tokens of longer texts are not counted but guessed: they are faults."""


def answered(said: Said, request: Request, *, model: str) -> Reply:
    """Make a reply to a request: tokens are counted, `parsed` is filled in.

    Raises:
        ModelError: the one that was said.
    """
    if isinstance(said, ModelError):
        said.calls = said.calls or 1
        raise said
    if isinstance(said, Reply):
        return completed(said, request)
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    usage = Usage(
        input_tokens=prompt_tokens(request),
        output_tokens=_counted(text),
        estimated=True,
    )
    return completed(Reply(text=text, usage=usage, model=model), request)


def _counted(text: str) -> int:
    if len(text) > _LONG:
        return len(text) // 4
    return count(text.encode("utf-8", "replace").decode("utf-8"))
