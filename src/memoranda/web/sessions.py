"""Who is logged in: sessions kept in this process, each with a secret that marks its forms."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from memoranda.reports import Forgotten

IDLE: Final = 12 * 3600.0
"""Seconds after which a session that nobody used ends."""
MOST: Final = 500
"""Sessions at once; the one that was unused for longest makes place."""
_RECEIPTS: Final = 20


@dataclass(slots=True, kw_only=True)
class Session:
    """One login: by which token, and what is kept for its next page."""

    token_id: str
    secret: bytes
    used: float
    note: tuple[str, str] | None = None
    """What was done: a key of the catalogue and a detail, for the next page."""
    receipts: OrderedDict[str, Forgotten] = field(default_factory=OrderedDict)
    """Receipts of forgetting, by id; they hold no word of what is gone."""

    @property
    def mark(self) -> str:
        """The mark that every form of this session carries (CSRF)."""
        return mark_of(self.secret, "form")

    def took(self) -> tuple[str, str] | None:
        """Give the note for this page, and keep it no longer."""
        note, self.note = self.note, None
        return note

    def keep(self, receipt: Forgotten) -> None:
        """Keep a receipt until the session ends, the newest twenty of them."""
        self.receipts[receipt.forget_id] = receipt
        while len(self.receipts) > _RECEIPTS:
            self.receipts.popitem(last=False)


def mark_of(secret: bytes, *facts: object) -> str:
    """Give a mark that only who knows the secret can make, as 32 hexadecimal digits."""
    return hmac.new(secret, repr(facts).encode("utf-8", "replace"), "sha256").hexdigest()[:32]


def same(given: str, wanted: str) -> bool:
    """Compare two marks in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode("utf-8"))


class Sessions:
    """All sessions of one server; they end with it."""

    def __init__(
        self, *, entropy: Callable[[int], bytes] = secrets.token_bytes,
        seconds: Callable[[], float] = monotonic,
    ) -> None:  # fmt: skip
        self._entropy = entropy
        self._seconds = seconds
        self._open: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()
        self.secret = entropy(32)
        """Marks the forms of those who are not logged in yet."""

    def begin(self, token_id: str) -> tuple[str, Session]:
        """Log in; give what the cookie holds, which is kept as a digest only, and the session."""
        cookie = self._entropy(32).hex()
        session = Session(token_id=token_id, secret=self._entropy(32), used=self._seconds())
        with self._lock:
            self._open[_digest(cookie)] = session
            while len(self._open) > MOST:
                self._open.popitem(last=False)
        return cookie, session

    def find(self, cookie: str) -> Session | None:
        """Give the session of a cookie; None when there is none, or it was unused for too long."""
        name, now = _digest(cookie), self._seconds()
        with self._lock:
            session = self._open.get(name)
            if session is None or now - session.used > IDLE:
                self._open.pop(name, None)
                return None
            session.used = now
            self._open.move_to_end(name)
            return session

    def end(self, cookie: str) -> None:
        """Log out. Without such a session nothing is done."""
        with self._lock:
            self._open.pop(_digest(cookie), None)


def _digest(cookie: str) -> str:
    return hashlib.sha256(cookie.encode("utf-8", "replace")).hexdigest()
