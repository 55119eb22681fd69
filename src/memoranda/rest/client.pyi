# A client of the REST door; made by docs/make_twins.py

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Self, Unpack

from memoranda.answers import Answer, CitedPlace, Round
from memoranda.edits import Edits
from memoranda.inspections import Blamed, DocumentDiff, Examined, Exported, Unpacked, Untidy
from memoranda.lifetimes import Expired
from memoranda.llm.model import Call
from memoranda.measures import Metrics
from memoranda.memory.asking import Asked
from memoranda.memory.heeding import RequestState
from memoranda.memory.inspecting import LogFilters
from memoranda.read.filters import Filters, Known, When
from memoranda.read.tools.results import DocumentPage, Events, Facts, Grepped, LineRange, Timeline
from memoranda.reports import (
    BackedUp,
    Checked,
    Decided,
    Drift,
    Estimate,
    Forgotten,
    Marked,
    PlanState,
    PlanView,
    Replayed,
    Request,
    Undone,
)
from memoranda.selections import Parts, Selected, Selector, Verified
from memoranda.values import (
    Added,
    Change,
    DocumentInfo,
    DocumentView,
    Entry,
    Event,
    Found,
    Imported,
    NewEvent,
    Proposal,
    Rebuilt,
    Receipt,
    RecordView,
    Sensitivity,
    Source,
    Status,
)

class Client:
    def __init__(self, url: str, token: str, *, timeout: float = 120.0) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
    def add(
        self,
        content: str | Sequence[Mapping[str, Any]],
        *,
        source: Source = "user",
        speaker: str | None = None,
        time: str | datetime | None = None,
        id: str | None = None,
        session: str | None = None,
        sensitivity: Sensitivity | None = None,
        metadata: Mapping[str, Any] | None = None,
        actor: str | None = None,
        key: str | None = None,
    ) -> Added: ...
    def add_many(self, events: Iterable[NewEvent]) -> Added: ...
    def adopt(self, *, new: bool = True, dry_run: bool = False) -> Edits: ...
    def approve(self, plan_id: str, *, by: str | None = None, reason: str = "") -> Decided: ...
    def ask(self, question: str, **options: Unpack[Asked]) -> Answer: ...
    def ask_events(self, question: str, **options: Unpack[Asked]) -> Iterator[Round | Answer]: ...
    def asked(self, state: RequestState | None = None) -> tuple[Request, ...]: ...
    def backup(self) -> BackedUp: ...
    def blame(self, document: str) -> Blamed: ...
    def calls(self, *, limit: int | None = None) -> tuple[Call, ...]: ...
    def check(self, *, full: bool = False, subset: tuple[int, int] | None = None) -> Checked: ...
    def consolidate(self) -> tuple[Receipt, ...]: ...
    def context(
        self,
        query: str,
        budget: int = ...,
        *,
        known_at: Known | None = None,
        true_at: When | None = None,
        **filters: Unpack[Filters],
    ) -> str: ...
    def correct(
        self, seq: int, text: str, *, time: str | datetime | None = None, seen: int | None = None
    ) -> Added: ...
    def current(self) -> tuple[Entry, ...]: ...
    def decline(self, request_id: str, *, by: str | None = None) -> Request: ...
    def diff(self, document: str, versions: str | None = None) -> DocumentDiff: ...
    def doctor(self, *, ask_model: bool = False) -> Examined: ...
    def document(self, ref: str) -> DocumentView: ...
    def documents(self) -> tuple[DocumentInfo, ...]: ...
    def estimate(self) -> Estimate | None: ...
    def events(
        self,
        query: str,
        *,
        limit: int | None = None,
        known_at: Known | None = None,
        **filters: Unpack[Filters],
    ) -> Events: ...
    def expire(self, *, dry_run: bool = False) -> Expired: ...
    def export(self, target: str | Path) -> Exported: ...
    def facts(
        self,
        subject: str,
        attribute: str | None = None,
        *,
        known_at: Known | None = None,
        true_at: When | None = None,
    ) -> Facts: ...
    def forget(
        self,
        selector: Selector | None = None,
        *,
        dry_run: bool = False,
        expect: str | None = None,
        by: str | None = None,
        **parts: Unpack[Parts],
    ) -> Forgotten: ...
    def get(self, ref: int | str) -> Entry | Event: ...
    def grant(
        self, request_id: str, *, entries: Sequence[int] | None = None, by: str | None = None
    ) -> Forgotten: ...
    def grep(
        self,
        pattern: str,
        *,
        document: str | None = None,
        ignore_case: bool = False,
        limit: int | None = None,
        known_at: Known | None = None,
    ) -> Grepped: ...
    def history(self, ref: int | str) -> tuple[Change, ...]: ...
    def import_archive(self, source: str | Path) -> Unpacked: ...
    def import_lines(self, lines: Iterable[bytes | str]) -> Imported: ...
    def lint(self) -> tuple[Untidy, ...]: ...
    def list_documents(
        self,
        *,
        page: int = 1,
        query: str | None = None,
        project: str | None = None,
        known_at: Known | None = None,
    ) -> DocumentPage: ...
    def log(
        self, *, after: int = 0, limit: int | None = None, **only: Unpack[LogFilters]
    ) -> Iterator[RecordView]: ...
    def mark(
        self, ref: int | str, sensitivity: Sensitivity, *, by: str | None = None, reason: str = ""
    ) -> Marked: ...
    def metrics(
        self,
        *,
        questions: Sequence[Mapping[str, Any]] = ...,
        label: str | None = None,
        sample: int = ...,
        points: int = 0,
        limits: str = "",
    ) -> Metrics: ...
    def plan(self, plan_id: str) -> PlanView: ...
    def plans(self, state: PlanState | None = None) -> tuple[PlanView, ...]: ...
    def propose(self) -> Proposal | None: ...
    def read_lines(
        self,
        document: str,
        first: int = 1,
        last: int | None = None,
        *,
        known_at: Known | None = None,
    ) -> LineRange: ...
    def rebuild(self) -> Rebuilt: ...
    def receipts(self) -> tuple[Forgotten, ...]: ...
    def reject(self, plan_id: str, *, by: str | None = None, reason: str = "") -> Decided: ...
    def remaintain(self) -> Drift: ...
    def replay(self, known_at: When | int) -> Replayed: ...
    def resolve(self, citation: str) -> CitedPlace: ...
    def retract(
        self, seq: int, *, reason: str = "", by: str | None = None, seen: int | None = None
    ) -> Receipt: ...
    def run_due(self) -> tuple[Receipt, ...]: ...
    def sample_plans(
        self, number: int, *, seed: int = 1, after: int = 0
    ) -> tuple[PlanView, ...]: ...
    def search(
        self,
        query: str,
        *,
        budget: int = ...,
        known_at: Known | None = None,
        true_at: When | None = None,
        **filters: Unpack[Filters],
    ) -> Found: ...
    def selected(
        self,
        selector: Selector | None = None,
        *,
        limit: int = ...,
        after: int = 0,
        **parts: Unpack[Parts],
    ) -> Selected: ...
    def state(self) -> str: ...
    def status(self) -> Status: ...
    def timeline(self, ref: int | str, *, known_at: Known | None = None) -> Timeline: ...
    def undo(self, plan_id: str, *, by: str | None = None, reason: str = "") -> Undone: ...
    def verify_forgotten(
        self, receipt: Forgotten | Mapping[str, Any] | str, *, text: str | None = None
    ) -> Verified: ...
    def waiting(self) -> tuple[str, ...]: ...
