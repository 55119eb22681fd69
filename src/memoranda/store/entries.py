"""The entry line: a text with its signature as one Markdown list item, exactly invertible."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from memoranda.errors import FormatError, TimeError
from memoranda.store.erasure import ERASED
from memoranda.text import times
from memoranda.values import SENSITIVITIES, SOURCES, Sensitivity, Source

if TYPE_CHECKING:
    from collections.abc import Iterable

ITEM = "- <seq="
"""How every entry line begins, and no other line at the same indentation."""

RESERVED: tuple[str, ...] = (
    "seq",
    "time",
    "source",
    "speaker",
    "project",
    "key",
    "sensitivity",
    "superseded_by",
    "retracted",
)
"""Signature names with a meaning; a free field of the same name prints as `meta.NAME`."""

_AI = {"ai": "assistant"}
_WIDEST_RUN = 100_000
_STEM = r"[^\[\]|#^\s\"<>,\\]+"
_HIDDEN = r"\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff"
_WORD = rf"[^\s\"<>,\\{_HIDDEN}]+"

_ODD = re.compile(r"[\x01-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]|\\(?=\{[0-9A-F]{0,6}\})")
_ESCAPE = re.compile(r"\\\{([0-9A-F]{0,6})\}")
_FAKE = re.compile(r"(\n[ \t]*)-(?= <seq=)")
_BREAK = re.compile(r"\n(?=[^\n])")
_CLOSING = re.compile(r"(?:^|(?<=[ \t]))(#*)#$")
_BARE = re.compile(rf"{_WORD}(?: {_WORD})*")
_UNSEEN = re.compile(f"[{_HIDDEN}]")
_STORABLE = re.compile(r"[^\x00\ud800-\udfff]*")
_NAME = re.compile(r"[a-z_][a-z0-9_-]*")
_OPEN = re.compile(r"- <seq=([0-9]+(?:[,-][0-9]+)*)")
_FIELD = re.compile(
    r", ?(?:((?:meta\.)?[a-z_][a-z0-9_-]*)="
    rf"(?:(\"(?:[^\"\\]|\\.)*\")|({_WORD}(?: {_WORD})*))|(retracted)(?=[,>]))"
)
_RUN = re.compile(r"([1-9][0-9]{0,17})(?:-([1-9][0-9]{0,17}))?")
_SUCCESSOR = re.compile(rf"([1-9][0-9]{{0,17}})(?: in \[\[({_STEM})\]\])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One entry as a document shows it: its text and a signature that code copies (R53-R61).

    `seqs` is the exact set, ascending. `superseded_by` is 0 when the successor was forgotten. `link`
    is the file stem of the document that holds the successor, when it is another one. `under` are
    the lines that this one superseded, one level. `text` is any text without NUL and lone surrogates.
    """

    seqs: tuple[int, ...]
    text: str
    source: Source
    time: str | None = None
    speaker: str | None = None
    project: str | None = None
    sensitivity: Sensitivity = "internal"
    key: str | None = None
    superseded_by: int | None = None
    link: str | None = None
    retracted: bool = False
    fields: tuple[tuple[str, str], ...] = ()
    under: tuple[Line, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what could not be printed and read back."""
        seqs = self.seqs
        if not seqs or seqs[0] < 1 or (len(seqs) > 1 and list(seqs) != sorted(set(seqs))):
            raise ValueError(f"seqs must be ascending numbers from 1, not {seqs!r}")
        if self.link is not None:
            _check_link(self.link, self.superseded_by)
        for name, _ in self.fields:
            if not _NAME.fullmatch(name):
                raise ValueError(f"field name {name!r} must match {_NAME.pattern}")
        if any(line.under for line in self.under):
            raise ValueError("superseded lines nest one level only")


def _check_link(link: str, superseded_by: int | None) -> None:
    if not superseded_by or not re.fullmatch(_STEM, link):
        raise ValueError(f"link {link!r} must be a file stem, beside superseded_by")


def fault(name: str, number: int, reason: str) -> NoReturn:
    """Raise a `FormatError` that names the place: what is read and the 1-based line in it."""
    raise FormatError(name, f"line {number}: {reason}")


# Printing


def print_line(line: Line) -> str:
    """Print a line and those under it as one list item, without a final newline (R53-R61)."""
    return "\n".join(print_parts(line))


def print_parts(line: Line) -> list[str]:
    """Print a line's own list item and then, each by itself, the sub-items under it."""
    own = _print_own(line, "\n  ")
    if not line.under:
        return [own]
    return [own, *("  " + _print_own(older, "\n    ") for older in line.under)]


def _print_own(line: Line, newline: str) -> str:
    text = escape(line.text)
    if "\n" in text:
        text = _BREAK.sub(newline, text)
    signature = _print_signature(line)
    return f"- <{signature}> {text}" if text[:1] not in ("", "\n") else f"- <{signature}>{text}"


def _print_signature(line: Line) -> str:
    parts = [f"seq={_print_seqs(line.seqs)}"]
    if line.time is not None:
        parts.append(f"time={_print_value(line.time)}")
    parts.append(f"source={line.source}")
    for name, given in (("speaker", line.speaker), ("project", line.project), ("key", line.key)):
        if given is not None:
            parts.append(f"{name}={_print_value(given)}")
    if line.sensitivity != "internal":
        parts.append(f"sensitivity={line.sensitivity}")
    if line.superseded_by is not None:
        where = f" in [[{line.link}]]" if line.link is not None else ""
        parts.append(f"superseded_by={line.superseded_by or ERASED}{where}")
    if line.retracted:
        parts.append("retracted")
    for name, value in line.fields:
        parts.append(f"{'meta.' if name in RESERVED else ''}{name}={_print_value(value)}")
    return ", ".join(parts)


def _print_seqs(seqs: tuple[int, ...]) -> str:
    if len(seqs) == 1:
        return str(seqs[0])
    runs: list[list[int]] = []
    for seq in seqs:
        if runs and seq == runs[-1][-1] + 1:
            runs[-1].append(seq)
        else:
            runs.append([seq])
    return ",".join(
        f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs
    )


def _print_value(value: str) -> str:
    return value if _BARE.fullmatch(value) else quote(value)


def quote(value: str) -> str:
    r"""Quote as JSON, with the characters that would break a line or hide as `\uXXXX`."""
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def escape(text: str) -> str:
    r"""Make a text safe as the body of a list item; most texts come back as they are.

    The one form is `\{HEX}`, a character by its number, and `\{}`, nothing. It is used for control
    characters and line breaks other than `\n` and tab, for the last blank of a text, for an empty
    last line, for the dash of a further line that looks like an entry, and for a backslash that
    would begin such a form.
    """
    if _ODD.search(text):
        text = _ODD.sub(_number, text)
    if "- <seq=" in text:
        text = _FAKE.sub(r"\1\\{2D}", text)
    last = text[-1:]
    if last == "\n":
        return text + "\\{}"
    return f"{text[:-1]}\\{{{ord(last):X}}}" if last.isspace() else text


def escape_heading(text: str) -> str:
    r"""Make a text safe as a one-line heading, by the same form as `escape`."""
    if not text:
        return "\\{}"
    text = _ODD.sub(_number, text).replace("\n", "\\{A}")
    if text[0].isspace():
        text = f"\\{{{ord(text[0]):X}}}{text[1:]}"
    if text[-1].isspace():
        text = f"{text[:-1]}\\{{{ord(text[-1]):X}}}"
    return _CLOSING.sub(r"\1\\{23}", text)


def unescape(text: str) -> str:
    """Undo `escape` and `escape_heading`; what is no character's number stays as it is."""
    return _ESCAPE.sub(_character, text) if "\\{" in text else text


def _number(match: re.Match[str]) -> str:
    return f"\\{{{ord(match[0]):X}}}"


def _character(match: re.Match[str]) -> str:
    if not match[1]:
        return ""
    number = int(match[1], 16)
    if number == 0 or 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:
        return match[0]
    return chr(number)


# Reading


def parse_lines(lines: Iterable[str], *, name: str = "entries", first: int = 1) -> tuple[Line, ...]:
    """Read list items back from their lines (without line ends).

    `name` and `first` (the 1-based number of the first line) are for the error's sentence. Empty
    lines between items are allowed; `AI` is read as source `assistant`; times are normalised.

    Raises:
        FormatError: with the line, for anything that is not an entry.
    """
    items: list[_Item] = []
    for number, raw in enumerate(lines, first):
        if raw.startswith((ITEM, "  " + ITEM)):
            items.append(_Item(raw, number, name))
            if items[0].deep:
                fault(name, number, "a sub-item without an entry above it")
        elif items and raw.startswith(items[-1].indent):
            items[-1].texts.append(raw[len(items[-1].indent) :])
        elif raw and not raw.isspace():
            fault(name, number, f"expected an entry ({ITEM}...) or an indented line: {raw[:60]!r}")
        elif items:
            items[-1].texts.append("")
    return _nest(items, name)


def _nest(items: list[_Item], name: str) -> tuple[Line, ...]:
    found: list[Line] = []
    under: list[Line] = []
    for item in reversed(items):
        try:
            if item.deep:
                under.append(item.line(()))
            else:
                found.append(item.line(tuple(reversed(under))))
                under = []
        except ValueError as error:
            fault(name, item.number, str(error))
    found.reverse()
    return tuple(found)


class _Item:
    """An item while it is being read: its signature's values and the texts of its lines."""

    __slots__ = ("deep", "indent", "number", "texts", "values")

    def __init__(self, raw: str, number: int, name: str) -> None:
        self.deep = raw[0] == " "
        self.indent = "    " if self.deep else "  "
        self.number = number
        self.values, rest = _parse_signature(raw[2:] if self.deep else raw, number, name)
        self.texts = [rest.removeprefix(" ")]

    def line(self, under: tuple[Line, ...]) -> Line:
        texts = self.texts
        while len(texts) > 1 and (not texts[-1] or texts[-1].isspace()):
            texts.pop()
        return Line(text=unescape("\n".join(texts)), under=under, **self.values)


def _parse_signature(raw: str, number: int, name: str) -> tuple[dict[str, Any], str]:
    match = _OPEN.match(raw)
    if match is None:
        fault(name, number, "the signature has no sequence number")
    values: dict[str, Any] = {"seqs": _parse_seqs(match[1], number, name)}
    fields: list[tuple[str, str]] = []
    end = match.end()
    while match := _FIELD.match(raw, end):
        end = match.end()
        field, quoted, bare, flag = match.groups()
        value = bare if quoted is None else _unquote(quoted, number, name)
        if flag is None and field not in RESERVED:
            fields.append((field.removeprefix("meta."), value))
        elif (field or flag) in values:
            fault(name, number, f"{field or flag} is given twice")
        else:
            _set(values, field or flag, value, number, name)
    if raw[end : end + 1] != ">":
        fault(name, number, f"the signature can't be read from {raw[end : end + 40]!r} on")
    if "source" not in values:
        fault(name, number, "the signature has no source")
    values["fields"] = tuple(fields)
    return values, raw[end + 1 :]


def _parse_seqs(printed: str, number: int, name: str) -> tuple[int, ...]:
    seqs: list[int] = []
    for part in printed.split(","):
        run = _RUN.fullmatch(part)
        if run is None:
            fault(name, number, f"{part!r} is no sequence number or run")
        low, high = int(run[1]), int(run[2] or run[1])
        if high - low > _WIDEST_RUN:
            fault(name, number, f"the run {part} is too wide")
        seqs.extend(range(low, high + 1))
    return tuple(seqs)


def _unquote(quoted: str, number: int, name: str) -> str:
    try:
        value = str(json.loads(quoted))
    except ValueError as error:
        fault(name, number, f"the quoted value {quoted[:60]} can't be read: {error}")
    if not _STORABLE.fullmatch(value):
        fault(name, number, f"the quoted value {quoted[:60]} holds NUL or half a surrogate pair")
    return value


def _set(values: dict[str, Any], field: str, value: str | None, number: int, name: str) -> None:
    """Set a reserved field to its value, in the type that `Line` wants."""
    match field, value:
        case "retracted", None:
            values["retracted"] = True
        case (("speaker" | "project" | "key"), str()):
            values[field] = value
        case "time", str():
            values["time"] = parse_time(value, number, name)
        case "source", str():
            values["source"] = _one_of(SOURCES, _AI.get(value.lower(), value), number, name)
        case "sensitivity", str():
            values["sensitivity"] = _one_of(SENSITIVITIES, value, number, name)
        case "superseded_by", str():
            values["superseded_by"], values["link"] = _successor(value, number, name)
        case _:
            fault(name, number, f"{field} can't be set so")


def _successor(value: str, number: int, name: str) -> tuple[int, str | None]:
    """Read what replaced an entry: its number (0 when it was forgotten) and where it stands."""
    if value == ERASED:
        return 0, None
    successor = _SUCCESSOR.fullmatch(value)
    if successor is None:
        fault(name, number, f"superseded_by={value} is no sequence number")
    return int(successor[1]), successor[2]


def parse_time(value: str, number: int, name: str) -> str:
    """Normalise a time, with the place in the error.

    Raises:
        FormatError: not a time that `times.normalise` takes.
    """
    try:
        return times.normalise(value)
    except TimeError as error:
        fault(name, number, str(error))


def _one_of(known: tuple[str, ...], value: str, number: int, name: str) -> str:
    if value.lower() not in known:
        fault(name, number, f"{value!r} is none of {', '.join(known)}")
    return value.lower()
