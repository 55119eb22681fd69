"""What is to be forgotten: a sentence of random words in one of 12 encodings, beside another script."""

from __future__ import annotations

import random
from dataclasses import dataclass

from canaries import sentence, word, written

ENCODINGS = (
    "plain", "utf-16 in base64", "json", "url", "html", "base64+0", "base64+1", "base64+2", "nfc",
    "nfd", "casefold", "upper",
)  # fmt: skip
_ASCII = "abcdefghijklmnopqrstuvwxyz"
_LETTERS = {
    "nfc": f"{_ASCII}àâäçéèêëîïñôöùûüÿžšćřůåø",
    "nfd": f"{_ASCII}àâäçéèêëîïñôöùûüÿžšćřůåø",
    "casefold": f"{_ASCII}{_ASCII.upper()}",
}
_HAN = "".join(map(chr, range(0x4E00, 0x9F00)))
_ARABIC = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
_EMOJI = "".join(map(chr, (*range(0x1F400, 0x1F440), *range(0x1F600, 0x1F640))))
_ACCENTS = "àâäçéèêëîïñôöùûüÿžšćřůåø"


@dataclass(frozen=True, slots=True)
class Doom:
    """One thing that nobody may find any more."""

    text: str
    """A sentence of eight words of twelve letters, encoded, and one of another script."""
    short: str
    """What fits where at most some hundred characters may stand: two words of it, encoded."""
    name: str
    """Words as the names of projects may have them."""
    word: str
    """One word in plain letters."""
    secrets: tuple[str, ...]
    """All that it says, decoded."""

    @property
    def planted(self) -> tuple[str, ...]:
        """What stands in a memory, as it was written there."""
        return (self.text, self.short, self.name, self.word)


def doom(rng: random.Random, encoding: str) -> Doom:
    """Make one, its words drawn by chance."""
    said = sentence(rng, _LETTERS.get(encoding, _ASCII))
    script = rng.choice(_scripts(rng))
    name = " ".join(word(rng) for _ in range(3))
    only = word(rng)
    short = written(encoding, " ".join(said.split()[:2]))
    return Doom(
        text=f"{written(encoding, said)} {script}",
        short=short,
        name=name,
        word=only,
        secrets=(said, script, name, only),
    )


def _scripts(rng: random.Random) -> list[str]:
    """A sentence in Chinese, in Arabic, in emoji, in letters with accents."""
    return [
        f"{word(rng, _HAN, 12)}，{word(rng, _HAN, 12)}。",
        " ".join(word(rng, _ARABIC, 7) for _ in range(5)),
        " ".join(word(rng, _EMOJI, 6) for _ in range(4)),
        sentence(rng, _ACCENTS),
    ]
