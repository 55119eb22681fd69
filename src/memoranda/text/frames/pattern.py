"""One pattern of many: the word lists are read with one search each."""

from __future__ import annotations

import re


def any_of(*patterns: str) -> re.Pattern[str]:
    """Give a pattern that finds any of the patterns, whatever the case."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
