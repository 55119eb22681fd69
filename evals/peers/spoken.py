"""The peers' side of the interface: JSON lines in, JSON lines out. Standard library only."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any


def serve(
    memorize: Callable[[dict[str, Any]], None], search: Callable[[str], Sequence[str]]
) -> None:
    """Answer lines until there are no more; what else is printed goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # a peer that prints must not break the talk
    for line in sys.stdin:
        said = json.loads(line)
        try:
            if "memorize" in said:
                memorize(said["memorize"])
                reply: dict[str, Any] = {"found": []}
            else:
                reply = {"found": list(search(said["search"]))}
        except Exception as error:  # noqa: BLE001 - told to the other side, which stops
            reply = {"error": f"{type(error).__name__}: {error}"}
        out.write(json.dumps(reply) + "\n")
        out.flush()
