"""What a model worded, keyed, joined, left out and named can be forgotten, and then it is nowhere."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from upkeep_laws import entries
from upkeep_model import Asked

from canaries import Canary, leaks
from memoranda import Memory, NewEvent, Settings
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from scene import Place, home

SIZES = Settings(
    current_tokens=2000, split_tokens=2000, merge_tokens=0, entry_tokens=120, auto=False
)
WORDS = {
    "reworded": "vorbelqane trimsoquil",
    "two": "dwalpherix quomsaltive",
    "keyed": "jexolantic brivumple",
    "left out": "omquilder fazentrop",
    "joined": "glimmervost pelqarion",
    "named": "tarvoskine umbelquist",
    "中文": "鹮鼫鹴鹲鸊鸃鹙鸗",
    "private": "zorblaxian wekkeltume",
}
"""Words that stand nowhere else, by what becomes of their event."""
TEXTS = {
    "reworded": (
        f"The {WORDS['reworded']} kiln cracks above 1100 degrees. "
        f"The {WORDS['reworded']} kiln is old."
    ),
    "two": f"The {WORDS['two']} pump drips at night.",
    "keyed": f"The {WORDS['keyed']} office is in Porto.",
    "left out": f"hm, {WORDS['left out']}, hm",
    "joined": f"The {WORDS['joined']} loaf needs rye.",
    "named": f"The {WORDS['named']} ferry leaves at nine.",
    "中文": f"{WORDS['中文']}在船屋后面。",
    "private": f"The {WORDS['private']} safe is in the attic.",
}
OTHERS = {
    "two": "The pump was repaired by Olek in May.",
    "joined": "The rye loaf is baked at 240 degrees.",
    "named": "The ferry from pier nine is white.",
    "plain": "Goats don't eat thistles.",
}
JOINED = f"{TEXTS['joined']} {OTHERS['joined']}"


def right(request: Request) -> str:
    asked = Asked(request)
    reply: dict[str, Any] = {}
    if asked.step == "extract":
        reply = _extract(asked)
    elif asked.step == "rewrite":
        names = {text: name for name, _, text in asked.lines("entries")}
        if {TEXTS["joined"], OTHERS["joined"]} <= names.keys():
            of = f"{names[TEXTS['joined']]} {names[OTHERS['joined']]}"
            reply["join"] = [{"of": of, "text": JOINED}]
        ferry = [name for text, name in names.items() if "ferry" in text]
        if ferry:
            reply["blocks"] = [{"under": f"{WORDS['named']} ferry", "of": " ".join(ferry)}]
    elif asked.step == "route":
        reply = _route(asked)
    return json.dumps(reply, ensure_ascii=False)


def _extract(asked: Asked) -> dict[str, Any]:
    names = {text: name for name, _, text in asked.lines("events")}
    facts: list[dict[str, str]] = []
    skip: list[dict[str, str]] = []
    if TEXTS["reworded"] in names:
        of = names[TEXTS["reworded"]]
        facts.append({"of": of, "fact": f"The {WORDS['reworded']} kiln is old."})
        facts.append({"of": of, "fact": f"The {WORDS['reworded']} kiln cracks above 1100 degrees."})
    if {TEXTS["two"], OTHERS["two"]} <= names.keys():
        of = f"{names[TEXTS['two']]} {names[OTHERS['two']]}"
        fact = f"{TEXTS['two']} {OTHERS['two']}"
        facts.append({"of": of, "fact": fact})
    if TEXTS["keyed"] in names:
        facts.append({"of": names[TEXTS["keyed"]], "key": f"{WORDS['keyed']} office / city"})
    if TEXTS["left out"] in names:
        skip.append({"of": names[TEXTS["left out"]], "why": "noise"})
    return {"facts": facts, "skip": skip}


def _route(asked: Asked) -> dict[str, Any]:
    go = []
    for block, lines in asked.blocks().items():
        texts = " ".join(text for _, _, text in lines)
        for kind in ("named", "reworded", "keyed", "two"):
            if WORDS[kind] in texts:
                go.append({"blocks": block, "to": WORDS[kind], "sum": WORDS[kind]})
                break
        else:
            if WORDS["中文"] in texts:
                go.append({"blocks": block, "to": WORDS["中文"], "sum": WORDS["中文"]})
    return {"go": go}


def events() -> list[NewEvent]:
    found = []
    for number, (kind, text) in enumerate(TEXTS.items()):
        common: dict[str, Any] = {"time": f"2026-05-{number + 1:02}", "session": f"s{number}"}
        source = "tool" if kind == "left out" else "user"
        level = "private" if kind == "private" else "internal"
        found.append(NewEvent(content=text, source=source, sensitivity=level, **common))
        if kind in OTHERS:
            found.append(NewEvent(content=OTHERS[kind], **common))
    return [*found, NewEvent(content=OTHERS["plain"], time="2026-05-20")]


def canary(kind: str) -> list[Canary]:
    """The words of an event: one by one too, as keys and titles may hold a part."""
    words = WORDS[kind].split() or [WORDS[kind]]
    return [Canary(kind, word, word) for word in (WORDS[kind], *words)]


def kept(place: Place, *, calls: bool) -> tuple[Memory, dict[str, str], ScriptedModel]:
    model = ScriptedModel(right)
    memory = place.open(model=model, settings=replace(SIZES, keep_calls=calls))
    told = events()
    ids = memory.add_many(told).event_ids
    memory.consolidate()
    return memory, dict(zip([e.content for e in told], ids, strict=True)), model


def intact(memory: Memory, gone: set[str]) -> None:
    """All events but some are there, and what of them is shown can be read."""
    held = {
        record.body["content"] for record in home(memory).log.records(kind="event") if record.body
    }
    assert held - {""} == {event.content for event in events()} - gone


def test_the_model_did_all_that_is_to_be_forgotten(place: Place) -> None:
    memory, ids, model = kept(place, calls=False)
    assert memory.last_run is not None
    assert memory.last_run.left_to_rules == ()
    shown = "\n".join(memory.document(info.document_id).markdown for info in memory.documents())
    for title in ("named", "reworded", "keyed"):
        assert WORDS[title] in {info.title for info in memory.documents()}, title
    assert f"The {WORDS['reworded']} kiln is old." in shown
    assert f"{TEXTS['two']} {OTHERS['two']}" in shown
    assert JOINED in shown
    assert f"## {WORDS['named']} ferry" in shown
    assert WORDS["left out"] not in shown
    keys = home(memory).log.connection.execute("SELECT key FROM entry_key").fetchall()
    assert any(WORDS["keyed"] in row[0] for row in keys)
    assert len(ids) == len(events())
    assert model.requests


@pytest.mark.parametrize("calls", [False, True], ids=["digests", "texts-of-calls"])
@pytest.mark.parametrize("kind", TEXTS)
def test_a_forgotten_event_is_nowhere_and_the_others_are_intact(
    place: Place, kind: str, *, calls: bool
) -> None:
    memory, ids, _ = kept(place, calls=calls)
    assert leaks(place.root, canaries=canary(kind)) != ()
    done = memory.forget(event=ids[TEXTS[kind]])
    assert done.left == ()
    assert leaks(place.root, canaries=canary(kind)) == ()
    intact(memory, {TEXTS[kind]})
    others = "\n".join(memory.document(info.document_id).markdown for info in memory.documents())
    if kind in OTHERS:
        assert OTHERS[kind] in others
    _again(place, memory, kind)


@pytest.mark.parametrize("kind", TEXTS)
def test_a_forgotten_entry_is_nowhere(place: Place, kind: str) -> None:
    memory, ids, _ = kept(place, calls=True)
    seqs = [
        seq
        for seq, entry in entries(memory).items()
        if WORDS[kind].split()[0] in entry["text"] and entry["line"] > 0
    ]
    for seq in seqs:
        memory.forget(entry=seq)
    assert leaks(place.root, canaries=canary(kind)) == ()
    assert ids
    _again(place, memory, kind)


def _again(place: Place, memory: Memory, kind: str) -> None:
    """Nothing brings it back: no rebuild, no further run of the model, no new handle."""
    state = memory.state()
    assert memory.rebuild().state == state
    assert memory.check().flaws == ()
    memory.consolidate()
    memory.close()
    memory = place.open(settings=SIZES)
    place.drop()
    memory.rebuild()
    assert leaks(place.root, canaries=canary(kind)) == ()
    _no_words(place.root, kind)


def _no_words(root: Path, kind: str) -> None:
    for path in sorted(root.rglob("*")):
        if path.is_file():
            assert WORDS[kind].encode() not in path.read_bytes()


def test_all_can_be_forgotten_one_after_the_other(place: Place) -> None:
    memory, ids, _ = kept(place, calls=True)
    for event_id in ids.values():
        assert memory.forget(event=event_id).left == ()
    assert leaks(place.root, canaries=[c for kind in WORDS for c in canary(kind)]) == ()
    assert memory.documents() == ()
    assert memory.current() == ()
    state = memory.state()
    assert memory.rebuild().state == state


def test_what_waits_in_a_plan_of_the_model_goes_too(place: Place) -> None:
    model = ScriptedModel(right)
    memory = place.open(model=model, settings=replace(SIZES, mode="review", keep_calls=True))
    told = events()
    ids = dict(zip([e.content for e in told], memory.add_many(told).event_ids, strict=True))
    memory.consolidate()
    assert memory.waiting()
    for kind, text in TEXTS.items():
        assert memory.forget(event=ids[text]).left == ()
        assert leaks(place.root, canaries=canary(kind)) == ()
    intact(memory, set(TEXTS.values()))
    assert memory.check().flaws == ()
