"""Receipts of what was forgotten as lines of text, and what a later look found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoranda.cli.pages import many
from memoranda.cli.shown import Paint, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memoranda.reports import Forgotten
    from memoranda.selections import Verified, Wiped


def receipt_rows(receipts: Sequence[Forgotten]) -> Iterator[str]:
    """Give a line for each receipt."""
    for receipt in receipts:
        who = f"  by {one_line(receipt.by)}" if receipt.by else ""
        left = f"  pieces left in {many(len(receipt.left), 'file')}" if receipt.left else ""
        yield (
            f"{receipt.receipt_id}  {receipt.time[:19]}  {receipt.forget_id}  "
            f"{many(len(receipt.seqs), 'entry')} of {many(len(receipt.events), 'event')}{who}{left}"
        )
    if not receipts:
        yield "nothing was forgotten here"


def verified_lines(found: Verified, paint: Paint) -> Iterator[str]:
    """Say what a later look found, place by place."""
    places = ", ".join(f"{place} {number}" for place, number in found.places.items())
    yield f"{found.forget_id}: {'holds' if found.ok else 'does not hold'}"
    yield f"left by place: {places}"
    yield f"log: {'goes on from the receipt' if found.chain else 'does not go on from it'}"
    if found.forms:
        size = f"{many(found.scanned_files, 'file')} ({found.scanned_bytes:,} bytes)"
        yield f"scanned {size} in {many(len(found.forms), 'form')}"
    for line in found.left:
        yield paint.warn(one_line(line))
    for copy in found.out_of_reach:
        yield paint.warn(f"out of reach: {one_line(copy)}")


def wiped_lines(done: Wiped) -> Iterator[str]:
    """Say what of a user would go, or went."""
    verb = "would take away" if done.dry_run else "took away"
    size = f"{many(done.files, 'file')} ({done.bytes:,} bytes)"
    yield f"{verb} {one_line(done.user)}: {many(len(done.workspaces), 'workspace')}, {size}"
    for item in done.workspaces:
        yield (
            f"  {one_line(item.workspace or '(no workspace)')}: {many(item.events, 'event')}, "
            f"{many(item.entries, 'entry')}, {many(item.documents, 'document')}"
        )
        for copy in item.out_of_reach:
            yield f"  out of reach: {one_line(copy)}"
    for line in done.left:
        yield f"  left: {one_line(line)}"
