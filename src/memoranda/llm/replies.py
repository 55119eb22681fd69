"""Reads a model's reply strictly: one JSON value within limits, or a refusal with a reason."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, NoReturn, get_args

from memoranda.errors import ModelRefusedError, ReplyError
from memoranda.llm.model import Reply, Request
from memoranda.llm.refusals import is_refusal, is_refusal_within

Reason = Literal[
    "cut",
    "empty",
    "too_big",
    "too_deep",
    "number",
    "duplicate_key",
    "trailing",
    "surrogate",
    "control",
    "prose",
    "fence",
    "reasoning",
    "syntax",
    "shape",
    "refused",
    "unknown_field",
    "missing_field",
    "unknown_action",
    "unknown_alias",
    "repeated",
    "too_long",
]
REASONS: tuple[Reason, ...] = get_args(Reason)

BYTES = 1_000_000
"""The longest reply that is read."""
DEPTH = 24
"""The deepest nesting of lists and objects."""
DIGITS = 20
"""The longest number, in characters."""

_MARKS = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
_REASONING = re.compile(r"<(think|thinking|thought|reasoning)>(.*?)</\1>\s*", re.DOTALL)
_OPEN = re.compile(r"<(?:think|thinking|thought|reasoning)>")
_CLOSE = re.compile(r"</(?:think|thinking|thought|reasoning)>\s*")
_FENCE = re.compile(
    r"(`{3,}|~{3,})[ \t]*(?:json|JSON|json5|jsonc)?[ \t]*\r?\n(.*?)\r?\n?[ \t]*\1", re.DOTALL
)
_STARTS = frozenset('{["-0123456789tfn')


def read(text: str) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """Read the one JSON value of a reply.

    Taken out of one code fence, or from behind one reasoning block at the start; with any other text
    around it, it is refused, and so are NaN, Infinity, repeated keys, lone surrogates, NUL, long
    numbers, deep nesting and more than `BYTES` bytes. Never raises another error.

    Raises:
        ReplyError: it can't be used; `reason` is one of `REASONS`.
    """
    _refuse_unfit(text)
    bare = _bare(text)
    _refuse_deep(bare)
    try:
        value, end = _DECODER.raw_decode(bare)
    except ValueError as error:
        raise _syntax(bare, error) from None
    if bare[end:].strip():
        raise ReplyError("trailing", "there is more text after the JSON value; send nothing else")
    for string in _strings(value):
        _refuse_string(string)
    return value


def value_of(reply: Reply) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """Give the JSON value of a reply whose schema was asked for.

    Raises:
        ModelRefusedError: the model declined.
        ReplyError: it was cut, or can't be read strictly.
    """
    if reply.stop == "refused":
        raise ModelRefusedError(reply.model)
    if reply.stop == "length":
        raise ReplyError("cut", "the reply was cut at its limit of tokens; be shorter")
    try:
        return read(reply.text)
    except ReplyError as error:
        if error.reason == "refused":
            raise ModelRefusedError(reply.model) from None
        raise


def prose_of(reply: Reply) -> str:
    """Give the words of a reply that was asked for in free text, without a reasoning block.

    Raises:
        ModelRefusedError: the model declined.
        ReplyError: it was cut, is empty, too big, or holds what can't be written down.
    """
    if reply.stop == "length":
        raise ReplyError("cut", "the reply was cut at its limit of tokens; be shorter")
    _refuse_unfit(reply.text)
    text = _without_reasoning(reply.text.strip())
    if reply.stop == "refused" or is_refusal_within(text):
        raise ModelRefusedError(reply.model)
    if not text:
        raise ReplyError("empty", "it holds no words")
    _refuse_string(text)
    return text


def is_declined(reply: Reply) -> bool:
    """Say whether a reply whose schema was asked for is a refusal."""
    try:
        value_of(reply)
    except ModelRefusedError:
        return True
    except ReplyError:
        return False
    return False


def completed(reply: Reply, request: Request) -> Reply:
    """Fill in `parsed` of a fresh reply, where a schema was asked for and it can be read."""
    if request.schema is None or (reply.tool_calls and not reply.text.strip()):
        return reply
    try:
        return replace(reply, parsed=value_of(reply))
    except (ReplyError, ModelRefusedError):
        return reply


def payload(body: bytes) -> dict[str, Any] | None:
    """Read an endpoint's own JSON object around a reply; None if it is none, or is cut."""
    try:
        text = body.decode("utf-8")
        _refuse_deep(text)
        found = json.loads(text)
    except (ValueError, RecursionError, ReplyError):
        return None
    return found if isinstance(found, dict) else None


def _refuse_unfit(text: str) -> None:
    if len(text) > BYTES:
        raise ReplyError("too_big", f"it has over {BYTES} bytes; be shorter")
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise ReplyError("surrogate", "it holds a lone surrogate, which is no character") from None
    if size > BYTES:
        raise ReplyError("too_big", f"it has over {BYTES} bytes; be shorter")
    if not text.strip():
        raise ReplyError("empty", "it is empty")


def _bare(text: str) -> str:
    bare = _without_reasoning(text.strip())
    if bare.startswith(("```", "~~~")):
        fenced = _FENCE.fullmatch(bare)
        if not fenced or re.search(r"^[ \t]*(?:```|~~~)", fenced[2], re.MULTILINE):
            raise ReplyError("fence", "send the JSON value by itself, or in exactly one code fence")
        bare = fenced[2].strip()
    if not bare:
        raise ReplyError("empty", "it holds no JSON value")
    if bare[0] not in _STARTS:
        _refuse_prose(bare)
    return bare


def _without_reasoning(text: str) -> str:
    if found := _REASONING.match(text):
        rest = text[found.end() :]
        if _OPEN.match(rest):
            raise ReplyError("reasoning", "think in one block at most, then send the JSON value")
        return rest
    if _OPEN.match(text):
        raise ReplyError("reasoning", "the reasoning never ended; send the JSON value by itself")
    closes = list(_CLOSE.finditer(text)) if text[:1] not in {"{", "["} else []
    return text[closes[0].end() :] if len(closes) == 1 else text  # its opening was in the prompt


def _refuse_prose(text: str) -> NoReturn:
    if is_refusal(text):
        raise ReplyError("refused", "it is a refusal or an apology")
    raise ReplyError("prose", "it does not begin with JSON; send one JSON value and nothing else")


def _refuse_deep(text: str) -> None:
    depth = 0
    for mark in _MARKS.finditer(text):
        if mark[0] in "[{":
            depth += 1
            if depth > DEPTH:
                raise ReplyError("too_deep", f"it nests deeper than {DEPTH} levels")
        elif mark[0] in "]}":
            depth -= 1


def _syntax(text: str, error: ValueError) -> ReplyError:
    if is_refusal(text):
        return ReplyError("refused", "it is a refusal or an apology")
    where = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
    said = error.msg if isinstance(error, json.JSONDecodeError) else "no JSON"
    return ReplyError("syntax", f"it is not valid JSON: {said}{where}")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ReplyError("duplicate_key", f"the key {shown(twice)} stands twice in one object")
    return found


def _whole(text: str) -> int:
    _refuse_long(text)
    return int(text)


def _broken(text: str) -> float:
    _refuse_long(text)
    number = float(text)
    if not math.isfinite(number):
        raise ReplyError("number", f"the number {shown(text)} is too large")
    return number


def _refuse_long(text: str) -> None:
    if len(text) > DIGITS:
        raise ReplyError("number", f"a number has {len(text)} characters; {DIGITS} is the most")


def _constant(text: str) -> NoReturn:
    raise ReplyError("number", f"{text} is not JSON")


def _strings(value: object) -> Iterator[str]:
    """Walk over all strings, keys included; the depth is bounded already."""
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _strings(item)
        case dict():
            for name, item in value.items():
                yield name
                yield from _strings(item)
        case _:
            pass


def _refuse_string(text: str) -> None:
    if "\0" in text:
        raise ReplyError("control", "a text holds a NUL character")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ReplyError(
            "surrogate", "a text holds a lone surrogate, which is no character"
        ) from None


def shown(text: str) -> str:
    """Quote what a model wrote, short and in ASCII, for an error."""
    return ascii(text if len(text) <= 60 else text[:57] + "...")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_int=_whole, parse_float=_broken, parse_constant=_constant
)
