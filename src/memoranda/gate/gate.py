"""All that a door over HTTP is given: tokens, memories, what it lets in, and how often."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.gate.allowed import Allowed
from memoranda.gate.rates import Rates
from memoranda.gate.shelf import Shelf
from memoranda.gate.tokens import Tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """What the doors of one server share."""

    tokens: Tokens
    shelf: Shelf
    allowed: Allowed
    rates: Rates
    version: str
    secure: bool = False
    """It is reached over HTTPS, so cookies are marked for that alone."""
