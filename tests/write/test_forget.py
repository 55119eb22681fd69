"""Forgotten is gone: from the log, the views, the index, the files; and it does not come back."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memoranda import Entry, Memory, NewEvent
from memoranda.errors import BusyError, DamagedError, ForgottenError, InputError, NotFoundError
from memoranda.store.erasure import HOLE
from memoranda.store.index import FtsIndex
from memoranda.store.ledger import LEDGER
from memoranda.write import traces
from scene import CHINESE_PHONE, PHONE, QUIET, SENTENCES, Place, home, index_rows, rows, shown

KEEPING = replace(QUIET, adopt=False)
"""Edited files are kept as copies, and these are what is looked at here."""

HIDDEN = "Quenwick hid the flimbart under a trundlebox at Wrothgard."
CHINESE = "昆维克把弗林巴特藏在罗斯加德的滚轮箱底下。"


def added(memory: Memory, text: str, **given: object) -> int:
    (seq,) = memory.add(text, **given).seqs  # type: ignore[arg-type]
    return seq


def library(place: Place) -> tuple[Memory, int]:
    """A consolidated scope with a secret among other lines."""
    memory = place.open(settings=KEEPING)
    memory.add_many(NewEvent(content=text) for text in SENTENCES[:8])
    seq = added(memory, HIDDEN, id="mine", speaker="Zorblatt", metadata={"hint": "grovelmunch"})
    memory.add_many(NewEvent(content=text) for text in SENTENCES[8:14])
    memory.consolidate()
    return memory, seq


def bytes_below(folder: Path) -> bytes:
    """Every byte of every file below a folder, and every name."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return b"\0".join([path.read_bytes() + str(path.name).encode() for path in found])


def same_after_rebuild(memory: Memory, place: Place) -> None:
    files, views, index = place.files(), rows(memory), index_rows(memory)
    memory.rebuild()
    assert place.files() == files
    assert rows(memory) == views
    assert index_rows(memory) == index


@pytest.mark.parametrize("way", ["event", "entry", "external_id"])
def test_each_way_to_name_it_takes_every_trace(place: Place, way: str) -> None:
    memory, seq = library(place)
    entry = memory.get(seq)
    assert isinstance(entry, Entry)
    name = {"event": entry.event_ids[0], "entry": seq, "external_id": "mine"}[way]
    done = memory.forget(**{way: name})  # type: ignore[arg-type]
    assert (done.seqs, done.events, done.left) == ((seq,), entry.event_ids, ())
    assert HIDDEN not in [text for _, _, text in shown(memory, HIDDEN)]
    memory.close()
    found = bytes_below(place.root)
    for word in ("Quenwick", "flimbart", "trundlebox", "Wrothgard", "Zorblatt", "grovelmunch"):
        assert word.encode() not in found
        assert word.lower().encode() not in found


def test_nothing_else_is_lost(place: Place) -> None:
    memory, seq = library(place)
    memory.forget(entry=seq)
    kept = {
        entry.text for info in memory.documents() for entry in _entries(memory, info.document_id)
    }
    assert kept == {*SENTENCES[:14]}
    assert memory.status().forgotten == 1


def _entries(memory: Memory, document: str) -> list[Entry]:
    return [entry for block in memory.document(document).blocks for entry in block.entries]


def test_a_rebuild_gives_the_same_bytes_without_it(place: Place) -> None:
    memory, seq = library(place)
    memory.forget(entry=seq)
    same_after_rebuild(memory, place)
    assert b"Quenwick" not in bytes_below(place.root)


def test_one_of_two_who_said_it_can_be_forgotten(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    first, second = added(memory, CHINESE), added(memory, CHINESE.replace("。", " ！"))
    memory.add_many(NewEvent(content=text) for text in SENTENCES[:3])
    memory.consolidate()
    line = memory.get(second)
    assert isinstance(line, Entry)
    assert line.seqs == (first, second)
    memory.forget(event=line.event_ids[0])
    left = memory.get(second)
    assert isinstance(left, Entry)
    assert (left.seqs, left.text) == ((second,), CHINESE.replace("。", " ！"))
    assert left.document_id == line.document_id
    with pytest.raises(ForgottenError, match=f"entry {first} was forgotten on 2026-06-01"):
        memory.get(first)
    same_after_rebuild(memory, place)
    assert CHINESE.encode() not in bytes_below(place.root)


def test_an_entry_goes_with_all_who_say_it(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    seqs = (added(memory, CHINESE), added(memory, CHINESE))
    memory.consolidate()
    assert memory.forget(entry=seqs[1]).seqs == seqs
    memory.close()
    assert "昆维克".encode() not in bytes_below(place.root)


def test_what_it_replaced_stays_replaced(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    older, newer = added(memory, PHONE.format(1111)), added(memory, PHONE.format(2222))
    memory.consolidate()
    memory.forget(entry=newer)
    assert shown(memory, "phone number") == []
    entry = memory.get(older)
    assert isinstance(entry, Entry)
    assert entry.superseded_by == newer
    (text,) = (text for name, text in place.files().items() if name != "CURRENT.md")
    assert b"superseded_by=[erased]> My phone number is 555-1111." in text
    same_after_rebuild(memory, place)
    assert b"2222" not in bytes_below(place.root)


def test_the_middle_of_a_chain_can_be_forgotten(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    seqs = [added(memory, CHINESE_PHONE.format(number)) for number in (1111, 2222, 3333)]
    memory.consolidate()
    memory.forget(entry=seqs[1])
    assert [seq for seq, _, _ in shown(memory, "电话")] == [seqs[2], seqs[0]]
    same_after_rebuild(memory, place)


def test_a_retracted_successor_gives_back_what_it_replaced_and_forgetting_it_does_not_take_it(
    place: Place,
) -> None:
    memory = place.open(settings=KEEPING)
    older, newer = added(memory, PHONE.format(1111)), added(memory, PHONE.format(2222))
    memory.consolidate()
    memory.retract(newer, reason="Quenwick mistyped it")
    memory.forget(entry=newer)
    assert [seq for seq, _, _ in shown(memory, "phone number")] == [older]
    memory.close()
    assert b"Quenwick" not in bytes_below(place.root)


def test_what_is_forgotten_can_be_corrected_no_more_and_its_past_can(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    older, newer = added(memory, PHONE.format(1111)), added(memory, PHONE.format(2222))
    memory.consolidate()
    memory.forget(entry=newer)
    with pytest.raises(ForgottenError):
        memory.correct(newer, "My phone number is 555-3333.")
    again = memory.correct(older, "My phone number is 555-3333.")
    memory.consolidate()
    assert [seq for seq, _, _ in shown(memory, "phone number")] == [*again.seqs, older]
    same_after_rebuild(memory, place)


def test_a_part_of_a_long_event_goes_and_the_rest_stays(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    long = "\n\n".join(
        f"{HIDDEN if number == 2 else SENTENCES[number]} " + SENTENCES[number + 5] * 5
        for number in range(5)
    )
    done = memory.add(long, id="long")
    memory.consolidate()
    part = next(seq for seq in done.seqs if HIDDEN in _text(memory, seq))
    texts = {seq: _text(memory, seq) for seq in done.seqs if seq != part}
    assert memory.forget(entry=part).events == done.event_ids
    assert {seq: _text(memory, seq) for seq in texts} == texts
    event = memory.get("long")
    assert HOLE * 40 in event.content  # type: ignore[union-attr]
    assert HIDDEN not in event.content  # type: ignore[union-attr]
    same_after_rebuild(memory, place)
    memory.forget(external_id="long")
    assert memory.documents() == ()
    same_after_rebuild(memory, place)


def _text(memory: Memory, seq: int) -> str:
    entry = memory.get(seq)
    assert isinstance(entry, Entry)
    return entry.text


def test_a_document_without_lines_is_retired_with_its_file_and_name(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    seq = added(memory, HIDDEN)
    memory.consolidate()
    (document,) = memory.documents()
    done = memory.forget(entry=seq)
    assert done.retired == (document.document_id,)
    assert memory.documents() == ()
    assert list(place.files()) == ["CURRENT.md"]
    same_after_rebuild(memory, place)
    again = added(memory, SENTENCES[0])
    memory.consolidate()
    assert memory.documents()[0].document_id != document.document_id
    assert again == seq + 1


def test_titles_and_summaries_of_other_lines_are_made_anew(place: Place) -> None:
    memory, seq = library(place)
    before = {info.document_id: info for info in memory.documents()}
    told = [i for i in before.values() if "flimbart" in i.title + i.summary]
    assert told
    memory.forget(entry=seq)
    for info in memory.documents():
        assert "flimbart" not in info.title + info.summary
        if before[info.document_id] not in told:
            assert info.summary == before[info.document_id].summary


def test_an_event_that_waits_in_current_is_forgotten_too(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    added(memory, SENTENCES[0])
    seq = added(memory, HIDDEN)
    memory.forget(entry=seq)
    assert [entry.text for entry in memory.current()] == [SENTENCES[0]]
    memory.consolidate()
    same_after_rebuild(memory, place)
    assert b"Quenwick" not in bytes_below(place.root)


def test_forgetting_twice_forgets_what_the_first_left(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    first = added(memory, "The flimbart of Quenwick is blue and rests on the upper shelf.")
    second = added(memory, "The grovelmunch of Zorblatt is green and hangs behind the door.")
    memory.consolidate()
    memory.forget(entry=first)
    memory.forget(entry=second)
    same_after_rebuild(memory, place)
    for word in (b"flimbart", b"Quenwick", b"grovelmunch", b"Zorblatt"):
        assert word not in bytes_below(place.root)


def test_the_envelope_stays_and_the_chain_holds(place: Place) -> None:
    memory, seq = library(place)
    db = home(memory).log.connection
    before = [tuple(row) for row in db.execute("SELECT * FROM record")]
    memory.forget(entry=seq)
    after = [tuple(row) for row in db.execute("SELECT * FROM record")]
    assert after[: len(before)] == before
    assert [record.kind for record in memory.log()][-2:] == ["forget", "receipt"]


def test_what_is_left_of_a_record_is_vouched_for(place: Place) -> None:
    memory, seq = library(place)
    done = memory.forget(entry=seq)
    forget = home(memory).log.by_id(done.forget_id)
    vouched = {int(position): value for position, value in forget.body["records"].items()}
    db = home(memory).log.connection
    rows_left = db.execute("SELECT position, commitment FROM erased").fetchall()
    assert vouched == {row[0]: row[1].hex() for row in rows_left}
    position = min(vouched)
    db.execute("DELETE FROM payload WHERE position = ?", (position,))
    db.execute("INSERT INTO payload VALUES (?, ?, ?)", (position, b"k", '{"content": "other"}'))
    with pytest.raises(DamagedError):
        home(memory).log.record(position)


def test_a_preview_changes_nothing(place: Place) -> None:
    memory, seq = library(place)
    before = (home(memory).log.position(), rows(memory), place.files())
    preview = memory.forget(entry=seq, dry_run=True)
    assert (home(memory).log.position(), rows(memory), place.files()) == before
    assert preview.dry_run
    done = memory.forget(entry=seq)
    assert (done.seqs, done.events, done.updated, done.retired, done.records) == (
        preview.seqs,
        preview.events,
        preview.updated,
        preview.retired,
        preview.records,
    )


def test_a_receipt_is_in_the_log_and_says_no_word_of_it(place: Place) -> None:
    memory, seq = library(place)
    done = memory.forget(entry=seq)
    *_, receipt = memory.log(kind="receipt")
    assert receipt.body is not None
    assert receipt.body["forget_id"] == done.forget_id
    assert receipt.body["seqs"] == [seq]
    assert "flimbart" not in json.dumps(receipt.body)


def test_what_is_named_must_be_said_must_fit_together_and_must_be_there(place: Place) -> None:
    memory, seq = library(place)
    position = home(memory).log.position()
    with pytest.raises(InputError, match="say what is to be forgotten"):
        memory.forget()
    with pytest.raises(NotFoundError, match="nothing here fits"):
        memory.forget(entry=seq - 1, external_id="mine")
    for odd in ({"event": 1}, {"entry": "1"}, {"entry": True}, {"external_id": b"mine"}):
        with pytest.raises(InputError):
            memory.forget(**odd)  # type: ignore[arg-type]
    for given in ({"event": "e404"}, {"entry": 404}, {"external_id": "yours"}):
        with pytest.raises(NotFoundError):
            memory.forget(**given)  # type: ignore[arg-type]
    assert home(memory).log.position() == position


def test_a_handle_of_one_project_forgets_nothing_of_another(place: Place) -> None:
    acme = place.open(project="acme")
    seq = added(acme, HIDDEN, id="mine")
    event = acme.get(seq)
    assert isinstance(event, Entry)
    other = place.open(project="zeta")
    for given in ({"entry": seq}, {"event": event.event_ids[0]}, {"external_id": "mine"}):
        with pytest.raises(NotFoundError):
            other.forget(**given)  # type: ignore[arg-type]
    assert acme.get(seq) == event


def test_forgetting_again_says_when_it_was_forgotten(place: Place) -> None:
    memory, seq = library(place)
    event = memory.get(seq)
    assert isinstance(event, Entry)
    memory.forget(entry=seq)
    for given in ({"entry": seq}, {"event": event.event_ids[0]}, {"external_id": "mine"}):
        with pytest.raises(ForgottenError, match="was forgotten on 2026-06-01"):
            memory.forget(**given)  # type: ignore[arg-type]


def test_an_import_does_not_bring_it_back_and_saying_it_again_does(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    lines = [
        json.dumps({"content": HIDDEN, "id": "mine", "time": "2026-03-01"}).encode(),
        json.dumps({"content": CHINESE, "time": "2026-03-02"}).encode(),
        json.dumps({"content": SENTENCES[0], "id": "other"}).encode(),
    ]
    memory.import_lines(lines)
    for entry in memory.current()[:2]:
        memory.forget(entry=entry.seq)
    again = memory.import_lines(lines)
    assert (again.added, again.known, again.forgotten) == (0, 1, 2)
    refused = memory.add(HIDDEN, id="mine")
    assert (refused.seqs, refused.forgotten) == ((), refused.event_ids)
    said = memory.add(CHINESE, time="2026-03-02")
    assert said.forgotten == ()
    assert [entry.text for entry in memory.current()] == [SENTENCES[0], CHINESE]


def test_a_restored_database_is_made_to_forget_again(place: Place) -> None:
    memory, seq = library(place)
    memory.close()
    old = place.root.parent / "old.db"
    shutil.copy(place.database, old)
    memory = place.open(settings=KEEPING)
    memory.forget(entry=seq)
    memory.close()
    for path in place.folder.glob("memory.db*"):
        path.unlink()
    shutil.copy(old, place.database)
    memory = place.open(settings=KEEPING)
    assert memory.finished is not None
    assert memory.finished.seqs == (seq,)
    with pytest.raises(ForgottenError):
        memory.get(seq)
    same_after_rebuild(memory, place)
    memory.close()
    assert b"Quenwick" not in bytes_below(place.root)


def test_the_ledger_holds_ids_and_times_only(place: Place) -> None:
    memory, seq = library(place)
    event = memory.get(seq)
    assert isinstance(event, Entry)
    memory.forget(entry=seq)
    lines = (place.folder / LEDGER).read_text("utf-8").splitlines()
    assert [set(json.loads(line)) for line in lines] == [{"event", "seqs", "whole", "at"}]
    assert json.loads(lines[0])["event"] == event.event_ids[0]


def test_a_ledger_that_was_cut_or_lost_is_written_again(place: Place) -> None:
    memory, seq = library(place)
    memory.forget(entry=seq)
    whole = (place.folder / LEDGER).read_bytes()
    memory.close()
    odd = b'{"event": "e1", "seqs": [1e400], "whole": true, "at": ""}\n'
    for damaged in (b"", whole[:10], b"\xff\xfe[1]\n", odd, b"[" * 100_000):
        (place.folder / LEDGER).write_bytes(damaged)
        memory = place.open()
        assert memory.finished is None
        memory.close()
        assert (place.folder / LEDGER).read_bytes() == whole


def test_a_hand_edited_copy_loses_the_lines_that_hold_it(place: Place) -> None:
    memory, seq = library(place)
    document = memory.get(seq)
    assert isinstance(document, Entry)
    file = place.folder / memory.document(str(document.document_id)).header.file
    memory.close()
    file.write_text(file.read_text("utf-8") + "\nMy own note on goats.\n", "utf-8")
    memory = place.open(settings=KEEPING)
    assert place.copies()
    done = memory.forget(entry=seq)
    memory.close()
    found = bytes_below(place.root)
    assert done.left == ()
    assert b"flimbart" not in found
    assert b"My own note on goats." in found


def test_a_copy_loses_the_line_of_an_entry_whatever_it_was_edited_to(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    seq = added(memory, "Mia owes 20 €.", time="2026-05-01")
    added(memory, "Bees live in the orchard.", time="2026-05-01")
    memory.consolidate()
    file = place.folder / memory.documents()[0].file
    text = file.read_text("utf-8").replace("20 €.", "30 € to Max\n  since May.")
    file.write_text(f"{text}\n# Mine\n\nMy own note.\n", "utf-8")
    memory.state()
    assert place.copies()
    memory.forget(entry=seq)
    found = bytes_below(place.folder / "conflicts").decode()
    for word in ("owes", "30 €", "since May", "mia-owes"):
        assert word not in found
    for word in ("Bees live in the orchard.", "# Mine", "My own note."):
        assert word in found


def test_what_others_say_while_it_runs_is_no_piece_that_was_left(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, seq = library(place)
    other = place.open(settings=KEEPING)
    redact = traces.redact_copies

    def meanwhile(*given: Any) -> int:
        other.add(HIDDEN)
        return redact(*given)

    monkeypatch.setattr(traces, "redact_copies", meanwhile)
    assert memory.forget(entry=seq).left == ()
    assert other.get(seq + 7) == memory.get(seq + 7)


def test_a_stopped_forgetting_is_ended_before_another_one_begins(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, seq = library(place)
    memory.backup()
    later = added(memory, "The ferry to Larkhaven sails at noon.", id="ferry")
    memory.search("Quenwick")
    for which, fault in ((seq, BusyError("index.db", 1)), (later, KeyboardInterrupt())):
        with monkeypatch.context() as patch:
            patch.setattr(FtsIndex, "purge", raising(fault))
            with pytest.raises(type(fault)):
                memory.forget(entry=which)
    memory.forget(external_id="ferry")
    assert memory.status().pending == ()
    memory.close()
    found = bytes_below(place.root).lower()
    for word in (b"quenwick", b"larkhaven"):
        assert word not in found


def raising(fault: BaseException) -> Callable[..., Any]:
    def failed(*_: Any, **__: Any) -> None:
        raise fault

    return failed


@pytest.mark.parametrize("way", ["event", "entry", "external_id"])
def test_trying_again_gives_the_receipt_of_what_was_stopped(
    place: Place, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    memory, seq = library(place)
    entry = memory.get(seq)
    assert isinstance(entry, Entry)
    given: Any = {way: {"event": entry.event_ids[0], "entry": seq, "external_id": "mine"}[way]}
    with monkeypatch.context() as patch:
        patch.setattr(FtsIndex, "purge", raising(BusyError("index.db", 1)))
        with pytest.raises(BusyError):
            memory.forget(**given)
    done = memory.forget(**given)
    assert (done.seqs, done.events) == ((seq,), entry.event_ids)
    with pytest.raises(ForgottenError):
        memory.forget(**given)


def test_a_ledger_that_names_what_is_no_event_is_no_fault(place: Place) -> None:
    memory, seq = library(place)
    memory.forget(entry=seq)
    extraction = next(iter(memory.log(kind="extraction"))).record_id
    memory.close()
    line = {"event": extraction, "seqs": [1], "whole": True, "at": "2026-06-01"}
    with (place.folder / LEDGER).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    memory = place.open(settings=KEEPING)
    assert memory.finished is None
    assert isinstance(memory.get(1), Entry)


@pytest.mark.parametrize("way", ["event", "external_id"])
def test_an_id_that_is_no_unicode_is_unknown(place: Place, way: str) -> None:
    memory, _ = library(place)
    with pytest.raises(NotFoundError):
        memory.forget(**{way: "\ud800"})  # type: ignore[arg-type]
    with pytest.raises(NotFoundError):
        memory.get("\ud800")
