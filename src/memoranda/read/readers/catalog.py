"""The catalog as a model is shown it, and the documents that it selects there (R161-R164, R176)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from memoranda.answers import Stop
from memoranda.llm.aliases import Aliases
from memoranda.llm.forms import Form
from memoranda.llm.kinds import Alias, Each, Says
from memoranda.read import catalog
from memoranda.read.lexical import Source
from memoranda.read.ranking import Ranked
from memoranda.read.readers.offering import Offer, put
from memoranda.read.readers.run import Failure, Run
from memoranda.values import DocumentInfo

SUMMARY = 400
"""Characters of a summary that a model is shown."""


@dataclass(frozen=True)
class Selection:
    """What a model picks of one page."""

    documents: Annotated[
        tuple[str, ...],
        Alias("documents"),
        Each(0, 20),
        Says("names of documents, likeliest first"),
    ]


_FORM = Form(Selection)


@dataclass(frozen=True, slots=True)
class Selected:
    """The documents that a model picked, and how that ended."""

    documents: tuple[str, ...]
    """Ids, the likeliest first."""
    stop: Stop
    reason: str = ""


def listed(source: Source, inline: int) -> str:
    """Give the catalog as lines of id, title and summary; a large one is only counted (R163, R164)."""
    if source.reach.then:
        return (
            "Not shown: summaries tell of now, and an earlier time is asked for. Search the lines."
        )
    found = catalog.documents(source.view, source.reach)
    waiting = len(catalog.current(source.view, source.reach))
    last = f"CURRENT: {waiting} entries that are in no document yet" if waiting else ""
    if len(found) > inline:
        head = f"{len(found)} documents: too many to show here; list_docs shows them page by page"
        return "\n".join(filter(None, (head, last)))
    lines = [_line(info.document_id, info) for info in found]
    return "\n".join(filter(None, (*lines, last))) or "There is no document yet."


def select(question: str, run: Run, ranked: Ranked) -> Selected:
    """Let the model pick documents by their summaries, page by page when there are many.

    The pages are ordered by the lexical ranking, so that the likeliest documents are on the first.
    """
    limits = run.desk.limits
    infos = run.desk.looking(lambda source: _ordered(source, ranked))
    size = limits.inline if len(infos) <= limits.inline else limits.page
    pages = [infos[start : start + size] for start in range(0, len(infos), size)]
    chosen: dict[str, None] = {}
    for number, page in enumerate(pages[: limits.pages], start=1):
        left_out = len(pages) - limits.pages
        last = number == limits.pages and left_out > 0
        note = f"{left_out} further pages were not shown" if last else ""
        picked = _pick(question, run, page, note=note)
        if isinstance(picked, Failure):
            return Selected(tuple(chosen), picked.stop, picked.reason)
        chosen |= dict.fromkeys(picked)
        if len(chosen) >= limits.picks:
            break
    return Selected(tuple(chosen)[: limits.picks], "complete")


def _pick(
    question: str, run: Run, page: Sequence[DocumentInfo], *, note: str
) -> tuple[str, ...] | Failure:
    since = run.mark()
    offer = Offer(
        prompt="read_select",
        form=_FORM,
        group="documents",
        letter="d",
        keys=tuple(info.document_id for info in page),
        texts=(question, "\n".join(_line("", info) for info in page)),
    )

    def data(names: Aliases[str]) -> dict[str, str]:
        lines = (_line(names.of(info.document_id), info) for info in page)
        return {"question": question, "catalog": "\n".join(lines)}

    found = put(
        run,
        offer,
        data,
        lambda reply, names: tuple(names.key(name) for name in reply.documents),
    )
    if isinstance(found, Failure):
        run.note("select", since, note=found.reason)
        return found
    run.note("select", since, chosen=found, note=note)
    return found


def _ordered(source: Source, ranked: Ranked) -> list[DocumentInfo]:
    """Give the catalog, the documents with the best lines first, then the others in their order."""
    places = source.view.places(seq for seq, _ in ranked.lines)
    order: dict[str | None, int] = {}
    for seq, _ in ranked.lines:
        if seq in places:
            order.setdefault(places[seq].document_id, len(order))
    found = catalog.documents(source.view, source.reach)
    return sorted(found, key=lambda info: order.get(info.document_id, len(order)))


def _line(name: str, info: DocumentInfo) -> str:
    summary = " ".join(info.summary.split())
    cut = summary if len(summary) <= SUMMARY else summary[:SUMMARY] + " ..."
    return f"{name} {' '.join(info.title.split())}: {cut}".strip()
