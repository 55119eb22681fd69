"""What was forgotten does not come back: by no import, archive, restore, edit, recall or old index."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from canaries import leaks, plain
from memoranda import Memory, NewEvent
from memoranda.errors import NotFoundError
from memoranda.settings import Settings
from scene import QUIET, SENTENCES, Place

BIRD = plain("return")
WAYS: tuple[dict[str, object], ...] = (
    {"external_id": "bird"},
    {"query": BIRD.secret[:30]},
    {"speaker": "Zorblatt"},
    {"seq": "3"},
    {"until": "2026-05-03"},
)


def filled(place: Place, settings: Settings = QUIET) -> Memory:
    memory = place.open(settings=settings)
    memory.add_many(NewEvent(content=text) for text in SENTENCES[:2])
    memory.add(BIRD.text, id="bird", speaker="Zorblatt", time="2026-05-02")
    memory.add_many(NewEvent(content=text) for text in SENTENCES[2:6])
    memory.consolidate()
    return memory


def clean(place: Place) -> None:
    assert leaks(place.root, canaries=[BIRD]) == ()


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_an_import_of_the_same_lines_does_not_bring_it_back(
    place: Place, way: dict[str, object]
) -> None:
    memory = filled(place)
    line = {"content": BIRD.text, "speaker": "Zorblatt", "time": "2026-05-02"}
    with_id = json.dumps({**line, "id": "bird"}).encode()
    memory.forget(**way)  # type: ignore[arg-type]
    done = memory.import_lines([with_id, json.dumps(line).encode()])
    assert (done.added, done.forgotten) == (0, 2)
    memory.close()
    clean(place)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_an_old_database_put_back_forgets_it_again(place: Place, way: dict[str, object]) -> None:
    memory = filled(place)
    memory.close()
    old = place.database.read_bytes()
    place.open(settings=QUIET).forget(**way)  # type: ignore[arg-type]
    place.close()
    for side in ("-wal", "-shm"):
        place.database.with_name(f"memory.db{side}").unlink(missing_ok=True)
    place.database.write_bytes(old)
    with place.open(settings=QUIET) as again:
        assert again.finished is not None
        with pytest.raises(NotFoundError, match="forgotten"):
            again.get(3)
    clean(place)


def test_a_whole_folder_put_back_but_for_the_ledger_forgets_it_again(place: Place) -> None:
    memory = filled(place)
    memory.backup()
    memory.close()
    old = place.root.parent / "old"
    shutil.copytree(place.folder, old)
    place.open(settings=QUIET).forget(all=True)
    place.close()
    ledger = (place.folder / "erased.jsonl").read_bytes()
    shutil.rmtree(place.folder)
    shutil.copytree(old, place.folder)
    (place.folder / "erased.jsonl").write_bytes(ledger)
    shutil.rmtree(old)
    with place.open(settings=QUIET) as again:
        assert again.status().forgotten == 7
    clean(place)


def test_an_old_archive_does_not_bring_it_back(place: Place, tmp_path: Path) -> None:
    memory = filled(place)
    memory.export(tmp_path / "old.zip")
    memory.forget(query=BIRD.secret[:30])
    memory.close()
    ledger = (place.folder / "erased.jsonl").read_bytes()
    other = Place(tmp_path / "other", QUIET)
    other.open().close()
    (other.folder / "erased.jsonl").write_bytes(ledger)
    with other.open() as again:
        again.import_archive(tmp_path / "old.zip")
        with pytest.raises(NotFoundError, match="forgotten"):
            again.get("bird")
    clean(other)


def test_an_old_index_put_back_is_made_anew(place: Place) -> None:
    memory = filled(place)
    memory.search("kiln")
    memory.close()
    old = (place.folder / "index.db").read_bytes()
    with place.open(settings=QUIET) as again:
        again.forget(external_id="bird")
    (place.folder / "index.db").write_bytes(old)
    with place.open(settings=QUIET) as again:
        again.search(BIRD.secret[:12])
    clean(place)


def test_the_index_is_made_anew_only_where_it_missed_something(place: Place) -> None:
    memory = filled(place)
    memory.search("kiln")
    made = (place.folder / "index.db").stat().st_ino
    memory.forget(external_id="bird")
    memory.search("kiln")
    with place.open(settings=QUIET) as again:
        again.add("A new kiln.")
        assert again.search("kiln").evidence
    assert (place.folder / "index.db").stat().st_ino == made


def test_a_recalled_text_that_is_stored_again_does_not_bring_it_back(place: Place) -> None:
    memory = filled(place)
    recalled = memory.context(BIRD.secret[:40])
    assert BIRD.secret[:20] in recalled
    memory.forget(external_id="bird")
    memory.add(f"You said:\n{recalled}\nAnd the ferry?")
    assert "And the ferry?" in str(memory.search("ferry"))
    memory.close()
    clean(place)


def test_a_document_saved_by_an_old_editor_does_not_bring_it_back(place: Place) -> None:
    memory = filled(place)
    (file,) = [
        path
        for path in (place.folder / "topics").iterdir()
        if BIRD.secret[:20] in path.read_text("utf-8")
    ]
    old = file.read_bytes()
    memory.forget(external_id="bird")
    file.write_bytes(old)
    memory.consolidate()
    memory.close()
    with place.open(settings=QUIET) as again:
        assert BIRD.secret[:20] not in str(again.search(BIRD.secret[:40]))
        again.rebuild()
        assert BIRD.secret[:20] not in str(again.search(BIRD.secret[:40]))


def test_a_person_may_say_it_anew(place: Place) -> None:
    memory = filled(place)
    memory.forget(external_id="bird")
    seqs = memory.add(BIRD.text).seqs
    assert memory.get(seqs[0]).text == BIRD.text  # type: ignore[union-attr]


def test_a_replay_shows_when_it_was_erased(place: Place) -> None:
    memory = filled(place)
    position = memory.status().position
    memory.forget(query=BIRD.secret[:30])
    told = memory.replay(position, place.root.parent / "then")
    assert told.erased == 1
    pages = "".join(path.read_text("utf-8") for path in (place.root.parent / "then").rglob("*.md"))
    assert "[erased 2026-06-01]" in pages
    assert BIRD.secret[:12] not in pages
