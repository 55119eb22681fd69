"""A question as the index understands it: any text is safe, nothing in it is syntax."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.text.analyse import Token, fold, is_stopword, is_unspaced, tokens

LONGEST = 2000
"""Characters of a question that are looked at; the rest is ignored."""
WIDEST = 64
"""Terms of a question that are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a question asks the index for: all of its words, or any of them."""

    terms: tuple[str, ...]
    """The content terms, each once, in order."""
    every: str = ""
    """An FTS5 query: what holds every content word; a Chinese run as a substring. "" if empty."""
    singles: tuple[str, ...] = ()
    """FTS5 queries for the Chinese characters that stand alone: each is found anywhere."""
    literal: str = ""
    """The folded question if it holds Han, Kana, Hangul, Thai ...: a piece to be found as it stands."""
    piece: str = ""
    """Matches all that may hold the literal, and more: the text decides."""


def phrase(words: tuple[str, ...] | list[str]) -> str:
    """Quote terms as one FTS5 phrase, so that nothing in them is syntax."""
    return '"' + " ".join(words).replace('"', '""') + '"'


def understand(question: str) -> Query:
    """Turn a question into what the index is asked for. Never raises; an empty one asks for nothing."""
    found = [token for token in tokens(question[:LONGEST]) if token.terms]
    content = [token for token in found if not _empty(token)] or found
    every = [_whole(token) for token in content]
    terms: dict[str, None] = {}
    for token in content:
        for term in _wanted(token):
            terms.setdefault(term)
    kept = tuple(terms)[:WIDEST]
    single = [_whole(token) for token in content if _is_single(token)]
    runs = [_whole(token) for token in found if _is_run(token)]
    return Query(
        terms=kept,
        every=" AND ".join(dict.fromkeys(every[:WIDEST])),
        singles=tuple(dict.fromkeys(single))[:WIDEST],
        literal=fold(question[:LONGEST]).strip() if runs else "",
        piece=" AND ".join(dict.fromkeys(runs[:WIDEST])),
    )


def _empty(token: Token) -> bool:
    return all(is_stopword(term) for term in token.terms) and not _is_single(token)


def _is_run(token: Token) -> bool:
    return is_unspaced(token.written[0])


def _is_single(token: Token) -> bool:
    return _is_run(token) and len(token.terms) == 1


def _whole(token: Token) -> str:
    """Ask for a token as it stands: a word, or a Chinese run as a substring."""
    if _is_single(token):
        return phrase([token.terms[0]]) + "*"
    return phrase(list(token.terms[:-1])) if _is_run(token) else phrase([token.terms[0]])


def _wanted(token: Token) -> list[str]:
    if _is_single(token):
        return []
    terms = list(token.terms[:-1]) if _is_run(token) else list(token.terms)
    return [term for term in terms if not is_stopword(term)] or terms
