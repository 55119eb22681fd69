"""What calls cost, from the offline list of `genai-prices`, or as the user says; never a guess."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memoranda.errors import InputError
from memoranda.llm.model import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What a price hangs on."""

    model: str
    """As the endpoint names it."""
    endpoint: str | None
    """Its base URL; None for what has none, such as a command."""
    usage: Usage


Pricer = Callable[[Use], float | None]
"""Gives US dollars, or None when the price is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff:
    """A price that the user states; it holds for whatever model is asked."""

    input: float
    """US dollars for a million tokens of prompt."""
    output: float
    """US dollars for a million tokens of reply."""

    @classmethod
    def parse(cls, text: str) -> Tariff:
        """Read `IN/OUT`, each in US dollars for a million tokens: `0.25/2`, `0/0`.

        Raises:
            InputError: it is something else.
        """
        try:
            first, second = (float(part) for part in text.split("/"))
        except ValueError:
            first = second = -1.0
        if not (0 <= first < math.inf and 0 <= second < math.inf):
            raise InputError(f"a price is IN/OUT in dollars for a million tokens, not {text!r}")
        return cls(input=first, output=second)

    def __call__(self, use: Use) -> float | None:
        """Give the price of a use."""
        usage = use.usage
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1e6


def unknown(_: Use) -> float | None:
    """Know no price."""
    return None


def listed(*, at: datetime | None = None) -> Pricer:
    """Give the prices of the list that `genai-prices` ships, looked up without a network.

    Without that package (`pip install memoranda[prices]`) no price is known. A model that is not on
    the list of its endpoint has none, and neither has one behind a gateway or on this machine.

    Args:
        at: whose day's prices; None = the list's newest.
    """
    try:
        prices: Any = importlib.import_module("genai_prices")
    except ImportError:
        return unknown
    when = at or datetime.max.replace(tzinfo=UTC)

    def price(use: Use) -> float | None:
        usage = use.usage
        if use.endpoint is None:
            return None
        used = prices.Usage(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_tokens=usage.cached_tokens,
            cache_write_tokens=usage.written_tokens,
        )
        try:
            found = prices.calc_price(
                used, use.model, provider_api_url=use.endpoint, genai_request_timestamp=when
            )
        except (LookupError, ValueError):
            return None
        return float(found.total_price)

    return price
