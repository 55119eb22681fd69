"""Questions that hang on several facts: their hops planned, by rules or by a model, and resolved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from memoranda.answers import Hop
from memoranda.errors import ReplyError
from memoranda.llm.aliases import Aliases
from memoranda.llm.forms import Form
from memoranda.llm.kinds import Alias, Each, Says, Text
from memoranda.llm.model import Request
from memoranda.llm.prompts import Prompt
from memoranda.llm.replies import value_of
from memoranda.read.readers.chain import Candidate, Picked, by_frame, resolve
from memoranda.read.readers.claims import verbatim
from memoranda.read.readers.hop_rules import by_rules
from memoranda.read.readers.offering import Offer, put
from memoranda.read.readers.run import Failure, Run, unseen
from memoranda.read.render import date
from memoranda.values import Entry

SHOWN = 12
"""So many lines a model is shown to pick the one that answers a hop."""
_JOINTS = re.compile(r"\b(?:of|whose|where|that|who|which)\b|'s\b", re.IGNORECASE)
_REFERENCE = re.compile(r"#(\d)")


@dataclass(frozen=True)
class HopPlan:
    """The steps of a question."""

    hops: Annotated[
        tuple[Annotated[str, Text(300)], ...],
        Each(1, 5),
        Says("questions, in order; #1 stands for the answer of the first"),
    ]


@dataclass(frozen=True)
class HopValue:
    """The line that answers a step, and its value."""

    line: Annotated[str, Alias("lines")] | None
    value: Annotated[str, Text(200, blank=True), Says("copied from the line, letter by letter")]


_PLAN = Form(HopPlan)
_VALUE = Form(HopValue)


def chained(question: str, run: Run) -> tuple[Hop, ...]:
    """Give the chain of hops of a question, as far as it resolves; nothing for a single fact.

    The rules come first; where they don't reach the end and there is a model, it plans the hops.
    """
    pick = _Picker(run)
    hops = by_rules(question)
    chain = resolve(hops, run.desk.looking, pick) if len(hops) > 1 else ()
    if is_whole(chain) or run.desk.model is None or not _may_hang(question, hops):
        return chain
    planned = _planned(question, run)
    if len(planned) < 2 or planned == hops:
        return chain
    other = resolve(planned, run.desk.looking, pick)
    return other if is_whole(other) or len(other) > len(chain) else chain


def is_whole(chain: Sequence[Hop]) -> bool:
    """Say whether every hop has its value."""
    return bool(chain) and all(hop.value is not None for hop in chain)


def _may_hang(question: str, hops: Sequence[str]) -> bool:
    """Say whether a question may hang on several facts, by its words."""
    joints = len(_JOINTS.findall(question)) + question.count("的")
    return len(hops) > 1 or joints > 1


def _planned(question: str, run: Run) -> tuple[str, ...]:
    since = run.mark()
    prompt = Prompt.load("read_hops")
    nonce = unseen(run.desk.nonce, (question,))
    request = Request(
        messages=prompt.messages(nonce=nonce, data={"question": question}),
        schema=_PLAN.schema(),
        max_tokens=run.desk.limits.reply_tokens,
    )

    most = run.desk.limits.hops
    found = run.ask(
        request, lambda reply: _checked(_PLAN.read(value_of(reply)), most), label=prompt.label
    )
    if isinstance(found, Failure):
        run.note("plan", since, note=found.reason)
        return ()
    run.note("plan", since, chosen=found.hops)
    return found.hops


def _checked(plan: HopPlan, most: int) -> HopPlan:
    """Refuse references to what comes later."""
    if len(plan.hops) > most:
        raise ReplyError("shape", f"hops has {len(plan.hops)} items; {most} is the most")
    for number, hop in enumerate(plan.hops):
        late = [found for found in _REFERENCE.findall(hop) if not 0 < int(found) <= number]
        if late:
            raise ReplyError("shape", f"hops[{number}] names #{late[0]}, which comes not before it")
    return plan


@dataclass(frozen=True, slots=True)
class _Picker:
    """Picks the line of a hop: by its frame, else by the model among lines that hold now."""

    run: Run

    def __call__(self, question: str, options: Sequence[Candidate]) -> Picked | None:
        found = by_frame(question, options)
        if found is not None or self.run.desk.model is None or not options:
            return found
        return self._asked(question, sorted(options, key=lambda option: -option.fit)[:SHOWN])

    def _asked(self, question: str, options: Sequence[Candidate]) -> Picked | None:
        run = self.run
        since = run.mark()
        entries = {option.entry.seq: option.entry for option in options}
        offer = Offer(
            prompt="read_value",
            form=_VALUE,
            group="lines",
            letter="f",
            keys=tuple(entries),
            texts=(question, *(entry.text for entry in entries.values())),
        )

        def data(names: Aliases[int]) -> dict[str, str]:
            lines = (f"{names.of(seq)} {_line(entry)}" for seq, entry in entries.items())
            return {"question": question, "lines": "\n".join(lines)}

        def read(value: HopValue, names: Aliases[int]) -> Picked | None:
            if value.line is None or not value.value.strip():
                return None
            entry = entries[names.key(value.line)]
            told = verbatim(value.value, entry.text)
            if told is None:
                raise ReplyError("shape", "value does not stand in the line so; copy it from there")
            return Picked(entry, told, "model")

        found = put(run, offer, data, read)
        failed = isinstance(found, Failure)
        picked = None if isinstance(found, Failure) else found
        note = (
            found.reason if isinstance(found, Failure) else "" if picked else "no line answers it"
        )
        chosen = () if picked is None else (question, picked.value)
        run.note("value", since, chosen=chosen, note=note if failed or not picked else "")
        return picked


def _line(entry: Entry) -> str:
    who = f"{entry.speaker}: " if entry.speaker else ""
    return f"{date(entry)}{who}{' '.join(entry.text.split())}"
