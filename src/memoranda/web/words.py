"""What the pages say, in English and Chinese: one catalogue, kept as data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal

Language = Literal["en", "zh"]
LANGUAGES: Final[Mapping[Language, str]] = {"en": "English", "zh": "中文"}
"""Each language by the name that its readers know."""


@cache
def catalogue() -> Mapping[str, Mapping[Language, str]]:
    """Give the catalogue: key -> language -> text; `a|b` is one and several."""
    text = files(__package__).joinpath("words.json").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[Language, str]] = json.loads(text)
    return found


def preferred(header: str) -> Language:
    """Give the language that an `Accept-Language` header names first; English where it names none."""
    for part in header.lower().split(","):
        name = part.split(";")[0].strip().split("-")[0]
        if name == "zh":
            return "zh"
        if name == "en":
            return "en"
    return "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of one language."""

    language: Language = "en"

    def __call__(self, key: str, **values: object) -> str:
        """Give a text with its values filled in.

        Raises:
            KeyError: the catalogue has no such key: a page is wrong.
        """
        return catalogue()[key][self.language].format(**values)

    def many(self, key: str, number: int) -> str:
        """Give a text that counts: `1 entry`, `2,040 entries`."""
        one, _, several = catalogue()[key][self.language].partition("|")
        return (several if several and number != 1 else one).format(n=f"{number:,}")

    def known(self, key: str, name: str) -> str:
        """Give the words for one of a closed set of names; a name without words stands as it is."""
        found = catalogue().get(f"{key}.{name}")
        return name if found is None else found[self.language]
