"""Whether a run of characters looks drawn by lot, as keys and tokens are, or like words and numbers."""

from __future__ import annotations

import re
from itertools import pairwise

_JOINT = re.compile(r"[^A-Za-z0-9]+")
_HEX = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)\Z")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\Z", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"(?:your|my|the|some|change|replace|example|sample|dummy|insert|enter|todo|test|foo|bar)"
    r"(?:[-_ ]?(?:me|this|it|here|with|own|new|api|key|token|secret|password|value))*\Z"
    r"|(.)\1{3,}|[<{$%\[(*]|\.\.\.|(?:os|process|self|config|settings|env)\.",
    re.IGNORECASE,
)


def is_hex(run: str) -> bool:
    """Say whether it is hexadecimal in one case."""
    return _HEX.match(run) is not None


def is_uuid(run: str) -> bool:
    """Say whether it is written as a UUID."""
    return _UUID.match(run) is not None


def stands_for_one(run: str) -> bool:
    """Say whether it only shows where a secret would stand: `YOUR_KEY`, `xxxx`, `${TOKEN}`."""
    return _PLACEHOLDER.match(run) is not None


def pieces(run: str) -> list[str]:
    """Cut at everything but letters and digits."""
    return [piece for piece in _JOINT.split(run) if piece]


def mixing(piece: str) -> float:
    """Give the share of neighbours that differ in kind: upper case, lower case, digit.

    About 0.4 and more where characters are drawn by lot; words, dates and versions have less.
    """
    if len(piece) < 2:
        return 0.0
    kinds = [2 if char.isdigit() else int(char.isupper()) for char in piece]
    return sum(a != b for a, b in pairwise(kinds)) / (len(piece) - 1)


def is_name(run: str) -> bool:
    """Say whether a run without digits is a name in camel case, which has few capitals in a row of words."""
    digits = sum(char.isdigit() for char in run)
    return digits <= 1 and mixing(max(pieces(run), key=len, default="")) < 0.38


def is_random(run: str, least: int = 16) -> bool:
    """Say whether a run as a whole looks drawn by lot.

    Args:
        run: letters, digits and joints.
        least: the fewest letters and digits that it has.
    """
    found = pieces(run)
    plain = "".join(found)
    if len(plain) < least or not found:
        return False
    letters = sum(char.isalpha() for char in plain)
    digits = len(plain) - letters
    cases = plain != plain.lower() and plain != plain.upper()
    if not letters or not (digits >= 2 or cases):
        return False
    longest = max(found, key=len)
    return len(longest) * 3 >= least and mixing(longest) >= 0.19 and mixing(plain) >= 0.19
