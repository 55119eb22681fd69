"""Long-term memory for LLM agents: readable topic documents over an append-only event log."""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it; loading typing would take most of the import
if TYPE_CHECKING:
    from typing import Any

    from memoranda import errors
    from memoranda.aio import AsyncMemory
    from memoranda.answers import Answer, CitedEntry, CitedPlace, Claim, Hop, Round, Trace
    from memoranda.inspections import (
        Blamed,
        BlameLine,
        DocumentDiff,
        Examined,
        Exported,
        Finding,
        Salvaged,
        Unpacked,
        Untidy,
    )
    from memoranda.measures import Metric, Metrics
    from memoranda.memory import Memory
    from memoranda.memory.wiping import forget_user
    from memoranda.reports import (
        BackedUp,
        Checked,
        Decided,
        Drift,
        Flaw,
        Forgotten,
        PlanView,
        Replayed,
        Undone,
    )
    from memoranda.selections import Selected, Selector, Verified, Wiped, Workspace
    from memoranda.settings import Settings
    from memoranda.store.scan import ScanHit, Scanned, scan
    from memoranda.values import (
        Added,
        BlockView,
        Change,
        DocumentInfo,
        DocumentView,
        Entry,
        Event,
        Evidence,
        Found,
        Imported,
        NewEvent,
        Proposal,
        Rebuilt,
        Receipt,
        RecordView,
        Status,
    )

__version__ = "0.1.0"

__all__ = [
    "Added",
    "Answer",
    "AsyncMemory",
    "BackedUp",
    "BlameLine",
    "Blamed",
    "BlockView",
    "Change",
    "Checked",
    "CitedEntry",
    "CitedPlace",
    "Claim",
    "Decided",
    "DocumentDiff",
    "DocumentInfo",
    "DocumentView",
    "Drift",
    "Entry",
    "Event",
    "Evidence",
    "Examined",
    "Exported",
    "Finding",
    "Flaw",
    "Forgotten",
    "Found",
    "Hop",
    "Imported",
    "Memory",
    "Metric",
    "Metrics",
    "NewEvent",
    "PlanView",
    "Proposal",
    "Rebuilt",
    "Receipt",
    "RecordView",
    "Replayed",
    "Round",
    "Salvaged",
    "ScanHit",
    "Scanned",
    "Selected",
    "Selector",
    "Settings",
    "Status",
    "Trace",
    "Undone",
    "Unpacked",
    "Untidy",
    "Verified",
    "Wiped",
    "Workspace",
    "__version__",
    "errors",
    "forget_user",
    "scan",
]

_HOMES = {
    "AsyncMemory": "memoranda.aio",
    "Memory": "memoranda.memory",
    "Metric": "memoranda.measures",
    "Metrics": "memoranda.measures",
    "ScanHit": "memoranda.store.scan",
    "Scanned": "memoranda.store.scan",
    "Settings": "memoranda.settings",
    "forget_user": "memoranda.memory.wiping",
    "scan": "memoranda.store.scan",
    **dict.fromkeys(
        (
            "BlameLine",
            "Blamed",
            "DocumentDiff",
            "Examined",
            "Exported",
            "Finding",
            "Salvaged",
            "Unpacked",
            "Untidy",
        ),
        "memoranda.inspections",
    ),
    **dict.fromkeys(
        ("Answer", "CitedEntry", "CitedPlace", "Claim", "Hop", "Round", "Trace"),
        "memoranda.answers",
    ),
    **dict.fromkeys(
        (
            "BackedUp",
            "Checked",
            "Decided",
            "Drift",
            "Flaw",
            "Forgotten",
            "PlanView",
            "Replayed",
            "Undone",
        ),
        "memoranda.reports",
    ),
    **dict.fromkeys(
        ("Selected", "Selector", "Verified", "Wiped", "Workspace"), "memoranda.selections"
    ),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public name
    """Load a public name when it is first used, so that importing the package stays light."""
    if name not in __all__:
        raise AttributeError(f"module 'memoranda' has no attribute {name!r}")
    import importlib  # noqa: PLC0415

    if name == "errors":
        return importlib.import_module("memoranda.errors")
    return getattr(importlib.import_module(_HOMES.get(name, "memoranda.values")), name)


def __dir__() -> list[str]:
    return __all__
