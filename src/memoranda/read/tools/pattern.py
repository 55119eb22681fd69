"""What a grep looks for: a regular expression that RE2 runs in linear time, else the text as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from memoranda.errors import InputError

LONGEST = 1000
"""Characters of a pattern."""
SPANS = 10
"""Places that are told of one line."""
MISSING = "regular expressions need the extra 'grep' (google-re2)"
LARGEST = 3000
"""Steps of RE2's program: so a line of 100,000 characters takes a second at most."""
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern, ready to be looked for.

    Attributes:
        literal: it is looked for as it is written.
        why: why it is, when it reads like a regular expression; else "".
        find: gives the first places of a text that match, at most so many, as offsets.
    """

    literal: bool
    why: str
    find: Callable[[str, int], Spans]


def read(pattern: str, *, ignore_case: bool = False) -> Pattern:
    r"""Read a pattern as RE2 has it (no back references, no look-around); `^` and `$` are of a line.

    What RE2 can't read is looked for literally, and so is everything where google-re2 is not
    installed; the result says so. Python's own expressions are never run: one can take for ever.

    Raises:
        InputError: it is empty, or longer than `LONGEST` characters.
    """
    if not pattern:
        raise InputError("the pattern is empty; give a text or a regular expression")
    if len(pattern) > LONGEST:
        raise InputError(f"the pattern has {len(pattern)} characters; {LONGEST} is the most")
    if not _SPECIAL.search(pattern):
        return _literal(pattern, "", ignore_case=ignore_case)
    try:
        found = _compiled(pattern, ignore_case=ignore_case)
    except ImportError:
        return _literal(pattern, MISSING, ignore_case=ignore_case)
    except ValueError as error:
        return _literal(pattern, str(error), ignore_case=ignore_case)
    return Pattern(
        literal=False, why="", find=lambda text, most: _spans(found.finditer(text), most)
    )


def _compiled(pattern: str, *, ignore_case: bool) -> Any:  # noqa: ANN401 - the extra has no types
    """Compile with RE2.

    Raises:
        ImportError: google-re2 is not installed.
        ValueError: RE2 can't read the pattern.
    """
    import re2  # noqa: PLC0415 - an extra, and slow to start

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    options.never_capture = True
    try:
        re2.compile(pattern, options)  # alone, so that nothing in it can close the group
        found = re2.compile(f"(?m:{pattern})", options)
    except re2.error as error:
        said = error.args[0] if error.args else "no reason given"
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise ValueError(f"RE2 can't read it ({text[:120]})") from None
    if found.programsize > LARGEST:
        raise ValueError("it counts too far for a fast search")
    return found


def _literal(pattern: str, why: str, *, ignore_case: bool) -> Pattern:
    """Look for a text as it is; an escaped text takes linear time."""
    if ignore_case:
        found = re.compile(re.escape(pattern), re.IGNORECASE)
        return Pattern(
            literal=True, why=why, find=lambda text, most: _spans(found.finditer(text), most)
        )
    return Pattern(
        literal=True, why=why, find=lambda text, most: _spans(_places(pattern, text), most)
    )


@dataclass(frozen=True, slots=True)
class _Place:
    at: int
    size: int

    def span(self) -> tuple[int, int]:
        return self.at, self.at + self.size


def _places(piece: str, text: str) -> Iterator[_Place]:
    at = text.find(piece)
    while at >= 0:
        yield _Place(at, len(piece))
        at = text.find(piece, at + len(piece))


def _spans(found: Iterator[Any], most: int) -> Spans:
    return tuple((int(start), int(end)) for start, end in (m.span() for m in islice(found, most)))
