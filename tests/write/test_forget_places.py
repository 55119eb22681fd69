"""Every place where a text can hide is emptied; and the scan that says so fails when one is not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from canaries import Canary, canaries, leaks, plain
from memoranda import Entry, Memory, NewEvent
from memoranda.store.erasing import _Erasing
from memoranda.store.index import FtsIndex
from memoranda.store.log import Log
from memoranda.store.operations import Merge, NewBlock, Text
from memoranda.store.projection import Projection
from memoranda.write import forget, redact, steps
from scene import (
    QUIET,
    SENTENCES,
    Place,
    applier,
    create,
    holding,
    home,
    index_rows,
    plan,
    rows,
    said,
    versions,
)

KEEPING = replace(QUIET, adopt=False)
"""Edited files are kept as copies, and these are what is looked at here."""

BIRDS = canaries("places")
KEYED = "The deployment limit of {} is {} pods."


@dataclass(frozen=True)
class Cage:
    """A scope in which canaries went in by every way there is."""

    place: Place
    memory: Memory
    names: tuple[str, ...]
    """External ids of the events that hold them."""
    birds: tuple[Canary, ...]

    def forget(self) -> None:
        for name in self.names:
            self.memory.forget(external_id=name)

    def left(self) -> list[str]:
        return [f"{hit.file} {hit.form} {hit.where}" for hit in self._leaks()]

    def _leaks(self) -> Any:
        return leaks(self.place.root, canaries=self.birds)


def cage(place: Place, birds: tuple[Canary, ...] = BIRDS) -> Cage:
    memory = place.open(settings=KEEPING)
    memory.add_many(NewEvent(content=text, time="2026-05-01") for text in SENTENCES[:10])
    names = [*_added(memory, birds), *_imported(memory, birds), *_in_fields(memory, birds[0])]
    memory.consolidate()
    names += _corrected(memory, birds[0])
    for bird in birds[:3]:
        memory.search(bird.text)
        memory.ask(f"What of {bird.secret}?")
    _edited(memory, place)
    (place.folder / "index.db.damaged-1").write_bytes(birds[0].text.encode())
    memory.backup()
    memory.add_many(NewEvent(content=text, time="2026-05-02") for text in SENTENCES[10:16])
    memory.consolidate()
    return Cage(place, memory, tuple(names), birds)


def _added(memory: Memory, birds: tuple[Canary, ...]) -> Iterator[str]:
    for number, bird in enumerate(birds):
        for time in ("2026-05-03", "2026-05-04"):  # the second repeats the first and joins its line
            yield f"add-{number}-{time}"
            memory.add(bird.text, id=f"add-{number}-{time}", time=time)


def _imported(memory: Memory, birds: tuple[Canary, ...]) -> Iterator[str]:
    lines = []
    for number, bird in enumerate(birds):
        yield f"import-{number}"
        data = {"content": f"It says {bird.text}", "id": f"import-{number}", "session": "s1"}
        lines.append(json.dumps(data, ensure_ascii=number % 2 == 0).encode())
    assert memory.import_lines(lines).malformed == ()


def _in_fields(memory: Memory, bird: Canary) -> Iterator[str]:
    yield from ("fields", "chat/1", "key")
    memory.add(
        SENTENCES[16],
        id="fields",
        speaker=bird.secret[:40],
        session=bird.secret[40:80],
        actor=bird.secret[20:60],
        metadata={"note": bird.text, bird.secret[:25]: [bird.secret]},
    )
    talk = [
        {"role": "user", "content": bird.text, "name": "Mira"},
        {"role": "tool", "content": "Ja."},
    ]
    memory.add(talk, id="chat")
    memory.add(KEYED.format(bird.secret.split()[0], 40), id="key")


def _corrected(memory: Memory, bird: Canary) -> Iterator[str]:
    """A correction has an event of its own; a reason stands in the log, and goes with its entry."""
    yield "wrong"
    (seq,) = memory.add(f"Wrong: {bird.text}", id="wrong").seqs
    done = memory.correct(seq, f"Right: {bird.text}")
    (event,) = done.event_ids
    memory.retract(done.seqs[0], reason=bird.secret)
    memory.forget(event=event)


def _edited(memory: Memory, place: Place) -> None:
    """A person wrote into a document that holds a canary: the edit is kept as a copy."""
    entry = memory.get(memory.search(BIRDS[0].text).evidence[0].entries[0].seq)
    assert isinstance(entry, Entry)
    for info in memory.documents():
        file = place.folder / info.file
        file.write_text(file.read_text("utf-8") + "\nMine.\n", "utf-8")
    memory.state()
    assert place.copies()


def test_no_piece_of_a_canary_is_left_anywhere_and_nothing_else_is_lost(place: Place) -> None:
    held = cage(place)
    assert len({file.split()[0] for file in held.left()}) > 5
    kept = [text for text in holding(held.memory) if text in {*SENTENCES, "Ja."}]
    held.forget()
    assert held.left() == []
    assert sorted(holding(held.memory)) == sorted(text for text in kept if text != SENTENCES[16])
    files, views, index = place.files(), rows(held.memory), index_rows(held.memory)
    held.memory.rebuild()
    assert held.left() == []
    assert (place.files(), rows(held.memory), index_rows(held.memory)) == (files, views, index)
    held.memory.consolidate()
    held.memory.close()
    assert held.left() == []
    for bird in BIRDS:
        assert place.open().search(bird.text, budget=400).evidence == () or bird.text not in str(
            place.open().search(bird.text, budget=400)
        )
    assert len(list((place.folder / "backups").iterdir())) == 1


def test_the_receipts_scan_finds_what_is_not_ours(place: Place) -> None:
    held = cage(place, (plain("mine"),))
    foreign = place.folder / "topics" / "notes of a person.md"
    foreign.write_text(f"I read: {held.birds[0].text}", "utf-8")
    *_, last = [held.memory.forget(external_id=name) for name in held.names]
    assert last.left == (f"topics/{foreign.name}",)
    assert foreign.exists()


def test_backups_elsewhere_are_named_as_out_of_reach(place: Place, tmp_path: Path) -> None:
    held = cage(place, (plain("away"),))
    held.memory.backup(tmp_path / "copy.db")
    done = held.memory.forget(external_id=held.names[0])
    assert done.out_of_reach == (f"{tmp_path / 'copy.db'} (backup of 2026-06-01)",)
    assert held.memory.forget(external_id=held.names[1]).out_of_reach == done.out_of_reach


# --- the control: each removal step switched off in turn must be seen -----------------------------


def _nothing(*_: Any, **__: Any) -> None:
    pass


def _keep_events(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(redact, "event_gone", lambda body, _: body)


def _keep_entries(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_Erasing, "_blank", _nothing)


def _only_delete_index_rows(patch: pytest.MonkeyPatch) -> None:
    def purge(self: FtsIndex, units: Any, **_: Any) -> bool:
        self.delete(units)
        return True

    patch.setattr(FtsIndex, "purge", purge)


def _keep_files(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Projection, "sync", lambda *_, **__: ())


def _keep_wal(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Log, "checkpoint", lambda _: True)


PARTS: tuple[Callable[[pytest.MonkeyPatch], None], ...] = (
    _keep_events,
    _keep_entries,
    _only_delete_index_rows,
    _keep_files,
    _keep_wal,
)


SEEN = (
    "copies",
    "events",
    "extractions",
    "names",
    "payloads",
    "views",
    "index",
    "damaged",
    "backups",
)
"""Steps whose absence this cage shows; `tests/forget` shows the others."""


@pytest.mark.parametrize("name", SEEN)
def test_the_scan_sees_each_step_by_name(
    place: Place, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = cage(place, BIRDS[:2])
    left_out = tuple(step for step in steps.STEPS if step.name != name)
    assert len(left_out) == len(steps.STEPS) - 1
    monkeypatch.setattr(forget, "STEPS", left_out)
    held.forget()
    assert held.left() != []


@pytest.mark.parametrize("off", PARTS, ids=lambda step: step.__name__.strip("_"))
def test_the_scan_sees_each_part_of_a_step_that_is_left_out(
    place: Place, off: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = cage(place, BIRDS[:2])
    off(monkeypatch)
    held.forget()
    assert held.left() != []


def test_text_in_free_pages_is_seen_when_secure_delete_is_off(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Log, "vacuum", _nothing)
    held = cage(place, BIRDS[:2])
    home(held.memory).log.connection.execute("PRAGMA secure_delete = OFF")
    held.forget()
    assert held.left() != []


def test_a_backup_of_ours_with_a_name_of_its_own_is_made_anew_too(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    memory.add(BIRDS[0].text, id="bird")
    folder = place.folder / "backups"
    folder.mkdir()
    memory.backup(folder / "mine.db")
    (folder / "other.db").write_bytes(b"no database")
    (folder / "folder.db").mkdir()
    assert memory.forget(external_id="bird").left == ()
    names = sorted(path.name for path in folder.iterdir())
    assert [name for name in names if not name.startswith("memory-")] == ["folder.db", "other.db"]
    assert len(names) == 3


def test_odd_things_among_the_kept_copies_stop_nothing(place: Place) -> None:
    memory = place.open(settings=KEEPING)
    memory.add(BIRDS[0].text, id="bird")
    folder = place.folder / "conflicts"
    (folder / "inside").mkdir(parents=True)
    (folder / "inside" / "mine.md").write_text(BIRDS[0].text, "utf-8")
    (folder / "link.md").symlink_to(place.database)
    assert memory.forget(external_id="bird").left == ("conflicts/inside/mine.md",)
    assert memory.status().pending == ()


@pytest.mark.parametrize("keeps", [False, True], ids=["taken", "kept"])
def test_the_title_of_a_document_that_was_merged_away_goes_with_what_it_was_made_of(
    place: Place, monkeypatch: pytest.MonkeyPatch, *, keeps: bool
) -> None:
    memory = place.open(settings=KEEPING)
    bird = BIRDS[0]
    for text in (bird.text, SENTENCES[0], SENTENCES[1]):
        memory.add(text)
    own = Text(text=bird.secret, made_from=(1,))
    named = create("d1", NewBlock(headings=(own,), seqs=(1, 2)))
    other = create("d2", NewBlock(headings=(said("Kilns"),), seqs=(3,)))
    applier(memory).apply(plan(replace(named, title=own, summary=own), other, window=(1, 2, 3)))
    merged = Merge(document_id="d2", absorbs=("d1",), title=None, summary=said("About kilns."))
    applier(memory).apply(plan(merged, versions=versions(memory), kind="reshape"))
    if keeps:
        monkeypatch.setattr(_Erasing, "_forget_names", _nothing)
    memory.forget(entry=1)
    assert (leaks(place.root, canaries=[bird]) != ()) is keeps
