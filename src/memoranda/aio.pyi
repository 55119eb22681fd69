# Memory for asynchronous programs; made by docs/make_twins.py

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, Self, Unpack

from memoranda.answers import Answer, CitedPlace, Round
from memoranda.edits import Edits
from memoranda.inspections import Blamed, DocumentDiff, Examined, Exported, Unpacked, Untidy
from memoranda.lifetimes import Expired
from memoranda.llm.model import Call, Model
from memoranda.measures import Metrics
from memoranda.memory import Memory
from memoranda.memory.asking import Asked
from memoranda.memory.clearance import Role
from memoranda.memory.heeding import RequestState
from memoranda.memory.inspecting import LogFilters
from memoranda.read.filters import Filters, Known, When
from memoranda.read.tools import Caps, Tool, Toolbox
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
from memoranda.settings import Settings
from memoranda.store.vectors import Embedder
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
from memoranda.write.policy import Rule

class AsyncMemory:
    memory: Memory
    def __init__(self, memory: Memory, threads: ThreadPoolExecutor | None = None) -> None: ...
    @classmethod
    async def open(
        cls,
        root: str | Path | None = None,
        *,
        user: str = "default",
        workspace: str | None = None,
        project: str | None = None,
        all_projects: bool = False,
        model: str | Model | None = None,
        settings: Settings | None = None,
        rules: Sequence[Rule] = ...,
        heal: bool = True,
        clock: Callable[[], datetime] | None = None,
        ids: Callable[[], str] | None = None,
        counter: Callable[[str], int] | None = None,
        embedder: Embedder | None = None,
        clearance: Sensitivity = "private",
        role: Role = "owner",
        projects: Collection[str] | None = None,
        labels: Collection[str] | None = None,
    ) -> AsyncMemory: ...
    async def close(self) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *_: object) -> None: ...
    async def add(
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
    async def add_many(
        self, events: Iterable[NewEvent], *, progress: Callable[[int], None] | None = None
    ) -> Added: ...
    async def adopt(self, *, new: bool = True, dry_run: bool = False) -> Edits: ...
    async def approve(
        self, plan_id: str, *, by: str | None = None, reason: str = ""
    ) -> Decided: ...
    async def ask(self, question: str, **options: Unpack[Asked]) -> Answer: ...
    def ask_events(
        self, question: str, **options: Unpack[Asked]
    ) -> AsyncIterator[Round | Answer]: ...
    async def asked(self, state: RequestState | None = None) -> tuple[Request, ...]: ...
    async def backup(
        self,
        target: str | Path | None = None,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> BackedUp: ...
    async def blame(self, document: str) -> Blamed: ...
    async def calls(self, *, limit: int | None = None) -> tuple[Call, ...]: ...
    async def check(
        self,
        *,
        full: bool = False,
        subset: tuple[int, int] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Checked: ...
    async def consolidate(
        self,
        *,
        watch: Callable[[Proposal], None] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> tuple[Receipt, ...]: ...
    async def context(
        self,
        query: str,
        budget: int = ...,
        *,
        known_at: Known | None = None,
        true_at: When | None = None,
        **filters: Unpack[Filters],
    ) -> str: ...
    async def correct(
        self, seq: int, text: str, *, time: str | datetime | None = None, seen: int | None = None
    ) -> Added: ...
    async def current(self) -> tuple[Entry, ...]: ...
    async def decline(self, request_id: str, *, by: str | None = None) -> Request: ...
    async def diff(self, document: str, versions: str | None = None) -> DocumentDiff: ...
    async def doctor(self, *, ask_model: bool = False) -> Examined: ...
    async def document(self, ref: str) -> DocumentView: ...
    async def documents(self) -> tuple[DocumentInfo, ...]: ...
    async def estimate(self) -> Estimate | None: ...
    async def events(
        self,
        query: str,
        *,
        limit: int | None = None,
        known_at: Known | None = None,
        **filters: Unpack[Filters],
    ) -> Events: ...
    async def expire(self, *, dry_run: bool = False) -> Expired: ...
    async def export(
        self, target: str | Path, *, progress: Callable[[int, int], None] | None = None
    ) -> Exported: ...
    async def facts(
        self,
        subject: str,
        attribute: str | None = None,
        *,
        known_at: Known | None = None,
        true_at: When | None = None,
    ) -> Facts: ...
    async def forget(
        self,
        selector: Selector | None = None,
        *,
        dry_run: bool = False,
        expect: str | None = None,
        by: str | None = None,
        **parts: Unpack[Parts],
    ) -> Forgotten: ...
    async def get(self, ref: int | str) -> Entry | Event: ...
    async def grant(
        self, request_id: str, *, entries: Sequence[int] | None = None, by: str | None = None
    ) -> Forgotten: ...
    async def grep(
        self,
        pattern: str,
        *,
        document: str | None = None,
        ignore_case: bool = False,
        limit: int | None = None,
        known_at: Known | None = None,
    ) -> Grepped: ...
    async def history(self, ref: int | str) -> tuple[Change, ...]: ...
    async def import_archive(
        self, source: str | Path, *, progress: Callable[[int, int], None] | None = None
    ) -> Unpacked: ...
    async def import_lines(
        self, lines: Iterable[bytes | str], *, progress: Callable[[int], None] | None = None
    ) -> Imported: ...
    async def lint(self) -> tuple[Untidy, ...]: ...
    async def list_documents(
        self,
        *,
        page: int = 1,
        query: str | None = None,
        project: str | None = None,
        known_at: Known | None = None,
    ) -> DocumentPage: ...
    def log(
        self, *, after: int = 0, limit: int | None = None, **only: Unpack[LogFilters]
    ) -> AsyncIterator[RecordView]: ...
    async def mark(
        self, ref: int | str, sensitivity: Sensitivity, *, by: str | None = None, reason: str = ""
    ) -> Marked: ...
    async def metrics(
        self,
        *,
        questions: Sequence[Mapping[str, Any]] = ...,
        label: str | None = None,
        sample: int = ...,
        points: int = 0,
        limits: str = "",
    ) -> Metrics: ...
    async def plan(self, plan_id: str) -> PlanView: ...
    async def plans(self, state: PlanState | None = None) -> tuple[PlanView, ...]: ...
    async def propose(self) -> Proposal | None: ...
    async def read_lines(
        self,
        document: str,
        first: int = 1,
        last: int | None = None,
        *,
        known_at: Known | None = None,
    ) -> LineRange: ...
    async def rebuild(self, *, progress: Callable[[int, int], None] | None = None) -> Rebuilt: ...
    async def receipts(self) -> tuple[Forgotten, ...]: ...
    async def reject(self, plan_id: str, *, by: str | None = None, reason: str = "") -> Decided: ...
    async def remaintain(
        self,
        *,
        model: str | Model | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Drift: ...
    async def replay(self, known_at: When | int, to: str | Path | None = None) -> Replayed: ...
    async def resolve(self, citation: str) -> CitedPlace: ...
    async def retract(
        self, seq: int, *, reason: str = "", by: str | None = None, seen: int | None = None
    ) -> Receipt: ...
    async def run_due(self) -> tuple[Receipt, ...]: ...
    async def sample_plans(
        self, number: int, *, seed: int = 1, after: int = 0
    ) -> tuple[PlanView, ...]: ...
    async def search(
        self,
        query: str,
        *,
        budget: int = ...,
        known_at: Known | None = None,
        true_at: When | None = None,
        **filters: Unpack[Filters],
    ) -> Found: ...
    async def selected(
        self,
        selector: Selector | None = None,
        *,
        limit: int = ...,
        after: int = 0,
        **parts: Unpack[Parts],
    ) -> Selected: ...
    async def state(self) -> str: ...
    async def status(self) -> Status: ...
    async def timeline(self, ref: int | str, *, known_at: Known | None = None) -> Timeline: ...
    async def toolbox(
        self,
        *,
        nonce: str | None = None,
        caps: Caps | None = None,
        extra: Sequence[Tool] = ...,
        permits: Sequence[Callable[[Entry], bool]] = ...,
        known_at: Known | None = None,
        true_at: When | None = None,
        **filters: Unpack[Filters],
    ) -> Toolbox: ...
    async def undo(self, plan_id: str, *, by: str | None = None, reason: str = "") -> Undone: ...
    async def verify_forgotten(
        self, receipt: Forgotten | Mapping[str, Any] | str, *, text: str | None = None
    ) -> Verified: ...
    async def waiting(self) -> tuple[str, ...]: ...
