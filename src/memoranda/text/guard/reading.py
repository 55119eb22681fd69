"""A text as clauses of tokens: what tells something, what binds, and what may go."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from memoranda.text.analyse import plain_text
from memoranda.text.guard import lexicon_en as en
from memoranda.text.guard import lexicon_zh as zh
from memoranda.text.guard import numbers_en, numbers_zh
from memoranda.text.guard.cast import Cast
from memoranda.text.guard.clauses import Canvas, Clause, Token, TokenKind
from memoranda.text.guard.figures import split
from memoranda.text.guard.joints import clauses
from memoranda.text.guard.links import links
from memoranda.text.guard.moments import moments
from memoranda.text.stopwords import ENGLISH, GREETINGS, WEAK

_CONTRACTIONS = (
    (r"\bwon't\b", "will not"), (r"\bcan't\b|\bcannot\b|\bcant\b", "can not"),
    (r"\bshan't\b", "shall not"), (r"\bain't\b", "is not"), (r"n't\b", " not"),
    (r"\b(do|does|did|is|are|was|were|has|have|had|would|should|could)nt\b", r"\1 not"),
    (r"\blet's\b", "let us"), (r"\bi'm\b", "I am"), (r"'m\b", " am"), (r"'re\b", " are"),
    (r"'ve\b", " have"), (r"'ll\b", " will"),
    (r"'d (?=better|been|had|gone|\w+ed\b)", " had "), (r"'d\b", " would"),
    (r"\b(it|he|she|that|there|what|who|where|here|how)'s (?=been|got|\w+ed\b)", r"\1 has "),
    (r"\b(it|he|she|that|there|what|who|where|here|how)'s\b", r"\1 is"),
    (r"\bgonna\b", "going to"), (r"\bwanna\b", "want to"), (r"\bgotta\b", "have to"),
)  # fmt: skip
_QUOTES = str.maketrans({"\u2018": "'", "\u2032": "'", "\u201b": "'", "\u2044": "/", "\u2212": "-"})
_BLANKS = dict.fromkeys((1, 2), " ")
_WORD = re.compile(
    r"[^\W\d_\u2e80-\u9fff\u3040-\u30ff\uac00-\ud7af\x01\x02]+(?:'(?!s\b)[^\W\d_]+)?"
)
_HAN = re.compile(r"[\u2e80-\u2fdf\u3005-\u3007\u3400-\u9fff\uf900-\ufaff]")
_RUN = re.compile(
    r"[\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)
_PUNCTUATION = re.compile(r"[.!?。\n…]+|[,;:()\[\]—–、]|(?<= )-(?= )")
_FUNCTIONS = frozenset(en.FUNCTIONS.split())
_OPENERS = frozenset(en.OPENERS.split())
_PLAIN = frozenset(ENGLISH | WEAK | GREETINGS | _FUNCTIONS | _OPENERS)
"""Words that are no name when they begin a sentence."""


def plain(text: str) -> str:
    """Give a text as it is compared: NFKC, straight quotes, contractions written out."""
    found = plain_text(text).translate(_QUOTES).translate(_BLANKS)
    if "'" in found or re.search(r"(?i)nt\b|nna\b|tta\b|cannot", found):
        for pattern, put in _contractions():
            found = pattern.sub(put, found)
    if not found.isascii():
        found = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in found)
    letters = [char for char in found if char.isalpha() and not _HAN.match(char)]
    loud = len(found.split()) > 2 and letters and not any(char.islower() for char in letters)
    return found.lower() if loud else found


@cache
def _contractions() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), put) for pattern, put in _CONTRACTIONS)


def read(text: str, cast: Cast, said: str | None) -> tuple[Clause, ...]:
    """Read a plain text (`plain`) as clauses, with the persons of its cast and when it was said."""
    canvas = Canvas(text)
    links(canvas)
    moments(canvas, said)
    _signs(canvas)
    _asides(canvas)
    _persons(canvas, cast)
    numbers_zh.numbers(canvas)
    numbers_en.numbers(canvas)
    _lexicon(canvas)
    _words(canvas, cast)
    _runs(canvas)
    for match in _PUNCTUATION.finditer(canvas.left):
        kind: TokenKind = "stop" if match[0][0] in ".!?。\n…" else "break"
        canvas.tokens.append(Token(kind, match[0][0], match[0], *match.span()))
    return clauses(sorted(canvas.tokens, key=lambda token: token.start))


_RELATIVES = f"(?:{zh.RELATIONS})"
_PEOPLE = re.compile(
    r"(?P<we>\b(?:we|us|our|ours|ourselves)\b|我们|咱们)"
    rf"|(?P<mine>\b(?:my|mine)\b|[我俺](?=的|{_RELATIVES}|家))"
    r"|(?P<me>\b(?:i|me|myself)\b|[我俺咱]|本人)"
    rf"|(?P<users>\b(?:the )?user's\b|用户(?=的|{_RELATIVES}|家))|(?P<user>\b(?:the )?user\b|用户)"
    r"|(?P<assistant>\bthe assistant\b|助手)"
    r"|(?P<you>\b(?:you|your|yours|yourself)\b|[您你])",
    re.IGNORECASE,
)


_SIGN = re.compile(r"(?<![\w)\]])(?:-(?=[0-9$€£])|[±~≈<>≤≥](?=\s?[0-9$€£]))")


def _signs(canvas: Canvas) -> None:
    """Take the signs before numbers: `-5`, `~20`, `≤ 3`."""
    for match in list(_SIGN.finditer(canvas.left)):
        canvas.take(Token("quantifier", match[0], match[0], *match.span()))


_ASIDE = re.compile(rf"\b(?:{en.ASIDES})\b", re.IGNORECASE)


def _asides(canvas: Canvas) -> None:
    """Take small talk that holds an `I` or a `you` of its own."""
    for match in list(_ASIDE.finditer(canvas.left)):
        canvas.take(Token("filler", match[0].casefold(), match[0], *match.span()))


def _persons(canvas: Canvas, cast: Cast) -> None:
    if cast.known:
        for match in list(re.finditer("|".join(map(re.escape, cast.known)), canvas.left)):
            canvas.take(_named(match, cast))
    for match in list(_PEOPLE.finditer(canvas.left)):
        token = _person(match, cast)
        if token:
            canvas.take(token)


def _named(match: re.Match[str], cast: Cast) -> Token:
    person = cast.person(match[0])
    kind: TokenKind = "speaker" if person else "name"
    return Token(kind, person or match[0], match[0], *match.span())


def _person(match: re.Match[str], cast: Cast) -> Token | None:
    keys = {
        "we": f"we {cast.author}", "mine": f"{cast.author}'s", "me": cast.author,
        "users": f"{cast.user}'s", "user": cast.user, "assistant": "@assistant", "you": cast.you,
    }  # fmt: skip
    key = keys[match.lastgroup or "me"]
    if key is None:
        return None
    if match.lastgroup == "you" and match[0].casefold() in {"your", "yours"}:
        key += "'s"
    return Token("speaker", key, match[0], *match.span(), loose=True)


@cache
def _english() -> tuple[re.Pattern[str], dict[str, tuple[TokenKind, str]]]:
    rows = [
        (way, kind, key)
        for kind, table in en.TABLES
        for key, ways in table.items()
        for way in split(ways)
    ]
    rows += [(way, "filler", way) for way in split(en.FILLERS)]
    return _compiled(rows, r"(?<![\w'])(?:%s)(?![\w'])", re.IGNORECASE)


@cache
def _chinese() -> tuple[re.Pattern[str], dict[str, tuple[TokenKind, str]]]:
    rows: list[tuple[str, TokenKind, str]] = [
        (way, kind, key)
        for kind, table in zh.TABLES
        for key, ways in table.items()
        for way in split(ways)
    ]
    rows += [(way, "filler", way.split("(")[0]) for way in split(zh.FILLERS)]
    rows += [(way, "name", way) for way in zh.RELATIONS.split("|")]
    rows += [(way, "word", way) for way in zh.WORDS.split("|")]
    return _compiled(rows, "%s", 0)


_LOOK = re.compile(r"\(\?<?[=!].*?\)")


def _compiled(
    rows: list[tuple[str, TokenKind, str]], form: str, flags: int
) -> tuple[re.Pattern[str], dict[str, tuple[TokenKind, str]]]:
    """Make one pattern of all rows, the longest first; of equals the first."""
    seen: dict[str, tuple[TokenKind, str]] = {}
    for way, kind, key in rows:
        seen.setdefault(way, (kind, key))
    ordered = sorted(seen, key=lambda way: (-len(_LOOK.sub("", way)), way))
    groups = {f"g{n}": seen[way] for n, way in enumerate(ordered)}
    ways = "|".join(f"(?P<g{n}>{way})" for n, way in enumerate(ordered))
    return re.compile(form.replace("%s", ways), flags), groups


def _lexicon(canvas: Canvas) -> None:
    pattern, groups = _english()
    tables = [(pattern, groups)]
    if _HAN.search(canvas.left):
        tables.append(_chinese())
    for pattern, groups in tables:
        for match in list(pattern.finditer(canvas.left)):
            kind, key = groups[match.lastgroup or ""]
            if match[0] in {"May", "Will"}:
                continue
            if kind != "word":
                loose = key in en.FREELY_LOST or key in zh.FREELY_LOST
                if _bygone(kind, key, match[0]):
                    key += " once"
                canvas.take(Token(kind, key, match[0], *match.span(), loose=loose))


def _bygone(kind: TokenKind, key: str, written: str) -> bool:
    """Tell whether a hedge is told of the past: `wanted` is not `wants`."""
    return kind in {"hedge", "modality"} and key not in {"past", "need"} and written.endswith("ed")


def _words(canvas: Canvas, cast: Cast) -> None:
    """Take the words of scripts with blanks between them."""
    text = canvas.left
    for match in list(_WORD.finditer(text)):
        written, small = match[0], match[0].casefold()
        if small == "s" and text[match.start() - 1 : match.start()] == "'":
            continue
        person = cast.person(written) if written[0].isupper() else None
        if person:
            owner = "'s" if text.startswith("'s", match.end()) else ""
            canvas.take(Token("speaker", person + owner, written, *match.span()))
            continue
        canvas.take(
            Token(_kind(written, small, text, match.start()), base(small), written, *match.span())
        )


def _kind(written: str, small: str, text: str, start: int) -> TokenKind:
    if small in en.PERSONS:
        return "person"
    if small in _OPENERS:
        return "opener"
    if small in _FUNCTIONS:
        return "function"
    if small in en.RELATIONS:
        return "name"
    if not written[0].isupper():
        return "word"
    first = not re.search(r"[\w,;'\x01\x02)] ?$", text[:start][-3:])
    return "word" if first and (small in _PLAIN or base(small) in _PLAIN) else "name"


def base(word: str) -> str:
    """Give a word without the `s` of a plural or of a third person."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "zzes", "sses", "oes")) else word[:-1]


_FREE = re.compile(f"[{zh.FUNCTIONS}]|[{zh.OPENERS}]")


def _runs(canvas: Canvas) -> None:
    """Take the runs of scripts without blanks, cut where a character only binds."""
    for match in list(_RUN.finditer(canvas.left)):
        at = match.start()
        for part in re.split(f"([{zh.FUNCTIONS}{zh.OPENERS}])", match[0]):
            if part:
                kind: TokenKind = "word"
                if _FREE.fullmatch(part):
                    kind = "opener" if part in zh.OPENERS else "function"
                canvas.take(Token(kind, part.casefold(), part, at, at + len(part)))
            at += len(part)
