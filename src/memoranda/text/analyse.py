"""The one analyser: the terms of a text in any language, for the index, routing and titles."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import snowballstemmer

from memoranda.text.stopwords import (
    CHINESE_GREETINGS,
    CHINESE_SINGLE,
    CHINESE_WORDS,
    ENGLISH,
    GREETINGS,
    WEAK,
)

_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u3096\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNSPACED = _CJK + "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # and Thai, Lao, Burmese, Khmer
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_MARKS = "".join(
    chr(point)
    for point in (*range(0x300, 0x2000), *range(0xA66F, 0xABFF), *range(0xFE20, 0xFE30))
    if unicodedata.category(chr(point)) in {"Mn", "Mc"}
)
_LETTER = rf"(?:(?![{_UNSPACED}])[^\W_])"
_WORD = rf"{_LETTER}(?:{_LETTER}|[{_MARKS}])*"
_TOKEN = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,]))"
    rf"|(?P<word>\.?_*{_WORD}(?:(?:[-./:@'&+#\\]|::|://)?_*{_WORD})*(?:_+|\+\+|\#(?!\w))?)"
)
_CJK_CHARACTER = re.compile(f"[{_CJK}]")
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")
_PARTS = re.compile(rf"{_WORD}")
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VERSION = re.compile(r"v(\d+(?:\.\d+)+)")
_CONTRACTION = re.compile(r"(?:n't|'(?:s|re|ve|ll|d|m))$")
_INSIDE = re.compile(r"[\w,;)'] $")
_PLAIN = re.compile(r"[a-z]+")
_STEMMER = snowballstemmer.stemmer("english")
_STEMMER_LOCK = threading.Lock()  # the stemmer keeps the word it works on inside itself


NAME = "@"
"""Marks a name among content counts; no term begins with it."""


def fold(text: str) -> str:
    """Give the text as it is compared: NFKC, casefolded, without default-ignorable characters."""
    if text.isascii():
        return text.casefold()
    return _IGNORABLE.sub("", unicodedata.normalize("NFKC", _unmarked(text).casefold()))


def _unmarked(text: str) -> str:
    if text.isascii():
        return text
    return _IGNORABLE.sub("", unicodedata.normalize("NFKC", _IGNORABLE.sub("", text)))


@lru_cache(maxsize=8_192)
def is_cjk(character: str) -> bool:
    """Tell whether a character is Han, Kana, Bopomofo or Hangul."""
    return _CJK_CHARACTER.match(character) is not None


def is_unspaced(character: str) -> bool:
    """Tell whether a character is of a script without blanks between words, or is Hangul."""
    return _UNSPACED_CHARACTER.match(character) is not None


def mostly_cjk(text: str) -> bool:
    """Tell whether a text is mostly Chinese, Japanese or Korean: a character is half a word."""
    dense = len(_CJK_CHARACTER.findall(text))
    return dense * 2 > len(_PARTS.findall(text)) * 3 if dense else False


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Give the English stem of a folded ASCII word; any other word as it is."""
    if not _PLAIN.fullmatch(word) or len(word) < 3:
        return word
    with _STEMMER_LOCK:
        return str(_STEMMER.stemWord(word))


def _bigrams(run: str) -> Iterator[str]:
    for left, right in pairwise(run):
        yield left + right
    yield run[-1]


def _compound(written: str, whole: str) -> Iterator[str]:
    yield stem(whole)
    version = _VERSION.fullmatch(whole)
    if version:
        yield version.group(1)
        return
    if whole.replace(".", "").isdigit():
        return
    for part in _PARTS.findall(written):
        yield stem(fold(part))
        humps = _HUMPS.findall(part) if part.isascii() else []
        if len(humps) > 1 and not part.isupper():
            yield from (stem(hump.casefold()) for hump in humps if len(hump) > 1)


@lru_cache(maxsize=32_768)
def _word(written: str) -> tuple[str, ...]:
    return tuple(_of_word(written))


def _of_word(written: str) -> Iterator[str]:
    folded = fold(written)
    folded = _CONTRACTION.sub("", folded) or folded
    if _PLAIN.fullmatch(folded) and (written.islower() or written[1:].islower()):
        yield stem(folded)
        return
    parts = _PARTS.findall(written)
    if len(parts) == 1 and parts[0] == written and not _camel(written):
        yield stem(folded)
        bare = "".join(
            c for c in unicodedata.normalize("NFD", folded) if not unicodedata.combining(c)
        )
        if bare != folded and bare.isascii():
            yield stem(bare)
        return
    seen: set[str] = set()
    for term in _compound(written[: len(folded)], folded):
        if term and term not in seen:
            seen.add(term)
            yield term


def _camel(word: str) -> bool:
    return word.isascii() and not word.isupper() and len(_HUMPS.findall(word)) > 1


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of text with its terms: the first is the term of the whole, parts follow."""

    written: str
    start: int
    end: int
    terms: tuple[str, ...]


def plain_text(text: str) -> str:
    """Give the text that the positions of `tokens` refer to: NFKC, without ignorable characters."""
    return _unmarked(text).replace("\u2019", "'")


@lru_cache(maxsize=512)
def tokens(text: str) -> tuple[Token, ...]:
    """Cut a text into tokens, in order; positions are those of `plain_text(text)`."""
    return tuple(_token(match) for match in _TOKEN.finditer(plain_text(text)))


def _token(match: re.Match[str]) -> Token:
    written = match.group()
    if match.lastgroup == "run":
        found = tuple(_bigrams(fold(written)))
    elif match.lastgroup == "number":
        found = (written.replace(",", ""),)
    else:
        found = _word(written)
    return Token(written, match.start(), match.end(), found)


def terms(text: str) -> list[str]:
    """Give the terms of a text in order, stopwords included; no term holds a blank or a quote.

    Words are folded, ASCII words stemmed; runs of Han, Kana and Hangul give overlapping bigrams and
    their last character; identifiers, paths, versions and units are given whole and in parts.
    """
    return [term for token in tokens(text) for term in token.terms]


def surface_terms(text: str) -> list[tuple[str, str]]:
    """Give (term, as written) for each term of a text, in order."""
    return [(term, token.written) for token in tokens(text) for term in token.terms]


@lru_cache(maxsize=32_768)
def is_stopword(term: str) -> bool:
    """Tell whether a term says nothing about the matter of a text."""
    if term in STOPWORDS:
        return True
    if len(term) == 1:
        return not term.isascii() or not term.isdigit()
    return is_cjk(term[0]) and all(character in CHINESE_SINGLE for character in term)


def content_counts(texts: Iterable[str]) -> dict[str, int]:
    """Count the terms of texts that say something about their matter (no stopwords).

    A name (a word with a capital inside a sentence) counts once more under `@` and its term.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(term for term in terms(text) if not is_stopword(term))
        counts.update(NAME + term for term in names(text))
    return dict(counts)


def names(text: str) -> list[str]:
    """Give the terms of the words that are capitalised inside a sentence, in order."""
    plain = plain_text(text)
    return [
        token.terms[0]
        for token in tokens(text)
        if token.written[0].isupper()
        and token.written[1:2].islower()
        and _INSIDE.search(plain, max(token.start - 2, 0), token.start)
        and not is_stopword(token.terms[0])
        and token.terms[0] not in WEAK_TERMS
    ]


def is_greeting(text: str) -> bool:
    """Tell whether a text only greets, thanks or agrees (or holds no word at all)."""
    found = tokens(text)
    if len(found) > 12:
        return False
    return all(
        token.written in CHINESE_GREETINGS
        or fold(token.written) in GREETINGS
        or (len(token.terms) == 1 and token.terms[0] in STOPWORDS)
        for token in found
    )


STOPWORDS: frozenset[str] = ENGLISH | frozenset(map(stem, ENGLISH)) | CHINESE_WORDS
"""Terms (as `terms` gives them) without meaning of their own, English and Chinese."""

WEAK_TERMS: frozenset[str] = frozenset(map(stem, WEAK))
"""Terms too vague to begin or end a name."""
