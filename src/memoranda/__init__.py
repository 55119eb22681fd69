"""Long-term memory for LLM agents: readable topic documents over an append-only event log."""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it; loading typing would take most of the import
if TYPE_CHECKING:
    from typing import Any

    from memoranda import errors
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
    from memoranda.memory import Memory
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
    "Settings",
    "Status",
    "Trace",
    "Undone",
    "Unpacked",
    "Untidy",
    "__version__",
    "errors",
    "scan",
]

_HOMES = {
    "Memory": "memoranda.memory",
    "ScanHit": "memoranda.store.scan",
    "Scanned": "memoranda.store.scan",
    "Settings": "memoranda.settings",
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
