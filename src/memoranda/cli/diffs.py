"""A plan as the difference it makes: its draft, then each document before and after."""

from __future__ import annotations

import re
from difflib import SequenceMatcher, unified_diff
from typing import TYPE_CHECKING, Final

from memoranda.cli.pages import entry_lines, many, receipt_line
from memoranda.cli.shown import Paint, one_line, runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memoranda.reports import PlanView
    from memoranda.values import Proposal

_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")
_CJK: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_ALIKE: Final = 0.3


def proposal_lines(proposal: Proposal, paint: Paint) -> Iterator[str]:
    """Give a proposal line by line: the draft, the difference it makes, what it would do."""
    yield paint.strong(
        f"Draft: {many(len(proposal.draft), 'segment')} of entries {runs(proposal.window)}"
    )
    for heading, entries in proposal.draft:
        yield f"  {paint.mark(one_line(heading))}"
        for entry in entries:
            yield from entry_lines(entry, paint, indent="    ")
    yield from change_lines(proposal, paint)
    yield paint.strong(receipt_line(proposal.receipt))


def change_lines(proposal: Proposal | PlanView, paint: Paint) -> Iterator[str]:
    """Give the difference that a plan makes, document by document, in id order."""
    for document_id in sorted({*proposal.before, *proposal.after}, key=_by_number):
        before, after = proposal.before.get(document_id), proposal.after.get(document_id)
        if before == after:
            continue
        fate = "new" if before is None else "retired" if after is None else "changed"
        yield paint.strong(f"=== {document_id} ({fate})")
        yield from diff_lines(before or "", after or "", paint)


def diff_lines(before: str, after: str, paint: Paint) -> Iterator[str]:
    """Give a unified difference without its file lines; in colour, changed words stand out."""
    hunks = unified_diff(before.split("\n"), after.split("\n"), n=2, lineterm="")
    removed: list[str] = []
    added: list[str] = []
    for line in list(hunks)[2:]:
        if line.startswith("-") and not added:
            removed.append(line[1:])
        elif line.startswith("+"):
            added.append(line[1:])
        else:
            yield from _change(removed, added, paint)
            removed, added = [], []
            if line.startswith("-"):
                removed.append(line[1:])
            else:
                yield paint.mark(line) if line.startswith("@@") else one_line(line)
    yield from _change(removed, added, paint)


def _by_number(document_id: str) -> tuple[int, str]:
    digits = document_id.lstrip("d")
    return (int(digits) if digits.isdecimal() else -1, document_id)


def _change(removed: Sequence[str], added: Sequence[str], paint: Paint) -> Iterator[str]:
    pairs = list(zip(removed, added, strict=False)) if paint.on else []
    words = [_words(old, new, paint) for old, new in pairs]
    for at, line in enumerate(removed):
        yield words[at][0] if at < len(words) else paint.bad("-" + one_line(line))
    for at, line in enumerate(added):
        yield words[at][1] if at < len(words) else paint.good("+" + one_line(line))


def _words(old: str, new: str, paint: Paint) -> tuple[str, str]:
    """Paint a line that was rewritten: the words that differ stand out, if enough are alike."""
    left, right = _split(old), _split(new)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return paint.bad("-" + one_line(old)), paint.good("+" + one_line(new))
    gone, come = [paint.bad("-")], [paint.good("+")]
    for kind, i, j, k, m in matcher.get_opcodes():
        gone.append(paint.bad(one_line("".join(left[i:j])), word=kind != "equal"))
        come.append(paint.good(one_line("".join(right[k:m])), word=kind != "equal"))
    return "".join(gone), "".join(come)


def _split(line: str) -> list[str]:
    return [part for word in _WORD.findall(line) for part in _CJK.findall(word)]
