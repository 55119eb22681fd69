"""The wording guard: whether what a model typed keeps what its sources say, and brings nothing in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoranda.errors import TimeError
from memoranda.text import times
from memoranda.text.analyse import fold
from memoranda.text.guard.cast import casts, chinese_names
from memoranda.text.guard.clauses import Clause
from memoranda.text.guard.compare import Reading, compare
from memoranda.text.guard.exact import exact, foreign
from memoranda.text.guard.match import Pool
from memoranda.text.guard.reading import plain, read
from memoranda.text.guard.verdict import Kind, Loss, LossKind, Said, Verdict

__all__ = ["Kind", "Loss", "LossKind", "Said", "Verdict", "check"]


LONGEST = 8_000
"""Characters; what is longer, and not verbatim, is not compared but refused."""


def check(
    typed: str, sources: Sequence[Said], *, context: Sequence[str] = (), kind: Kind = "fact"
) -> Verdict:
    """Compare what a model typed with what it was made from. Pure, and never raises.

    Args:
        typed: the fact, merged line, title or summary.
        sources: what was said, with its speaker, source and time (`text.times` form; it gives
            `yesterday` its day, and a typed date may be that day and no other).
        context: names that were shown beside the sources; they may stand for a pronoun.
        kind: of a `fact`, the sentences it draws on must survive; of a `merged` line, all of every
            source; of a `title` and a `summary` nothing need survive but a denial or doubt of what
            is claimed. Nothing may be added in any.

    Returns:
        The verdict, with each loss and each addition.

    Source: law 6 of the design; requirement R100.
    """
    heard = any(said.text.strip() for said in sources)
    if not typed.strip():
        return Verdict(not heard or kind in {"title", "summary"})
    if not heard:
        return Verdict(ok=False, added=(Loss("word", _flat(typed), added=True),))
    if len(sources) == 1 and _flat(typed) == _flat(sources[0].text):
        return Verdict(ok=True)
    if len(typed) > LONGEST:
        return Verdict(ok=False, added=(Loss("word", f"{typed[:40]} ...", added=True),))
    if any(foreign(text) for text in (typed, *(said.text for said in sources))):
        lost, added = exact(typed, [said.text for said in sources], context, kind)
    else:
        lost, added = compare(_reading(typed, sources, context), kind)
    return Verdict(not lost and not added, lost, added)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _reading(typed: str, sources: Sequence[Said], context: Sequence[str]) -> Reading:
    texts = [plain(said.text) for said in sources]
    mine = plain(typed)
    shown = [plain(name) for name in context]
    known = chinese_names((mine, *texts)) | {name for name in shown if not name.isascii()}
    known |= {said.speaker for said in sources if said.speaker and not said.speaker.isascii()}
    heard, own = casts(sources, known)
    days = [_known(said.time) for said in sources]
    clauses = _numbered(
        [read(text, cast, day) for text, cast, day in zip(texts, heard, days, strict=True)]
    )
    day = days[0] if days and len({d and d[:10] for d in days}) == 1 else None
    names = Pool(
        token for name in shown for clause in read(name, own, None) for token in clause.tokens
    )
    return Reading(read(mine, own, day), clauses, names, fold(mine), fold("\n".join(texts)))


def _numbered(sources: Sequence[tuple[Clause, ...]]) -> tuple[tuple[Clause, ...], ...]:
    """Number the sentences through all sources."""
    found: list[tuple[Clause, ...]] = []
    first = 0
    for clauses in sources:
        found.append(tuple(replace(clause, sentence=clause.sentence + first) for clause in clauses))
        first += 1 + max((clause.sentence for clause in clauses), default=0)
    return tuple(found)


def _known(time: str | None) -> str | None:
    """Give a time that can be read, or None."""
    try:
        return None if time is None else times.normalise(time)
    except TimeError:
        return None
