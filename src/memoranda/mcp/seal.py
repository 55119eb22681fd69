"""Marks that only this process can make: tokens of a preview, the fence around stored text."""

from __future__ import annotations

import hmac
import json
from typing import Final

from memoranda.text.fences import CLOSE, NOTE, OPEN
from memoranda.text.visible import show

NOTICE: Final = NOTE
_TOKEN_DIGITS: Final = 24
_NONCE_DIGITS: Final = 12


class Seal:
    """Makes marks from a secret: the same for the same, and nobody else can make them."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def token(self, *parts: object) -> str:
        """Give the mark of some facts, as 24 hexadecimal digits."""
        told = json.dumps(parts, ensure_ascii=True, sort_keys=True)
        return hmac.new(self._secret, told.encode("ascii"), "sha256").hexdigest()[:_TOKEN_DIGITS]

    def fits(self, token: str, *parts: object) -> bool:
        """Say whether a mark is that of some facts, in constant time."""
        given = token.encode("utf-8", "replace")
        return hmac.compare_digest(given, self.token(*parts).encode("ascii"))

    def fence(self, text: str) -> str:
        """Put stored text between marks that nothing in it can close, and say that it is data.

        What can't be seen in it, or moves what is seen, is written out.
        """
        text = show(text)
        nonce = self.token("fence", text)[:_NONCE_DIGITS]
        end = "" if text.endswith("\n") else "\n"
        opening, closing = OPEN.format(nonce=nonce), CLOSE.format(nonce=nonce)
        return f"{opening}\n{NOTICE}\n{text}{end}{closing}"
