"""Text as a screen may show it: control characters escaped, colours only where they are welcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

import click

from memoranda.text.visible import show

if TYPE_CHECKING:
    from collections.abc import Mapping


def one_line(text: str) -> str:
    """Escape as `show` does, and line breaks and tabs too: the result is one line."""
    return show(text).replace("\n", "\\n").replace("\t", "\\t")


def runs(seqs: tuple[int, ...]) -> str:
    """Print an ascending set of numbers as documents print it: `12-14,19`."""
    parts: list[list[int]] = []
    for seq in seqs:
        if parts and seq == parts[-1][-1] + 1:
            parts[-1][1:] = [seq]
        else:
            parts.append([seq])
    return ",".join("-".join(map(str, part)) for part in parts)


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours for one stream, or none."""

    on: bool = False

    @classmethod
    def of(cls, stream: TextIO, environ: Mapping[str, str]) -> Paint:
        """Colour a terminal, unless NO_COLOR is set or it is dumb; FORCE_COLOR colours anything."""
        if environ.get("NO_COLOR"):
            return cls(on=False)
        if environ.get("FORCE_COLOR"):
            return cls(on=True)
        return cls(on=stream.isatty() and environ.get("TERM") != "dumb")

    def _style(self, text: str, **style: Any) -> str:  # noqa: ANN401 - as click has it
        return click.style(text, **style) if self.on and text else text

    def strong(self, text: str) -> str:
        """Paint a title."""
        return self._style(text, bold=True)

    def faint(self, text: str) -> str:
        """Paint what is past or beside the point."""
        return self._style(text, dim=True)

    def good(self, text: str, *, word: bool = False) -> str:
        """Paint an added line, or the words in it that are new."""
        return self._style(text, fg="green", reverse=word or None)

    def bad(self, text: str, *, word: bool = False) -> str:
        """Paint a removed line, or the words in it that go."""
        return self._style(text, fg="red", reverse=word or None)

    def mark(self, text: str) -> str:
        """Paint a place: a hunk, a file and its lines."""
        return self._style(text, fg="cyan")

    def warn(self, text: str) -> str:
        """Paint a warning."""
        return self._style(text, fg="yellow")
