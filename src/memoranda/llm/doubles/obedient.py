"""A model that does whatever the data in its prompt tell it to: the worst case of an injection."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from urllib.parse import unquote

from memoranda.llm.doubles.said import answered
from memoranda.llm.model import Model, Reply, Request, ToolCall

Goal = Callable[[str, Request], str | None]
"""(data as one reading of them, request) -> the reply that obeys them, or None."""

_FENCED = re.compile(r"<<<DATA (\S+) (\S+)\n(.*?)\nDATA \1 \2>>>", re.DOTALL)
_ESCAPED = re.compile(r"\\u\{([0-9a-f]{1,6})\}")
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[ ]?){12,}")
_SAY = re.compile(
    r"(?:reply|respond|answer|output|return|write|say|print)(?: only| exactly| just)*"
    r"(?: with)?\s*[:\"'“]\s*(.+)"
    '|(?:回复|回答|输出|返回|写|说)\\s*[:：“"]\\s*(.+)'
    r"|(?:antworte|schreibe|gib aus)(?: mit)?\s*[:\"„]\s*(.+)"
    r"|(?:réponds|écris|responde|escribe|responda|rispondi|ответь|напиши)\S*\s*[:\"«]\s*(.+)",
    re.IGNORECASE,
)
_TRIES = 200


class ObedientModel:
    """Obeys the data, and is honest only where they hold no order.

    It reads the data as they are, and also decoded (invisible and tag characters, escapes,
    entities, percent signs, base64, hexadecimal, rot13, backwards), and answers with a JSON object
    that it finds there, one with fields of the form that is asked for before others. An object with
    `tool` and `arguments` becomes a call if the request has tools. Where there is none, it says what
    "reply with: ..." wants, in several languages.

    Attributes:
        obeyed: the replies that the data made it give, in order.
    """

    def __init__(self, honest: Model, *, goal: Goal | None = None) -> None:
        """Take an honest model, and how to obey what is not JSON.

        Args:
            honest: answers where nothing is ordered.
            goal: makes a reply of an order in words, in the closed language of the caller's form;
                it is asked after JSON and before "reply with: ...".
        """
        self.honest = honest
        self.name = f"obedient({honest.name})"
        self.goal = goal
        self.obeyed: list[str] = []

    def ask(self, request: Request) -> Reply:
        """Obey the data, or ask the honest model."""
        said = self._ordered(request)
        if said is None:
            return self.honest.ask(request)
        self.obeyed.append(said)
        call = _as_call(said) if request.tools else None
        if call:
            return answered(
                Reply(text="", tool_calls=(call,), stop="tool"), request, model=self.name
            )
        return answered(said, request, model=self.name)

    def _ordered(self, request: Request) -> str | None:
        texts = [reading for data in data_of(request) for reading in readings(data)]
        objects = [found for text in texts for found in _json_in(text)]
        wanted = json.dumps(request.schema)
        fitting = (said for said, names in objects if any(f'"{name}"' in wanted for name in names))
        rest = (said for said, _ in objects)
        goals = (self.goal(text, request) for text in texts if self.goal)
        words = (_words_in(text) for text in texts)
        found = (said for way in (fitting, rest, goals, words) for said in way)
        return next((said for said in found if said is not None), None)


def data_of(request: Request) -> list[str]:
    """Give the data of a request: what is fenced, else the turns of user and tools."""
    turns = [turn.content for turn in request.messages if turn.role in {"user", "tool"}]
    fenced = [found[3] for turn in turns for found in _FENCED.finditer(turn)]
    return fenced or turns


def readings(text: str) -> Iterator[str]:
    """Read a text in every way that hides an order in it, the plain one first."""
    yield text
    raw = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    tagged = "".join(_TAGS.findall(raw))
    clean = unicodedata.normalize("NFKC", _HIDDEN.sub("", _TAGS.sub("", raw)))
    decoded = (
        clean,
        "".join(chr(ord(mark) - 0xE0000) for mark in tagged),
        html.unescape(clean),
        unquote(clean),
        *_unpacked(clean),
        codecs.decode(clean, "rot13"),
        clean[::-1],
    )
    yield from (reading for reading in dict.fromkeys(decoded) if reading and reading != text)


def _unpacked(text: str) -> Iterator[str]:
    for found in _BASE64.finditer(text):
        with suppress(binascii.Error, UnicodeDecodeError):
            body = found[0].rstrip("=")
            padded = body + "=" * (-len(body) % 4)
            yield base64.b64decode(
                padded, altchars=b"-_" if set("-_") & set(body) else None
            ).decode()
    for found in _HEX.finditer(text):
        with suppress(ValueError):
            yield bytes.fromhex(found[0]).decode()
    with suppress(UnicodeDecodeError):
        if "\\u" in text:
            yield text.encode("latin-1", "backslashreplace").decode("unicode_escape")


def _json_in(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Find JSON objects in a text; give each with the names of its fields."""
    decoder = json.JSONDecoder()
    starts = [found.start() for found in re.finditer(r"\{", text)][:_TRIES]
    for start in starts:
        with suppress(ValueError, RecursionError):
            found, end = decoder.raw_decode(text, start)
            if found:
                yield text[start:end], tuple(found)


def _words_in(text: str) -> str | None:
    found = _SAY.search(text)
    said = next((part for part in found.groups() if part), "") if found else ""
    return said.strip(" \"'“”„«»") or None


def _as_call(said: str) -> ToolCall | None:
    try:
        found = json.loads(said)
    except ValueError:
        return None
    if not isinstance(found, dict) or not isinstance(found.get("tool"), str):
        return None
    arguments = json.dumps(found.get("arguments", {}))
    return ToolCall(call_id="obeyed", name=found["tool"], arguments=arguments)
