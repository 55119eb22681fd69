"""What settings plug into a memory: tools, permission checks, limits, and the embedder."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from memoranda.settings import Settings
from memoranda.store.vectors import Embedder

if TYPE_CHECKING:
    from memoranda.read.tools import Caps, Tool
    from memoranda.values import Entry


def tools(settings: Settings) -> tuple[Tool, ...]:
    """Load the tools that settings name (R197); nothing else is loaded.

    Raises:
        InputError: one can't be loaded, or is no tool.
    """
    if settings.tools is None:
        return ()
    from memoranda.read.tools.extensions import load  # noqa: PLC0415 - start-up time

    return load(settings.tools.split(","))


def permits(settings: Settings) -> tuple[Callable[[Entry], bool], ...]:
    """Load the permission checks that settings name (R196).

    Raises:
        InputError: one can't be loaded: memory is not opened without it.
    """
    if settings.permits is None:
        return ()
    from memoranda.read.tools.extensions import load_permits  # noqa: PLC0415 - start-up time

    return load_permits(settings.permits.split(","))


def caps(settings: Settings) -> Caps:
    """Give the limits of the tools (R186)."""
    from memoranda.read.tools import Caps  # noqa: PLC0415 - start-up time

    return Caps(
        search=settings.search_hits,
        grep=settings.grep_hits,
        read=settings.read_lines,
        catalog=settings.catalog_page,
        inline=settings.inline_documents,
        evidence=settings.evidence_tokens,
    )


@cache
def embedder() -> Embedder:
    """Load the model of the extra `vectors`, once a process.

    Raises:
        InputError: the extra is not installed.
    """
    from memoranda.llm.embedding import MiniLm  # noqa: PLC0415 - start-up time

    return MiniLm()
