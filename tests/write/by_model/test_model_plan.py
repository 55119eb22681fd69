"""What the steps give fits the log and the plans: applied, every entry is where it should be."""

from __future__ import annotations

from librarian import NONCE, librarian
from steps_in_use import ENTRIES, EVENTS, FACT_DATED, STEPS

from memoranda import Entry, Memory
from memoranda.store.operations import Create, NewBlock, Text
from memoranda.write.by_model import Block, Maintainer, Routing, Window
from memoranda.write.draft import heading_of, rewrite
from memoranda.write.route import Route
from scene import QUIET, Place, applier, everywhere, home, plan


def maintainer(step: str) -> Maintainer:
    return Maintainer(librarian(STEPS[step].right), nonce=lambda: NONCE, entry_tokens=120)


def stored(memory: Memory, seq: int) -> Entry:
    found = memory.get(seq)
    assert isinstance(found, Entry)
    return found


def test_a_window_by_a_model_is_applied_whole(place: Place) -> None:
    memory = place.open(settings=QUIET)
    for one in ENTRIES:
        memory.add(one.text, speaker=one.speaker, time=one.time, session=one.session)
    entries = tuple(stored(memory, seq) for seq in range(1, 7))
    draft = rewrite(entries, home(memory).view, ())
    names = Maintainer(
        librarian(
            lambda shown: {
                "blocks": [{"under": "Paint", "of": shown.of(ENTRIES[3].text)}],
                "join": [
                    {
                        "of": f"{shown.of(ENTRIES[0].text)} {shown.of(ENTRIES[1].text)}",
                        "text": f"{ENTRIES[0].text} {ENTRIES[1].text}",
                    }
                ],
            }
        ),
        nonce=lambda: NONCE,
        entry_tokens=120,
    )
    rewriting = names.rewrite(Window(entries=entries, draft=draft))
    blocks = [
        Block(entries=segment, by_rules=Route(None, 0, 0.0)) for segment in rewriting.draft.segments
    ]
    routing: Routing = Maintainer(
        librarian(
            lambda s: {"go": [{"to": "Paint, boathouse", "blocks": " ".join(s.names("blocks"))}]}
        ),
        nonce=lambda: NONCE,
        entry_tokens=120,
    ).route(blocks)
    (new,) = routing.new
    operation = Create(
        document_id="d1",
        project=new.project,
        title=new.title or Text(text="?", made_from=(1,)),
        summary=new.summary or Text(text="By rules.", made_from=(1,)),
        blocks=tuple(
            NewBlock(headings=path or (heading_of(segment),), seqs=tuple(e.seq for e in segment))
            for segment, path in zip(rewriting.draft.segments, rewriting.headings, strict=True)
        ),
    )
    window = rewriting.draft.window
    receipt = applier(memory).apply(
        plan(*rewriting.joins, operation, *rewriting.draft.duplicates, window=window)
    )
    assert receipt.joined == ((1, 2),)
    assert receipt.duplicates == ((5, 4),)
    assert everywhere(memory) == [1, 2, 3, 4, 5, 6]
    assert memory.documents()[0].title == "Paint, boathouse"
    memory.state()
    text = place.files()[next(name for name in place.files() if name != "CURRENT.md")].decode()
    assert "seq=1,2" in text
    assert "# Paint" in text


def test_an_extraction_is_logged_and_its_signatures_are_those_of_its_events(place: Place) -> None:
    memory = place.open(settings=QUIET)
    for one in EVENTS:
        memory.add(one.content, source=one.source, speaker=one.speaker, time=one.time)
    made = maintainer("extract").extract(EVENTS, keys=("- / mira / home",))
    log = home(memory).log
    entries = [{"seq": 6 + n, **item.to_json()} for n, item in enumerate(made.items)]
    with log.transaction():
        body = {"by": "a test", "events": [1, 3, 5, 7, 9], "entries": entries}
        home(memory).fold.apply(log.append("extraction", body))
    found = {entry.text: entry for entry in (stored(memory, item["seq"]) for item in entries)}
    fact = found[FACT_DATED]
    assert (fact.source, fact.speaker, fact.time) == ("user", "Mira", "2026-05-12")
    assert found[EVENTS[1].content].source == "assistant"
    assert EVENTS[4].content not in found
    assert EVENTS[3].content in found
