"""One question of a step: prompt, fence, form, at most one repair, and what became of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from memoranda.errors import (
    BudgetError,
    ModelError,
    ModelUnavailableError,
)
from memoranda.llm.forms import Form, Offered
from memoranda.llm.metered import Meter, Metered
from memoranda.llm.model import Model, Request
from memoranda.llm.prompts import Prompt
from memoranda.llm.reasons import reason_of
from memoranda.llm.typed import ask
from memoranda.text.tokens import count
from memoranda.text.visible import show
from memoranda.values import Entry, NewEvent, Value

T = TypeVar("T")
Item = TypeVar("Item")

TOO_LONG = "prompt_too_long"
"""Why a question is left to the rules: it is more than the model takes."""
_TOO_MUCH = frozenset({"cut", TOO_LONG})
"""Reasons that asking about less may do away with."""


_UNBOUND = frozenset({"unknown_alias", "shape", "repeated", "too_long", "cut"})
"""Reasons that a schema which lists the names, and bounds lists and texts, does away with."""
FIRST, TIMES = 400, 2
"""A reply has at most so many tokens, and so many times those of what was shown: a right one has fewer,
and one that runs on without an end costs no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallback(Value):
    """A step, or one wording of it, that was left to the rules; it holds no text of anybody."""

    step: str
    """`extract`, `rewrite`, `route`, `split`, `merge` or `summarize`."""
    reason: str
    """A code of `llm.replies.REASONS`, `unavailable`, `timeout`, `rate_limited`, `prompt_too_long` or
    `failed`."""
    detail: str = ""
    """Of `unavailable`: what went wrong, in our own words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Value):
    """What became of the questions of a step."""

    used: int = 0
    """Replies that could be used as they came."""
    repaired: int = 0
    """Replies that could be used after one repair."""
    halved: int = 0
    """Questions that were too much for one call, and were asked again in halves."""
    fallbacks: tuple[Fallback, ...] = ()
    """Questions whose part was left to the rules."""
    reworded: int = 0
    """Wordings that the guard, or a rule, did not let pass: the sources stand verbatim."""

    def plus(self, *others: Report) -> Report:
        """Add several."""
        whole = (self, *others)
        return Report(
            used=sum(one.used for one in whole),
            repaired=sum(one.repaired for one in whole),
            halved=sum(one.halved for one in whole),
            fallbacks=tuple(fallback for one in whole for fallback in one.fallbacks),
            reworded=sum(one.reworded for one in whole),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Whom to ask, and within what.

    Attributes:
        model: who answers.
        nonce: 8 to 32 hexadecimal digits, new for each step; each call derives its own of it.
        meter: budget and records of the run; None asks without.
        plan_id: for the records of the calls.
        reply_tokens: the longest reply.
        timeout: seconds for one call, its retries included.
        lists: steps at which the model was seen to need the names one by one in its schema; from then
            on it has them there at once.
    """

    model: Model
    nonce: str
    meter: Meter | None = None
    plan_id: str | None = None
    reply_tokens: int = 4096
    timeout: float = 120.0
    lists: set[str] = field(default_factory=set, compare=False)

    def part(self, number: int) -> Asker:
        """Give the asker of one of several calls."""
        return replace(self, nonce=_digest(f"{self.nonce}:{number}"))

    def unseen_in(self, texts: Iterable[str]) -> Asker:
        """Give an asker whose nonce stands in none of the texts."""
        shown = "\n".join(show(text) for text in texts)
        nonce = self.nonce
        while nonce in shown:
            nonce = _digest(nonce)
        return replace(self, nonce=nonce)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A reply that can be used, or None: then the rules answer."""

    value: T | None
    report: Report


def put(
    asker: Asker,
    step: str,
    form: Form[T],
    data: Mapping[str, str],
    *,
    names: Offered,
    check: Callable[[T], None],
) -> Answer[T]:
    """Ask one question; its value is None when the rules must answer it.

    Args:
        asker: its nonce must stand in none of the data.
        step: the name of the prompt.
        form: of the reply.
        data: place of the prompt -> text of whatever origin.
        names: what is offered, by the group that the form has; see `lists`.
        check: a further test of the reply; it raises ReplyError, which is repaired once.

    Raises:
        BudgetError: a limit is reached; it is never taken for a failure of the model.
    """
    prompt = Prompt.load(step)
    request = Request(
        messages=prompt.messages(nonce=asker.nonce, data=data),
        schema=form.schema(names, bounds=True) if step in asker.lists else form.schema(),
        max_tokens=min(asker.reply_tokens, FIRST + TIMES * sum(map(count, data.values()))),
        timeout=asker.timeout,
    )
    model = asker.model
    if asker.meter is not None:
        model = Metered(model, asker.meter, purpose=prompt.label, plan_id=asker.plan_id)
    try:
        typed = ask(model, request, form, listed=names, check=check)
    except BudgetError:
        raise
    except ModelError as error:
        fallback = Fallback(step=step, reason=_reason(error), detail=getattr(error, "ours", ""))
        return Answer(None, Report(fallbacks=(fallback,)))
    repaired = typed.repaired is not None
    if typed.repaired in _UNBOUND:
        asker.lists.add(step)
    return Answer(typed.value, Report(used=int(not repaired), repaired=int(repaired)))


def _reason(error: ModelError) -> str:
    """Give a code; the message itself may hold words of the data."""
    if isinstance(error, ModelUnavailableError) and error.reason == "too_long":
        return TOO_LONG  # it is there, and asking again with as much is no use
    return reason_of(error)


# --- what is shown ----------------------------------------------------------------------------


def line(name: str, text: str, *about: str | None) -> str:
    """Show one thing under its name; further lines of its text are indented."""
    head = " ".join((name, *(part for part in about if part)))
    return f"{head}: {text}".replace("\n", "\n    ")


def entry_line(name: str, entry: Entry) -> str:
    """Show an entry: name, day, who said it, text."""
    who = entry.speaker or ("" if entry.source == "user" else entry.source)
    return line(name, entry.text, (entry.time or "")[:10], who)


def event_line(name: str, event: NewEvent) -> str:
    """Show an event: name, time, source, speaker, text."""
    return line(name, event.content, event.time, event.source, event.speaker)


def batches(
    items: Sequence[Item], tokens_of: Callable[[Item], int], most: int
) -> tuple[tuple[Item, ...], ...]:
    """Cut items, in order, into batches of at most `most` tokens, but at least one item each."""
    found: list[list[Item]] = []
    held = 0
    for item in items:
        tokens = tokens_of(item)
        if not found or held + tokens > most:
            found.append([])
            held = 0
        found[-1].append(item)
        held += tokens
    return tuple(tuple(batch) for batch in found)


def too_large(step: str, number: int) -> Report:
    """Report that so many things of a step were too large to be shown."""
    return Report(fallbacks=(Fallback(step=step, reason=TOO_LONG),) * number)


def halves(part: Sequence[Item], report: Report) -> tuple[Sequence[Item], ...]:
    """Give the halves of what was too much for one call, to be asked about once each; else none."""
    if len(part) < 2 or not any(item.reason in _TOO_MUCH for item in report.fallbacks):
        return ()
    middle = len(part) // 2
    return (part[:middle], part[middle:])


def size(entries: Iterable[Entry]) -> int:
    """Count the tokens of entries."""
    return sum(count(entry.text) for entry in entries)
