"""A summary is a line of telling phrases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.text.tokens import count
from memoranda.values import Entry
from memoranda.write.summarize import summarize
from memoranda.write.titles import Made

TALK = [
    "The beehives on the roof need sugar syrup before winter.",
    "Sugar syrup for the beehives: two parts sugar, one part water.",
    "Varroa mites killed one colony; oxalic acid helps in December.",
]
CHINESE = ["屋顶的蜂箱入冬前要喂糖浆。", "糖浆配比是两份糖一份水，蜂箱要保温。"]


def even(terms: Iterable[str]) -> Mapping[str, float]:
    return dict.fromkeys(terms, 1.0)


def entries(*texts: str) -> list[Entry]:
    return [Entry(seqs=(seq,), text=text, source="user") for seq, text in enumerate(texts, start=1)]


def test_a_summary_tells_what_the_title_does_not() -> None:
    made = summarize(entries(*TALK), even, title="sugar syrup")
    assert "beehives" in made.text
    assert "Varroa mites" in made.text
    assert "sugar syrup" not in made.text.casefold()


def test_a_chinese_summary_uses_chinese_marks() -> None:
    made = summarize(entries(*CHINESE), even)
    assert "蜂箱" in made.text
    assert "、" in made.text
    assert ", " not in made.text


def test_every_phrase_is_in_an_entry_that_is_cited() -> None:
    talk = entries(*TALK)
    made = summarize(talk, even)
    cited = "\n".join(entry.text for entry in talk if entry.seq in made.seqs)
    assert all(phrase in cited for phrase in made.text.split(", "))


def test_without_a_phrase_the_first_words_are_quoted() -> None:
    assert summarize(entries("Yes,\n no."), even) == Made("Yes, no.", (1,))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*TALK, *CHINESE, "ok", "1 2 3", ""]), min_size=1, max_size=12))
def test_a_summary_is_one_short_line(texts: list[str]) -> None:
    made = summarize(entries(*texts), even)
    assert "\n" not in made.text
    assert count(made.text) <= 66
    assert set(made.seqs) <= set(range(1, len(texts) + 1))
