"""A scope, a model that others run into while it thinks, and what must hold whatever they did.

As a program it is one of the others: it does what it reads from standard input, one JSON line each
(`{"root", "do", "facts", "number"}`), through a handle of its own, and writes what was acknowledged.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from memoranda import Memory, Settings
from memoranda.errors import (
    BusyError,
    ForgottenError,
    InputError,
    MemorandaError,
    NotFoundError,
    StalePlanError,
)
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from memoranda.values import LOG
from scene import Place, home, index_rows, rows

SETTINGS = Settings(
    auto=False,
    current_tokens=400,
    split_tokens=110,
    merge_tokens=40,
    entry_tokens=120,
    busy_seconds=20.0,
    trust="model",
    keep_calls=True,
)
RULES = replace(SETTINGS, trust="rules", keep_calls=False)
STEPS = ("extract", "rewrite", "route", "split", "merge")
PATIENCE = 60.0
"""Seconds after which a thread counts as blocked for good."""

OLD = {
    "ferry": "The ferry to the north island leaves at nine from pier four.",
    "limit": "The deployment limit is 40 pods.",
    "kiln": "The old kiln behind the boat shed cracks above 1100 degrees.",
    "goats": "The goats sleep in the low barn beside the orchard.",
    "vault": "The vorbixel quandrat lamp hangs in the orchard barn.",
}
"""What the library holds before; the words of `vault` stand nowhere else."""
FILLING = tuple(
    f"The orchard ledger, page {number}: {fruit} trees need lime and straw before the frost."
    for number, fruit in enumerate(("pear", "plum", "quince", "cherry", "medlar", "apple"), start=2)
)
NEW = {
    "blue": "I keep the blue kiln in the boathouse.",
    "fence": "I want to paint the snorvik fence in May.",
    "finish": "I want to rest before the goats come back.",
    "secret": "The plimbor trezzan key lies under the boathouse stairs.",
    "repeat": "The ferry to the north island leaves at nine from pier four!",
    "limit2": "The deployment limit is 50 pods.",
    "paint": "The paint is in the boathouse.",
    "brushes": "The brushes are in the red tin.",
    "thanks": "ok thanks",
    "rain": "渡轮遇到大雨就停开。",
    "ledger": "The orchard ledger, page 9: walnut trees need lime and straw before the frost.",
}
"""What stands in CURRENT; the words of `secret` and `fence` stand nowhere else."""
WORDS = {
    "secret": ("plimbor", "trezzan"),
    "fence": ("snorvik",),
    "vault": ("vorbixel", "quandrat"),
}
"""What must be gone when an event is forgotten."""
FACT = "Mira keeps the blue kiln in the boathouse."
PAIR = "Mira wants to paint the snorvik fence in May, and to rest before the goats come back."
JOINED = f"{NEW['paint']} {NEW['brushes']}"


# --- the model ----------------------------------------------------------------------------------

_FENCED = re.compile(r"<<<DATA (\S+) (\S+)\n(.*?)\nDATA \1 \2>>>", re.DOTALL)
_FIELDS = {"go": "route", "join": "rewrite", "facts": "extract", "parts": "split", "merge": "merge"}
_TOKENS = re.compile(r"^([a-z]{3,6}) \((\d+) tokens\)", re.MULTILINE)
_TOPICS = (
    ("ledger", "orchard ledger"),
    ("plimbor", "plimbor trezzan key"),
    ("vorbixel", "vorbixel quandrat lamp"),
    ("kiln", "kiln boathouse"),
    ("fence", "snorvik fence"),
    ("paint", "paint boathouse"),
    ("ferry", "ferry north island"),
    ("渡轮", "渡轮大雨"),
    ("pods", "deployment limit pods"),
)


class Seen:
    """What one request shows."""

    def __init__(self, request: Request) -> None:
        said = request.messages[1].content
        self.data = {name: text for name, _, text in _FENCED.findall(said)}
        assert request.schema is not None
        self.step = next(_FIELDS[n] for n in request.schema["properties"] if n in _FIELDS)

    def names(self, place: str, *texts: str) -> list[str]:
        """Give the names under which texts are shown; of those that are not, none."""
        found = []
        for text in texts:
            line = rf"^\s*([a-z]{{3,6}})\b[^\n]*: {re.escape(text)}$"
            hit = re.search(line, self.data[place], re.MULTILINE)
            found += [hit[1]] if hit else []
        return found


def reply_to(request: Request) -> str:
    """Answer as a lively model does: it rewords, joins, names, summarises, splits and merges."""
    shown = Seen(request)
    return json.dumps(_ANSWERS[shown.step](shown), ensure_ascii=False)


def _extract(shown: Seen) -> dict[str, Any]:
    facts = [{"of": name, "fact": FACT} for name in shown.names("events", NEW["blue"])]
    both = shown.names("events", NEW["fence"], NEW["finish"])
    if len(both) == 2:
        facts.append({"of": " ".join(both), "fact": PAIR})
    thanks = shown.names("events", NEW["thanks"])
    return {"facts": facts, "skip": [{"of": name, "why": "greeting"} for name in thanks]}


def _rewrite(shown: Seen) -> dict[str, Any]:
    said: dict[str, Any] = {}
    secret = shown.names("entries", NEW["secret"])
    if secret:
        said["blocks"] = [{"under": "plimbor trezzan", "of": secret[0]}]
    pair = shown.names("entries", PAIR)
    if pair:
        said.setdefault("blocks", []).append({"under": "snorvik fence", "of": pair[0]})
    both = shown.names("entries", NEW["paint"], NEW["brushes"])
    if len(both) == 2:
        said["join"] = [{"of": " ".join(both), "text": JOINED}]
    older = shown.names("older", OLD["kiln"])
    blue = shown.names("entries", FACT)
    said["old"] = [f"{older[0]} {blue[0]}"] if older and blue else []
    return said


def _route(shown: Seen) -> dict[str, Any]:
    titles = re.findall(r'^([a-z]{3,6}) "(.*?)"', shown.data["documents"], re.MULTILINE)
    go = []
    for part in re.split(r"^block ", shown.data["blocks"], flags=re.MULTILINE)[1:]:
        name, text = part.split("\n", 1)
        title = next((title for word, title in _TOPICS if word in text), None)
        if title is None:
            continue
        known = next((alias for alias, found in titles if found.casefold() == title), title)
        words = [word for words in WORDS.values() for word in words if word in text]
        go.append({"blocks": name, "to": known, "sum": " ".join([title, *words])})
    return {"go": go}


def _split(shown: Seen) -> dict[str, Any]:
    sized = [(name, int(tokens)) for name, tokens in _TOKENS.findall(shown.data["blocks"])]
    parts: list[list[str]] = [[]]
    held = 0
    for name, tokens in sized:
        if parts[-1] and held + tokens > 60:
            parts.append([])
            held = 0
        parts[-1].append(name)
        held += tokens
    texts = shown.data["blocks"]
    fruits = [w for w in ("medlar", "apple", "walnut", "cherry", "quince") if w in texts]
    return {
        "parts": [
            {"title": f"orchard ledger {fruits[at % len(fruits)]}", "of": " ".join(part)}
            for at, part in enumerate(parts[1:])
        ]
    }


def _merge(shown: Seen) -> dict[str, Any]:
    found = re.findall(r'^([a-z]{3,6}) "(.*?)"', shown.data["documents"], re.MULTILINE)
    small = [alias for alias, title in found if "ledger" not in title][:2]
    return {"merge": [{"of": " ".join(small)}] if len(small) == 2 else []}


_ANSWERS: Mapping[str, Callable[[Seen], dict[str, Any]]] = {
    "extract": _extract,
    "rewrite": _rewrite,
    "route": _route,
    "split": _split,
    "merge": _merge,
}


def thinking(meanwhile: Callable[[str, int], None]) -> ScriptedModel:
    """Make the model; while it thinks, what is given is called with the step and its number."""
    asked: dict[str, int] = {}
    lock = threading.Lock()

    def answer(request: Request) -> str:
        step = Seen(request).step
        with lock:
            asked[step] = asked.get(step, 0) + 1
            number = asked[step]
        meanwhile(step, number)
        return reply_to(request)

    return ScriptedModel(answer)


# --- the scope ----------------------------------------------------------------------------------


@dataclass
class Facts:
    """What was acknowledged, and what became of it since."""

    seq: dict[str, int] = field(default_factory=dict)
    """Name -> the entry that came of it."""
    event: dict[str, str] = field(default_factory=dict)
    text: dict[str, str] = field(default_factory=dict)
    corrected: dict[int, int] = field(default_factory=dict)
    """Entry -> its correction."""
    retracted: list[int] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    """Names."""
    replaced: list[str] = field(default_factory=list)
    """Names of what a correction, a retraction or a later state put aside."""

    def to_json(self) -> dict[str, Any]:
        found = {**vars(self), "corrected": list(self.corrected.items())}
        return dict(json.loads(json.dumps(found)))

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Facts:
        return cls(**{**found, "corrected": dict(found["corrected"])})

    def added(self, memory: Memory, name: str, text: str, time: str) -> None:
        done = memory.add(text, speaker="Mira", time=time, session=f"s-{time}", id=f"x-{name}")
        self.seq[name], self.event[name], self.text[name] = done.seqs[0], done.event_ids[0], text

    def put_aside(self, memory: Memory, name: str, *, held: bool = False) -> list[int]:
        """Note all that stands in the line of a name, and what holds in its place if that goes too."""
        seqs = list(memory.get(self.seq[name]).seqs)  # type: ignore[union-attr]
        db = home(memory).log.connection
        lines = {seqs[0], *(home(memory).view.holding(seqs[0]) if held else ())}
        mine = {name for name, seq in self.seq.items() if line_of(db, seq) in lines}
        self.replaced += sorted(mine)
        return seqs


def line_of(db: Any, seq: int) -> int:
    row = db.execute("SELECT line FROM entry WHERE seq = ?", (seq,)).fetchone()
    return abs(int(row[0])) if row else 0


def library(place: Place) -> Facts:
    """Make the scope: documents of several kinds, and a CURRENT for every step of a model."""
    facts = Facts()
    with place.open(model=thinking(lambda *_: None)) as memory:
        for number, (name, text) in enumerate(OLD.items()):
            facts.added(memory, name, text, f"2026-04-{number + 1:02}")
        for number, text in enumerate(FILLING[:2]):
            facts.added(memory, f"page{number}", text, f"2026-04-{number + 11:02}")
        memory.consolidate()
        for number, text in enumerate(FILLING[2:], start=2):
            facts.added(memory, f"page{number}", text, f"2026-05-{number + 1:02}")
        for name, text in NEW.items():
            facts.added(memory, name, text, "2026-05-20")
        memory.search("kiln")
    facts.replaced.append("limit")
    return facts


# --- what others do -----------------------------------------------------------------------------

Deed = Callable[[Memory, Facts], None]


def _adds(memory: Memory, facts: Facts) -> None:
    name = f"more{len(facts.text)}"
    facts.added(memory, name, f"Barge {len(facts.text)} came with hay and news.", "2026-05-22")


def _states(memory: Memory, facts: Facts) -> None:
    name = f"limit{len(facts.text)}"
    facts.added(memory, name, f"The deployment limit is {len(facts.text)}0 pods.", "2026-05-23")
    facts.replaced += [other for other in facts.text if other.startswith("limit") and other != name]


def _corrects(name: str) -> Deed:
    def deed(memory: Memory, facts: Facts) -> None:
        seqs = facts.put_aside(memory, name, held=True)
        ends = {seqs[0], *home(memory).view.holding(seqs[0])}
        done = memory.correct(facts.seq[name], f"No, the {name} was sold.", time="2026-05-24")
        facts.corrected |= {
            old: done.seqs[0] for old, new in facts.corrected.items() if new in ends
        }
        facts.corrected[seqs[0]] = done.seqs[0]

    return deed


def _retracts(name: str) -> Deed:
    def deed(memory: Memory, facts: Facts) -> None:
        seqs = facts.put_aside(memory, name)
        memory.retract(seqs[0])
        facts.retracted += seqs

    return deed


def _forgets(name: str) -> Deed:
    def deed(memory: Memory, facts: Facts) -> None:
        memory.forget(event=facts.event[name])
        facts.forgotten.append(name)

    return deed


def _looks(memory: Memory, _: Facts) -> None:
    assert memory.search("boathouse").evidence
    assert memory.status().events


def _consolidates(memory: Memory, _: Facts) -> None:
    memory.consolidate()


def approves(memory: Memory, _: Facts) -> None:
    """Say yes to all that waits."""
    while waiting := memory.waiting():
        with suppress(StalePlanError):  # planned anew, and that waits
            memory.approve(waiting[0])


DEEDS: Mapping[str, Deed] = {
    "add": _adds,
    "state": _states,
    "correct new": _corrects("blue"),
    "correct old": _corrects("kiln"),
    "retract new": _retracts("rain"),
    "retract old": _retracts("ferry"),
    "forget new": _forgets("secret"),
    "forget part": _forgets("fence"),
    "forget old": _forgets("vault"),
    "look": _looks,
    "rules": _consolidates,
    "second": _consolidates,
}
"""What others do. `rules` and `second` consolidate through other handles, by rules and by a model."""


def do(memory: Memory, name: str, facts: Facts) -> None:
    """Do it, and note what was acknowledged; what another deed made impossible is refused, and said."""
    try:
        DEEDS[name](memory, facts)
    except (NotFoundError, ForgottenError, InputError):
        pass  # retracted or forgotten by the deed before
    except BusyError:
        assert name == "second", "a model that thinks holds nobody up"


def elsewhere(place: Place, name: str, facts: Facts) -> None:
    """Do it through a handle of its own."""
    settings = RULES if name == "rules" else SETTINGS
    if name == "second":
        settings = replace(settings, busy_seconds=0.0)
    model = thinking(lambda *_: None) if name == "second" else None
    with place.open(settings=settings, model=model) as memory:
        do(memory, name, facts)


def in_thread(work: Callable[[], None]) -> None:
    """Do something in another thread, to its end: while the caller waits, as a model does."""
    wrong: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - told by the caller
            wrong.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive(), "it is held up by the run"
    if wrong:
        raise wrong[0]


class Helper:
    """Another process that does what it is told."""

    def __init__(self) -> None:
        path = os.pathsep.join([str(Path(__file__).parent.parent), *sys.path])
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        )
        self._number = 0

    def do(self, root: Path, name: str, facts: Facts) -> None:
        """Let it be done, and take what was acknowledged."""
        self._number += 1
        asked = {"root": str(root), "do": name, "facts": facts.to_json(), "number": self._number}
        stdin, stdout = self._pipes()
        stdin.write(json.dumps(asked) + "\n")
        stdin.flush()
        line = stdout.readline()
        assert line, "the other process ended"
        vars(facts).update(vars(Facts.from_json(json.loads(line))))

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def close(self) -> None:
        stdin, stdout = self._pipes()
        stdin.close()
        self._process.wait(PATIENCE)
        stdout.close()


def main() -> int:
    for line in sys.stdin:
        asked = json.loads(line)
        facts = Facts.from_json(asked["facts"])
        place = Place(Path(asked["root"]), SETTINGS, ids=f"h{asked['number']}-")
        elsewhere(place, asked["do"], facts)
        print(json.dumps(facts.to_json()), flush=True)  # noqa: T201 - what the test reads
    return 0


# --- what must hold -----------------------------------------------------------------------------


def nothing_lost(memory: Memory, facts: Facts, met: object) -> None:
    """Every acknowledged event, correction, retraction and forgetting holds."""
    for name, event_id in facts.event.items():
        if name in facts.forgotten:
            continue
        assert memory.get(event_id).content == facts.text[name], (met, name)  # type: ignore[union-attr]
        if name not in facts.replaced and name != "thanks":
            entry = memory.get(facts.seq[name])
            assert not entry.retracted, (met, name)  # type: ignore[union-attr]
            assert entry.superseded_by is None or name == "kiln", (met, name, entry)  # type: ignore[union-attr]
    db = home(memory).log.connection
    for old, new in facts.corrected.items():
        held = memory.get(new)
        assert held.superseded_by is None, (met, old)  # type: ignore[union-attr]
        row = db.execute("SELECT superseded_by, erased FROM entry WHERE seq = ?", (old,)).fetchone()
        assert row[0] is not None or row[1] is not None, (met, old)
    for seq in facts.retracted:
        row = db.execute("SELECT retracted, erased FROM entry WHERE seq = ?", (seq,)).fetchone()
        line = db.execute(
            "SELECT retracted FROM entry WHERE seq = ?", (line_of(db, seq),)
        ).fetchone()
        assert row[0] or row[1] or line[0], (met, seq)


def in_one_place(memory: Memory, met: object) -> None:
    """Every entry stands once; numbers and positions have no gap."""
    db = home(memory).log.connection
    seqs = [row[0] for row in db.execute("SELECT seq FROM entry ORDER BY seq")]
    assert seqs == list(range(1, len(seqs) + 1)), met
    positions = [row[0] for row in db.execute("SELECT position FROM record ORDER BY position")]
    assert positions == list(range(1, len(positions) + 1)), met
    lines = [entry.seqs for entry in memory.current()]
    for info in memory.documents():
        for block in memory.document(info.document_id).blocks:
            lines += [entry.seqs for entry in block.entries]
    shown = sorted(seq for line in lines for seq in line)
    wanted = db.execute(
        "SELECT seq FROM entry WHERE erased IS NULL AND line > 0 "
        "AND document_id IS NOT ? ORDER BY seq",
        (LOG,),
    )
    assert shown == [row[0] for row in wanted], met
    assert memory.check(full=True).flaws == (), met


def gone(root: Path, facts: Facts, met: object) -> None:
    """No word of what was forgotten stands in any file."""
    words = [word.encode() for name in facts.forgotten for word in WORDS[name]]
    for path in root.rglob("*") if words else ():
        if path.is_file():
            data = path.read_bytes()
            assert not [word for word in words if word in data], (met, path.name)


def same_as_a_rebuild(place: Place, memory: Memory, met: object) -> None:
    state = memory.state()
    files, views, terms = place.files(), rows(memory), index_rows(memory)
    place.drop()
    memory.rebuild()
    assert memory.state() == state, met
    assert (place.files(), rows(memory), index_rows(memory)) == (files, views, terms), met
    assert place.copies() == [], met


def holds(place: Place, facts: Facts, met: object) -> None:
    """Look at all of it through a new handle; then let a run go over what is left, and look again."""
    with place.open() as memory:
        nothing_lost(memory, facts, met)
        in_one_place(memory, met)
        same_as_a_rebuild(place, memory, met)
    gone(place.root, facts, met)
    with place.open(model=thinking(lambda *_: None)) as memory:
        memory.consolidate()
        assert memory.last_run is not None
        assert memory.last_run.stopped == "", met
        assert memory.current() == (), met
        nothing_lost(memory, facts, met)
        in_one_place(memory, met)
    gone(place.root, facts, met)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MemorandaError as error:
        sys.exit(str(error))
