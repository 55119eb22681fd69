"""Every way a piece of text may stand in a file: encodings, escapes, other spellings."""

from __future__ import annotations

import base64
import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

from memoranda.text.analyse import fold, terms

TERMS = "index terms"
"""The name of the form in which an index holds a text."""

_URLSAFE = bytes.maketrans(b"+/", b"-_")
_TAIL = (0, 2, 3)
"""So many base64 characters at the start hold bits of the 0, 1 or 2 bytes that stand before."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a text: its name and the bytes."""

    name: str
    data: bytes
    wide: bool = False
    """Each character takes two bytes or more."""


def forms(text: str, *, wide: bool | None = None) -> tuple[Form, ...]:
    """Give the ways a text may stand in a file, each byte string once, in a fixed order.

    The text as given and its NFC and NFD are written in all encodings and escapes; its NFKC, its
    casefolded and its upper-case spelling in UTF-8 and UTF-16, its index terms in UTF-8. A lone
    surrogate is written as the three bytes that `surrogatepass` gives. `wide` gives only the forms
    in which each character takes two bytes or more, or only the others, both without index terms.
    """
    found: dict[bytes, Form] = {}
    for name, spelled in _spellings(text).items():
        if wide is not True:
            found |= {d: Form(name, d) for d in (_bytes(spelled),) if d not in found}
            _put(found, _narrow(spelled) if name in _MAIN else (), wide=False)
        if wide is not False:
            _put(found, _wide(spelled) if name in _MAIN else _utf16(spelled), wide=True)
    if wide is None:
        _put(found, [(TERMS, _bytes(" ".join(terms(text))))], wide=False)
    found.pop(b"", None)
    return tuple(found.values())


_MAIN = ("utf-8", "nfc", "nfd")


def _spellings(text: str) -> dict[str, str]:
    """Give a text and the other spellings of it, each once."""
    spelled = {"utf-8": text}
    if not text.isascii():
        spelled["nfc"] = unicodedata.normalize("NFC", text)
        spelled["nfd"] = unicodedata.normalize("NFD", text)
        spelled["nfkc"] = unicodedata.normalize("NFKC", text)
    spelled["casefold"] = fold(text)
    spelled["upper"] = text.upper()
    once: dict[str, str] = {}
    for name, kind in spelled.items():
        once.setdefault(kind, name)
    return {name: kind for kind, name in once.items()}


def _put(found: dict[bytes, Form], written: Iterable[tuple[str, bytes]], *, wide: bool) -> None:
    for name, data in written:
        if data not in found:
            found[data] = Form(name, data, wide)


def _bytes(text: str, encoding: str = "utf-8") -> bytes:
    return text.encode(encoding, "surrogatepass")


def _narrow(text: str) -> Iterator[tuple[str, bytes]]:
    yield from (("bytes", written.encode()) for written in _escaped_bytes(text))
    yield from (("json", written.encode()) for written in _json(text))
    yield from (("url", written.encode()) for written in _url(text))
    yield from (("html", written.encode()) for written in _html(text))
    yield from (("base64", cut) for cut in _base64(_bytes(text)))


def _wide(text: str) -> Iterator[tuple[str, bytes]]:
    yield from _utf16(text)
    for encoding in ("utf-32le", "utf-32be"):
        yield encoding, _bytes(text, encoding)
    yield from (("base64 of utf-16le", cut) for cut in _base64(_bytes(text, "utf-16le")))
    units, data = _bytes(text, "utf-16be").hex(), _bytes(text)
    for digits in (data.hex(), data.hex().upper()):
        yield "hex", digits.encode()
        yield "url", _each("%", digits, 2).encode()
    for digits in (units, units.upper()):
        yield "json", _each("\\u", digits, 4).encode()
    for number in _NUMBERS:
        yield "html", "".join(map(number, text)).encode()


def _utf16(text: str) -> Iterator[tuple[str, bytes]]:
    for encoding in ("utf-16le", "utf-16be"):
        yield encoding, _bytes(text, encoding)


def _each(mark: str, digits: str, size: int) -> str:
    return "".join(mark + digits[at : at + size] for at in range(0, len(digits), size))


def _json(text: str) -> Iterator[str]:
    """Escape for JSON: what must be, and all but ASCII; in both cases of hex; also twice."""
    if text.isalnum() and text.isascii():
        return
    plain, written = json.dumps(_safe(text), ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]
    capitals = _JSON_ESCAPE.sub(
        lambda m: m[0] if m[0][1] != "u" else "\\u" + m[0][2:].upper(), written
    )
    for once in (plain, written, capitals):
        yield once
        yield json.dumps(once, ensure_ascii=False)[1:-1]


def _escaped_bytes(text: str) -> Iterator[str]:
    """Escape bytes that are not ASCII, as Python and C print them: in hex, and in octal."""
    if not text.isascii():
        for spec in ("x{:02x}", "x{:02X}", "{:03o}"):
            yield "".join(
                chr(byte) if byte < 128 else "\\" + spec.format(byte) for byte in _bytes(text)
            )


def _safe(text: str) -> str:
    return _bytes(text).decode("utf-8", "replace")


def _url(text: str) -> Iterator[str]:
    """Escape for a URL: its parts have different rights; `+` for a blank; both cases of hex."""
    if text.isalnum() and text.isascii():
        return
    data = _bytes(text)
    for safe in ("", "/", "/:@!$&'()*+,;=?#"):
        written = quote(data, safe=safe)
        for shown in (written, _URL_ESCAPE.sub(lambda m: m[0].lower(), written)):
            yield shown
            yield shown.replace("%20", "+")


def _html(text: str) -> Iterator[str]:
    """Escape for HTML: names of `& < > "`, names or numbers of `'`, numbers of what is not ASCII."""
    if text.isalnum() and text.isascii():
        return
    text = _safe(text)
    named = html.escape(text, quote=False)
    quoted = named.replace('"', "&quot;")
    for written in (
        named,
        quoted,
        *(quoted.replace("'", q) for q in ("&#x27;", "&#39;", "&apos;")),
    ):
        yield written
        if not text.isascii():
            for number in _NUMBERS:
                yield "".join(ch if ch.isascii() else number(ch) for ch in written)


_JSON_ESCAPE = re.compile(r"\\(?:u....|.)")
_URL_ESCAPE = re.compile("%..")
_NUMBERS: tuple[Callable[[str], str], ...] = (
    lambda char: f"&#{ord(char)};",
    lambda char: f"&#x{ord(char):x};",
    lambda char: f"&#x{ord(char):X};",
)


def _base64(data: bytes) -> Iterator[bytes]:
    """Give the base64 characters that `data` alone decides, at each of the three offsets."""
    for offset in range(3):
        whole = base64.b64encode(b"\0" * offset + data)
        cut = whole[_TAIL[offset] : (offset + len(data)) * 8 // 6]
        yield cut
        yield cut.translate(_URLSAFE)
