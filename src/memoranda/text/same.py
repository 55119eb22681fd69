"""When two texts say the same: equal but for case, spacing and sentence punctuation."""

from __future__ import annotations

import re
import unicodedata

SHORT = 3
"""A text of fewer words (or twice as many Chinese characters) is a reply that lives on its context."""

_ENDS = ".,!;:…\"'“”‘’()[]。，！；：、（）「」『』《》"
_WIDE = re.compile(r"[。，！；：、（）「」『』《》…]")
_CJK = re.compile(r"[぀-ヿ㐀-䶿一-鿿가-힯]")


def same_form(text: str) -> str | None:
    """Give the form that repetitions share, or None for a short reply.

    Case, blanks and sentence punctuation are dropped. Question marks, signs, and all that stands
    inside a number, a name or an identifier stay: "Do you like tea?" is not "Do you like tea.".

    Source: requirements R109, law 4 of the design (duplicates are listed, never lost).
    """
    normal = unicodedata.normalize("NFC", text).casefold()
    words = [word.strip(_ENDS) for word in _WIDE.sub(" ", normal).split()]
    words = [word for word in words if word]
    weight = sum(1 if not _CJK.search(word) else len(_CJK.findall(word)) / 2 for word in words)
    if weight < SHORT:
        return None
    return " ".join(words)
