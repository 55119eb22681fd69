"""An embedder without a model: a text is the sum of its words; what a test says is alike is one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from memoranda.text.analyse import is_stopword, terms

WIDTH = 256


class HashedEmbedder:
    """Gives the same vectors on every machine: each word points somewhere, by its digest.

    Attributes:
        texts: all that was embedded, in order.

    Args:
        alike: words by the word that they stand for; both are cut to their index terms.
        name: model and version.
        width: numbers of a vector.
    """

    def __init__(
        self, alike: Mapping[str, str] | None = None, *, name: str = "hashed/1", width: int = WIDTH
    ) -> None:
        self.texts: list[str] = []
        self._alike = {
            one: other
            for word, stands_for in (alike or {}).items()
            for one, other in zip(terms(word), terms(stands_for), strict=False)
        }
        self._name = name
        self._width = width

    @property
    def name(self) -> str:
        """Model and version."""
        return self._name

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Give a vector for each text; one of zeros for a text without content words."""
        self.texts += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        found = [0.0] * self._width
        for term in terms(text):
            if is_stopword(term):
                continue
            digest = hashlib.shake_256(self._alike.get(term, term).encode()).digest(self._width)
            found = [own + (byte - 127.5) for own, byte in zip(found, digest, strict=True)]
        return found
