"""The facade: the public promises, each as a caller meets it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import FrozenInstanceError, fields, replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import memoranda
from memoranda import Entry, Event, Memory, Settings
from memoranda.errors import (
    InputError,
    NotFoundError,
    ScopeNameError,
    StoreError,
    TimeError,
)
from scene import PHONE, SENTENCES, Place, home


def test_a_first_hour_with_it(place: Place) -> None:
    with place.open() as memory:
        memory.add("Ines keeps the harbour keys in the blue tin.", time="2026-05-01")
        memory.add("钥匙现在放在红色的铁盒里。", source="assistant")
        memory.consolidate()
        found = memory.search("Where are the keys?")
        assert "blue tin" in found.evidence[0].entries[0].text
        assert memory.ask("harbour keys").known
        assert "红色的铁盒" in memory.context("钥匙")
        memory.correct(1, "Ines keeps the harbour keys in her coat.")
    with place.open() as memory:
        (top, *older) = memory.search("harbour keys").evidence[0].entries
        assert "coat" in top.text
        assert [entry.superseded_by for entry in older][:1] == [top.seq]


def test_what_was_added_is_on_disk_though_the_process_dies(place: Place) -> None:
    script = (
        "import os, signal, sys\n"
        "from memoranda import Memory\n"
        "memory = Memory.open(sys.argv[1])\n"
        "print(memory.add('The kiln is hot.', id='a').event_ids[0], flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(place.root)], capture_output=True, check=False
    )
    assert done.returncode < 0
    event = place.open().get(done.stdout.decode().strip())
    assert isinstance(event, Event)
    assert event.content == "The kiln is hot."


def test_a_read_sees_a_write_at_once(place: Place) -> None:
    one, two = place.open(), place.open()
    for number in range(5):
        seq = one.add(f"Barge {number} is in.").seqs[0]
        assert two.get(seq).text == f"Barge {number} is in."  # type: ignore[union-attr]
        assert two.current()[-1].seq == seq
        assert f"Barge {number}" in two.context(f"barge {number}")


def test_a_correction_keeps_what_it_corrects(place: Place) -> None:
    memory = place.open()
    memory.add(
        "The kiln is in Leeds.",
        speaker="Mira",
        session="s",
        sensitivity="private",
        time="2026-05-01",
    )
    place.clock.tick(60)
    added = memory.correct(1, "The kiln is in York.", time=datetime(2026, 5, 2, 8, tzinfo=UTC))
    new, old = memory.get(2), memory.get(1)
    assert isinstance(new, Entry)
    assert isinstance(old, Entry)
    assert (new.speaker, new.session, new.sensitivity, new.source) == (
        "Mira",
        "s",
        "private",
        "user",
    )
    assert (new.time, new.supersedes) == ("2026-05-02T08:00Z", (1,))
    assert (old.text, old.superseded_by) == ("The kiln is in Leeds.", 2)
    event = memory.get(added.event_ids[0])
    assert isinstance(event, Event)
    assert event.metadata == {"corrects": 1}


def test_correcting_what_an_assistant_said_is_the_users_word(memory: Memory) -> None:
    memory.add("Call the clerk.", source="assistant", speaker="Bot")
    memory.correct(1, "Call the captain.")
    new = memory.get(2)
    assert isinstance(new, Entry)
    assert (new.source, new.speaker) == ("user", None)


def test_a_correction_is_checked_as_an_add_is(memory: Memory) -> None:
    memory.add("The kiln is in Leeds.")
    for text in ("", " ", "a\0", "\ud800"):
        with pytest.raises(InputError):
            memory.correct(1, text)
    with pytest.raises(TimeError):
        memory.correct(1, "The kiln is in York.", time="soon")
    assert memory.status().events == 1


def test_a_retraction_is_recorded_once(memory: Memory) -> None:
    memory.add("The kiln is hot.")
    receipt = memory.retract(1, reason="不对")
    assert (receipt.kind, receipt.position) == ("retract", 3)
    with pytest.raises(InputError, match="retracted already"):
        memory.retract(1)
    assert memory.status().position == 3
    entry = memory.get(1)
    assert isinstance(entry, Entry)
    assert entry.retracted
    assert memory.search("kiln").evidence == ()


def test_a_retraction_names_the_documents_it_changed(memory: Memory, place: Place) -> None:
    memory.add("The kiln is hot.")
    memory.consolidate()
    receipt = memory.retract(1)
    assert receipt.updated == ("d1",)
    (name,) = [name for name in place.files() if name.startswith("topics/")]
    assert "retracted" in place.files()[name].decode()


@pytest.mark.parametrize("seq", [0, -1, 2, 10**30])
def test_retracting_or_correcting_nothing_is_not_found(memory: Memory, seq: int) -> None:
    memory.add("The kiln is hot.")
    with pytest.raises(NotFoundError):
        memory.retract(seq)
    with pytest.raises(NotFoundError):
        memory.correct(seq, "The kiln is cold.")


@pytest.mark.parametrize(
    ("time", "kept"),
    [
        (None, None),
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T23:00:00-05:00", "2026-03-02T04:00Z"),
        (
            datetime(2026, 3, 1, 9, 30, 0, 5, tzinfo=timezone(timedelta(hours=8))),
            "2026-03-01T01:30:00.000005Z",
        ),
    ],
)
def test_times_are_kept_in_one_form(memory: Memory, time: Any, kept: str | None) -> None:
    event = memory.get(memory.add("The kiln is hot.", time=time).event_ids[0])
    assert isinstance(event, Event)
    assert event.time == kept
    assert event.recorded == "2026-06-01T09:00:00.000000Z"


@pytest.mark.parametrize("time", ["now", "", "2026-03-01T09:30", datetime(2026, 3, 1), 5])  # noqa: DTZ001
def test_a_time_without_a_zone_or_sense_is_refused(memory: Memory, time: Any) -> None:
    with pytest.raises(TimeError):
        memory.add("The kiln is hot.", time=time)
    assert memory.status().events == 0


@pytest.mark.parametrize("name", ["user", "workspace", "project"])
@pytest.mark.parametrize("value", ["", " ", "a\0b", "\ud800"])
def test_a_name_that_cannot_be_a_scope_is_refused(place: Place, name: str, value: str) -> None:
    with pytest.raises(ScopeNameError):
        place.open(**{name: value})


@pytest.mark.parametrize(
    "value", ["../../etc", "a/b", "CON", "名字", ".", "..", "a" * 150, "x\\y", "*"]
)
def test_a_hostile_name_stays_inside_the_root(place: Place, value: str) -> None:
    try:
        memory = place.open(user=value, workspace=value, project=value)
    except ScopeNameError:
        return
    memory.add("The kiln is hot.")
    assert Path(memory.status().folder).is_relative_to(place.root / "users")
    assert len(memory.current()) == 1


def test_values_are_frozen_and_are_their_json(library: Place) -> None:
    memory = library.open()
    added = memory.add("The goat is loose.")
    values: list[Any] = [
        added,
        memory.search("kiln"),
        memory.ask("kiln"),
        memory.get(1),
        memory.get(added.event_ids[0]),
        memory.documents()[0],
        memory.document(memory.documents()[0].document_id),
        memory.status(),
        *memory.history(1),
        *memory.log(limit=3),
    ]
    values += memory.consolidate()
    for value in values:
        assert json.loads(json.dumps(value.to_dict(), ensure_ascii=False)) == value.to_dict()
        assert {item.name for item in fields(value)} <= set(value.to_dict())
        with pytest.raises((FrozenInstanceError, AttributeError)):
            setattr(value, fields(value)[0].name, None)


def test_a_search_has_the_promised_shape(library: Place) -> None:
    memory = library.open()
    found = memory.search("kiln", budget=1200).to_dict()
    assert set(found) == {"tokens", "position", "evidence"}
    for item in found["evidence"]:
        assert set(item) == {
            *("document_id", "title", "headings", "lines", "version", "score", "entries"),
            "left_out",
        }
        for entry in item["entries"]:
            assert {
                *("seq", "time", "source", "speaker", "project", "text", "event_ids"),
                *("external_ids", "superseded_by"),
            } <= set(entry)


def test_every_public_name_can_be_had() -> None:
    assert sorted(memoranda.__all__) == list(memoranda.__all__)
    for name in memoranda.__all__:
        assert getattr(memoranda, name) is not None


def test_one_handle_serves_many_threads(memory: Memory) -> None:
    problems: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for number in range(10):
                seq = memory.add(f"Thread {name} says {number} at noon.").seqs[0]
                assert memory.get(seq).text == f"Thread {name} says {number} at noon."  # type: ignore[union-attr]
                memory.search(f"thread {name}")
                memory.status()
                list(memory.log(limit=3))
        except BaseException as error:  # noqa: BLE001 - shown below
            problems.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert [entry.seq for entry in memory.current()] == list(range(1, 41))


@pytest.mark.parametrize(
    "given",
    [
        {"current_tokens": 10},
        {"split_tokens": 49},
        {"entry_tokens": 0},
        {"merge_tokens": -1},
        {"current_seconds": -1},
        {"busy_seconds": -0.1},
        {"merge_tokens": 6000},
        {"structure": "maybe"},
    ],
)
def test_settings_that_cannot_work_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(given)).split("_")[0]):
        Settings(**given)


def test_settings_come_from_the_environment_only_when_asked(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_CURRENT_TOKENS", "77")
    assert Settings().current_tokens == 5000
    read = Settings.from_environ(
        {
            "MEMORANDA_CURRENT_TOKENS": "77",
            "MEMORANDA_AUTO": "off",
            "MEMORANDA_CURRENT_SECONDS": "1.5",
            "MEMORANDA_STRUCTURE": "off",
            "MEMORANDA_SPLIT_TOKENS": "",
        }
    )
    assert (read.current_tokens, read.auto, read.current_seconds, read.structure) == (
        77,
        False,
        1.5,
        "off",
    )
    assert read.split_tokens == 5000


@pytest.mark.parametrize(
    ("name", "value"), [("AUTO", "perhaps"), ("CURRENT_TOKENS", "many"), ("CURRENT_SECONDS", "1h")]
)
def test_a_wrong_variable_is_named(name: str, value: str) -> None:
    with pytest.raises(InputError, match=f"MEMORANDA_{name}='{value}'"):
        Settings.from_environ({f"MEMORANDA_{name}": value})


def test_the_root_may_come_from_the_environment(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_ROOT", str(place.root / "elsewhere"))
    with Memory.open() as memory:
        assert memory.status().root == str(place.root / "elsewhere")


def test_an_error_inside_the_block_still_closes(place: Place) -> None:
    with pytest.raises(ZeroDivisionError), place.open() as memory:  # noqa: PT012
        memory.add("The kiln is hot.")
        raise ZeroDivisionError
    assert "The kiln is hot." in place.files()["CURRENT.md"].decode()


def test_a_dead_process_leaves_no_lock(place: Place) -> None:
    script = (
        "import os, signal, sys\n"
        "from memoranda import Memory\n"
        "memory = Memory.open(sys.argv[1])\n"
        "memory.add('The kiln is hot.')\n"
        "memory.consolidate(watch=lambda plan: os.kill(os.getpid(), signal.SIGKILL))\n"
    )
    subprocess.run([sys.executable, "-c", script, str(place.root)], check=False)
    memory = place.open(settings=Settings(auto=False, busy_seconds=0.2))
    assert memory.consolidate()
    assert memory.current() == ()


def test_a_state_given_twice_is_one_state_in_two_places_never(memory: Memory) -> None:
    for number in (1, 2, 3):
        memory.add(PHONE.format(number * 1111), session=f"s{number}")
        memory.add(SENTENCES[number], session=f"s{number}")
    memory.consolidate()
    text = "".join(memory.document(info.document_id).markdown for info in memory.documents())
    assert text.count("555-1111") == text.count("555-2222") == 1
    assert home(memory).view.count("superseded") == 2


def test_a_stray_link_costs_its_file_only(place: Place) -> None:
    memory = place.open()
    memory.add("The kiln is hot.", time="2026-05-01")
    memory.add("码头的钥匙在蓝色的铁盒里。", time="2026-05-02")
    memory.consolidate()
    first, *others = memory.documents()
    memory.close()
    spot = place.folder / first.file
    spot.unlink()
    spot.symlink_to(place.folder / "elsewhere.md")
    again = place.open()
    added = again.add("The wheel squeaks.")
    assert again.get(added.seqs[0]).to_dict()["text"] == "The wheel squeaks."
    assert any(first.file in fault for fault in again.status().failed)
    assert not (place.folder / "elsewhere.md").exists()
    spot.unlink()
    again.close()
    healed = place.open()
    assert spot.read_text("utf-8") == healed.document(first.document_id).markdown
    assert healed.status().failed == ()
    assert all((place.folder / info.file).is_file() for info in others)


def test_the_shelf_of_another_scope_is_refused_and_nothing_is_kept_of_it(place: Place) -> None:
    shelf = str(place.root / "shelf")
    own = replace(place.settings, documents=shelf)
    place.open(settings=own).add("The kiln is hot.")
    with pytest.raises(StoreError, match="another scope"):
        place.open(user="bob", settings=own)
    bob = place.open(user="bob")
    bob.add("The tin is red.")
    assert bob.status().documents_folder == bob.status().folder


def test_a_correction_stands_although_its_time_is_earlier(place: Place) -> None:
    memory = place.open()
    memory.add("The rate limit of the ingest API is 200 requests per minute.", time="2026-05-01")
    memory.correct(
        1, "The rate limit of the ingest API is 300 requests per minute.", time="2026-01-01"
    )
    receipts = memory.consolidate()
    assert [receipt.superseded for receipt in receipts if receipt.superseded] == []
    assert memory.get(1).to_dict()["superseded_by"] == 2
    assert memory.get(2).to_dict()["superseded_by"] is None


def test_an_id_of_digits_is_found_where_no_entry_has_that_number(place: Place) -> None:
    memory = place.open()
    memory.add("The kiln is hot.", id="907")
    assert memory.get("907").to_dict()["content"] == "The kiln is hot."
    assert memory.get("1").to_dict()["text"] == "The kiln is hot."


def test_a_message_loses_nothing_it_holds(place: Place) -> None:
    memory = place.open()
    added = memory.add(
        [
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "Looking it up."},
                    {"type": "image_url", "image_url": {"url": "kiln.png"}},
                ],
                "tool_calls": [{"id": "t1", "function": {"name": "kiln"}}],
            }
        ]
    )
    event = memory.get(added.event_ids[0]).to_dict()
    assert event["content"] == "Looking it up."
    assert event["metadata"]["message"] == {
        "tool_calls": [{"id": "t1", "function": {"name": "kiln"}}],
        "parts": [{"type": "image_url", "image_url": {"url": "kiln.png"}}],
    }


def test_a_summary_names_only_what_holds(place: Place) -> None:
    memory = place.open()
    memory.add("The rate limit of the ingest API is 200 requests per minute.", time="2026-05-01")
    memory.add("保险柜的密码写在蓝色的本子里。", time="2026-05-01")
    memory.add("The vault of the museum opens with the word periwinkle.", time="2026-05-02")
    memory.consolidate()
    assert "periwinkle" in " ".join(f"{i.title} {i.summary}" for i in memory.documents())
    memory.add("The rate limit of the ingest API is 350 requests per minute.", time="2026-05-03")
    memory.consolidate()
    memory.retract(3)
    old = memory.get(1)
    assert isinstance(old, Entry)
    assert old.superseded_by == 4
    assert "200" not in memory.document(str(old.document_id)).header.summary
    vault = memory.get(3)
    assert isinstance(vault, Entry)
    info = memory.document(str(vault.document_id)).header
    others = [
        entry
        for block in memory.document(info.document_id).blocks
        for entry in block.entries
        if not entry.retracted
    ]
    assert not others or "periwinkle" not in info.summary


def test_what_was_due_at_opening_is_told(place: Place) -> None:
    quiet = replace(place.settings, current_tokens=50, auto=False)
    memory = place.open(settings=quiet)
    for number in range(12):
        memory.add(f"Shelf {number} holds red glaze and some old brushes of the potter.")
    memory.close()
    assert place.open(settings=quiet).opening == ()
    again = place.open(settings=replace(quiet, auto=True))
    assert [receipt.kind for receipt in again.opening if receipt.kind == "consolidate"]
