"""Extract durable facts from events by a model; what it does not tell well stays verbatim."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from memoranda.errors import ReplyError
from memoranda.llm.forms import Form
from memoranda.llm.kinds import Each, Names, Says
from memoranda.llm.kinds import Text as Typed
from memoranda.llm.replies import shown
from memoranda.text.analyse import content_counts, is_greeting, mostly_cjk
from memoranda.text.asks import may_ask
from memoranda.text.tokens import count
from memoranda.values import NewEvent, Value
from memoranda.write.by_model.asking import (
    Asker,
    Report,
    batches,
    event_line,
    halves,
    line,
    put,
    too_large,
)
from memoranda.write.by_model.items import Item, typed, verbatim
from memoranda.write.by_model.names import Pool, Table, named
from memoranda.write.by_model.phrases import dated
from memoranda.write.guarded import drops_figures, fits, heard_in

BATCH = 2500
"""Tokens of the events that are shown in one call."""
SHOWN = 1500
"""An event with more tokens is not shown: the rules cut it at paragraph and sentence ends."""
SLIGHT = 6
"""A user's question with more telling terms than this is not left out, whatever the reply says."""
_OWN = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours)\b|我|咱|俺", re.IGNORECASE)
LONGEST_KEY = 160

Reason = Literal["greeting", "filler", "repeat", "noise"]
REASONS: tuple[Reason, ...] = get_args(Reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut(Value):
    """An event without an entry; it stays in the log and is searchable."""

    event: int
    """Its number in the batch, from 0."""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish(Value):
    """A request of a user to forget something, as a model understood it; code has looked who asks."""

    event: int
    """Its number in the batch, from 0."""
    what: str
    """Words of that event which name what is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction(Value):
    """The entries of a batch of events, in the order of their first events.

    Every event is cited by at least one item, or is left out by name.
    """

    items: tuple[Item, ...]
    left_out: tuple[LeftOut, ...] = ()
    wishes: tuple[Wish, ...] = ()
    report: Report = field(default_factory=Report)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactTold:
    """One fact."""

    of: Annotated[str, Typed(most=200), Names("events"), Says("Names of the events that say it")]
    fact: Annotated[
        str, Typed(most=1000, blank=True), Says("The fact, in their language; blank: as it stands")
    ] = ""
    key: Annotated[
        str, Typed(most=120, blank=True), Says("A key's name, or subject / attribute")
    ] = ""
    when: Annotated[str, Typed(most=60, blank=True), Says("Words of a relative date")] = ""
    only: Annotated[str, Typed(most=120, blank=True), Says("Words of what it only holds for")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Omitted:
    """Events that tell nothing that lasts."""

    of: Annotated[str, Typed(most=4000), Names("events"), Says("Names of events")]
    why: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTold:
    """A user's request to forget something."""

    of: Annotated[str, Typed(most=200), Names("events"), Says("Name of the event")]
    what: Annotated[str, Typed(most=200), Says("Words of the event that name what to forget")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """A whole reply: events that it does not name are kept word for word."""

    facts: Annotated[tuple[FactTold, ...], Each(most=400)] = ()
    skip: Annotated[tuple[Omitted, ...], Each(most=100, per=1)] = ()
    asks: Annotated[tuple[AskTold, ...], Each(most=20)] = ()


FORM = Form(Extracted)


def extract(
    asker: Asker,
    events: Sequence[NewEvent],
    *,
    keys: Sequence[str] = (),
    entry_tokens: int,
    batch: int = BATCH,
) -> Extraction:
    """Extract facts from a batch of events.

    Source, speaker, time, project and sensitivity of an entry are not here: the log copies them from
    the events that an item cites. A fact whose words do not pass the guard is replaced by the words
    of its events, and so is what no fact cites. A batch whose reply is cut, or that the model does not
    take, is asked about in halves, once.

    Args:
        asker: whom to ask.
        events: checked; `time` is when it was said, else when it was recorded (for relative dates).
        keys: the nearest keys of states there are, as `project / subject / attribute`.
        entry_tokens: a longer text is cut into several entries.
        batch: tokens of one call.

    Raises:
        BudgetError: a limit is reached; nothing of the step is given.
    """
    most = min(SHOWN, batch)
    small = [n for n, event in enumerate(events) if count(event.content) <= most]
    made = _Made(events, entry_tokens)
    report = too_large("extract", len(events) - len(small))
    parts = batches(small, lambda n: count(events[n].content), batch)
    for number, part in enumerate(parts):
        report = report.plus(_asked(asker.part(number), part, keys, made))
    return made.result(report)


def _asked(asker: Asker, part: Sequence[int], offered: Sequence[str], made: _Made) -> Report:
    """Ask about a batch, and if that was too much for one call about its halves."""
    whole = _ask(asker, part, offered, made)
    again = [
        _ask(asker.part(number), half, offered, made)
        for number, half in enumerate(halves(part, whole))
    ]
    return Report(halved=1).plus(*again) if again else whole


def _ask(asker: Asker, part: Sequence[int], offered: Sequence[str], made: _Made) -> Report:
    events = made.events
    asker = asker.unseen_in(
        [*offered, *(f"{events[n].content}\n{events[n].speaker}" for n in part)]
    )
    pool = Pool(asker.nonce)
    names = pool.table(part)
    states = pool.table(offered)
    data = {
        "keys": "\n".join(line(states.of(key), key) for key in offered) or "none",
        "events": "\n".join(event_line(names.of(n), events[n]) for n in part),
    }

    def check(reply: Extracted) -> None:
        told_of = [t.of for t in reply.facts] + [t.of for t in reply.skip]
        for text in (*told_of, *(t.of for t in reply.asks)):
            named(text, names)
        for told in reply.facts:
            _refuse_odd_key(told.key, states)
            if not told.fact.strip() and len(named(told.of, names)) > 1:
                raise ReplyError("shape", "without `fact`, `of` names one event")

    answer = put(asker, "extract", FORM, data, names={"events": names.names}, check=check)
    for fact in answer.value.facts if answer.value else ():
        made.take(fact, named(fact.of, names), states)
    for omitted in answer.value.skip if answer.value else ():
        made.leave_out(named(omitted.of, names), omitted.why)
    for ask in answer.value.asks if answer.value else ():
        made.heed(named(ask.of, names), ask.what)
    return answer.report


class _Made:
    """What was made of the events so far."""

    def __init__(self, events: Sequence[NewEvent], limit: int) -> None:
        self.events = events
        self._limit = limit
        self._items: list[Item] = []
        self._verbatim: set[int] = set()
        self._left_out: dict[int, Reason] = {}
        self._wishes: dict[Wish, None] = {}
        self._reworded = 0

    def take(self, told: FactTold, numbers: Sequence[int], states: Table[str]) -> None:
        """Take a fact, or the words of its events where it can't be."""
        cited = [self.events[number] for number in numbers]
        text = self._wording(told, cited)
        if text is None:
            self._verbatim.update(numbers)
            self._reworded += 1
            return
        sure = not told.only.strip() or _bounds(told.only, cited)
        key = _key(told, cited[0].project, states) if sure else None
        item = typed(text, numbers, self.events, key)
        if all((item.events, item.said) != (other.events, other.said) for other in self._items):
            self._items.append(item)

    def _wording(self, told: FactTold, cited: Sequence[NewEvent]) -> str | None:
        """Give the words of a fact with its day and its bound, if the guard lets them pass."""
        fact = _unsigned(" ".join(told.fact.split()), cited) or cited[0].content
        one_place = len({event.project for event in cited}) == 1
        one_tongue = mostly_cjk(fact) == mostly_cjk(_whole(cited))
        if not one_place or not one_tongue or count(fact) > self._limit:
            return None
        said, own = heard_in(cited), cited[0].content if len(cited) == 1 else ""
        with_day = dated(fact, told.when, cited)
        wordings = (with_day, fact)
        text = next((t for t in wordings if t == own or fits(t, said, kind="fact")), None)
        only = " ".join(told.only.split())
        if text is None or not _bounds(only, cited) or only.casefold() in text.casefold():
            return text
        end = text.rstrip(".。 ")
        note = f"（{only}）" if mostly_cjk(text) else f" ({only})"
        return f"{end}{note}{text[len(end) :].rstrip()}"

    def heed(self, numbers: Sequence[int], what: str) -> None:
        """Take a request to forget: only a user's own, in words that stand in the event.

        Whatever a reply says, the event must hold a word of forgetting; its words are kept.
        """
        words = " ".join(what.split())
        for number in numbers:
            event = self.events[number]
            said = " ".join(event.content.split()).casefold()
            if event.source == "user" and may_ask(said) and words.casefold() in said:
                self._wishes[Wish(event=number, what=words)] = None
                self._verbatim.add(number)

    def leave_out(self, numbers: Sequence[int], why: Reason) -> None:
        """Leave events out, unless they tell something that the rules can see."""
        for number in numbers:
            if _tells(self.events[number]):
                self._reworded += 1
            else:
                self._left_out.setdefault(number, why)

    def result(self, report: Report) -> Extraction:
        """Give the items in order; what no fact cites and nothing leaves out is verbatim."""
        cited = {number for item in self._items for number in item.events}
        self._keep_figures(cited)
        gone = {n: why for n, why in self._left_out.items() if n not in cited | self._verbatim}
        plain = set(range(len(self.events))) - cited - gone.keys() | self._verbatim
        items = [*self._items]
        for number in sorted(plain):
            items += verbatim(number, self.events[number], limit=self._limit)
        items.sort(key=lambda item: item.events[0])
        return Extraction(
            items=tuple(items),
            left_out=tuple(LeftOut(event=n, reason=gone[n]) for n in sorted(gone)),
            wishes=tuple(self._wishes),
            report=report.plus(Report(reworded=self._reworded)),
        )

    def _keep_figures(self, cited: Iterable[int]) -> None:
        """Keep the words of an event whose facts leave a figure or a date of it out."""
        for number in sorted(set(cited) - self._verbatim):
            event = self.events[number]
            told = [item.said for item in self._items if number in item.events and item.said]
            if event.content not in told and drops_figures(told, event):
                self._verbatim.add(number)
                self._reworded += 1


def _whole(events: Sequence[NewEvent]) -> str:
    return " ".join(" ".join(event.content.split()) for event in events)


def _unsigned(fact: str, events: Sequence[NewEvent]) -> str:
    """Give a fact without the speaker's name before it: the line is signed with it already."""
    name, colon, rest = fact.replace("：", ":", 1).partition(":")
    signed = colon and {name.strip().casefold()} == {(e.speaker or "").casefold() for e in events}
    return rest.strip() if signed and rest.strip() else fact


def _bounds(only: str, events: Sequence[NewEvent]) -> bool:
    """Say whether the words that bound a fact stand in its events; of others no notice is taken."""
    words = " ".join(only.split()).casefold()
    return bool(words) and words in _whole(events).casefold()


def _tells(event: NewEvent) -> bool:
    """Say whether a user's words may tell something: all but greetings and questions about others."""
    if event.source != "user" or is_greeting(event.content):
        return False
    if any(mark.isdigit() for mark in event.content) or _OWN.search(event.content):
        return True
    asks = event.content.rstrip().endswith(("?", "？"))
    return not asks or len(content_counts([event.content])) > SLIGHT


def _refuse_odd_key(text: str, states: Table[str]) -> None:
    if text.strip() and text not in states and " / " not in text:
        raise ReplyError("unknown_alias", f"{shown(text)} is no key that is offered here")


def _key(told: FactTold, project: str | None, states: Table[str]) -> str | None:
    """Give the key of a state, an offered one or a new one; it is of the project of the events."""
    place = (project or "-").casefold()
    if told.key in states:
        key = states.key(told.key)
    else:
        parts = [" ".join(part.split()).casefold() for part in told.key.split(" / ")]
        parts = [place, *parts] if len(parts) == 2 else parts
        key = " / ".join(parts) if len(parts) == 3 and all(parts) else ""
    if not key.startswith(f"{place} / "):
        return None
    bound = " ".join(told.only.split()).casefold()
    key = f"{key} @ {bound}" if bound and bound not in key else key
    return key if len(key) <= LONGEST_KEY else None
