"""The check for languages without lists: no word comes in, none of a sentence drawn on goes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from memoranda.text.analyse import fold
from memoranda.text.guard.verdict import Kind, Loss, LossKind

_UNIT = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]|[^\W_]+"
)
_SENTENCE = re.compile(r"(?<=[.!?。！？\n])\s*")
_OTHER = re.compile(
    r"[\u3040-\u30ff\uac00-\ud7af\u0370-\u1fff\ua000-\ua4cf\ua500-\uabff\u0100-\u036f]|[àâäçèéêëìíîïñòóôöùúûüßæœøåÀ-ß]"
)
_FOREIGN = frozenset(
    """
    ich nicht und der das kein keine ist ein eine mit wir sie nie le les pas et je nous est une avec
    jamais el los las yo que una con nunca il non sono mai di o eu não uma nem ik niet een geen het
    jag inte och jeg ikke og nie jest tidak saya
    """.split()  # noqa: SIM905 - words read better in a row
)
_ENGLISH = frozenset(
    """
    the is are was of to my he she they you it i not with for have has and this that
    """.split()  # noqa: SIM905 - words read better in a row
)


def foreign(text: str) -> bool:
    """Tell whether a text is in neither English nor Chinese, as far as its letters and words show."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    if sum(map(len, _OTHER.findall(text))) == 0 and not _FOREIGN.intersection(words):
        return False
    if re.search(r"[\u3040-\u30ff\uac00-\ud7af]", text):
        return True
    english = sum(word in _ENGLISH for word in words)
    return english * 12 < len(words) and not _mostly_han(text, words)


def _mostly_han(text: str, words: Sequence[str]) -> bool:
    return len(re.findall(r"[\u3400-\u9fff]", text)) > len(words)


def exact(
    typed: str, sources: Sequence[str], context: Sequence[str], kind: Kind
) -> tuple[tuple[Loss, ...], tuple[Loss, ...]]:
    """Give the words that went (of sentences that were drawn on; of all, if merged) and that came."""
    mine = _count(typed)
    theirs = _count("\n".join(sources))
    named = _count("\n".join(context))
    added = tuple(
        Loss(_kind(word), word, added=True)
        for word in mine
        if word not in theirs and word not in named
    )
    if kind in {"title", "summary"}:
        return (), added
    lost = dict.fromkeys(
        Loss(_kind(word), word)
        for sentence in _sentences(sources)
        if kind == "merged" or _drawn(sentence, mine)
        for word in sentence
        if word not in mine
    )
    return tuple(lost), added


def _drawn(sentence: Counter[str], mine: Counter[str]) -> bool:
    shared = sum(1 for word in sentence if word in mine)
    return shared * 3 >= len(sentence)


def _sentences(sources: Sequence[str]) -> Iterator[Counter[str]]:
    for text in sources:
        yield from filter(None, (_count(part) for part in _SENTENCE.split(text)))


def _count(text: str) -> Counter[str]:
    return Counter(_UNIT.findall(fold(text)))


def _kind(word: str) -> LossKind:
    return "number" if word[0].isdigit() else "word"
