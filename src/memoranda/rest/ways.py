"""The addresses of the facade's methods: one line a method, and why the others have none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Verb = Literal["GET", "POST", "PUT"]
Cursor = Literal["", "seq", "position", "document", "place"]
"""By what a list is cut in pages: the item's seq, its log position, its document's number, its place."""
Sent = Literal["json", "lines", "file"]
Given = Literal["json", "file", "stream"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a method is called over HTTP."""

    method: str
    verb: Verb
    path: str
    """Below `/v1`; names in braces are parameters of the method."""
    tag: str
    cursor: Cursor = ""
    sent: Sent = "json"
    given: Given = "json"
    changes: bool = False
    """It writes, so it takes an Idempotency-Key."""


def _reads(tag: str, *lines: tuple[str, str] | tuple[str, str, Cursor]) -> tuple[Way, ...]:
    return tuple(_way(tag, line, changes=False) for line in lines)


def _writes(tag: str, *lines: tuple[str, str]) -> tuple[Way, ...]:
    return tuple(_way(tag, line, changes=True) for line in lines)


def _way(tag: str, line: tuple[str, str] | tuple[str, str, Cursor], *, changes: bool) -> Way:
    verb, _, path = line[1].partition(" ")
    made: Verb = "GET" if verb == "GET" else "PUT" if verb == "PUT" else "POST"
    cursor: Cursor = line[2] if len(line) > 2 else ""
    return Way(method=line[0], verb=made, path=path, tag=tag, cursor=cursor, changes=changes)


WAYS: Final[tuple[Way, ...]] = (
    *_reads(
        "find",
        ("search", "POST /search"),
        ("context", "POST /context"),
        ("ask", "POST /ask"),
        ("grep", "POST /grep"),
        ("facts", "POST /facts"),
        ("events", "POST /events/search"),
        ("resolve", "POST /citations"),
    ),
    Way(method="ask_events", verb="POST", path="/ask/events", tag="find", given="stream"),
    *_reads(
        "look",
        ("list_documents", "POST /catalog"),
        ("documents", "GET /documents", "document"),
        ("document", "GET /documents/{ref:path}"),
        ("read_lines", "GET /lines/{document:path}"),
        ("get", "GET /entries/{ref:path}"),
        ("current", "GET /current", "seq"),
        ("history", "GET /history/{ref:path}", "place"),
        ("timeline", "GET /timeline/{ref:path}"),
        ("blame", "GET /blame/{document:path}"),
        ("diff", "GET /diff/{document:path}"),
        ("status", "GET /status"),
        ("state", "GET /state"),
        ("lint", "GET /lint", "place"),
    ),
    *_writes(
        "write",
        ("add", "POST /events"),
        ("add_many", "POST /events/batch"),
        ("correct", "POST /entries/{seq}/correct"),
        ("retract", "POST /entries/{seq}/retract"),
        ("mark", "POST /marks"),
    ),
    Way(
        method="import_lines", verb="POST", path="/events/lines", tag="write", sent="lines",
        changes=True,
    ),
    *_writes(
        "maintain",
        ("consolidate", "POST /consolidate"),
        ("run_due", "POST /run-due"),
        ("approve", "POST /plans/{plan_id}/approve"),
        ("reject", "POST /plans/{plan_id}/reject"),
        ("undo", "POST /plans/{plan_id}/undo"),
        ("rebuild", "POST /rebuild"),
        ("adopt", "POST /adopt"),
    ),
    *_reads(
        "maintain",
        ("propose", "GET /proposal"),
        ("estimate", "GET /estimate"),
        ("plans", "GET /plans", "position"),
        ("plan", "GET /plans/{plan_id}"),
        ("waiting", "GET /waiting", "place"),
        ("asked", "GET /requests", "place"),
        ("calls", "GET /calls", "place"),
        ("metrics", "POST /metrics"),
        ("sample_plans", "POST /plans/sample"),
        ("doctor", "POST /doctor"),
        ("remaintain", "POST /remaintain"),
    ),
    *_reads(
        "own",
        ("log", "GET /log", "position"),
        ("check", "POST /check"),
        ("replay", "POST /replay"),
        ("selected", "POST /forget/selection"),
        ("receipts", "GET /receipts", "place"),
        ("verify_forgotten", "POST /receipts/verify"),
    ),
    *_writes(
        "own",
        ("forget", "POST /forget"),
        ("grant", "POST /requests/{request_id}/grant"),
        ("decline", "POST /requests/{request_id}/decline"),
        ("expire", "POST /expire"),
        ("backup", "POST /backups"),
    ),
    Way(method="export", verb="GET", path="/archive", tag="own", given="file"),
    Way(
        method="import_archive", verb="PUT", path="/archive", tag="own", sent="file", changes=True
    ),
)  # fmt: skip

WITHOUT: Final[Mapping[str, str]] = {
    "open": "the token says whose memory it is, and the server opens it",
    "close": "the server closes it",
    "salvage": "it names folders of the server's machine; it is a command for who runs that",
    "toolbox": "it gives functions to a program in this process; search, grep, facts do the same",
    "runs_by_itself": "a figure of the handle; status tells what is due",
    "clearance": "the token says it",
    "role": "the token says it",
    "sees_all": "the token says it",
    "last_run": "status has it",
    "last_expiry": "status has it",
}
"""Public names of the facade that have no address, and why."""

HIDDEN: Final[Mapping[str, str]] = {
    "progress": "a function of the caller",
    "watch": "a function of the caller",
    "model": "it can name a program; the server's settings say which model",
    "target": "a path of the server's machine",
    "to": "a path of the server's machine",
}
"""Parameters that no call over HTTP can give, and why."""

BY_METHOD: Final[Mapping[str, Way]] = {way.method: way for way in WAYS}
PREFIX: Final = "/v1"
KEY: Final = "idempotency-key"
"""The header that names a call, so that it is done once."""
MATCH: Final = "if-match"
EXPORTED: Final = "memoranda-exported"
"""The header that tells what an archive holds."""
STREAM: Final = "text/event-stream"
