"""Answers composed by a model and checked in code: each claim against its line, the prose against all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from memoranda.answers import AUTHORITY, Claim, Hop
from memoranda.llm.aliases import Aliases
from memoranda.llm.forms import Form
from memoranda.llm.kinds import Alias, Each, Says, Text
from memoranda.read.readers.claims import verbatim
from memoranda.read.readers.offering import Offer, put
from memoranda.read.readers.run import Failure, Run
from memoranda.read.render import line
from memoranda.text.analyse import fold, mostly_cjk
from memoranda.text.guard import LossKind, Said, check
from memoranda.text.visible import show
from memoranda.values import Entry, Found

NOT_TOLD = "Not known: the lines that were found do not tell."
UNSUPPORTED = (
    "The model's answer is not supported by the lines that were found, so it was left out."
)
SHORT = 40
"""Characters of an answer that may be cited to a line that holds it, though the model named none."""
_ADDED: frozenset[LossKind] = frozenset(
    {"number", "date", "unit", "money", "percentage", "name", "link"}
)
"""What prose may not bring in of its own."""
_TURNED: frozenset[LossKind] = frozenset({"negation", "hedge"})
"""What prose may neither bring in nor leave out of what it draws on."""
_NO = re.compile(r"\W*(?:no|not|never|none)\b|\W*(?:不|没|否)", re.IGNORECASE)
"""How an answer begins that says no to the question itself."""
_YES = re.compile(r"(?:是的?|对的?|会|有|可以)[。！]?")
_WEIGHT = {authority: place for place, authority in enumerate(AUTHORITY.values())}

Cited = tuple[Entry, Claim]


@dataclass(frozen=True)
class Because:
    """One line that an answer rests on."""

    line: Annotated[str, Alias("lines")]
    quote: Annotated[str, Text(1000), Says("some words of the line, copied letter by letter")]


@dataclass(frozen=True)
class Composed:
    """What a model answers."""

    because: Annotated[tuple[Because, ...], Each(0, 20, once=False)]
    answer: Annotated[str, Text(2000, blank=True), Says("empty if the lines do not tell")]


_FORM = Form(Composed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What of a model's answer memory supports."""

    known: bool
    text: str | None
    claims: tuple[Claim, ...]
    note: str = ""
    dropped: int = 0


def compose(
    question: str, found: Found, lines: Sequence[Cited], chain: Sequence[Hop], run: Run
) -> Checked | Failure:
    """Let the model answer from the evidence, and check what it says (R234).

    Args:
        question: what was asked.
        found: the evidence.
        lines: its entries, each with its citation, in order.
        chain: hops that were resolved before.
        run: asks the model.
    """
    steps = "\n".join(f"{hop.question} {hop.value}" for hop in chain if hop.value) or "none"
    offer = Offer(
        prompt="answer",
        form=_FORM,
        group="lines",
        letter="l",
        keys=tuple(range(len(lines))),
        texts=(question, steps, _shown(found, None)),
    )

    def data(names: Aliases[int]) -> dict[str, str]:
        return {"question": question, "steps": steps, "lines": _shown(found, names)}

    def read(reply: Composed, names: Aliases[int]) -> Checked:
        quoted = [(lines[names.key(item.line)], item.quote) for item in reply.because]
        return checked(question, reply.answer.strip(), quoted, lines, chain)

    return put(run, offer, data, read, part="answering")


def checked(
    question: str,
    text: str,
    quoted: Iterable[tuple[Cited, str]],
    lines: Sequence[Cited],
    chain: Sequence[Hop] = (),
) -> Checked:
    """Check an answer: quotes must stand in their lines, and the prose must follow from these lines.

    Args:
        question: what was asked; its words may stand in the prose.
        text: the prose; "" when the model does not know.
        quoted: pairs (line with its citation, quote).
        lines: all evidence; a short prose that stands in a line is cited to it.
        chain: hops that were resolved; their lines support the prose too, and are cited for it.
    """
    kept, dropped = _kept(quoted)
    hops = [hop.claim for hop in chain if hop.claim is not None]
    if not text:
        known = bool(kept)
        return Checked(
            known=known, text=None, claims=_ordered(kept, lines),
            note="" if known else NOT_TOLD, dropped=dropped,
        )  # fmt: skip
    sources = [claim for _, claim in kept]
    cited = {claim.seqs for claim in sources}
    whole = [entry for entry, claim in lines if claim.seqs in cited and entry.seqs]
    support = [*map(_said, whole), *map(_said_in, hops)]
    if not support or not _follows(text, support, question):
        holding = [pair for pair in lines if _holds(pair[0], text)]
        if not holding:
            return Checked(
                known=bool(kept), text=None, claims=_ordered(kept, lines),
                note=UNSUPPORTED, dropped=dropped + 1,
            )  # fmt: skip
        kept = [*kept, *_fresh(holding[:1], kept, text)]
        hops = []
    claims = _ordered(kept, lines)
    there = {claim.seqs for claim in claims}
    claims += tuple(claim for claim in hops if claim.seqs not in there)
    return Checked(known=True, text=text, claims=claims, dropped=dropped)


def _kept(quoted: Iterable[tuple[Cited, str]]) -> tuple[list[Cited], int]:
    """Keep the quotes that stand in their lines; a line told in other words is quoted whole."""
    kept: list[Cited] = []
    dropped = 0
    for (entry, claim), quote in quoted:
        told = verbatim(quote, entry.text)
        if told is not None:
            made = replace(claim, quote=told)
        elif check(quote, [_said(entry)], kind="fact").ok:
            made = replace(claim, quote=entry.text, says=quote)
        else:
            dropped += 1
            continue
        if all(made.seqs != other.seqs or made.quote != other.quote for _, other in kept):
            kept.append((entry, made))
    return kept, dropped


def _follows(text: str, sources: Sequence[Said], question: str) -> bool:
    """Say whether prose brings nothing in that sources and question don't hold, and turns nothing round.

    The question's words may stand in it; a denial or a doubt must be that of the sources.
    """
    brought = check(text, [*sources, Said(text=question)], kind="summary")
    fatal = _ADDED | {"word"} if mostly_cjk(text) and not _YES.fullmatch(text) else _ADDED
    if {loss.kind for loss in brought.added} & fatal:
        return False  # a Chinese name looks like any word, so there no word may be new
    turned = check(text, sources, kind="fact")
    added = {loss.kind for loss in turned.added}
    lost = {loss.kind for loss in (*turned.lost, *brought.lost)}
    return not ((added | lost) & _TURNED) or bool(_NO.match(text))


def _said(entry: Entry) -> Said:
    return Said(text=entry.text, source=entry.source, speaker=entry.speaker, time=entry.time)


def _said_in(claim: Claim) -> Said:
    return Said(text=claim.quote, source=claim.source, speaker=claim.speaker, time=claim.time)


def _holds(entry: Entry, text: str) -> bool:
    """Say whether a short answer stands in a line that holds now."""
    bare = fold(text.strip(" .。!！\"'"))
    return 1 < len(bare) <= SHORT and entry.superseded_by is None and bare in fold(entry.text)


def _fresh(pairs: Iterable[Cited], kept: Sequence[Cited], text: str) -> list[Cited]:
    known = {claim.seqs for _, claim in kept}
    return [(entry, replace(claim, says=text)) for entry, claim in pairs if claim.seqs not in known]


def _ordered(kept: Sequence[Cited], lines: Sequence[Cited]) -> tuple[Claim, ...]:
    """Put what holds now first, the weightier source first; nothing is cited without what replaced it.

    So a fact that was replaced stands as history behind its successor (law 9, R27).
    """
    by_seq = {seq: pair for pair in lines for seq in pair[1].seqs}
    claims = dict.fromkeys(claim for _, claim in kept)
    known = {seq for claim in claims for seq in claim.seqs}
    for claim in tuple(claims):
        after = claim
        while (seq := after.superseded_by or after.possibly_replaced_by) and seq in by_seq:
            if seq in known:
                break
            known.add(seq)
            after = by_seq[seq][1]
            claims[after] = None
    return tuple(sorted(claims, key=lambda claim: (_is_past(claim), _WEIGHT[claim.authority])))


def _is_past(claim: Claim) -> bool:
    return claim.superseded_by is not None or claim.possibly_replaced_by is not None


def _shown(found: Found, names: Aliases[int] | None) -> str:
    """Show the evidence to the model: each line under its name, documents apart."""
    shown: list[str] = []
    number = 0
    for item in found.evidence:
        shown.append(f"# {' › '.join(map(show, (item.title, *item.headings)))}")
        for entry in item.entries:
            name = names.of(number) if names else ""
            _, _, told = line(entry).partition("] ")
            only = f" (project {show(entry.project)})" if entry.project else ""
            shown.append(f"{name} {told}{only}")
            number += 1
    return "\n".join(shown) or "none"
