"""Figures of what a question brings back: evidence coverage, revision accuracy, fragment recovery."""

from __future__ import annotations

from memoranda.measures import Metric
from memoranda.metrics.state import State, share, spread
from memoranda.values import CURRENT, LOG, Entry, Found

NARROW = 500
"""Tokens of evidence for the questions of revision accuracy: the newest must come early."""
_CITED = """
SELECT event, max(head.document_id IS NOT NULL AND head.document_id <> ?) AS placed,
       max(head.document_id IS NULL) AS waits
FROM entry_event JOIN entry USING (seq) JOIN entry AS head ON head.seq = entry.line
WHERE entry.erased IS NULL AND entry.line > 0 GROUP BY event
"""


def coverage(state: State) -> Metric:
    """Measure whether evidence can be found in topic documents (R249).

    With labelled questions: the mean share of a question's evidence that a search within the budget
    brings back out of topic documents. Without: the share of living events of which a topic document
    holds an entry; the rest waits in CURRENT, or was left out by a model.
    """
    if state.questions:
        return _asked(state)
    rows = state.rows(_CITED, LOG)
    placed = sum(row["placed"] for row in rows)
    waits = sum(1 for row in rows if row["waits"] and not row["placed"])
    out = len(rows) - placed - waits
    return Metric(
        name="coverage",
        value=share(placed, len(rows)),
        unit="share",
        better="higher",
        counted=len(rows),
        text=f"of {len(rows)} events {placed} stand in topic documents, {waits} wait in CURRENT, "
        f"{out} are in the log only",
        details={"placed": placed, "waiting": waits, "left_out": out},
    )


def _asked(state: State) -> Metric:
    total, whole = 0.0, 0
    for question in state.questions:
        found = state.search(question.text, state.budget)
        held = {
            name
            for entry in _entries(found)
            if entry.document_id not in {CURRENT, LOG, None}
            for name in (*map(str, entry.seqs), *entry.external_ids, *entry.event_ids)
        }
        part = len(question.evidence & held) / len(question.evidence)
        total += part
        whole += part == 1
    return Metric(
        name="coverage",
        value=share(total, len(state.questions)),
        unit="share",
        better="higher",
        counted=len(state.questions),
        text=f"of {len(state.questions)} labelled questions {whole} find all their evidence in "
        f"topic documents within {state.budget} tokens",
        details={"whole": whole, "budget": state.budget},
    )


def revision(state: State) -> Metric:
    """Measure whether what replaced something is what is shown (R250).

    Each line that was replaced is asked for in its own old words, within 500 tokens: right when the
    line that holds now comes back, and before the old one. Replacements that nobody noticed are not
    seen here; the conflict backlog and labelled sets show those.
    """
    pairs = [
        (line["text"], line["seq"], line["final"])
        for line in state.lines()
        if line["final"] is not None and line["retracted"] is None
    ]
    gone = {row[0] for row in state.rows("SELECT seq FROM entry WHERE erased IS NOT NULL")}
    asked = spread([pair for pair in pairs if pair[2] not in gone], state.sample)
    wrong = [old for text, old, new in asked if not _newest_first(state, text, old, new)]
    return Metric(
        name="revision",
        value=share(len(asked) - len(wrong), len(asked)),
        unit="share",
        better="higher",
        counted=len(asked),
        text=f"of {len(asked)} replaced lines, asked for in their old words, "
        f"{len(asked) - len(wrong)} bring what replaced them first"
        if asked
        else "nothing was replaced",
        details={"replaced": len(pairs), "wrong": wrong[:20]},
    )


def _newest_first(state: State, text: str, old: int, new: int) -> bool:
    order = [seq for entry in _entries(state.search(text, NARROW)) for seq in entry.seqs]
    return new in order and (old not in order or order.index(new) < order.index(old))


def fragment(state: State) -> Metric:
    """Measure whether a hit brings its surroundings (R253).

    Lines with neighbours in their block are asked for in their own words, within the budget: the
    figure is the share of the lines right before and after them that come back too.
    """
    blocks: dict[tuple[str, int], list[int]] = {}
    texts: dict[int, str] = {}
    for line in state.lines():
        if line["document_id"] is not None and line["superseded_by"] is None:
            blocks.setdefault((line["document_id"], line["block"]), []).append(line["seq"])
            texts[line["seq"]] = line["text"]
    inner = [
        (seq, block[max(0, at - 1) : at] + block[at + 1 : at + 2])
        for block in blocks.values()
        for at, seq in enumerate(block)
        if len(block) > 1
    ]
    asked = spread(sorted(inner), state.sample)
    wanted = got = 0
    for seq, near in asked:
        found = state.search(texts[seq], state.budget)
        held = {number for entry in _entries(found) for number in entry.seqs}
        wanted += len(near)
        got += len(held & set(near))
    return Metric(
        name="fragment",
        value=share(got, wanted),
        unit="share",
        better="higher",
        counted=len(asked),
        text=f"{len(asked)} lines, asked for in their own words, bring {got} of the {wanted} lines "
        "right beside them"
        if asked
        else "no block has two lines",
        details={"neighbours": wanted, "found": got, "budget": state.budget},
    )


def _entries(found: Found) -> list[Entry]:
    return [entry for item in found.evidence for entry in item.entries]
