"""What people read says where a line stands, who said it, and what it replaced."""

from __future__ import annotations

from memoranda.answers import Answer, Claim
from memoranda.cli.pages import (
    added_lines,
    answer_lines,
    chains,
    entry_lines,
    found_lines,
    receipt_line,
    receipts_line,
    record_line,
)
from memoranda.cli.shown import Paint
from memoranda.values import Added, Entry, Evidence, Found, Receipt, RecordView

PLAIN = Paint(on=False)


def entry(seq: int, text: str = "Tea.", **more: object) -> Entry:
    return Entry(seqs=(seq,), text=text, source="user", **more)  # type: ignore[arg-type]


def test_an_entry_shows_numbers_date_source_speaker_and_project() -> None:
    line = Entry(
        seqs=(3, 4, 9),
        text="喜欢绿茶。",
        source="user",
        time="2026-03-01",
        speaker="Anna",
        project="茶馆",
    )
    assert list(entry_lines(line, PLAIN)) == ["  3-4,9  2026-03-01  user Anna  #茶馆  喜欢绿茶。"]


def test_a_text_of_several_lines_can_not_pass_for_another_entry() -> None:
    lines = list(entry_lines(entry(1, "one\n  2  2026-03-01  user  two"), PLAIN))
    assert lines[1].startswith("          2  2026")


def test_private_retracted_and_possibly_replaced_lines_say_so() -> None:
    line = entry(1, sensitivity="private", retracted=True, possibly_replaced_by=5)
    (shown,) = entry_lines(line, PLAIN)
    assert shown.endswith("Tea.  (possibly replaced by 5, retracted, private)")


def test_a_chain_of_corrections_hangs_under_its_last_word_newest_first() -> None:
    old, middle = (
        entry(1, superseded_by=2, time="2026-01-01"),
        entry(2, superseded_by=3, time="2026-02-01"),
    )
    last, other = entry(3, time="2026-03-01"), entry(4)
    assert chains([old, last, other, middle]) == [(last, [middle, old]), (other, [])]


def test_a_circle_of_supersessions_ends() -> None:
    assert len(chains([entry(1, superseded_by=2), entry(2, superseded_by=1)])) <= 2


def test_search_shows_file_lines_and_the_past_under_was() -> None:
    old = entry(1, "Ten pods.", superseded_by=2, time="2026-01-01")
    new = entry(2, "Twenty pods.", time="2026-02-01")
    elsewhere = entry(7, "Five pods.", superseded_by=99)
    evidence = Evidence(
        document_id="d3", title="Limits", headings=("2026-02-01",), lines=(12, 13),
        version=5, score=1.0, entries=(new, old, elsewhere),
    )  # fmt: skip
    found = Found(tokens=9, position=5, evidence=(evidence,))
    assert list(found_lines(found, {"d3": "topics/limits-d3.md"}, PLAIN)) == [
        "Limits › 2026-02-01  topics/limits-d3.md:12-13",
        "  2  2026-02-01  user  Twenty pods.",
        "      was:",
        "      1  2026-01-01  user  Ten pods.",
        "  was (replaced by 99):",
        "  7  undated  user  Five pods.",
    ]


def test_superseded_lines_are_dimmed() -> None:
    (line,) = entry_lines(entry(1, superseded_by=2), Paint(on=True))
    assert "\x1b[2mTea.\x1b[0m" in line
    (current,) = entry_lines(entry(1), Paint(on=True))
    assert current.endswith("  Tea.")


def test_an_event_that_no_entry_cites_is_shown_under_the_log() -> None:
    raw = Entry(seqs=(), text="x", source="tool", event_ids=("e1",))
    evidence = Evidence(
        document_id="LOG", title="", headings=(), lines=None, version=1, score=1.0, entries=(raw,)
    )
    shown = list(found_lines(Found(tokens=1, position=1, evidence=(evidence,)), {}, PLAIN))
    assert shown == ["LOG  LOG", "  -  undated  tool  x"]


def test_an_answer_quotes_and_cites() -> None:
    claim = Claim(
        quote="Twenty.\nSince May.", document_id="d3", title="Limits", version=5, lines=(12, 13),
        seqs=(2, 3), event_ids=("e2",), external_ids=("msg-9",), time="2026-02-01",
        source="user", speaker="Bo", superseded_by=None,
    )  # fmt: skip
    answer = Answer(
        question="?", known=True, text=None, claims=(claim,), note="no model", tokens=3, position=5
    )
    assert list(answer_lines(answer, {"d3": "topics/limits-d3.md"}, PLAIN)) == [
        "> Twenty.",
        "> Since May.",
        "  2026-02-01 · user Bo · topics/limits-d3.md:12-13 · seq 2-3 · event e2, msg-9",
        "",
        "no model",
    ]


def test_not_known_is_said() -> None:
    answer = Answer(
        question="?", known=False, text=None, claims=(), note="no model", tokens=0, position=1
    )
    assert list(answer_lines(answer, {}, PLAIN)) == ["Not known.", "no model"]


def test_an_added_event_that_was_known_is_marked() -> None:
    added = Added(event_ids=("e1",), seqs=(4, 5), position=9, known=("e1",))
    assert list(added_lines(added)) == ["seq 4-5  event e1  (known already, nothing written)"]


def test_a_receipt_is_one_line_with_all_it_did() -> None:
    receipt = Receipt(
        plan_id="p1", kind="consolidate", position=9, created=("d2",), updated=("d1",),
        placed=(4, 5, 6), duplicates=((6, 1),), superseded=((2, 4),), warnings=("odd\nline",),
    )  # fmt: skip
    assert receipt_line(receipt) == (
        "consolidate p1: placed 3 entries (4-6); created d2; updated d1; repeated 6 of 1; "
        r"superseded 2 by 4; odd\nline"
    )


def test_many_receipts_are_summed_up_in_one_line() -> None:
    some = [
        Receipt(plan_id=f"p{n}", kind="consolidate", position=n, placed=(n,), created=("d1", "d2"))
        for n in range(1200)
    ]
    assert receipts_line(some) == (
        "1,200 plans applied: 1,200 entries placed, 2,400 documents created, 0 split, 0 retired, "
        "0 supersessions"
    )


def test_a_long_record_is_cut_with_a_mark_and_an_erased_one_says_so() -> None:
    record = RecordView(
        position=7,
        kind="event",
        record_id="e1",
        recorded="2026-03-01",
        size=9,
        body={"content": "茶" * 500},
    )
    assert record_line(record, PLAIN).endswith("茶…")
    erased = RecordView(
        position=7, kind="event", record_id="e1", recorded="2026-03-01", size=9, body=None
    )
    assert record_line(erased, PLAIN) == "     7  2026-03-01  event       e1  (erased)"
