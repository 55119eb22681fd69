"""What a memory is made with unless told otherwise: the system's clock, ids that begin with the time."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from time import time_ns


def now() -> datetime:
    """Give the system's time, in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Give an id that begins with the time: new ones stand together in the index of ids."""
    return f"{time_ns() // 1_000_000:012x}{secrets.token_hex(6)}"
