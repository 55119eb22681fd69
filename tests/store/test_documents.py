"""Documents and CURRENT: how they look, what a person may re-type, and what is refused."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from memoranda.errors import FormatError
from memoranda.store.documents import (
    Block,
    Header,
    Line,
    TopicDocument,
    file_name,
    parse_current,
    parse_document,
    print_current,
    print_document,
    slug,
)

HEADER = Header(
    id="d7",
    title="Billing limits",
    summary='Limits: what "holds" now.\nAnd before.',
    project="acme",
    token_count=42,
    created_time="2026-01-05",
    updated_time="2026-03-01T09:30Z",
    update_count=3,
    current_epoch=2,
    update_log=("2026-03-01: 2 entries added", "no"),
    parent_id="d1",
    merged_from=("d3", "d4"),
    aux=(("tone: short", "true"),),
)
OLDER = Line(seqs=(7,), text="Limit 100.\nOr so.", source="user", superseded_by=12)
NEWER = Line(seqs=(12, 19), text="Limit 200.", source="user", time="2026-03-01", under=(OLDER,))
NOTED = Line(seqs=(13,), text="Noted:\n\n200.", source="assistant")
BLOCKS = (Block(("2026-03-01",), (NEWER, NOTED)), Block(("Old #",), (NOTED,)))
DOCUMENT = TopicDocument(HEADER, BLOCKS)
PRINTED = """\
---
id: d7
title: Billing limits
summary: "Limits: what \\"holds\\" now.\\nAnd before."
project: acme
token_count: 42
created_time: 2026-01-05
updated_time: 2026-03-01T09:30Z
update_count: 3
current_epoch: 2
update_log:
  - "2026-03-01: 2 entries added"
  - "no"
parent_id: d1
merged_from: [d3, d4]
aux:
  "tone: short": "true"
format: 1
counter: m1
---

# Billing limits

## 2026-03-01

- <seq=12,19, time=2026-03-01, source=user> Limit 200.
  - <seq=7, source=user, superseded_by=12> Limit 100.
    Or so.
- <seq=13, source=assistant> Noted:

  200.

## Old \\{23}

- <seq=13, source=assistant> Noted:

  200.
"""


def test_a_document_is_plain_markdown() -> None:
    assert print_document(DOCUMENT).text == PRINTED
    assert parse_document(PRINTED) == DOCUMENT


def test_lines_are_found_by_seq_and_blocks_by_order() -> None:
    printed = print_document(replace(DOCUMENT, blocks=DOCUMENT.blocks[:1]))
    assert printed.ranges == {12: (26, 26), 19: (26, 26), 7: (27, 28), 13: (29, 31)}
    assert printed.blocks == ((24, 31),)
    assert print_document(DOCUMENT).blocks == ((24, 31), (33, 37))


def test_absent_values_are_not_printed() -> None:
    least = Header(
        id="d1",
        title="Tea",
        summary="",
        token_count=0,
        created_time="2026-01-05",
        updated_time="2026-01-05",
        update_count=0,
        current_epoch=0,
    )
    printed = print_document(TopicDocument(least, ()))
    assert printed.text.split("\n")[1:-4] == [
        "id: d1",
        "title: Tea",
        'summary: ""',
        "token_count: 0",
        "created_time: 2026-01-05",
        "updated_time: 2026-01-05",
        "update_count: 0",
        "current_epoch: 0",
        "format: 1",
        "counter: m1",
    ]
    assert parse_document(printed.text) == TopicDocument(least, ())


RETYPED = """\
\ufeff---
# my notes
tags:
- billing
- "a: b"
title: 'Billing limits'
summary: |-
  Limits: what "holds" now.
  And before.
id: "d7"
project: 'acme'
token_count: "42"
rating: 5   # stars

current_epoch: 2
created_time: 2026-01-05
updated_time: 2026-03-01T17:30:00+08:00
update_count: 3
update_log: ['2026-03-01: 2 entries added', "no"]
# the family
parent_id: d1
merged_from:
  # two of them
  - d3
  - d4
"aux": {"tone: short": 'true'}
format: 1
counter: m1
cssclasses: wide
---
"""


def test_front_matter_may_be_typed_anew() -> None:
    text = RETYPED + PRINTED.split("---\n", 2)[2]
    kept = (
        "# my notes",
        'tags:\n- billing\n- "a: b"',
        "rating: 5   # stars\n\n# the family",
        "cssclasses: wide",
    )
    found = parse_document(text)
    assert replace(found.header, unknown=()) == replace(HEADER, unknown=())
    assert found.header.unknown == kept
    assert found.blocks == DOCUMENT.blocks
    assert parse_document(text.replace("\n", "\r\n")) == found
    assert parse_document(print_document(found).text) == found


def test_unknown_keys_are_kept_byte_for_byte() -> None:
    unknown = "links:\n  - '[[tea]]'   # why\n\nnote: >\n  folded\n\n  text"
    text = PRINTED.replace("counter: m1\n", f"counter: m1\n{unknown}\n")
    found = parse_document(text)
    assert "\n".join(found.header.unknown) == unknown
    assert print_document(found).text == text


def test_the_visible_title_counts() -> None:
    retitled = PRINTED.replace("# Billing l", "# Our l")
    untitled = PRINTED.replace("# Billing limits\n", "")
    assert parse_document(retitled).header.title == "Our limits"
    assert parse_document(untitled).header.title == "Billing limits"


def test_texts_that_yaml_takes_for_something_else_stay_texts() -> None:
    odd = ("no", "Null", "2026-03-01", "1e3", "~", "- a", "a: b", "a #b", "'", "", "\u2028", "ü")
    for title in odd:
        header = replace(HEADER, title=title, summary=title, project=title)
        document = replace(DOCUMENT, header=header)
        text = print_document(document).text
        assert parse_document(text) == document
        forced = text.replace("counter: m1\n", "counter: m1\nmine: 1\n")  # read by the YAML reader
        assert replace(parse_document(forced).header, unknown=()) == document.header


def test_equal_headings_stay_two_blocks_and_empty_blocks_stay() -> None:
    paths = (*(("a",), ("a",), ("a", "b"), ("a", "b", "c"), ("a", "x"), ("a",)), tuple("zyxwv"))
    for lines in ((), (NOTED,)):
        blocks = tuple(Block(path, lines) for path in paths)
        document = TopicDocument(HEADER, blocks)
        assert parse_document(print_document(document).text) == document


def test_a_shared_heading_is_printed_once() -> None:
    blocks = (Block(("a", "b"), (NOTED,)), Block(("a", "c"), (NOTED,)))
    text = print_document(TopicDocument(HEADER, blocks)).text
    assert [line for line in text.split("\n") if line[:2] == "##"] == ["## a", "### b", "### c"]


def test_headings_may_skip_a_level_when_typed() -> None:
    typed = PRINTED.replace("## Old", "##### Old").replace("\\{23}", "end #####")
    assert [block.headings for block in parse_document(typed).blocks] == [
        ("2026-03-01",),
        ("2026-03-01", "Old end"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (PRINTED, "", "line 1: front matter is missing"),
        (PRINTED, "\0" * 100, "line 1: a NUL character"),
        ("---\nid", "id", "line 1: front matter is missing"),
        ("m1\n---\n", "m1\n", "front matter does not end"),
        ("id: d7\n", "", "line 1: front matter lacks id"),
        ("id: d7\n", "id:\n", "line 1: front matter lacks id"),
        ("id: d7\n", "id: d7\nid: d8\n", "line 3: id is given twice"),
        ("id: d7\n", "id: [d7\n", "front matter is no YAML"),
        ("id: d7\n", "id: [d7]\n", "line 2: id must be one value"),
        ("update_count: 3", "update_count: three", "line 9: update_count must be a whole number"),
        ("update_count: 3", "update_count: -3", "line 9: update_count must be a whole number"),
        ("created_time: 2026-01-05", "created_time: soon", "line 7: time 'soon'"),
        ("created_time: 2026-01-05", "created_time: 2026-01-05 09:30", "line 7: .*no offset"),
        ("format: 1", "format: 2", "format 2 is newer"),
        ("aux:\n", "aux: [1]\nx:\n", "aux must be a mapping"),
        ("aux:\n", "aux:\n  a: 1\n  a: 2\n", "line 17: aux names must differ"),
        ("id: d7\n", 'id: d7\n"\\x61": 1\n', "line 2: .*keys that can't be told apart"),
        ("# Billing", "Text.\n\n# Billing", "line 22: text outside an entry"),
        ("id: d7\n", "{id: d7}\n", "line 3: front matter is no YAML"),
        ("## 2026-03-01", "<<<<<<< mine\n## 2026-03-01", "line 24: a merge mark"),
        ("id: d7", "=======", "line 2: a merge mark"),
        ("## 2026-03-01\n", "", "line 25: text outside an entry"),
        ("## 2026-03-01\n", "Some text.\n## 2026-03-01\n", "line 24: text outside an entry"),
        ("## 2026-03-01\n", "## 2026-03-01\nSome text.\n", "line 25: expected an entry"),
        ("## Old", "# Old", "line 33: a second title"),
        ("## Old", "#Old", "line 33: .*neither a heading nor an entry"),
        ("- <seq=13, source=assistant>", "- <seq=13>", "line 29: the signature has no source"),
    ],
)
def test_a_damaged_file_is_refused_with_its_place(old: str, new: str, reason: str) -> None:
    assert old in PRINTED
    with pytest.raises(FormatError, match=f"^tea.md: .*{reason}"):
        parse_document(PRINTED.replace(old, new, 1), name="tea.md")


def test_current_has_a_small_header_and_its_groups() -> None:
    waiting = replace(NOTED, project="acme")
    printed = print_current((Block(("2026-03-01",), (waiting,)), Block(("2026-03-02",), (NOTED,))))
    assert printed.text == (
        "---\nid: CURRENT\nformat: 1\n---\n\n# CURRENT\n\n## 2026-03-01\n\n"
        "- <seq=13, source=assistant, project=acme> Noted:\n\n  200.\n\n## 2026-03-02\n\n"
        "- <seq=13, source=assistant> Noted:\n\n  200.\n"
    )
    assert parse_current(printed.text) == (
        Block(("2026-03-01",), (waiting,)),
        Block(("2026-03-02",), (NOTED,)),
    )
    assert parse_current(print_current(()).text) == ()
    assert parse_current(printed.text.replace("\n", "\r\n")) == parse_current(printed.text)


def test_a_document_is_not_current() -> None:
    with pytest.raises(FormatError, match="CURRENT: line 2: the header of CURRENT"):
        parse_current(PRINTED)


def test_a_block_has_one_to_five_headings() -> None:
    for path in ((), ("a",) * 6):
        with pytest.raises(ValueError, match="1 to 5 levels"):
            Block(path, ())


def test_aux_names_differ() -> None:
    with pytest.raises(ValueError, match="aux names must differ"):
        replace(HEADER, aux=(("a", "1"), ("a", "2")))


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Billing for Acme", "billing-for-acme"),
        ("计费 与 报告！", "计费-与-报告"),
        ("STRASSE / Straße", "strasse-strasse"),
        ("Cafe\u0301 \u2013 2", "café-2"),
        ("नमस्ते दुनिया", "नमस्ते-दुनिया"),
        ("../..\\con:*?", "con"),
        ("--- a_b ---", "a-b"),
        ("🎉\ufe0f\u200d", "untitled"),
        ("", "untitled"),
        ("1\ufe0f\u20e3 go", "1\u20e3-go"),
        ("x" * 99, "x" * 60),
        ("界" * 21, "界" * 20),
        ("x" * 59 + " tail", "x" * 59),
        ("x" * 58 + "界", "x" * 58),
    ],
)
def test_a_slug_is_safe_in_any_script(title: str, expected: str) -> None:
    assert slug(title) == expected
    assert slug(expected) == expected


def test_a_file_is_named_after_title_and_id() -> None:
    assert file_name("Billing limits", "d7") == "billing-limits-d7.md"


def test_printing_and_reading_are_quick() -> None:
    lines = tuple(
        replace(NOTED, seqs=(seq,), speaker="Ann Lee", time="2026-03-01T09:30Z")
        for seq in range(1, 5001)
    )
    blocks = tuple(Block((f"day {at}",), lines[at : at + 5]) for at in range(0, 5000, 5))
    start = time.process_time()
    printed = print_document(TopicDocument(HEADER, blocks))
    middle = time.process_time()
    assert parse_document(printed.text).blocks == blocks
    assert middle - start < 0.2  # 0.03 s on an idle machine
    assert time.process_time() - middle < 1  # 0.1 s on an idle machine
