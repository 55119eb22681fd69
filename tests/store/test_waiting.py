"""What waits in CURRENT is counted on, and is never another number than a whole count gives."""

from __future__ import annotations

from memoranda import Memory, NewEvent
from memoranda.store.waiting import Queue, Waiting
from scene import PHONE, SENTENCES, Place, home


def counted(memory: Memory) -> Queue:
    view = home(memory).view
    return Queue(view.current_tokens(), view.current_since())


def test_an_empty_memory_has_nothing_waiting(memory: Memory) -> None:
    assert Waiting(home(memory).log.connection).look() == Queue(0, None)


def test_each_add_of_any_handle_is_counted_on(place: Place) -> None:
    one, two = place.open(), place.open(project="acme")
    waiting = Waiting(home(one).log.connection)
    for number, text in enumerate(SENTENCES):
        (two if number % 3 else one).add(text)
        if number % 2:
            assert waiting.look() == counted(one)
    assert waiting.look().tokens > 0


def test_what_leaves_current_is_no_longer_counted(place: Place) -> None:
    memory, other = place.open(), place.open()
    waiting = Waiting(home(memory).log.connection)
    memory.add_many(NewEvent(content=text) for text in SENTENCES[:6])
    assert waiting.look() == counted(memory)
    other.consolidate()
    assert waiting.look() == counted(memory) == Queue(0, None)
    memory.add(SENTENCES[0])  # a repetition
    memory.add(PHONE.format(1234))
    assert waiting.look() == counted(memory)
    memory.retract(memory.add("The tin is red.").seqs[0])
    assert waiting.look() == counted(memory)
    memory.forget(entry=memory.add("The goat is loose today.").seqs[0])
    assert waiting.look() == counted(memory)
    memory.rebuild()
    assert waiting.look() == counted(memory)


def test_only_new_entries_are_read_after_an_add(memory: Memory) -> None:
    waiting = Waiting(home(memory).log.connection)
    memory.add(SENTENCES[0])
    first = waiting.look().tokens
    with home(memory).log.transaction():  # nobody may: a count that is not read can't be seen
        home(memory).log.connection.execute("UPDATE entry SET tokens = tokens + 1000")
    added = home(memory).view.current_tokens() - 1000
    assert added == first
    memory.add(SENTENCES[1])
    assert waiting.look().tokens == home(memory).view.current_tokens() - 1000
