"""Where a text falls into clauses, and which subject a clause takes from the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoranda.text.guard import lexicon_en as en
from memoranda.text.guard import lexicon_zh as zh
from memoranda.text.guard.clauses import BOUND, Clause, Token

_JOINTS = frozenset((*en.BREAKS.split("|"), *zh.BREAKS.split("|"))) - {"if", "unless"}
_OPENS = frozenset({"if", "unless", "如果"})
_PRONOUNS = frozenset({"it", "they", "there", "you", "这", "那"})
_BINDS = frozenset("的和与跟")
_LIST = frozenset({"and", "or", ",", "、"})

_SUBJECTS = frozenset(
    {"all", "every", "some", "few", "many", "most", "both", "either", "not all", "couple"}
    | {"所有", "一些", "有些", "部分", "大部分", "很多", "每", "少数", "任何", "不都"}
)
"""Quantities that begin a subject."""


def clauses(tokens: Sequence[Token]) -> tuple[Clause, ...]:
    """Cut tokens into clauses; one that says nothing by itself belongs to its neighbour."""
    found: list[Clause] = []
    for number, sentence in enumerate(_sentences(tokens)):
        parts = _joined(_parts(sentence))
        found.extend(replace(part, sentence=number) for part in _heirs(parts))
    return tuple(found)


def _sentences(tokens: Sequence[Token]) -> list[list[Token]]:
    found: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == "stop":
            found.append([])
        else:
            found[-1].append(token)
    return [sentence for sentence in found if sentence]


def _parts(tokens: list[Token]) -> list[Clause]:
    parts: list[tuple[str, list[Token]]] = [("", [])]
    for token in tokens:
        if token.kind == "break" or (token.kind in {"function", "filler"} and token.key in _JOINTS):
            kept = [token] if token.kind == "filler" else []
            parts.append((token.key, kept))
        elif token.key in _OPENS and token.kind == "hedge":
            parts.append(("if", [token]))
        else:
            parts[-1][1].append(token)
    return [Clause(tuple(held), joint) for joint, held in parts if held]


def _joined(parts: list[Clause]) -> list[Clause]:
    """Give what has no content word to the clause before it, or, if it is first, to the next."""
    found: list[Clause] = []
    waiting: tuple[Token, ...] = ()
    for part in parts:
        weak = not part.of("word") or (part.joint in _LIST and _listed(part))
        if weak and found:
            found[-1] = replace(found[-1], tokens=found[-1].tokens + part.tokens)
        elif weak and not part.of("word"):
            waiting += part.tokens
        else:
            found.append(replace(part, tokens=waiting + part.tokens))
            waiting = ()
    return [*found, Clause(waiting)] if waiting else found


def _listed(part: Clause) -> bool:
    """Tell whether a clause is but one more word of a list."""
    if len(part.telling) > 1 or part.of("speaker", "person", *BOUND):
        return False
    return part.telling[0].key.isascii()


def _heirs(parts: list[Clause]) -> list[Clause]:
    """Let a clause without a subject of its own take that of the last one that has one."""
    found: list[Clause] = []
    subject: tuple[Token, ...] = ()
    for part in parts:
        if found and not _own(part):
            found.append(replace(part, inherited=subject))
            continue
        found.append(part)
        subject = _subject(part)
    return found


def _subject(part: Clause) -> tuple[Token, ...]:
    """Give what another clause may take over: the names in front, and the first content words."""
    names: list[Token] = []
    for at, token in enumerate(part.tokens):
        if token.kind == "word":
            before = part.tokens[:at]
            known = bool(names) or any(
                t.kind in {"speaker", "person"} or t.key in _PRONOUNS for t in before
            )
            return (*names, *_head(part.tokens[at:], known=known))
        if token.kind == "name":
            names.append(token)
    return tuple(names)


def _head(tokens: Sequence[Token], *, known: bool) -> list[Token]:
    """Give the words of a subject, or, where it is known, the verb (in English)."""
    words = [token for token in tokens if token.kind == "word"]
    if words[0].key.isascii():
        second = words[1].start if len(words) > 1 else 0
        near = [t for t in tokens if t.kind == "name" and t.start < second and not known]
        return [*words[: 1 if known else 3], *near]
    found: list[Token] = []
    for token in tokens:
        if known or token.kind not in {"word", "name"} | ({"function"} if found else set()):
            break
        if token.kind == "function" and token.key not in _BINDS:
            break
        if token.kind != "function":
            found.append(token)
    return found


def _own(part: Clause) -> bool:
    """Tell whether a clause begins with a subject."""
    counted = False
    for token in part.tokens:
        if token.kind in {"opener", "person", "speaker", "name", "number"}:
            return True
        if token.kind == "quantifier" and token.key in _SUBJECTS:
            return True
        counted = counted or token.kind == "quantifier"
        if token.kind == "word":
            return not (counted or token.key.isascii() or token.key[0] in zh.STARTS)
        if token.kind in {"function", "negation", "modality"} and token.key not in en.PREPOSITIONS:
            return False
    return False
