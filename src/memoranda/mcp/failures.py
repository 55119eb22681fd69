"""Errors as a model reads them: what was wrong and what to do, never a traceback."""

from __future__ import annotations

from typing import Final

from memoranda.errors import (
    BusyError,
    ForgottenError,
    InputError,
    MemorandaError,
    NotFoundError,
    StalePlanError,
)

FAULT: Final = "internal error"
"""How a fault of ours begins; no call should ever give it."""

_ADVICE: Final[tuple[tuple[type[MemorandaError], str], ...]] = (
    (ForgottenError, ""),
    (NotFoundError, "Look for it with search or list_documents."),
    (BusyError, "Nothing was changed; call again."),
    (StalePlanError, ""),
    (InputError, ""),
)
"""What to do about an error, the first kind that fits; most sentences say it themselves."""


def told(error: MemorandaError) -> str:
    """Give an expected error as a sentence that says what to do."""
    advice = next((text for kind, text in _ADVICE if isinstance(error, kind)), "")
    sentence = str(error)
    return f"{sentence}. {advice}" if advice else sentence


def fault(error: BaseException) -> str:
    """Give a fault of ours without its text, which may hold what is stored; the log has it."""
    return (
        f"{FAULT}: {type(error).__name__}. What was acknowledged before is safe. "
        "The server's log on standard error tells more; please report it"
    )
