"""A title is two to six words of the text, by which a person would name the document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.text.analyse import fold, is_greeting
from memoranda.values import Entry, Source
from memoranda.write.titles import Made, same_title, title

TALK = [
    "Hi! I want to repair the canal boat before spring.",
    "Great! Which part of the canal boat is broken?",
    "The bilge pump of the canal boat, and the hull paint peels off.",
    "A new bilge pump costs 90 euros; hull paint dries in two days.",
    "Thanks! Then the bilge pump comes first.",
]
CHINESE = [
    "你好，我想把差旅报销的流程改一下。",
    "好的，差旅报销现在需要哪些发票？",
    "差旅报销需要住宿发票和车票，发票抬头要写公司全称。",
    "发票抬头写错的话，差旅报销会被财务退回。",
]


def even(terms: Iterable[str]) -> Mapping[str, float]:
    return dict.fromkeys(terms, 1.0)


def entries(*texts: str, speaker: str | None = None) -> list[Entry]:
    sources: tuple[Source, Source] = ("user", "assistant")
    return [
        Entry(seqs=(seq,), text=text, source=sources[1 - seq % 2], speaker=speaker)
        for seq, text in enumerate(texts, start=1)
    ]


def test_a_document_is_named_by_what_it_keeps_speaking_of() -> None:
    made = title(entries(*TALK), even, taken=())
    assert "bilge pump" in made.text
    assert "canal boat" in made.text


def test_a_title_cites_entries_that_hold_its_words() -> None:
    talk = entries(*TALK)
    made = title(talk, even, taken=())
    cited = [entry.text for entry in talk if entry.seq in made.seqs]
    assert all(any(part in text for text in cited) for part in made.text.split(", "))


def test_words_are_written_as_in_the_text_and_not_as_stems() -> None:
    made = title(entries("Gluten allergies worry Nilufar's bakeries.") * 2, even, taken=())
    assert set(made.text.replace(",", "").split()) <= {
        "Gluten", "allergies", "worry", "Nilufar", "Nilufar's", "bakeries",
    }  # fmt: skip


def test_a_chinese_document_has_a_chinese_title_of_4_to_12_characters() -> None:
    made = title(entries(*CHINESE), even, taken=())
    assert "差旅报销" in made.text
    assert "发票" in made.text
    assert 4 <= len(made.text) <= 12


def test_what_is_rare_in_the_library_names_the_document() -> None:
    talk = entries("The team offsite in Lisbon.", "Book the team offsite in Lisbon.")

    def rarity(terms: Iterable[str]) -> Mapping[str, float]:
        return {term: 5.0 if term == "lisbon" else 0.1 for term in terms}

    assert "Lisbon" in title(talk, rarity, taken=()).text


def test_a_taken_title_is_not_given_again_in_any_case() -> None:
    talk = entries(*TALK)
    taken: list[str] = []
    for _ in range(20):
        made = title(talk, even, taken=taken)
        assert same_title(made.text) not in taken
        taken.append(same_title(made.text.upper()))
    assert same_title("Cafe\u0301 Notes") == same_title("CAFÉ NOTES")


def test_a_speaker_is_no_title() -> None:
    talk = entries("Ngozi Adeyemi: Ngozi Adeyemi here.", "Ngozi Adeyemi", speaker="Ngozi Adeyemi")
    assert title(talk, even, taken=()).text != "Ngozi Adeyemi"


def test_a_greeting_alone_is_numbered() -> None:
    assert title(entries("Hi", "Hello!"), even, taken=()) == Made("Notes from 1", (1,))
    assert title(entries("Hi"), even, taken={same_title("notes FROM 1")}) == Made(
        "Notes from 2", (1,)
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([*TALK, *CHINESE, "ok", "👍", "x = 1", "*"]), min_size=1, max_size=6)
)
def test_a_title_is_short_and_made_of_the_text(texts: list[str]) -> None:
    made = title(entries(*texts), even, taken=())
    assert made.seqs
    assert not is_greeting(made.text)
    assert 2 <= len(made.text.split()) <= 6 or 4 <= len(made.text) <= 12
    if not made.text.startswith("Notes from"):
        whole = fold("\n".join(texts))
        parts = made.text.replace("、", ", ").split(", ")
        assert all(fold(part) in whole for part in parts)
