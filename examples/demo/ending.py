"""The last parts of the demo: a line corrected by hand in its file, and something forgotten for good."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memoranda.errors import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from demo import Stage
    from memoranda import Memory

OLD = "The summer party is noted: 26 June, harbour, pier 4."
NEW = "The summer party is noted: 27 June, harbour, pier 4."
DOOMED = "+44 117"
"""How the number begins that is forgotten."""


def by_hand(stage: Stage, memory: Memory) -> None:
    """Correct a line in its file as an editor would; see it taken in, and taken back by undo."""
    folder = Path(memory.status().documents_folder)
    info, text = next(
        (info, text)
        for info in memory.documents()
        if OLD in (text := (folder / info.file).read_text(encoding="utf-8"))
    )
    (folder / info.file).write_text(text.replace(OLD, NEW), encoding="utf-8", newline="")
    stage.say(f"  {info.file}, changed by hand:", "bold")
    stage.say(f"    - {OLD}\n    + {NEW}")
    done = memory.adopt()
    plan = done.adopted.plan_id if done.adopted else ""
    best = memory.ask("When is the summer party noted?").claims
    now = [claim.quote for claim in best if claim.superseded_by is None]
    stage.promise(any(NEW in quote for quote in now), "the line edited by hand is what memory says")
    stage.promise(not any(OLD in quote for quote in now), "the old wording is history")
    memory.undo(plan, by="Lena", reason="it was right before")
    back = (folder / info.file).read_text(encoding="utf-8")
    stage.promise(
        OLD in back and NEW not in back, "the edit undone: the file says again what it said"
    )


def forget(stage: Stage, memory: Memory, files: Iterable[Path]) -> None:
    """Forget a phone number: look first, then the receipt, then look for it everywhere."""
    preview = memory.forget(query=DOOMED, dry_run=True)
    stage.say(f'  what holds "{DOOMED} ...": {len(preview.seqs)} lines', "bold")
    for seq in preview.seqs:
        stage.say(f"    {getattr(memory.get(seq), 'text', '')}", cut=True)
    done = memory.forget(query=DOOMED, expect=preview.token, by="Lena")
    stage.say(f"  receipt {done.receipt_id}, {done.time[:10]}, by {done.by}", "bold yellow")
    for place, (before, after) in done.counts.items():
        if before:
            stage.say(f"    {place:<24} {before:>5} -> {after}")
    looked = f"{done.scanned_files} files, {done.scanned_bytes:,} bytes, {len(done.forms)} forms"
    stage.say(f"    searched: {looked}; left: {len(done.left)}")
    memory.rebuild()
    bytes_ = b"".join(path.read_bytes() for path in sorted(files) if path.is_file())
    gone = bool(done.seqs) and not done.left and DOOMED.encode() not in bytes_
    stage.promise(gone, "in no file any more, nor after a rebuild")
    stage.promise(memory.verify_forgotten(done).ok, "the receipt, verified: nothing of it is left")
    try:
        memory.forget(query=DOOMED)
    except NotFoundError:
        stage.promise(True, "asked for again: not found, and nothing changed")
    else:
        stage.promise(False, "asked for again: not found, and nothing changed")
