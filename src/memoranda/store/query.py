"""A question as the index understands it: any text is safe, nothing in it is syntax."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.text.analyse import Token, is_cjk, is_stopword, tokens

LONGEST = 2000
"""Characters of a question that are looked at; the rest is ignored."""
WIDEST = 64
"""Terms of a question that are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """The two FTS5 queries of a question: all of its words, or any of them."""

    every: str
    """Matches what holds every content word; a Chinese run as an exact substring. "" if empty."""
    any: str
    terms: tuple[str, ...]
    """The content terms, each once, in order."""


def phrase(words: tuple[str, ...] | list[str]) -> str:
    """Quote terms as one FTS5 phrase, so that nothing in them is syntax."""
    return '"' + " ".join(words).replace('"', '""') + '"'


def understand(question: str) -> Query:
    """Turn a question into index queries. Never raises; an empty question gives empty queries."""
    found = [token for token in tokens(question[:LONGEST]) if token.terms]
    content = [token for token in found if not _empty(token)] or found
    every = [_whole(token) for token in content]
    terms: dict[str, None] = {}
    for token in content:
        for term in _wanted(token):
            terms.setdefault(term)
    kept = tuple(terms)[:WIDEST]
    single = [_whole(token) for token in content if _is_single(token)]
    return Query(
        every=" AND ".join(dict.fromkeys(every[:WIDEST])),
        any=" OR ".join(dict.fromkeys([phrase([term]) for term in kept] + single)),
        terms=kept,
    )


def _empty(token: Token) -> bool:
    return all(is_stopword(term) for term in token.terms) and not _is_single(token)


def _is_run(token: Token) -> bool:
    return is_cjk(token.written[0])


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
