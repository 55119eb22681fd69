"""Codes for what went wrong with a model: they hold no word of anybody."""

from __future__ import annotations

from memoranda.errors import (
    ModelError,
    ModelRateLimitedError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    ReplyError,
)

_KINDS: tuple[tuple[type[ModelError], str], ...] = (
    (ModelUnavailableError, "unavailable"),
    (ModelTimeoutError, "timeout"),
    (ModelRateLimitedError, "rate_limited"),
    (ModelRefusedError, "refused"),
)


def reason_of(error: ModelError) -> str:
    """Give the code of an error: that of the reply, else of its kind, else `failed`.

    The message of an error may hold words of the data; its code never does.
    """
    if isinstance(error, ReplyError):
        return error.reason
    return next((code for kind, code in _KINDS if isinstance(error, kind)), "failed")
