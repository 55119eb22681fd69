"""Messages of a conversation become events: their roles say who spoke."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memoranda.errors import InputError
from memoranda.text.times import normalise
from memoranda.values import NewEvent, Source

ROLES: Mapping[str, Source] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "tool": "tool",
    "function": "tool",
    "system": "external",
    "developer": "external",
}
"""Role of a chat message -> source of the event."""
MESSAGE = {"role", "content", "name", "time", "id"}
"""What a message says by itself; all else of it is kept in the event's metadata."""


def from_messages(content: str | Sequence[Mapping[str, Any]], common: NewEvent) -> list[NewEvent]:
    """Make events of a text, or of the messages of a conversation.

    Args:
        content: a text, or messages with `role` and `content` (a text, or parts of type text;
            other parts and fields are kept in the metadata, under `message`).
        common: the fields that all events share; an id is numbered for several messages.

    Raises:
        InputError: a message has no role that is known, or no text.
    """
    if isinstance(content, str):
        return [common if common.content == content else replace(common, content=content)]
    given: object = content
    if not isinstance(given, list | tuple):
        raise InputError(f"content is a text or a list of messages, not {type(given).__name__}")
    if not given:
        raise InputError("no messages to add")
    return [
        _from_message(message, common, number if len(given) > 1 else None)
        for number, message in enumerate(given, start=1)
    ]


def _from_message(message: object, common: NewEvent, number: int | None) -> NewEvent:
    if not isinstance(message, Mapping):
        raise InputError(f"a message is a mapping with role and content, not {message!r}")
    role = str(message.get("role", "")).lower()
    if role not in ROLES:
        raise InputError(f"message role {role!r} is none of {', '.join(ROLES)}")
    text = message.get("content")
    rest = {name: value for name, value in message.items() if name not in MESSAGE}
    if isinstance(text, list):
        texts = [part for part in text if isinstance(part, dict) and part.get("type") == "text"]
        others = [part for part in text if part not in texts]
        rest |= {"parts": others} if others else {}
        text = "\n".join(str(part.get("text", "")) for part in texts)
    own = message.get("id")
    if own is None and common.external_id is not None:
        own = common.external_id if number is None else f"{common.external_id}/{number}"
    return replace(
        common,
        content=text,  # type: ignore[arg-type]  # checked by `check`
        source=ROLES[role],
        speaker=message.get("name") or (common.speaker if ROLES[role] == "user" else None),
        time=normalise(message["time"]) if message.get("time") else common.time,
        external_id=own,
        metadata={**common.metadata, "message": rest} if rest else common.metadata,
    )
