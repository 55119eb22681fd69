"""The ways in: how a text comes into a memory. A new way is one more function in the table `WAYS`."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import anyio
from click.testing import CliRunner
from dens import SIZES, Den
from doomed import Doom
from mcp import Client

from memoranda import Memory, NewEvent
from memoranda.cli import program
from memoranda.errors import MemorandaError
from memoranda.mcp.seal import Seal
from memoranda.mcp.server import serve
from scene import SENTENCES
from served import served, token_for
from web_client import Pages

Given = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """What a way brought in."""

    events: tuple[str, ...]
    """Ids of the events that are to be forgotten: they go whole."""
    parts: tuple[int, ...] = ()
    """Entries that are to be forgotten, of events that stay in part."""


Way = Callable[[Den, Doom], Planted]


# --- the library --------------------------------------------------------------------------------


def content(den: Den, doom: Doom) -> Planted:
    return Planted(events=den.memory.add(doom.text, time="2026-05-03").event_ids)


def said_twice(den: Den, doom: Doom) -> Planted:
    ids = [den.memory.add(doom.text, time=f"2026-05-0{day}").event_ids for day in (3, 4)]
    return Planted(events=tuple(one for found in ids for one in found))


def several(den: Den, doom: Doom) -> Planted:
    told = [NewEvent(content=text) for text in (den.plain(), doom.text, den.plain())]
    return Planted(events=den.memory.add_many(told).event_ids[1:2])


def _field(**given: Callable[[Doom], Any]) -> Way:
    """Make a way of a field of an event whose content is plain."""

    def way(den: Den, doom: Doom) -> Planted:
        fields = {name: value(doom) for name, value in given.items()}
        event = NewEvent(**{"content": den.plain(), **fields})
        return Planted(events=den.memory.add_many([event]).event_ids)

    return way


def messages(den: Den, doom: Doom) -> Planted:
    talk = [
        {"role": "user", "content": doom.text, "name": doom.short, "id": doom.word},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": doom.text}, {"type": "image", "url": doom.text}],
            "tool_calls": [{"name": doom.word, "arguments": json.dumps({"of": doom.text})}],
        },
    ]
    return Planted(events=den.memory.add(talk, session=doom.short).event_ids)


def part_of_a_long_text(den: Den, doom: Doom) -> Planted:
    around = " ".join(den.plain() for _ in range(9))
    later = " ".join(den.plain() for _ in range(9))
    added = den.memory.add(f"{around}\n\n{doom.text}\n\n{later}")
    texts = {seq: den.memory.get(seq).text for seq in added.seqs}  # type: ignore[union-attr]
    some = [doom.text[at : at + 8] for at in range(len(doom.text))]
    parts = tuple(seq for seq, text in texts.items() if any(piece in text for piece in some))
    return Planted(events=added.event_ids, parts=parts)


def a_key(den: Den, doom: Doom) -> Planted:
    text = f"The deployment limit of {doom.word} is 40 pods."
    return Planted(events=den.memory.add(text).event_ids)


def a_title(den: Den, doom: Doom) -> Planted:
    """A document of nothing else is called after it, and so are its file and its heading."""
    told = [f"{doom.text} {number} {doom.text}" for number in range(3)]
    ids = [den.memory.add(text, session="of a title").event_ids[0] for text in told]
    den.memory.consolidate()
    return Planted(events=tuple(ids))


# --- import -------------------------------------------------------------------------------------


def _line(den: Den, doom: Doom) -> bytes:
    given = {
        "content": f"{den.plain()} {doom.text}",
        "id": doom.short,
        "speaker": doom.short,
        "session": doom.word,
        "meta": {"tags": [doom.short], doom.word: {doom.short: doom.text}},
        "time": "2026-05-05",
    }
    return json.dumps(given, ensure_ascii=den.rng.random() < 0.5).encode()


def imported(den: Den, doom: Doom) -> Planted:
    den.lines = [_line(den, doom)]
    before = den.memory.status().position
    assert den.memory.import_lines(den.lines).added == 1
    return Planted(events=_since(den.memory, before))


def imported_beside_malformed_lines(den: Den, doom: Doom) -> Planted:
    line = _line(den, doom)
    bad = [line[:-7], b'{"content": "' + doom.text.encode() + b'", "odd": 1}', b"\xff" + line]
    before = den.memory.status().position
    done = den.memory.import_lines([*bad, line])
    assert (done.added, len(done.malformed)) == (1, 3)
    den.lines = [line]
    return Planted(events=_since(den.memory, before))


def an_archive(den: Den, doom: Doom) -> Planted:
    """It comes from another memory, whole; this one is empty before."""
    with Memory.open(den.folder / "home" / "other", settings=SIZES) as other:
        ids = other.add(doom.text, id=doom.word, speaker=doom.short).event_ids
        other.add_many(NewEvent(content=text) for text in SENTENCES[:6])
        other.consolidate()
        den.archive = den.out / "other.zip"
        other.export(den.archive)
    for path in sorted((den.folder / "home" / "other").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    den.memory.import_archive(den.archive)
    return Planted(events=ids)


def _since(memory: Memory, position: int) -> tuple[str, ...]:
    return tuple(one.record_id for one in memory.log(kind="event") if one.position > position)


# --- the command line ---------------------------------------------------------------------------


def _ran(den: Den, *args: str, given: bytes | None = None) -> Any:
    environ = {"MEMORANDA_ROOT": str(den.place.root), "MEMORANDA_AUTO": "off"}
    done = CliRunner().invoke(program, [*args, "--json"], input=given, env=environ)
    assert done.exit_code in {0, 4}, done.output
    return json.loads(done.stdout)


def typed(den: Den, doom: Doom) -> Planted:
    fields = ("--speaker", doom.short, "--session", doom.short, "--id", doom.short)
    meta = ("--meta", f"tag={doom.short}", "--meta", f"{doom.word}=1")
    done = _ran(den, "add", doom.text, "--source", "external", *fields, *meta)
    return Planted(events=tuple(done["event_ids"]))


def piped(den: Den, doom: Doom) -> Planted:
    done = _ran(den, "add", "-", given=doom.text.encode())
    return Planted(events=tuple(done["event_ids"]))


def imported_by_command(den: Den, doom: Doom) -> Planted:
    before = den.memory.status().position
    den.lines = [_line(den, doom)]
    if den.rng.random() < 0.5:
        _ran(den, "import", "-", given=den.lines[0])
    else:
        file = den.out / "lines.jsonl"
        file.write_bytes(den.lines[0])
        _ran(den, "import", str(file))
    return Planted(events=_since(den.memory, before))


def corrected_by_command(den: Den, doom: Doom) -> Planted:
    (seq,) = den.memory.add(den.plain()).seqs
    done = _ran(den, "correct", str(seq), "-", given=doom.text.encode())
    return Planted(events=tuple(done["event_ids"]))


# --- agents -------------------------------------------------------------------------------------


def _called(den: Den, name: str, given: Given) -> Any:
    async def run() -> Any:
        server = serve(den.memory, Seal(b"a secret of tests"), version="1.2.3")
        async with Client(server, cache=None) as agent:
            return await agent.call_tool(name, dict(given))

    done = anyio.run(run)
    assert not done.is_error, done.content
    return done.structured_content


def remembered(den: Den, doom: Doom) -> Planted:
    given = {"text": doom.text, "source": "user", "id": doom.short, "speaker": doom.word}
    return Planted(events=tuple(_called(den, "remember", given)["event_ids"]))


def corrected_by_an_agent(den: Den, doom: Doom) -> Planted:
    (seq,) = den.memory.add(den.plain()).seqs
    done = _called(den, "correct", {"seq": seq, "text": doom.text})
    return Planted(events=tuple(done["event_ids"]))


# --- services -----------------------------------------------------------------------------------


def _at_the_server(den: Den, call: Callable[[Any], Any]) -> tuple[str, ...]:
    """Call a server on the memory's root; it searches for the text too, and is gone afterwards."""
    with served(den.place.root, settings=den.settings) as server:
        done = call(server.http(name="a service"))
        assert done.status_code == 200, done.text
        return tuple(done.json().get("event_ids", ()))


def added_over_http(den: Den, doom: Doom) -> Planted:
    given = {"content": doom.text, "speaker": doom.short, "session": doom.word, "id": doom.short}
    given |= {"metadata": {"note": doom.text}, "actor": doom.short}  # type: ignore[dict-item]

    def call(http: Any) -> Any:
        done = http.post("/v1/events", json=given, headers={"Idempotency-Key": "k-1"})
        http.post("/v1/search", json={"query": doom.text})
        http.post("/v1/ask", json={"question": doom.text})
        return done

    return Planted(events=_at_the_server(den, call))


def imported_over_http(den: Den, doom: Doom) -> Planted:
    before = den.memory.status().position
    den.lines = [_line(den, doom)]
    _at_the_server(den, lambda http: http.post("/v1/events/lines", content=den.lines[0]))
    return Planted(events=_since(den.memory, before))


def corrected_over_http(den: Den, doom: Doom) -> Planted:
    (seq,) = den.memory.add(den.plain()).seqs
    call = {"url": f"/v1/entries/{seq}/correct", "json": {"text": doom.text}}
    return Planted(events=_at_the_server(den, lambda http: http.post(**call)))


def _at_the_pages(den: Den, call: Callable[[Pages], Any]) -> None:
    """Have a person at the pages of a server, who looks for the text too."""
    with served(den.place.root, web=True, settings=den.settings) as server:
        person = Pages(server.url, token_for(server.gate, name="Mira"))
        try:
            done = call(person)
            assert done.status_code == 303, done.text
            person.get(done.headers["location"])
        finally:
            person.close()


def corrected_on_a_page(den: Den, doom: Doom) -> Planted:
    (seq,) = den.memory.add(den.plain()).seqs
    before = den.memory.status().position

    def call(person: Pages) -> Any:
        done = person.post(f"/entries/{seq}/correct", text=doom.text)
        person.get("/timeline", q=doom.text)
        person.post("/lab", q=doom.text, reader="lexical")
        person.post("/forget/look", query=doom.text)
        return done

    _at_the_pages(den, call)
    return Planted(events=_since(den.memory, before))


def a_reason_on_a_page(den: Den, doom: Doom) -> Planted:
    added = den.memory.add(den.plain())
    path = f"/entries/{added.seqs[0]}/retract"
    _at_the_pages(den, lambda person: person.post(path, reason=doom.text))
    return Planted(events=added.event_ids)


# --- corrections, reasons, comments -------------------------------------------------------------


def corrected(den: Den, doom: Doom) -> Planted:
    (seq,) = den.memory.add(den.plain()).seqs
    return Planted(events=den.memory.correct(seq, doom.text).event_ids)


def corrected_away(den: Den, doom: Doom) -> Planted:
    added = den.memory.add(doom.text)
    den.memory.correct(added.seqs[0], den.plain())
    return Planted(events=added.event_ids)


def a_reason_to_retract(den: Den, doom: Doom) -> Planted:
    added = den.memory.add(den.plain())
    den.memory.retract(added.seqs[0], reason=doom.text)
    return Planted(events=added.event_ids)


def a_comment_on_a_plan(den: Den, doom: Doom) -> Planted:
    """It goes with any entry that the plan names."""
    added = den.memory.add(den.plain())
    _plan_waits(den)
    for plan in den.memory.waiting():
        if not {*added.seqs} & {*den.memory.plan(plan).window}:
            continue  # it waits since before, and is about other entries
        decide = den.memory.approve if den.rng.random() < 0.5 else den.memory.reject
        try:
            decide(plan, reason=doom.text, by="Mira")
        except MemorandaError:
            continue  # it was planned anew
    return Planted(events=added.event_ids)


def _plan_waits(den: Den) -> None:
    """Consolidate so that the plan waits for a person."""
    settings = den.place.settings
    den.place.settings = den.settings = replace(settings, mode="review")
    den.reopened().consolidate()
    den.place.settings = den.settings = settings
    den.reopened()


def a_reason_to_undo(den: Den, doom: Doom) -> Planted:
    added = den.memory.add(den.plain())
    for receipt in den.memory.consolidate():
        if receipt.kind == "consolidate":
            try:
                den.memory.undo(receipt.plan_id, reason=doom.text)
            except MemorandaError:
                continue
            break
    return Planted(events=added.event_ids)


# --- files and answers that come back -----------------------------------------------------------


def written_into_a_document(den: Den, doom: Doom) -> Planted:
    """A person copied it into documents, and into CURRENT.md."""
    added = den.memory.add(doom.text)
    den.memory.consolidate()
    den.memory.state()
    shelf = den.folder / "elsewhere" if den.settings.documents else den.place.folder
    for path in sorted((shelf / "topics").glob("*.md"))[:3]:
        path.write_text(f"{path.read_text('utf-8')}\nMine: {doom.text}\n", "utf-8")
    current = shelf / "CURRENT.md"
    current.write_text(f"{current.read_text('utf-8')}\nMine: {doom.text}\n", "utf-8")
    den.memory.state()
    mark = unicodedata.normalize("NFC", doom.secrets[1])  # what reads like a key is not stored
    copied = [
        one.record_id
        for one in den.memory.log(kind="event")
        if one.body and mark in unicodedata.normalize("NFC", one.body["content"])
    ]
    return Planted(events=tuple(dict.fromkeys([*added.event_ids, *copied])))


def recalled(den: Den, doom: Doom) -> Planted:
    """An agent hands back what it was shown, between words of its own."""
    added = den.memory.add(doom.text)
    den.memory.consolidate()
    shown = den.memory.context(doom.text)
    talk = [{"role": "assistant", "content": f"{den.plain()}\n\n{shown}\n\n{den.plain()}"}]
    den.memory.add(talk)
    return Planted(events=added.event_ids)


WAYS: dict[str, Way] = {
    way.__name__: way
    for way in (
        content, said_twice, several, messages, part_of_a_long_text, a_key, a_title, imported,
        imported_beside_malformed_lines, an_archive, typed, piped, imported_by_command,
        corrected_by_command, remembered, corrected_by_an_agent, corrected, corrected_away,
        added_over_http, imported_over_http, corrected_over_http,
        corrected_on_a_page, a_reason_on_a_page,
        a_reason_to_retract, a_comment_on_a_plan, a_reason_to_undo, written_into_a_document,
        recalled,
    )
} | {
    "speaker": _field(speaker=lambda doom: doom.short),
    "session": _field(session=lambda doom: doom.short),
    "external_id": _field(external_id=lambda doom: doom.short),
    "idempotency_key": _field(idempotency_key=lambda doom: doom.short),
    "actor": _field(actor=lambda doom: doom.short),
    "source_name": _field(source=lambda _: "external", speaker=lambda doom: doom.short),
    "metadata": _field(metadata=lambda doom: {"note": doom.text, doom.word: [{"a": doom.short}]}),
    "tags": _field(metadata=lambda doom: {"tags": [doom.short, doom.word]}),
}  # fmt: skip
"""Every way in, by name."""
FIRST = frozenset({"an_archive"})
"""Ways into a memory that holds nothing yet."""
RULES = frozenset({"part_of_a_long_text"})
"""Ways of which a model would make words of its own, so that more than the part goes."""
