"""Faults that drawn lives have found, each by itself."""

from __future__ import annotations

import random
from dataclasses import replace

from cages import into_a_gap
from doomed import doom
from hunting import hunting
from quoting import quoting

from scene import QUIET, SENTENCES, Place


def test_a_backup_from_before_the_event_that_holds_a_question_about_it_is_made_anew(
    place: Place,
) -> None:
    memory = place.open(model=quoting(1), settings=replace(QUIET, keep_calls=True))
    said = doom(_rng(), "plain")
    memory.add(SENTENCES[0])
    memory.ask(f"What of {said.text}?")
    memory.backup()
    memory.add(said.text, id="it")
    assert memory.forget(external_id="it").left == ()
    memory.close()
    assert list(hunting([place.root], said.secrets)) == []


def test_what_no_row_holds_and_a_page_of_the_database_still_does_is_gone_too(place: Place) -> None:
    """SQLite leaves cells that it moved where they were: in the gap of a page, out of reach of DELETE."""
    memory = place.open(settings=QUIET)
    said = doom(_rng(), "plain")
    for text in SENTENCES:
        memory.add(text)
    memory.add(said.text, id="it")
    memory.close()
    into_a_gap(place.database, said.text.encode())
    memory = place.open(settings=QUIET)
    assert memory.check().flaws == ()
    memory.backup()
    assert memory.forget(external_id="it").left == ()
    memory.close()
    assert list(hunting([place.root], said.secrets)) == []


def _rng() -> random.Random:
    return random.Random(5)  # noqa: S311 - the same each time, on purpose


def test_what_a_page_of_the_index_still_holds_is_gone_too(place: Place) -> None:
    memory = place.open(settings=QUIET)
    said = doom(_rng(), "plain")
    for text in SENTENCES:
        memory.add(text)
    memory.add(said.text, id="it")
    memory.search(SENTENCES[0])
    memory.close()
    into_a_gap(place.folder / "index.db", said.text.encode())
    memory = place.open(settings=QUIET)
    assert memory.forget(external_id="it").left == ()
    memory.close()
    assert list(hunting([place.root], said.secrets)) == []
