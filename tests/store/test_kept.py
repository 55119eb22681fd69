"""What stays is not taken for what is left: kept texts, kept index terms, and our own words."""

from __future__ import annotations

import json
import random
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canaries import canaries, word
from memoranda.store.documents import file_name
from memoranda.store.kept import kept_in
from memoranda.store.scan import scan
from memoranda.text.pieces import pieces
from scene import SENTENCES, Place

FEW = settings(max_examples=40, deadline=None)


@FEW
@given(gone=st.sampled_from(SENTENCES), other=st.sampled_from(SENTENCES), shout=st.booleans())
def test_what_another_text_holds_is_kept_and_nothing_else(
    gone: str, other: str, *, shout: bool
) -> None:
    kept = kept_in([gone], [other.upper() if shout else other])
    for piece in pieces(gone):
        if piece.text in other:
            assert kept(piece.text), piece
        elif gone != other and len(piece.text) > 12:
            assert not kept(piece.text), piece


@pytest.mark.parametrize(
    ("gone", "stays", "piece", "is_kept"),
    [
        ("the configurations", "a configuration", "configur", True),
        ("unhappy families", "the family", "famili", True),
        ("unhappy families", "the familiar", "famili", True),
        ("unhappy families", "the fame", "famili", False),
        ("Die Straßenbahn", "STRASSENBAHN", "Straßenbahn", True),
        ("上海的天气很好", "北京和上海的天气", "上海的天", True),
        ("上海的天气很好", "北京和上海的风", "上海的天", False),
    ],
)
def test_case_spelling_and_index_terms_count(
    gone: str, stays: str, piece: str, *, is_kept: bool
) -> None:
    assert kept_in([gone], [stays])(piece) is is_kept


@pytest.mark.parametrize(
    "text", ['He said "Quenwick\\u0061" and\tleft.', "C:\\flimbart\\trundlebox"]
)
def test_a_text_in_json_counts_as_what_it_says(tmp_path: Path, text: str) -> None:
    kept = kept_in([text], [json.dumps({"content": text})])
    (tmp_path / "a").write_text(f"- {text}\n", "utf-8")
    assert scan([tmp_path], [text]).hits
    assert scan([tmp_path], [text], kept=kept).hits == ()


@pytest.mark.parametrize(
    ("gone", "stays"),
    [
        ("Quenwick hid the flimbart.", "Quenwick hid the flimbart!"),
        ("trundlebox" * 12 + " seven", "trundlebox" * 12 + " eight"),
        ("渡轮周二停开。渡轮周三九点开。", "渡轮周三九点开。"),  # a piece that begins with a sign
    ],
)
def test_the_name_of_a_file_that_is_called_after_what_stays_is_no_leak(
    tmp_path: Path, gone: str, stays: str
) -> None:
    (tmp_path / file_name(stays, "d1")).write_text("", "utf-8")
    assert scan([tmp_path], [gone]).hits
    assert scan([tmp_path], [gone], kept=kept_in([gone], [stays])).hits == ()


def test_terms_of_what_stays_that_stand_in_one_document_are_no_leak(tmp_path: Path) -> None:
    """A table of documents and terms does not tell which of them stand in a row."""
    gone, stays = "%61%6A%6F%79", "6a of 79, 6f of 61"
    with closing(sqlite3.connect(tmp_path / "index.db")) as db:
        db.execute("CREATE TABLE posting (number INTEGER, term TEXT)")
        db.execute("CREATE VIRTUAL TABLE unit USING fts5(text)")
        db.executemany("INSERT INTO posting VALUES (1, ?)", [("61",), ("6a",), ("6f",), ("79",)])
        db.commit()
    assert scan([tmp_path], [gone]).hits
    assert scan([tmp_path], [gone], kept=kept_in([gone], [stays])).hits == ()


def test_any_number_of_texts_is_read_in_turn() -> None:
    rng = random.Random(3)  # noqa: S311 - no secret
    gone = [canary.text for canary in canaries("kept")]
    last = word(rng)
    others = (" ".join(word(rng) for _ in range(20)) for _ in range(10_000))
    kept = kept_in([*gone, last], (*others, f"and {last} too"))
    assert kept(last)
    assert not any(kept(text) for text in gone)


def own_words(root: Path, place: Place) -> set[str]:
    """Names of our tables and columns, keys of our records and headers, names of our files."""
    found = set()
    with place.sql() as db:
        for name, sql in db.execute("SELECT name, sql FROM sqlite_schema"):
            found |= set(re.findall(r"\w+", f"{name} {sql}"))
        for (body,) in db.execute("SELECT body FROM payload"):
            found |= set(re.findall(r'"(\w+)":', body))
        kinds = "SELECT kind FROM record UNION SELECT kind FROM digest"
        found |= {row[0] for row in db.execute(kinds)}
    for path in root.rglob("*"):
        if path.suffix == ".md":
            found |= set(re.findall(r"^([a-z_]+):", path.read_text("utf-8"), re.MULTILINE))
    return found


def test_a_text_of_our_own_words_is_not_found_in_our_own_files(library: Place) -> None:
    with library.open() as memory:
        memory.search("kiln")
        memory.rebuild()
        memory.search("kiln")
    words = sorted(w for w in own_words(library.root, library) if "autoindex" not in w)
    assert {"document", "position", "idempotency", "sensitivity", "update_count"} <= set(words)
    gone = ["\n\n".join(words)]
    hits = scan([library.root], gone, kept=kept_in(gone, SENTENCES)).hits
    assert json.dumps(sorted({(hit.piece, hit.where) for hit in hits})) == "[]"


def test_many_kept_texts_cost_little() -> None:
    rng = random.Random(4)  # noqa: S311 - no secret
    words = [word(rng, size=rng.randint(2, 12)) for _ in range(5000)]
    others = [" ".join(rng.choices(words, k=15)) for _ in range(20_000)]
    begun = time.process_time()
    kept_in(others[:10], others)
    assert time.process_time() - begun < 2  # about 0.06 s
