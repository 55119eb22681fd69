"""A plan shows what it changes, line by line and word by word."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.cli.diffs import change_lines, diff_lines, proposal_lines
from memoranda.cli.shown import Paint, one_line
from memoranda.values import Entry, Proposal, Receipt

PLAIN, COLOUR = Paint(on=False), Paint(on=True)
RECEIPT = Receipt(plan_id="p1", kind="consolidate", position=0, placed=(1,), created=("d10",))


def proposal(before: dict[str, str], after: dict[str, str]) -> Proposal:
    entry = Entry(seqs=(1,), text="Green tea.", source="user")
    return Proposal(
        plan_id="p1", kind="consolidate", epoch=1, window=(1,), draft=(("2026-03-01", (entry,)),),
        before=before, after=after, receipt=RECEIPT,
    )  # fmt: skip


def test_a_plain_difference_is_a_unified_one() -> None:
    before, after = "# Tea\nGreen.\nHot.\n", "# Tea\nBlack.\nHot.\nSweet.\n"
    assert list(diff_lines(before, after, PLAIN)) == [
        "@@ -1,4 +1,5 @@", " # Tea", "-Green.", "+Black.", " Hot.", "+Sweet.", " ",
    ]  # fmt: skip


def test_in_colour_only_the_changed_words_stand_out() -> None:
    lines = list(diff_lines("the limit is 10 pods\n", "the limit is 20 pods\n", COLOUR))
    assert "\x1b[31m\x1b[7m10\x1b[0m" in lines[1]
    assert "\x1b[32m\x1b[7m20\x1b[0m" in lines[2]
    assert "\x1b[7mthe" not in lines[1]


def test_in_chinese_single_characters_stand_out() -> None:
    lines = list(diff_lines("她喜欢喝绿茶\n", "她喜欢喝红茶\n", COLOUR))
    assert "\x1b[31m\x1b[7m绿\x1b[0m" in lines[1]


def test_documents_come_in_the_order_of_their_numbers_with_their_fate() -> None:
    shown = list(
        change_lines(proposal({"d9": "a\n", "d2": "b\n"}, {"d10": "c\n", "d9": "A\n"}), PLAIN)
    )
    assert [line for line in shown if line.startswith("===")] == [
        "=== d2 (retired)", "=== d9 (changed)", "=== d10 (new)",
    ]  # fmt: skip


def test_an_unchanged_document_is_not_shown() -> None:
    assert list(change_lines(proposal({"d1": "a\n"}, {"d1": "a\n"}), PLAIN)) == []


def test_a_proposal_shows_its_draft_first_and_its_receipt_last() -> None:
    shown = list(proposal_lines(proposal({}, {"d10": "# Tea\n"}), PLAIN))
    assert shown[:3] == [
        "Draft: 1 segment of entries 1", "  2026-03-01", "    1  undated  user  Green tea.",
    ]  # fmt: skip
    assert shown[-1] == "consolidate p1: placed 1 entry (1); created d10"


def test_hostile_text_is_escaped_in_differences_too() -> None:
    for paint in (PLAIN, COLOUR):
        shown = "\n".join(diff_lines("safe text\n", "safe \x1b[2Jtext\n", paint))
        assert r"\u{1b}[2J" in re.sub(r"\x1b\[\d+m", "", shown)
        assert "\x1b[2J" not in shown


lines = st.lists(st.text(alphabet="ab 茶-+@\x1b", max_size=6), max_size=6).map("\n".join)


@settings(max_examples=100)
@given(lines, lines)
def test_every_line_that_goes_or_comes_is_shown(before: str, after: str) -> None:
    for paint in (PLAIN, COLOUR):
        shown = [re.sub(r"\x1b\[\d+m", "", line) for line in diff_lines(before, after, paint)]
        body = [line for line in shown if not line.startswith("@@ ")]
        gone = [line[1:] for line in body if line.startswith("-")]
        come = [line[1:] for line in body if line.startswith("+")]
        kept = [line[1:] for line in body if line.startswith(" ")]
        old, new = (one_line(t).split("\\n") for t in (before, after))
        if before != after:
            assert len(old) - len(gone) == len(new) - len(come) >= len(kept)
            assert set(gone) <= set(old)
            assert set(come) <= set(new)
