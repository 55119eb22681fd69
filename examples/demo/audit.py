"""The part of the demo that audits: where each line comes from, and a plan undone and redone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from demo import Stage
    from memoranda import Memory

SHOWN = 6


def play(stage: Stage, memory: Memory, fingerprint: Callable[[], str]) -> None:
    """Blame a document, consolidate what is left, undo that plan, undo the undo."""
    blame(stage, memory)
    before = fingerprint()
    done = memory.consolidate()
    with_plan = fingerprint()
    plan = done[-1].plan_id
    stage.say(f"  a new plan {plan}: {len(done[-1].placed)} entries placed", "bold yellow")
    undone = memory.undo(plan, by="Lena", reason="to show it")
    freed = f"{len(undone.freed)} entries wait in CURRENT again"
    stage.say(f"  undone by {undone.undo_id}: {len(undone.updated)} documents as before, {freed}")
    stage.promise(fingerprint() == before != with_plan, "a plan undone: all bytes as before it")
    memory.undo(undone.undo_id, by="Lena", reason="to have it again")
    stage.promise(fingerprint() == with_plan, "the undo undone: all bytes as with the plan")


def blame(stage: Stage, memory: Memory) -> None:
    """Show the origin of the first entries of the longest document; check that of all lines."""
    longest = max(memory.documents(), key=lambda info: info.entry_count)
    lines = [line for line in memory.blame(longest.document_id).lines if line.kind == "entry"]
    stage.say(f"  {longest.file}", "bold")
    for line in lines[:SHOWN]:
        stage.say(f"    {line.lines[0]:>4}  {line.text}", cut=True)
        names = " ".join(str(memory.get(name).external_id) for name in line.event_ids)
        told = f"{(line.time or '')[:10]} {line.speaker}, event {names}, plan {line.plan_id}"
        stage.say(f"          {told} by {line.by}", "magenta", cut=True)
    known = all(memory.get(name) for line in lines for name in line.event_ids)
    whole = bool(lines) and known and all(line.event_ids and line.plan_id for line in lines)
    stage.promise(
        whole, f"each of {len(lines)} lines names its events, its plan and who planned it"
    )
