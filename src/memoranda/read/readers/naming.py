"""A second look: of the lines that would get no place in the evidence, the model names those that answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from memoranda.llm.aliases import Aliases
from memoranda.llm.forms import Form
from memoranda.llm.kinds import Alias, Each, Says
from memoranda.read.readers.gather import Harvest, contested
from memoranda.read.readers.offering import Offer, put
from memoranda.read.readers.run import Failure, Run
from memoranda.read.render import date
from memoranda.text.visible import show
from memoranda.values import Entry

LONGEST = 400
"""Characters of a line that is shown."""
MOST = 8
"""So many lines may be named."""


@dataclass(frozen=True)
class Naming:
    """The lines that tell something of what is asked."""

    lines: Annotated[
        tuple[Annotated[str, Alias("lines")], ...],
        Each(0, MOST),
        Says("names of lines, best first"),
    ]


_FORM = Form(Naming)


def named(question: str, harvest: Harvest, run: Run) -> Harvest:
    """Let the model name lines that it found beyond what the lexical ranking gives, if it named none.

    Asked only where there is no room for all: unnamed lines displace nothing (see `gather`).
    """
    desk, limits = run.desk, run.desk.limits
    if desk.model is None or harvest.named or not harvest.own or run.over():
        return harvest
    lines = desk.looking(
        lambda source: contested(
            question, source, harvest, budget=limits.budget, most=limits.offered
        )
    )
    return replace(harvest, named=_asked(question, lines, run)) if lines else harvest


def _asked(question: str, lines: tuple[Entry, ...], run: Run) -> tuple[int, ...]:
    since = run.mark()
    offer = Offer(
        prompt="read_lines",
        form=_FORM,
        group="lines",
        letter="n",
        keys=tuple(entry.seq for entry in lines),
        texts=(question, *(entry.text for entry in lines)),
    )

    def data(names: Aliases[int]) -> dict[str, str]:
        shown = (f"{names.of(entry.seq)} {_line(entry)}" for entry in lines)
        return {"question": question, "lines": "\n".join(shown)}

    found = put(
        run, offer, data, lambda reply, names: tuple(names.key(name) for name in reply.lines)
    )
    if isinstance(found, Failure):
        run.note("name", since, note=found.reason)
        return ()
    run.note("name", since, chosen=[str(seq) for seq in found])
    return found


def _line(entry: Entry) -> str:
    text = " ".join(show(entry.text).split())
    cut = text if len(text) <= LONGEST else text[:LONGEST] + " ..."
    return f"{date(entry)}{show(entry.speaker or entry.source)}: {cut}"
