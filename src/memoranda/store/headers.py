"""The header of a document: YAML front matter that people and other programs may re-type."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from memoranda.errors import TimeError
from memoranda.store.entries import fault, parse_time, quote
from memoranda.text import times

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ruamel.yaml.nodes import Node

FORMAT = 1
"""The document format that this module prints; a reader refuses newer ones."""

_FENCE = "---"
_PLAIN = re.compile(r"[^\W\d_](?:[\w/().'-]|[ ](?=[\w/(]))*")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]+Z)?")
_NOT_TEXT = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
_KEY = re.compile(
    r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^\s#\"'](?:[^:#]|:(?![ \t]|$)|(?<![ \t])#)*?)"
    r"[ \t]*:(?:[ \t]|$)"
)
_Chunk = tuple[str | None, list[str]]
_COUNT = re.compile(r"[0-9]{1,15}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What is known of a document as a whole (R44-R50).

    `token_count` is by the built-in counter that `counter` names. Times are normalised.
    `update_log` holds the last five changes. `unknown` holds front-matter chunks of keys that are
    not ours, byte for byte and in place order, each without its last newline.
    """

    id: str
    title: str
    summary: str
    project: str | None = None
    token_count: int
    created_time: str
    updated_time: str
    update_count: int
    current_epoch: int
    update_log: tuple[str, ...] = ()
    parent_id: str | None = None
    merged_from: tuple[str, ...] = ()
    aux: tuple[tuple[str, str], ...] = ()
    format: int = FORMAT
    counter: str = "m1"
    unknown: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what could not be printed and read back."""
        if len({name for name, _ in self.aux}) != len(self.aux):
            raise ValueError("aux names must differ")


_KNOWN: tuple[str, ...] = tuple(f.name for f in fields(Header) if f.name != "unknown")
_SPARED = ("project", "update_log", "parent_id", "merged_from", "aux", "counter")
_NEEDED = frozenset(_KNOWN) - frozenset(_SPARED)
_NUMBERS = frozenset(("token_count", "update_count", "current_epoch", "format"))
_TIMES = frozenset(("created_time", "updated_time"))
_LISTS = frozenset(("update_log", "merged_from"))


# Printing


def print_header(header: Header) -> list[str]:
    """Print front matter as lines, both fences included; empty and absent values are left out."""
    lines = [_FENCE]
    for name in _KNOWN:
        lines.extend(_print_field(name, getattr(header, name)))
    for chunk in header.unknown:
        lines.extend(chunk.split("\n"))
    lines.append(_FENCE)
    return lines


def _print_field(name: str, value: Any) -> list[str]:  # noqa: ANN401 - any of the header's types
    if value is None or value == ():
        return []
    if name == "aux":
        return ["aux:", *(f"  {scalar(key)}: {scalar(text)}" for key, text in value)]
    if name == "update_log":
        return ["update_log:", *(f"  - {scalar(text)}" for text in value)]
    if name == "merged_from":
        return [f"merged_from: [{', '.join(map(scalar, value))}]"]
    if name in _NUMBERS or (name in _TIMES and _TIME.fullmatch(value)):
        return [f"{name}: {value}"]
    return [f"{name}: {scalar(value)}"]


def scalar(text: str) -> str:
    """Print a text as a YAML scalar: plain if no YAML reader takes it for anything else."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT
    return text if plain else quote(text)


# Reading


def split_header(lines: Sequence[str], name: str) -> int:
    """Find the index of the closing fence of front matter.

    Raises:
        FormatError: there is no front matter, or it does not end.
    """
    if not lines or lines[0].rstrip() != _FENCE:
        fault(name, 1, "front matter is missing (the first line must be ---)")
    for index in range(1, len(lines)):
        if lines[index].rstrip() == _FENCE:
            return index
    return fault(name, len(lines), "front matter does not end (no second ---)")


def parse_header(lines: Sequence[str], name: str) -> Header:
    """Read front matter back from its lines, both fences included.

    Known keys may come in any order and in any YAML spelling; unknown keys are kept as they are.

    Raises:
        FormatError: broken YAML, a missing or doubled key, a value of a wrong type, a newer format.
    """
    body = lines[1:-1]
    chunks = _chunks(body)
    header = _quick(chunks)
    if header is None or print_header(header)[1:-1] != list(body):
        header = _slow(chunks, body, name)
    if header.format > FORMAT:
        fault(name, 1, f"format {header.format} is newer than this program's ({FORMAT}); upgrade")
    return header


def _chunks(body: Iterable[str]) -> list[_Chunk]:
    """Cut front matter at its top-level keys; comments after a known key stand by themselves."""
    chunks: list[_Chunk] = []
    last = ""
    for line in body:
        match = None if line.startswith("- ") else _KEY.match(line)
        if match is not None:
            last = _plain_key(match[1])
            chunks.append((last, [line]))
        elif line.startswith("#") and (not chunks or last in _KNOWN):
            chunks.append((None, [line]))
        elif chunks and (last not in _KNOWN or chunks[-1][0] is not None):
            chunks[-1][1].append(line)
    return chunks


def _plain_key(key: str) -> str:
    if key[0] == '"':
        try:
            return str(json.loads(key))
        except ValueError:
            return key
    return key[1:-1].replace("''", "'") if key[0] == "'" else key


def _unknown(chunks: list[_Chunk]) -> tuple[str, ...]:
    kept: list[str] = []
    for key, lines in chunks:
        if key is None and kept:
            kept[-1] = "\n".join((kept[-1], *lines))
        elif key not in _KNOWN:
            kept.append("\n".join(lines))
    return tuple(kept)


def _quick(chunks: list[_Chunk]) -> Header | None:
    """Read the form that we print, loosely: the caller compares what it prints to."""
    try:
        return Header(**{key or "": _quick_field(key or "", lines) for key, lines in chunks})
    except (ValueError, TypeError, TimeError):
        return None


def _quick_field(key: str, lines: list[str]) -> Any:  # noqa: ANN401 - any of the header's types
    value = lines[0].partition(": ")[2]
    if key in _NUMBERS:
        return int(value if _COUNT.fullmatch(value) else "")
    if key == "merged_from":
        return tuple(_quick_text(part) for part in value.strip("[]").split(", "))
    if key == "update_log":
        return tuple(_quick_text(line.removeprefix("  - ")) for line in lines[1:])
    if key == "aux":
        return tuple(_quick_pair(line[2:]) for line in lines[1:])
    text = _quick_text(value)
    return times.normalise(text) if key in _TIMES else text


def _quick_pair(line: str) -> tuple[str, str]:
    match = _KEY.match(line)
    if match is None:
        raise ValueError(line)
    return _quick_text(match[1]), _quick_text(line[match.end() :])


def _quick_text(value: str) -> str:
    return str(json.loads(value)) if value[:1] == '"' else value


def _slow(chunks: list[_Chunk], body: Sequence[str], name: str) -> Header:
    nodes = _compose(body, name)
    seen = [key for key, _ in chunks if key is not None]
    if seen != list(nodes):
        fault(name, 2, f"front matter has keys that can't be told apart: {seen} or {list(nodes)}")
    values: dict[str, Any] = {"unknown": _unknown(chunks)}
    for key, node in nodes.items():
        if key in _KNOWN:
            value = _value(key, node, name)
            if value is not None:
                values[key] = value
    missing = sorted(_NEEDED - values.keys())
    if missing:
        fault(name, 1, f"front matter lacks {', '.join(missing)}")
    return Header(**values)


def _compose(body: Sequence[str], name: str) -> dict[str, Node]:
    """Read YAML as nodes: texts as they are typed, so that no reader's types get in the way."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - slow to import, and seldom needed
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415
    from ruamel.yaml.nodes import MappingNode  # noqa: PLC0415

    try:
        root = YAML(pure=True).compose("\n".join(body) + "\n")
    except (YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or str(error)
        fault(name, mark.line + 2 if mark else 2, f"front matter is no YAML: {reason}")
    if not isinstance(root, MappingNode):
        fault(name, 2, "front matter is no YAML mapping")
    nodes: dict[str, Node] = {}
    for key, value in root.value:
        if key.value in nodes:
            fault(name, key.start_mark.line + 2, f"{key.value} is given twice")
        nodes[key.value] = value
    return nodes


def _value(key: str, node: Node, name: str) -> Any:  # noqa: ANN401 - any of the header's types
    number = node.start_mark.line + 2
    if key in _LISTS:
        return _texts(node, key, name)
    if key == "aux":
        return _pairs(node, name)
    text = _text(node, key, name)
    if text is None:
        return None
    if key in _NUMBERS:
        if not _COUNT.fullmatch(text):
            fault(name, number, f"{key} must be a whole number, not {text[:60]!r}")
        return int(text)
    return parse_time(text, number, name) if key in _TIMES else text


def _text(node: Node, key: str, name: str) -> str | None:
    if not isinstance(node.value, str):
        fault(name, node.start_mark.line + 2, f"{key} must be one value, not a list or mapping")
    return None if node.tag == "tag:yaml.org,2002:null" else node.value


def _texts(node: Node, key: str, name: str) -> tuple[str, ...]:
    if not isinstance(node.value, list):
        text = _text(node, key, name)
        return () if text is None else (text,)
    return tuple(_text(item, key, name) or "" for item in node.value)


def _pairs(node: Node, name: str) -> tuple[tuple[str, str], ...]:
    if isinstance(node.value, str) and _text(node, "aux", name) is None:
        return ()
    if not isinstance(node.value, list) or any(not isinstance(pair, tuple) for pair in node.value):
        fault(name, node.start_mark.line + 2, "aux must be a mapping of texts")
    pairs = tuple(
        (_text(key, "aux", name) or "", _text(value, "aux", name) or "")
        for key, value in node.value
    )
    if len(dict(pairs)) != len(pairs):
        fault(name, node.start_mark.line + 2, "aux names must differ")
    return pairs


# Reading what people typed


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What a person may have typed anew in front matter; of ours the rest is never read from a file."""

    id: str | None = None
    title: str | None = None
    summary: str | None = None
    changes: int | None = None
    """`update_count`: it tells which print the file was made from."""
    aux: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()


def read_typed(lines: Sequence[str], name: str) -> Typed:
    """Read front matter loosely, both fences included: what is missing, or is not as it was, is None.

    Raises:
        FormatError: it is no YAML, or a key of ours is doubled or holds what it can't.
    """
    body = lines[1:-1]
    chunks = _chunks(body)
    nodes = _compose(body, name) if any(line.strip() for line in body) else {}
    texts = {
        key: _text(nodes[key], key, name) if key in nodes else None
        for key in ("id", "title", "summary", "update_count")
    }
    count = texts["update_count"]
    return Typed(
        id=texts["id"],
        title=texts["title"],
        summary=texts["summary"],
        changes=int(count) if count is not None and _COUNT.fullmatch(count) else None,
        aux=_pairs(nodes["aux"], name) if "aux" in nodes else (),
        unknown=tuple(_bare(chunk) for chunk in _unknown(chunks)),
    )


def _bare(chunk: str) -> str:
    """Give a chunk without the blanks at the ends of its lines."""
    return "\n".join(line.rstrip() for line in chunk.split("\n"))
