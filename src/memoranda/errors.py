"""The error tree: every error says what to do.

MemorandaError
├── InputError              the caller's value is wrong (exit code 2)
│   ├── ScopeNameError      a user, workspace or project name can't be used
│   ├── TimeError           a time can't be read, or has no zone
│   ├── TextError           a text can't be stored (lone surrogate, NUL, size)
│   ├── SecretError         it holds a secret, and the setting `secrets` refuses those
│   └── PreviewError        what was shown has changed since, and was not forgotten
├── ChangedError            what was seen has changed since (exit code 1)
├── NotAllowedError         the handle may not do that (exit code 1)
├── NotFoundError           no such entry, event or document (exit code 3)
│   ├── ForgottenError      it was there, and was forgotten
│   └── NothingSelectedError    nothing fits what was to be forgotten
├── StoreError              the data folder can't be used as it is (exit code 1)
│   ├── FormatError         written by a newer version, or not ours
│   ├── DamagedError        a record fails its check
│   ├── UnsafePathError     a link or odd file stands where ours should be
│   └── BusyError           another process holds the scope for too long
├── PlanError               a plan breaks a law (exit code 1)
│   ├── ConservationError   an entry would end nowhere, or in two places
│   ├── StalePlanError      the plan was made on an older state
│   ├── UndoError           something later needs what would be undone
│   └── ReviewNeededError   policy lets it wait for a person (exit code 4)
└── ModelError              a model, or its reply, can't be used (exit code 1)
    ├── ModelUnavailableError   it can't be reached, or does not take the request
    ├── ModelTimeoutError       it did not answer in time
    ├── ModelRateLimitedError   it wants to be asked later
    ├── ModelRefusedError       it declined to answer
    ├── ReplyError              what it answered can't be used
    └── BudgetError             a limit on calls, tokens or money is reached
"""

from __future__ import annotations


class MemorandaError(Exception):
    """Any error that Memoranda raises on purpose."""


class InputError(MemorandaError):
    """The caller's value is wrong."""


class ScopeNameError(InputError):
    """A user, workspace or project name can't be used."""

    def __init__(self, kind: str, name: str, reason: str) -> None:
        shown = name if len(name) <= 60 else name[:57] + "..."
        super().__init__(f"{kind} name {shown!r} can't be used: {reason}")
        self.kind = kind
        self.name = name
        self.reason = reason


class TimeError(InputError):
    """A time can't be read, or has no zone."""

    def __init__(self, value: object, reason: str) -> None:
        super().__init__(
            f"time {value!r} can't be used: {reason}; "
            "give ISO 8601 with an offset (2026-03-01T09:30:00Z) or a date (2026-03-01)"
        )
        self.value = value


class TextError(InputError):
    """A text can't be stored."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field} can't be stored: {reason}")
        self.field = field


class ChangedError(MemorandaError):
    """What was seen has changed since; nothing was done."""

    def __init__(self, seq: int, seen: int, position: int, how: str) -> None:
        super().__init__(
            f"entry {seq} was {how} at position {position}, after {seen} where you saw it; "
            "nothing was done; look at it again"
        )
        self.seq = seq
        self.seen = seen
        self.position = position
        self.how = how


class NotAllowedError(MemorandaError):
    """The handle may not do that: it needs another role, or may not see all of it."""

    def __init__(self, what: str, needed: str) -> None:
        super().__init__(f"{what} is not allowed here: it needs {needed}")
        self.what = what
        self.needed = needed


class SecretError(InputError):
    """What is to be stored holds a secret, and the setting `secrets` refuses those.

    Attributes:
        field: where: `content`, `metadata`, `speaker` ...
        kinds: of what kinds, one for each; never anything of the secrets.
    """

    def __init__(self, field: str, kinds: tuple[str, ...]) -> None:
        named = ", ".join(sorted(set(kinds)))
        super().__init__(
            f"{field} holds what looks like a secret ({named}); nothing of it was stored: take it "
            "out, or set secrets to redact (a mark takes its place) or keep"
        )
        self.field = field
        self.kinds = kinds


class PreviewError(InputError):
    """What was shown to be forgotten has changed since, or the token is of something else."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason}; nothing was forgotten; look again")
        self.reason = reason


class NotFoundError(MemorandaError):
    """No such entry, event or document in this scope."""

    def __init__(self, kind: str, name: object, near: tuple[str, ...] = ()) -> None:
        hint = f"; near names: {', '.join(near)}" if near else ""
        super().__init__(f"no {kind} {name!r} in this scope{hint}")
        self.kind = kind
        self.name = name
        self.near = near


class ForgottenError(NotFoundError):
    """The entry or event was there, and was forgotten."""

    def __init__(self, kind: str, name: object, when: str) -> None:
        super().__init__(kind, name)
        self.args = (f"{kind} {name} was forgotten on {when[:10]}",)
        self.when = when


class NothingSelectedError(NotFoundError):
    """Nothing fits what was to be forgotten.

    Attributes:
        parts: the names of the parts that were given; never what they said.
    """

    def __init__(self, parts: tuple[str, ...]) -> None:
        super().__init__("match", ", ".join(parts))
        self.args = (f"nothing here fits what was given ({', '.join(parts)}); nothing changed",)
        self.parts = parts


class StoreError(MemorandaError):
    """The data folder can't be used as it is."""


class FormatError(StoreError):
    """The database was written by a newer version, or is not ours."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path


class DamagedError(StoreError):
    """A record fails its check."""

    def __init__(self, position: int, reason: str) -> None:
        super().__init__(f"record {position} is damaged: {reason}; nothing was changed; run check")
        self.position = position


class UnsafePathError(StoreError):
    """A link or an odd file stands where one of ours should be."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}; move it away and try again")
        self.path = path


class BusyError(StoreError):
    """Another process holds the scope for too long."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(f"{what} is held by another process for over {seconds:g} s; try again")
        self.what = what


class PlanError(MemorandaError):
    """A plan breaks a law and was not applied."""


class ConservationError(PlanError):
    """An entry would end nowhere, or in two places."""

    def __init__(
        self, lost: frozenset[int], doubled: frozenset[int], foreign: frozenset[int]
    ) -> None:
        parts = [
            f"{name} {sorted(seqs)}"
            for name, seqs in (
                ("lost", lost),
                ("placed twice", doubled),
                ("not of this plan", foreign),
            )
            if seqs
        ]
        super().__init__("plan refused: entries " + "; ".join(parts))
        self.lost = lost
        self.doubled = doubled
        self.foreign = foreign


class StalePlanError(PlanError):
    """The plan was made on an older state of a document, or of an entry.

    Attributes:
        document_id: what has moved on.
        instead: id of the plan that was made anew and waits; "" if none was.
    """

    def __init__(self, document_id: str, seen: int, found: int, *, instead: str = "") -> None:
        then = f"it was planned anew as {instead}, which waits" if instead else "plan again"
        moved = f"is at version {found}, the plan was made on {seen}" if seen else "has changed"
        super().__init__(f"plan refused: {document_id} {moved}; {then}")
        self.document_id = document_id
        self.seen = seen
        self.found = found
        self.instead = instead


class UndoError(PlanError):
    """Something later needs what would be undone.

    Attributes:
        first: ids of what to undo before it, in this order; empty when nothing can be undone for it.
    """

    def __init__(self, reason: str, first: tuple[str, ...]) -> None:
        super().__init__(reason)
        self.first = first


class ReviewNeededError(PlanError):
    """Policy does not let a plan take effect by itself.

    Attributes:
        reasons: why, a sentence each.
        seqs: the entries that all of it is about; empty when it is about the plan as a whole.
    """

    def __init__(self, reasons: tuple[str, ...], seqs: frozenset[int] = frozenset()) -> None:
        super().__init__("plan not applied, it needs review: " + "; ".join(reasons))
        self.reasons = reasons
        self.seqs = seqs


class ModelError(MemorandaError):
    """A model, or its reply, can't be used.

    Attributes:
        calls: how many calls were made before it was given up.
    """

    calls: int = 0


class ModelUnavailableError(ModelError):
    """A model can't be reached, or does not take the request.

    Attributes:
        reason: `connection`, `key`, `missing`, `server`, `request`, `too_long`, `content_type` or `program`.
        ours: what went wrong in our own words, none of the other side's, so that it may be kept; or "".
    """

    def __init__(self, model: str, reason: str, detail: str, *, ours: str = "") -> None:
        super().__init__(f"model {model} can't be used: {detail}")
        self.model = model
        self.reason = reason
        self.ours = ours


class ModelTimeoutError(ModelError):
    """A model did not answer in time."""

    def __init__(self, model: str, seconds: float) -> None:
        super().__init__(
            f"model {model} did not answer in {seconds:g} s; try again, or allow it more time"
        )
        self.model = model
        self.seconds = seconds


class ModelRateLimitedError(ModelError):
    """A model wants to be asked later."""

    def __init__(self, model: str, retry_after: float | None) -> None:
        when = "later" if retry_after is None else f"in {retry_after:.0f} s"
        super().__init__(f"model {model} has too much to do (rate limit); try again {when}")
        self.model = model
        self.retry_after = retry_after


class ModelRefusedError(ModelError):
    """A model declined to answer; nothing of its text is kept."""

    def __init__(self, model: str) -> None:
        super().__init__(f"model {model} declined to answer; this step is left to the rules")
        self.model = model


class ReplyError(ModelError):
    """What a model answered can't be used.

    Attributes:
        reason: a code, such as `cut`, `prose` or `unknown_action`; `llm.replies.REASONS` lists them.
        detail: what is wrong, in words that a model can mend it by.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"the model's reply can't be used ({reason}): {detail}")
        self.reason = reason
        self.detail = detail


class BudgetError(ModelError):
    """A limit on calls, tokens or money is reached; nothing was sent."""

    def __init__(self, span: str, what: str, detail: str) -> None:
        super().__init__(
            f"the budget of this {span} is reached ({what}): {detail}; "
            "what is left waits; raise the limit, or go on later"
        )
        self.span = span
        self.what = what
