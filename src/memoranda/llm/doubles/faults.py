"""What a fault is: a right reply goes in, a spoiled one comes out, or an error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from memoranda.errors import ModelError
from memoranda.llm.model import Request, Stop


@dataclass(frozen=True, slots=True)
class Spoiled:
    """A spoiled text with the reason for its end."""

    text: str
    stop: Stop


Fault = Callable[[str, Random, Request], "str | Spoiled | ModelError"]
"""(right text, chance, request) -> a spoiled reply, or the error to raise."""


def cut(text: str, chance: Random) -> str:
    """Cut a text somewhere inside; a text of one character or none becomes empty."""
    return text[: chance.randrange(1, len(text))] if len(text) > 1 else ""
