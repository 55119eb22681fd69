"""How much one tool call may show."""

from __future__ import annotations

from dataclasses import dataclass, fields

from memoranda.errors import InputError
from memoranda.values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps(Value):
    """The limits of the tools (R186); what is beyond them is counted and told, never silent.

    Raises:
        InputError: a limit is no whole number from 1 on.
    """

    search: int = 20
    """Blocks that one search shows."""
    grep: int = 50
    """Lines that one grep shows."""
    read: int = 200
    """Lines of a document that one reading shows."""
    catalog: int = 50
    """Documents on one page of the catalog."""
    inline: int = 100
    """A library of at most so many documents goes whole into the first prompt of a reader."""
    evidence: int = 4000
    """Tokens that the text of one result may take."""

    def __post_init__(self) -> None:
        """Refuse what is no limit."""
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not int or value < 1:
                raise InputError(f"cap {field.name} is a whole number from 1 on, not {value!r}")
