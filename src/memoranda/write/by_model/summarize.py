"""Summaries, and where asked for titles, by a model: of several documents in one call."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from memoranda.llm.forms import Form
from memoranda.llm.kinds import Each, Names, Says
from memoranda.llm.kinds import Text as Typed
from memoranda.store.operations import Text
from memoranda.text.tokens import count
from memoranda.values import Entry, Value
from memoranda.write.by_model.asking import Asker, Report, batches, entry_line, put
from memoranda.write.by_model.names import Pool, named
from memoranda.write.by_model.wording import summary_of, title_of
from memoranda.write.guarded import said_by
from memoranda.write.titles import same_title

BATCH = 4000
"""Tokens of the entries that are shown in one call."""
SHOWN = 2000
"""Tokens of one document that are shown: of a longer one, its newest lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole(Value):
    """A document that is to be summarised: the lines of it that hold now."""

    document_id: str
    title: str
    entries: tuple[Entry, ...]
    retitle: bool = False
    """A new title is wanted as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Value):
    """What a document is to be called; None leaves it to the rules."""

    document_id: str
    title: Text | None = None
    summary: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summaries(Value):
    """One for each document, in order."""

    named: tuple[Named, ...]
    report: Report = field(default_factory=Report)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one document is about."""

    of: Annotated[str, Typed(most=12), Names("documents", most=1), Says("A document's name")]
    sum: Annotated[str, Typed(most=600), Says("Its summary")]
    title: Annotated[str, Typed(most=90, blank=True), Says("A title, where one is wanted")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarized:
    """A whole reply."""

    docs: Annotated[tuple[Told, ...], Each(most=100, per=1)] = ()


FORM = Form(Summarized)


def summarize(
    asker: Asker, documents: Sequence[Whole], *, taken: Collection[str] = (), batch: int = BATCH
) -> Summaries:
    """Summarise documents in keywords and facts; what does not pass the guard is left to the rules.

    A text names all entries that were shown as those it was made from.

    Args:
        asker: whom to ask.
        documents: each with at least one entry.
        taken: titles in use, as `titles.same_title` gives them.
        batch: tokens of one call.

    Raises:
        BudgetError: a limit is reached.
    """
    cut = [_newest(document) for document in documents]
    parts = batches(range(len(cut)), lambda n: sum(count(e.text) for e in cut[n]), batch)
    found: list[Named] = []
    report = Report()
    used: set[str] = set(taken)
    for number, part in enumerate(parts):
        whole = [(documents[each], cut[each]) for each in part]
        answers, more = _ask(asker.part(number), whole)
        report = report.plus(more)
        for (document, entries), told in zip(whole, answers, strict=True):
            made = _named(document, entries, told, used)
            found.append(made)
            report = report.plus(Report(reworded=_refused(made, told)))
    return Summaries(named=tuple(found), report=report)


def _newest(document: Whole) -> tuple[Entry, ...]:
    """Give the lines that are shown, in order: all, or the newest that fit."""
    held = 0
    found: list[Entry] = []
    for entry in reversed(document.entries):
        held += count(entry.text)
        if found and held > SHOWN:
            break
        found.append(entry)
    return tuple(reversed(found))


def _ask(
    asker: Asker, whole: Sequence[tuple[Whole, tuple[Entry, ...]]]
) -> tuple[list[Told | None], Report]:
    """Ask for the names of some documents; None for one that no usable reply names."""
    asker = asker.unseen_in(
        text
        for document, entries in whole
        for text in (document.title, *(f"{e.text} {e.speaker}" for e in entries))
    )
    names = Pool(asker.nonce).table(document.document_id for document, _ in whole)
    shown = []
    for document, entries in whole:
        wants = " (a new title is wanted)" if document.retitle else ""
        head = f'{names.of(document.document_id)} "{" ".join(document.title.split())}"{wants}'
        shown.append("\n  ".join((head, *(entry_line("-", entry) for entry in entries))))

    def check(reply: Summarized) -> None:
        for told in reply.docs:
            named(told.of, names, most=1)

    data = {"documents": "\n".join(shown)}
    offered = {"documents": names.names}
    answer = put(asker, "summarize", FORM, data, names=offered, check=check)
    found: dict[str, Told] = {}
    for told in answer.value.docs if answer.value else ():
        found.setdefault(named(told.of, names)[0], told)
    return [found.get(document.document_id) for document, _ in whole], answer.report


def _named(document: Whole, entries: Sequence[Entry], told: Told | None, used: set[str]) -> Named:
    if told is None:
        return Named(document_id=document.document_id)
    said, seqs = said_by(entries), [seq for entry in entries for seq in entry.seqs]
    title = None
    if document.retitle and told.title:
        title = title_of(told.title, said, seqs, taken=used)
    if title:
        used.add(same_title(title.text))
    return Named(
        document_id=document.document_id, title=title, summary=summary_of(told.sum, said, seqs)
    )


def _refused(made: Named, told: Told | None) -> int:
    """Count the wordings that did not pass."""
    if told is None:
        return 0
    return int(made.summary is None) + int(bool(told.title) and made.title is None)
