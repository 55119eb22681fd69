"""The cases of the constructed sets, read from their lines; every second one is held out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Final, Literal

from evals.forms import Question
from memoranda import NewEvent

HERE = Path(__file__).resolve().parent
KINDS: Final = ("preference", "config", "conflict", "revocation", "samename", "toolfailure")
"""Name and preference (R263), project configuration (R264), conflicting updates (R265), revocation
(R266), same-named entities across projects (R267), experience of tool failures (R268)."""
LANGUAGES: Final = ("en", "zh")
HALVES: Final = ("dev", "held")
BEGIN: Final = date(2026, 1, 5)
ROUND: Final = 60
"""Days between what is said first and what is said then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case: what is said, what is done about it, what is asked."""

    name: str
    kind: str
    events: tuple[NewEvent, ...]
    question: Question
    project: str | None = None
    """The handle that asks is bound to this project."""
    deed: Literal["", "forget", "retract"] = ""
    """What is done to the first event before anything is asked."""
    stays: str = ""
    """What must be there after the deed."""
    fields: tuple[str, ...] = field(default=())


def cases(kind: str, language: str, half: str) -> list[Case]:
    """Read the cases of a kind: odd ones for development, even ones held out."""
    text = (HERE / f"{kind}_{language}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    start = HALVES.index(half)
    made = _MAKERS[kind]
    found: list[Case] = []
    for number, line in list(enumerate(lines))[start::2]:
        fields = tuple(part.strip() for part in line.split("|"))
        found += made(f"{kind}-{language}-{number + 1}", number, fields)
    return found


def _day(number: int, turn: int = 0) -> str:
    return (BEGIN + timedelta(days=number + turn * ROUND)).isoformat()


def _revised(
    name: str, kind: str, told: tuple[NewEvent, ...], ask: tuple[str, str, str]
) -> list[Case]:
    question, now, before = ask
    asked = Question(
        name=name,
        kind=kind,
        text=question,
        answers=(now,),
        gold=frozenset({str(told[-1].external_id)}),
        avoid=(before,) if before else (),
    )
    return [Case(name=name, kind=kind, events=told, question=asked)]


def _preference(name: str, number: int, fields: tuple[str, ...]) -> list[Case]:
    who, older, newer, question, now, before = (*fields, "", "")[:6]
    told = tuple(
        _said(name, turn, text, number, speaker=who)
        for turn, text in enumerate(filter(None, (older, newer)))
    )
    return _revised(name, "preference", told, (question, now, before))


def _config(name: str, number: int, fields: tuple[str, ...]) -> list[Case]:
    project, older, newer, question, now, before = (*fields, "", "")[:6]
    told = tuple(
        _said(name, turn, text, number, project=project)
        for turn, text in enumerate(filter(None, (older, newer)))
    )
    return _revised(name, "config", told, (question, now, before))


def _conflict(name: str, number: int, fields: tuple[str, ...]) -> list[Case]:
    who, first, then, question, now, before, third = (*fields, "")[:7]
    text, _, value = third.partition("=")
    told = [_said(name, 0, first, number, speaker=who), _said(name, 1, then, number, speaker=who)]
    if text:
        told.append(_said(name, 2, text, number, speaker=who))
        now, before = (value, now) if value else (before, now)
    return _revised(name, "conflict", tuple(told), (question, now, before))


def _revocation(name: str, number: int, fields: tuple[str, ...]) -> list[Case]:
    who, statement, deed, other, question, gone, stays = fields
    told = (
        _said(name, 0, statement, number, speaker=who),
        _said(name, 1, other, number, speaker=who),
    )
    asked = Question(name=name, kind="revocation", text=question, avoid=(gone,), judge="none")
    chosen: Literal["forget", "retract"] = "forget" if deed == "forget" else "retract"
    return [
        Case(name=name, kind="revocation", events=told, question=asked, deed=chosen, stays=stays)
    ]


def _samename(name: str, number: int, fields: tuple[str, ...]) -> list[Case]:
    _, one, said_one, two, said_two, question, in_one, in_two = fields
    found = []
    pairs = ((one, said_one, in_one, in_two), (two, said_two, in_two, in_one))
    for turn, (project, text, own, other) in enumerate(pairs):
        event = _said(name, turn, text, number, project=project)
        asked = Question(
            name=f"{name}-{turn + 1}",
            kind="samename",
            text=question,
            answers=(own,),
            gold=frozenset({str(event.external_id)}),
            avoid=(other,),
        )
        found.append(
            Case(
                name=asked.name,
                kind="samename",
                events=(event,),
                question=asked,
                project=project,
            )
        )
    return found


def _toolfailure(name: str, number: int, fields: tuple[str, ...]) -> list[Case]:
    failure, helped, later, question, now, before = (*fields, "", "")[:6]
    told = [_said(name, 0, failure, number, source="tool")]
    for turn, text in enumerate(filter(None, (helped, later)), start=1):
        source, _, words = text.partition(": ")
        told.append(_said(name, turn, words, number, source=source))
    return _revised(name, "toolfailure", tuple(told), (question, now, before))


def _said(  # noqa: PLR0913 - what an event has
    name: str,
    turn: int,
    text: str,
    number: int,
    *,
    speaker: str | None = None,
    project: str | None = None,
    source: str = "user",
) -> NewEvent:
    return NewEvent(
        content=text,
        source="tool" if source == "tool" else "user",
        speaker=speaker,
        project=project,
        time=_day(number, turn),
        session=f"{name}-{turn}",
        external_id=f"{name}:{turn}",
        metadata={"kind": name.partition("-")[0]},
    )


_MAKERS = {
    "preference": _preference,
    "config": _config,
    "conflict": _conflict,
    "revocation": _revocation,
    "samename": _samename,
    "toolfailure": _toolfailure,
}


def all_cases(language: str, half: str) -> Iterator[Case]:
    """Give all cases of a language: they share one memory."""
    for kind in KINDS:
        yield from cases(kind, language, half)
