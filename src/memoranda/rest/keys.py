"""Idempotency keys: a call that was done is answered as before, and never done twice."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from memoranda.errors import InputError

KEPT: Final = 24 * 3600.0
"""Seconds that a reply is kept, in memory only."""
_MOST: Final = 2_048
_LARGEST: Final = 32 * 1024
"""Bytes of a reply that is kept: together at most 64 MiB."""
_FORM: Final = re.compile(r"[\x21-\x7e]{1,200}")


@dataclass(slots=True)
class _Reply:
    mark: bytes
    at: float
    whose: str
    body: bytes | None = None
    """None while the call is at work, or when its reply is too large to keep."""
    version: int | None = None
    done: bool = False


class KeyUsedError(InputError):
    """The key was used for another call."""

    def __init__(self) -> None:
        super().__init__("this Idempotency-Key was used for another call; take a new one")


class InProgressError(InputError):
    """A call with this key is at work."""

    def __init__(self) -> None:
        super().__init__("a call with this Idempotency-Key is at work; ask again in a moment")


class Replies:
    """Replies of calls that wrote, by the caller and the key; nothing is kept on disk.

    Events have keys of their own in the log besides, so an add stays done once after a restart.
    """

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._kept: OrderedDict[tuple[str, str], _Reply] = OrderedDict()
        self._lock = threading.Lock()

    def begin(
        self, caller: str, key: str, mark: bytes, whose: str
    ) -> tuple[bytes, int | None] | None:
        """Begin a call: None when it is to be done, else the reply that it had.

        Args:
            caller: id of the token.
            key: as the caller gave it.
            mark: what is asked for, as `mark_of` has it.
            whose: the user whose memory it is about.

        Raises:
            InputError: the key can't be used.
            KeyUsedError: it stands for another call.
            InProgressError: that call is not done yet.
        """
        if _FORM.fullmatch(key) is None:
            raise InputError("an Idempotency-Key is 1 to 200 characters of ASCII, without blanks")
        with self._lock:
            self._drop_old()
            found = self._kept.get((caller, key))
            if found is None:
                self._kept[caller, key] = _Reply(mark=mark, at=self._clock(), whose=whose)
                return None
            if found.mark != mark:
                raise KeyUsedError
            if not found.done:
                raise InProgressError
            return None if found.body is None else (found.body, found.version)

    def end(self, caller: str, key: str, body: bytes | None, version: int | None = None) -> None:
        """Keep the reply of a call that was done; None when it was not: it may be tried again."""
        with self._lock:
            found = self._kept.get((caller, key))
            if found is None:
                return
            if body is None:
                del self._kept[caller, key]
                return
            found.done, found.version = True, version
            found.body = body if len(body) <= _LARGEST else None

    def drop(self, whose: str) -> None:
        """Drop every reply that is about a user's memory: something was forgotten there."""
        with self._lock:
            for name in [n for n, reply in self._kept.items() if reply.whose == whose]:
                del self._kept[name]

    def _drop_old(self) -> None:
        limit = self._clock() - KEPT
        while self._kept:
            name, oldest = next(iter(self._kept.items()))
            if len(self._kept) < _MOST and oldest.at > limit:
                return
            del self._kept[name]


def mark_of(method: str, given: Any) -> bytes:  # noqa: ANN401 - what a call is given
    """Give a digest of what is asked for: no word of it is kept."""
    told = json.dumps([method, given], sort_keys=True, default=str).encode()
    return hashlib.sha256(told).digest()
