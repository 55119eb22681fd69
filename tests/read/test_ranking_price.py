"""Evidence is paid for by the token: what is long must be worth its room."""

from __future__ import annotations

import pytest

from memoranda import NewEvent
from memoranda.read import ranking
from scene import Place

FACTS = {
    "en": [f"The kiln was fired for order {number}." for number in range(1, 13)],
    "zh": [f"窑炉为第{number}号订单烧了一次。" for number in range(1, 13)],
}
BEST = {
    "en": "The ferry takes the kiln to the island in May.",
    "zh": "渡轮五月把窑炉运到岛上。",
}
ASKED = {
    "en": "When does the ferry take the kiln to the island?",
    "zh": "渡轮什么时候把窑炉运到岛上？",
}
BUDGET = {"en": 550, "zh": 900}
LONG = {
    "en": "Let me tell you something about glazes, and about clay, water, wood and the weather. "
    * 12,
    "zh": "我来讲讲釉料、黏土、水、木头和天气，还有许多别的事情。" * 12,
}


def told(lang: str) -> list[NewEvent]:
    """Thirteen talks: a short fact of the user's, and long answers before and after it; one tells most."""
    found = []
    for number, fact in enumerate((BEST[lang], *FACTS[lang])):
        day = f"2026-03-{number + 1:02}"
        for source, text in (
            ("assistant", f"{LONG[lang]}{number}a"),
            ("user", fact),
            ("assistant", f"{LONG[lang]}{number}b"),
        ):
            found.append(NewEvent(content=text, source=source, time=day, session=f"s{number}"))
    return found


def seen(place: Place, lang: str) -> int:
    """How many of the facts come within the budget."""
    with place.open() as memory:
        memory.add_many(told(lang))
        memory.consolidate()
        found = memory.search(ASKED[lang], budget=BUDGET[lang])
    said = {entry.text for item in found.evidence for entry in item.entries}
    return len(said & set(FACTS[lang]))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_long_neighbours_of_a_hit_leave_room_for_other_hits(place: Place, lang: str) -> None:
    assert seen(place, lang) == 12


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_without_a_price_they_would_not(
    place: Place, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: were a long line taken for a short one, the first hits' neighbours fill the budget."""
    monkeypatch.setattr(ranking, "SHORT", 1_000_000)
    assert seen(place, lang) < 12
