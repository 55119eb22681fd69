"""What was recalled is told from the rest, byte for byte; a half or nested fence is plain text."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda import NewEvent
from memoranda.llm.prompts import fenced
from memoranda.mcp.seal import Seal
from memoranda.read.render import context
from memoranda.text.fences import CLOSE, NOTE, OPEN, echoes, is_echo, outside
from memoranda.text.tokens import count
from memoranda.values import Entry, Evidence
from memoranda.write.intake import extract

WORDS = st.text(st.sampled_from("ab 羊.\n\r\t<>/-#'"), max_size=30)


def nonces(kind: int) -> st.SearchStrategy[str]:
    """Nonces of one kind of three: nobody can write one that is used elsewhere."""
    return st.integers(0, 10**11).map(lambda number: f"{number * 3 + kind:012d}")


HEX = nonces(2).map("{}beef".format)
HALVES = st.one_of(
    nonces(2).map(lambda nonce: f"\n{OPEN.format(nonce=nonce)}\n{NOTE}\n"),
    nonces(2).map(lambda nonce: f"\n{CLOSE.format(nonce=nonce)}\n"),
    HEX.map(lambda nonce: f"\n<<<DATA search {nonce}\n"),
    HEX.map(lambda nonce: f"\nDATA search {nonce}>>>\n"),
)


def found(text: str) -> tuple[Evidence, ...]:
    entry = Entry(seqs=(1,), text=text, source="user", recorded="2026-06-01T09:00:00Z")
    return (
        Evidence(document_id="d1", title="Kilns", headings=(), lines=None, version=1,
                 score=1.0, entries=(entry,)),
    )  # fmt: skip


@st.composite
def packs(draw: st.DrawFn, kind: int = 0) -> str:
    """What one of our ways to recall gives, whatever the stored text looks like."""
    nonce, text = draw(nonces(kind)), draw(st.one_of(WORDS, HALVES, WORDS))
    way = draw(st.sampled_from(("context", "tool", "server")))
    if way == "context":
        return context(found(text), nonce).rstrip("\n")
    if way == "tool":
        lines = f"1 block found\n[1] d1 user: {text}".replace("\n", "\n  ")
        return fenced("search", lines, nonce=f"f{nonce}")
    return Seal(f"{kind}{nonce}".encode()).fence(f"[1] user: {text}".replace("\n", "\n  "))


@given(st.lists(st.tuples(WORDS, packs()), max_size=3), WORDS)
@settings(max_examples=100, deadline=None)
def test_what_is_outside_is_kept_and_what_is_inside_is_not_extracted(
    parts: list[tuple[str, str]], rest: str
) -> None:
    text = "".join(f"{words}\n{pack}\n" for words, pack in parts) + rest
    inner = echoes(text)
    assert [text[start:end] for start, end in inner] == [pack for _, pack in parts]
    outer = [text[start:end] for start, end in outside(text)]
    if parts:
        assert outer == [w.strip() for w in (*(words for words, _ in parts), rest) if w.strip()]
    else:
        assert outer == [text]
    spans = extract(NewEvent(content=text), limit=50)
    taken = "".join(text[item["span"][0] : item["span"][1]] for item in spans)
    assert "".join(taken.split()) == "".join("".join(outer).split())
    assert is_echo(text) == (bool(parts) and not "".join(outer))


@given(WORDS, HALVES, WORDS)
@settings(max_examples=100, deadline=None)
def test_a_half_fence_is_plain_text(before: str, half: str, after: str) -> None:
    text = before + half + after
    assert echoes(text) == ()
    assert outside(text) == ((0, len(text)),)


@given(WORDS, packs(0), packs(1), WORDS)
@settings(max_examples=100, deadline=None)
def test_a_nested_fence_is_plain_text(before: str, outer: str, inner: str, after: str) -> None:
    *head, last = outer.split("\n")
    text = "\n".join((before, *head, inner, last)) + f"\n{after}"
    assert echoes(text) == ()
    assert outside(text) == ((0, len(text)),)


@given(packs(0), HALVES, packs(1))
@settings(max_examples=60, deadline=None)
def test_a_half_before_a_whole_one_hides_nothing(one: str, half: str, other: str) -> None:
    text = f"{one}{half}{other}"
    inner = echoes(text)
    assert [text[start:end] for start, end in inner] == [one, other]


def test_windows_line_ends_change_nothing() -> None:
    pack = context(found("The barn is red."), "0" * 12).replace("\n", "\r\n")
    text = f"Before.\r\n{pack}After."
    assert [text[start:end] for start, end in outside(text)] == ["Before.", "After."]


def test_many_halves_are_read_in_no_time() -> None:
    halves = "".join(f"<memory-{n:012d}>\n{NOTE}\n</memory-{n + 1:012d}>\n" for n in range(30_000))
    begun = time.perf_counter()
    assert len(echoes(halves)) == 0
    assert time.perf_counter() - begun < 2
    assert count(NOTE) < 12
