"""Of two lines that tell the same thing of a question otherwise, the later one comes first: order only."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import takewhile

from memoranda.store.view import Place
from memoranda.text.analyse import fold, is_stopword, is_unspaced, terms
from memoranda.text.stopwords import CHINESE_SINGLE
from memoranda.values import Entry

LONGEST = 240
"""Characters: a longer text tells more than one thing."""
ALIKE, ALIKE_UNSPACED = 0.4, 0.25
"""So much of the shorter text's words the two share; a clock time counts as three words."""
APART = 4
"""At most so many words of each are its own; of a script without blanks, twice as many pieces."""
_NAMED = re.compile(r"(?<=[\w,;:] )[A-Z][a-z]+")
"""A word with a capital inside of a question: in a title, common words tell things apart as well."""
_WORD = re.compile(r"\w+")
_MOVED = re.compile(r"\b(?:moved|have moved|am moving) to\b|搬到了?|搬去了?|搬回了?", re.IGNORECASE)
"""Who moved lives there."""


def later_first(
    question: str,
    ranked: Sequence[tuple[int, float]],
    entries: Mapping[int, Entry],
    places: Mapping[int, Place],
) -> list[tuple[int, float]]:
    """Move a line before an earlier one that it is a version of, as far as the question goes (R65).

    Both were said by the same speaker in the same project, are short and nearly of the same words
    (the same but for one place, where they came from outside); and all that the question
    asks about stands in both, or in neither: so it is not two things that are told apart by what
    was asked. Nothing is marked as replaced, and nothing is left out.

    Args:
        question: any text.
        ranked: lines with scores, best first.
        entries: of the lines.
        places: of the lines.
    """
    asked, named = frozenset(_words(question)), frozenset(map(fold, _NAMED.findall(question)))
    words = {seq: _words(entries[seq].text) for seq, _ in ranked if _is_short(entries[seq])}
    order = list(ranked)
    for at in range(1, len(order)):
        item = order[at]
        for before in range(at):
            other = order[before][0]
            if (
                item[0] in words
                and other in words
                and _when(places[item[0]]) > _when(places[other])
                and _same_voice(entries[item[0]], entries[other])
                and are_versions(frozenset(words[other]), frozenset(words[item[0]]), asked)
                and _names_alike(entries[item[0]], entries[other], named)
                and (_is_owned(entries[other]) or one_place_apart(words[other], words[item[0]]))
            ):
                order.insert(before, order.pop(at))
                break
    return order


def are_versions(one: AbstractSet[str], two: AbstractSet[str], asked: AbstractSet[str]) -> bool:
    """Say whether two texts, as sets of words, answer a question with the same words but for a few."""
    shared = one & two
    told = asked & (one | two)
    pieces = {word for word in told if is_unspaced(word[0])}
    if not shared & asked or told - pieces - shared:
        return False
    if not set("".join(pieces)) - CHINESE_SINGLE <= set("".join(one)) & set("".join(two)):
        return False  # of a script without blanks, what is asked about counts by characters
    most = APART * (2 if pieces else 1)
    near = len(shared) >= (ALIKE_UNSPACED if pieces else ALIKE) * min(len(one), len(two))
    return near and len(one - shared) <= most and len(two - shared) <= most


def one_place_apart(one: Sequence[str], two: Sequence[str]) -> bool:
    """Say whether two texts, as words in order, are the same but for one place."""
    most = min(len(one), len(two))
    start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
    backward = zip(reversed(one), reversed(two), strict=False)
    end = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], backward))
    return (start > 0 or end > 1) and max(len(one), len(two)) - min(start + end, most) <= APART


def _is_owned(entry: Entry) -> bool:
    """Say whether somebody speaks, or a project is spoken of: the matter is his, or its, then.

    Texts that came from outside speak of anything.
    """
    return (entry.speaker or entry.project) is not None or entry.source != "external"


def _names_alike(one: Entry, two: Entry, named: AbstractSet[str]) -> bool:
    """Say whether two texts hold the same of some names, common words in them too."""
    return named & set(_WORD.findall(fold(one.text))) == named & set(_WORD.findall(fold(two.text)))


def _words(text: str) -> list[str]:
    said = _MOVED.sub(_lives, text[: LONGEST * 2])
    return [term for term in terms(said) if not is_stopword(term)]


def _lives(moved: re.Match[str]) -> str:
    return "live in" if moved[0].isascii() else "住在"


def _is_short(entry: Entry) -> bool:
    return len(entry.text) <= LONGEST and "?" not in entry.text and "？" not in entry.text


def _when(place: Place) -> tuple[str, int]:
    return (place.moment, place.seq)


def _same_voice(one: Entry, two: Entry) -> bool:
    return one.speaker == two.speaker and one.project == two.project
