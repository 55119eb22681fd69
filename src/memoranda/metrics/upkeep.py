"""Figures of what upkeep costs and leaves: cost per useful memory, deletion latency, conflict backlog."""

from __future__ import annotations

from collections import Counter

from memoranda.measures import Metric
from memoranda.metrics.state import State, share


def cost(state: State) -> Metric:
    """Measure what a memory that was used has cost (R255).

    Tokens of all calls to models in the log, prompts and replies, of maintenance and of reading, over
    the living entries that were shown at least once. Who was shown is counted only with the setting
    `count_shown`; without it, or before anything was shown, there is no figure.
    """
    spent: Counter[str] = Counter()
    money, known = 0.0, True
    for body in state.bodies(_positions(state, "call")).values():
        usage = body["usage"]
        tokens = usage["input_tokens"] + usage["output_tokens"]
        spent[str(body["purpose"]).partition("@")[0]] += tokens
        known = known and (body["price"] is not None or not tokens)
        money += body["price"] or 0.0
    shown = state.shown(state.position)
    living = {line["seq"] for line in state.lines()}
    heads = {row[0]: row[1] for row in state.rows("SELECT seq, line FROM entry WHERE line > 0")}
    used = {heads[seq] for seq in shown or {} if heads.get(seq) in living}
    total = spent.total()
    said = "it is not counted which entries were shown (setting count_shown)"
    if shown is not None:
        said = f"{total} tokens for {len(used)} lines that were shown, of {len(living)}"
    return Metric(
        name="cost",
        value=round(total / len(used), 2) if used else None,
        unit="tokens",
        better="lower",
        counted=len(used),
        text=said,
        details={
            "tokens": total,
            "by_step": dict(sorted(spent.items())),
            "money": round(money, 6) if known else None,
            "hit_rate": share(len(used), len(living)) if shown is not None else None,
        },
    )


def _positions(state: State, kind: str) -> list[int]:
    return [
        row[0]
        for row in state.rows("SELECT position FROM record WHERE kind = ? ORDER BY 1", kind)
        if row[0] <= state.position
    ]


def deletion(state: State) -> Metric:
    """Measure how long what was forgotten could still be read (R256).

    For each forgetting: the operations recorded after it until the last of its entries was gone from
    the read path, which is documents, CURRENT and index alike, as all are read from these views; 0
    when it went with the forgetting itself. An entry that is still there counts up to now. The figure
    is the longest.
    """
    rows = state.rows("SELECT seq, erased FROM entry WHERE erased IS NOT NULL")
    gone = {row["seq"]: row["erased"] for row in rows}
    waits: list[int] = []
    late: list[int] = []
    bodies = state.bodies(_positions(state, "forget"))
    for position, body in sorted(bodies.items()):
        seqs = [int(seq) for seq in body.get("seqs", ())]
        ends = [gone.get(seq, state.position) for seq in seqs]
        waits.append(max((max(0, end - position) for end in ends), default=0))
        late += [seq for seq, end in zip(seqs, ends, strict=True) if end > position]
    return Metric(
        name="deletion",
        value=float(max(waits)) if waits else None,
        unit="operations",
        better="lower",
        counted=len(waits),
        text=f"{len(waits)} times something was forgotten; the longest wait until it could be read "
        f"no more: {max(waits)} operations"
        if waits
        else "nothing was forgotten",
        details={"late": late[:20]},
    )


def backlog(state: State) -> Metric:
    """Count the conflicts that nobody has decided (R257).

    States that two lines tell differently now (one stated key, two values), plans that wait for a
    person, and files that were edited or not ours and were kept as copies.
    """
    open_states = state.conflicts()
    waiting = len(state.rows("SELECT 1 FROM proposal WHERE state = 'pending'"))
    return Metric(
        name="backlog",
        value=float(open_states + waiting + state.copies),
        unit="conflicts",
        better="lower",
        counted=len(state.lines()),
        text=f"{open_states} states are told twice, {waiting} plans wait, "
        f"{state.copies} files were kept as copies",
        details={"states": open_states, "plans": waiting, "files": state.copies},
    )
