"""Canaries: sentences that stand nowhere else, and a search for what is left of them anywhere."""

from __future__ import annotations

import base64
import html
import json
import random
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from memoranda.store.scan import ScanHit, scan
from memoranda.text.pieces import Kept

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ACCENTS = "àâäçéèêëîïñôöùûüÿžšćřůåø"


@dataclass(frozen=True, slots=True)
class Canary:
    """A sentence by its kind; `text` is what is planted, `secret` what it says once decoded."""

    name: str
    text: str
    secret: str


def word(rng: random.Random, letters: str = _LETTERS, size: int = 12) -> str:
    """A word of random letters."""
    return "".join(rng.choice(letters) for _ in range(size))


def sentence(rng: random.Random, letters: str = _LETTERS) -> str:
    """Eight words of twelve letters."""
    return " ".join(word(rng, letters) for _ in range(8))


def canaries(seed: int | str = 0) -> tuple[Canary, ...]:
    """A sentence in each of 12 encodings and in six other scripts, each with words of its own."""
    rng = random.Random(f"canaries {seed}")  # noqa: S311 - no secret
    return (*_encoded(rng), *_scripts(rng))


def plain(seed: int | str = 0) -> Canary:
    """One sentence in plain ASCII."""
    return canaries(seed)[0]


def _encoded(rng: random.Random) -> Iterable[Canary]:
    def said(name: str, letters: str = _LETTERS) -> tuple[str, str]:
        return name, sentence(rng, letters)

    for name, secret in (
        said("plain"), said("utf-16 in base64"), said("json"), said("url"), said("html"),
        said("base64+0"), said("base64+1"), said("base64+2"),
        said("nfc", _LETTERS + _ACCENTS), said("nfd", _LETTERS + _ACCENTS),
        said("casefold", _LETTERS + _LETTERS.upper()), said("upper"),
    ):  # fmt: skip
        yield Canary(name, written(name, secret), secret)


def written(name: str, secret: str) -> str:
    """A sentence in one of the 12 encodings, as text."""
    match name:
        case "utf-16 in base64":
            return base64.b64encode(secret.encode("utf-16le")).decode()
        case "base64+0" | "base64+1" | "base64+2":
            return base64.b64encode(b"-" * int(name[-1]) + secret.encode()).decode()
        case _:
            return _ESCAPES.get(name, str)(secret)


_ESCAPES: dict[str, Callable[[str], str]] = {
    "json": lambda secret: "".join(f"\\u{ord(char):04x}" for char in secret),
    "url": lambda secret: "".join(f"%{byte:02X}" for byte in secret.encode()),
    "html": lambda secret: "".join(f"&#{ord(char)};" for char in secret),
    "nfc": lambda secret: unicodedata.normalize("NFC", secret),
    "nfd": lambda secret: unicodedata.normalize("NFD", secret),
    "casefold": str.casefold,
    "upper": str.upper,
}


def _scripts(rng: random.Random) -> Iterable[Canary]:
    han = "".join(map(chr, range(0x4E00, 0x9F00)))
    kana = "".join(map(chr, (*range(0x3041, 0x3094), *range(0x30A1, 0x30F7))))
    hangul = "".join(map(chr, range(0xAC00, 0xD7A4)))
    emoji = "".join(map(chr, (*range(0x1F400, 0x1F440), *range(0x1F600, 0x1F640))))
    texts = {
        "accents": sentence(rng, _ACCENTS),
        "full width": sentence(
            rng, "".join(map(chr, (*range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))))
        ),
        "Chinese": f"{word(rng, han, 12)}，{word(rng, han, 12)}。",
        "Japanese": f"{word(rng, kana, 12)}{word(rng, han, 4)}、{word(rng, kana, 12)}。",
        "Korean": " ".join(word(rng, hangul, 5) for _ in range(8)),
        "emoji": " ".join(word(rng, emoji, 6) for _ in range(4)),
    }
    return [Canary(name, text, text) for name, text in texts.items()]


def encodings(text: str) -> dict[str, bytes]:
    """A text in the forms in which files keep text: what a scan must find all of."""
    data = text.encode()
    dumped = json.dumps(text)
    return {
        "utf-8": data,
        "utf-16le": text.encode("utf-16le"),
        "utf-16be": text.encode("utf-16be"),
        "utf-32le": text.encode("utf-32le"),
        "utf-32be": text.encode("utf-32be"),
        "json": dumped.encode(),
        "json in capitals": re.sub(r"\\u....", lambda m: "\\u" + m[0][2:].upper(), dumped).encode(),
        "json in json": json.dumps(dumped).encode(),
        "json, every character": _units(text, "04x"),
        "json, every character, in capitals": _units(text, "04X"),
        "url": quote(text).encode(),
        "url in small letters": quote(text, safe="").lower().encode(),
        "url, plus for blank": quote(text).replace("%20", "+").encode(),
        "url, every byte": "".join(f"%{byte:02x}" for byte in data).encode(),
        "bytes as Python prints them": repr(data).encode(),
        "bytes as git prints them": "".join(
            chr(byte) if byte < 128 else f"\\{byte:03o}" for byte in data
        ).encode(),
        "html": html.escape(text).encode(),
        "html, ascii": html.escape(text).encode("ascii", "xmlcharrefreplace"),
        "html, every character": "".join(f"&#{ord(char)};" for char in text).encode(),
        "html, every character, hex": "".join(f"&#x{ord(char):x};" for char in text).encode(),
        "base64+0": base64.b64encode(data),
        "base64+1": base64.b64encode(b"." + data),
        "base64+2": base64.b64encode(b".." + data),
        "base64 for urls": base64.urlsafe_b64encode(b"?" + data),
        "base64 of utf-16le": base64.b64encode(b"?" + text.encode("utf-16le")),
        "hex": data.hex().encode(),
        "hex in capitals": data.hex().upper().encode(),
        "nfc": unicodedata.normalize("NFC", text).encode(),
        "nfd": unicodedata.normalize("NFD", text).encode(),
        "nfkc": unicodedata.normalize("NFKC", text).encode(),
        "casefold": text.casefold().encode(),
        "upper": text.upper().encode(),
    }


def _units(text: str, spec: str) -> bytes:
    data = text.encode("utf-16be")
    pairs = (data[at] << 8 | data[at + 1] for at in range(0, len(data), 2))
    return "".join(f"\\u{unit:{spec}}" for unit in pairs).encode()


def leaks(
    *roots: Path, canaries: Iterable[Canary], kept: Kept | None = None
) -> tuple[ScanHit, ...]:
    """What is left of canaries below some folders; () when they are gone.

    A folder that can't be read whole is no clean folder: it fails the test.
    """
    texts = dict.fromkeys(text for canary in canaries for text in (canary.text, canary.secret))
    found = scan(roots, list(texts), kept=kept)
    assert found.unread == ()
    assert found.not_searched == ()
    return found.hits
