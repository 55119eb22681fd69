"""Scopes full of canary words, handles of all kinds on them, and surfaces through which they are asked."""

from __future__ import annotations

import json
import logging
import random
import re
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from cli_command import Command
from memoranda import Memory, NewEvent, Settings
from memoranda.errors import MemorandaError
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from memoranda.mcp import arguments, failures
from memoranda.mcp.seal import Seal
from memoranda.mcp.shapes import plain as shaped
from memoranda.mcp.tool import Desk
from memoranda.mcp.tools import TOOLS
from memoranda.values import SENSITIVITIES, plain
from served import Served, served, token_for
from web_client import Pages

WORD = re.compile(r"kq[a-z]{12}zx", re.IGNORECASE)
"""The form of a canary: it stands in no other text."""
PROJECTS = (None, "alpha", "beta")
LABELS = (None, "team-a", "team-b")
THINGS = ("crane", "garden", "engine", "harbour", "budget", "lantern", "orchard", "ferry")
SHAPES = (
    "The {thing} report of {a} names {b} as the next step.",
    "The deployment limit of the {thing} is {n} pods, as {a} wrote to {b}.",
    "My phone number is 555-{n}, ask {a} for {b}.",
    "{a} moved the {thing} to berth {n} beside {b}.",
    "{thing}的上限是{n}吨，{a} 与 {b} 同意。",
)
SMALL = Settings(current_tokens=250, split_tokens=1000, merge_tokens=120)
QUIET = Settings(current_tokens=250, auto=False)


@dataclass(frozen=True, slots=True)
class Canary:
    """Whose a word is, and who may see it."""

    scope: int
    level: str
    project: str | None
    label: str | None


@dataclass(slots=True)
class Kind:
    """How a handle is opened."""

    clearance: str = "private"
    projects: tuple[str, ...] | None = None
    labels: tuple[str, ...] | None = None
    project: str | None = None
    role: str = "owner"

    def sees(self, canary: Canary) -> bool:
        """Say whether a word of the same scope may be seen."""
        return (
            SENSITIVITIES.index(canary.level) <= SENSITIVITIES.index(self.clearance)
            and (self.projects is None or canary.project in {None, *self.projects})
            and (self.project is None or canary.project in {None, self.project})
            and (self.labels is None or canary.label is None or canary.label in self.labels)
        )

    def given(self) -> dict[str, Any]:
        """Give the arguments of `Memory.open`."""
        return {
            "clearance": self.clearance,
            "projects": self.projects,
            "labels": self.labels,
            "project": self.project,
            "role": self.role,
        }

    def flags(self) -> list[str]:
        """Give the flags of the command line."""
        flags = ["--clearance", self.clearance, "--role", self.role]
        flags += ["--only-projects", ",".join(self.projects)] if self.projects else []
        flags += ["--labels", ",".join(self.labels)] if self.labels else []
        return flags + (["--project", self.project] if self.project else [])


KINDS = (
    Kind(),
    Kind(clearance="internal"),
    Kind(clearance="public"),
    Kind(clearance="internal", projects=("alpha",)),
    Kind(labels=("team-a",)),
    Kind(clearance="internal", labels=(), role="reader"),
    Kind(project="beta"),
    Kind(clearance="public", project="alpha", role="writer"),
)


class Overheard:
    """A model that answers nothing of use, and what it was shown."""

    def __init__(self) -> None:
        self.model = ScriptedModel(lambda _: {"done": True}, name="overheard")

    def prompts(self) -> str:
        """Give all that was shown to it since the last time."""
        said = "\n".join(_all_of(request) for request in self.model.requests)
        self.model.requests.clear()
        return said


def _all_of(request: Request) -> str:
    return repr(request)


@dataclass(slots=True)
class View:
    """One handle on one scope."""

    world: World
    scope: int
    kind: Kind
    memory: Memory
    heard: Overheard

    @property
    def user(self) -> str:
        return f"user{self.scope}"


class World:
    """Some scopes below one data root, filled with canaries."""

    def __init__(self, root: Path, *, scopes: int, seed: int, texts: int = 24) -> None:
        self.root = root
        self.rng = random.Random(seed)  # noqa: S311 - no secret
        self.words: dict[str, Canary] = {}
        self.by_scope: dict[int, list[str]] = {scope: [] for scope in range(scopes)}
        self._views: dict[tuple[int, int], View] = {}
        self._serving = ExitStack()
        self._server: Served | None = None
        self._services: dict[tuple[int, int], httpx2.Client] = {}
        self._pages: dict[tuple[int, int], Pages] = {}
        self.logged = Logged()
        logging.getLogger().addHandler(self.logged)
        for scope in range(scopes):
            for _ in range(texts):
                self.tell(self.view(scope, 0))
            self.view(scope, 0).memory.consolidate()

    def close(self) -> None:
        """Close every handle."""
        for pages in self._pages.values():
            pages.close()
        self._serving.close()
        logging.getLogger().removeHandler(self.logged)
        for view in self._views.values():
            view.memory.close()

    def view(self, scope: int, kind: int) -> View:
        """Give the handle of a kind on a scope."""
        if (scope, kind) not in self._views:
            heard = Overheard()
            memory = Memory.open(
                self.root,
                user=f"user{scope}",
                settings=SMALL if kind == 0 else QUIET,
                model=None if kind == 0 else heard.model,
                **KINDS[kind].given(),
            )
            self._views[scope, kind] = View(self, scope, KINDS[kind], memory, heard)
        return self._views[scope, kind]

    def service(self, view: View) -> httpx2.Client:
        """Give the client of a token like the handle, at a server on the same root."""
        key = (view.scope, KINDS.index(view.kind))
        if key not in self._services:
            self._services[key] = self.server().http(user=view.user, **view.kind.given())
        return self._services[key]

    def pages(self, view: View) -> Pages:
        """Give somebody at the pages of the server, logged in by a token like the handle."""
        key = (view.scope, KINDS.index(view.kind))
        if key not in self._pages:
            server = self.server()
            token = token_for(server.gate, user=view.user, **view.kind.given())
            self._pages[key] = Pages(server.url, token)
        return self._pages[key]

    def server(self) -> Served:
        """Give the server on the same root, started when it is first asked for."""
        if self._server is None:
            self._server = self._serving.enter_context(served(self.root, web=True, settings=QUIET))
        return self._server

    def word(self, scope: int, level: str, project: str | None, label: str | None) -> str:
        """Make a word that stands nowhere else."""
        letters = "".join(self.rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(12))
        word = f"kq{letters}zx"
        self.words[word] = Canary(scope, level, project, label)
        self.by_scope[scope].append(word)
        return word

    def tell(self, view: View) -> str:
        """Add a text at a level, of a project and with a label that the handle may use."""
        kind, rng = view.kind, self.rng
        level = rng.choice(SENSITIVITIES[: SENSITIVITIES.index(kind.clearance) + 1])
        label = rng.choice([None, *(LABELS[1:] if kind.labels is None else kind.labels)])
        project = kind.project
        if project is None:
            allowed = PROJECTS if kind.projects is None else (None, *kind.projects)
            project = rng.choice(allowed)
        text = rng.choice(SHAPES).format(
            thing=rng.choice(THINGS),
            n=rng.randrange(1000),
            a=self.word(view.scope, level, project, label),
            b=self.word(view.scope, level, project, label),
        )
        view.memory.add_many(
            [
                NewEvent(
                    content=text,
                    sensitivity=level,
                    project=project,
                    session=f"s{rng.randrange(4)}",
                    metadata={"access": [label]} if label else {},
                )
            ]
        )
        return text

    def asked(self, view: View) -> str:
        """Give a word to ask for: of the scope or of another, one that may be seen or not."""
        if self.rng.random() < 0.2:
            return self.rng.choice([*self.words])
        return self.rng.choice(self.by_scope[view.scope])

    def leaks(self, view: View, said: str, asked: Iterable[str] = ()) -> set[str]:
        """Name the words in what was said that the handle may not see; what it asked for aside."""
        found = {word.lower() for word in WORD.findall(said)} - {word.lower() for word in asked}
        return {
            word
            for word in found
            if (canary := self.words.get(word)) is None
            or canary.scope != view.scope
            or not view.kind.sees(canary)
        }


class Logged(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


# --- surfaces -----------------------------------------------------------------------------------

Surface = Callable[[View, random.Random], tuple[str, tuple[str, ...]]]
"""Does one thing through a surface; gives all that was said, and the words that it named itself."""


def dumped(value: object) -> str:
    """Everything of a value as text."""
    if isinstance(value, tuple | list):
        return "\n".join(map(dumped, value))
    return value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)


def library(view: View, rng: random.Random) -> tuple[str, tuple[str, ...]]:
    """One call of the library."""
    name, work = rng.choice(CALLS)
    asked = view.world.asked(view)
    try:
        said = dumped(work(view, asked, rng))
    except MemorandaError as error:
        said = f"{error!r} {error} {vars(error)}"
    return f"{name}: {said}", (asked,)


def _document(view: View, rng: random.Random) -> str:
    """A document's id: one that is there, for this handle or not."""
    return f"d{rng.randrange(1, 9)}"


def _seq(view: View, rng: random.Random) -> int:
    return rng.randrange(1, 2 + len(view.world.by_scope[view.scope]) // 2)


def _citation(view: View, rng: random.Random) -> str:
    """Some lines of a document as it is, from the first on."""
    return f"{_document(view, rng)}@{view.memory.status().position}:1-{rng.randrange(1, 15)}"


def _change(view: View, rng: random.Random) -> object:
    """Let the owner change something: more is told, consolidated, raised, retracted, undone."""
    owner = view.world.view(view.scope, 0).memory
    match rng.randrange(12):
        case 0:
            return dumped(owner.consolidate()) and ""
        case 1:
            owner.retract(_seq(view, rng), reason="not so")
        case 2:
            _raise(view, rng)
        case 3:
            plans = [item for item in owner.log(kind="plan") if item.body["kind"] != "mark"]
            if plans:  # a mark that is undone lets words be seen again
                owner.undo(plans[-1].record_id)
        case _:
            view.world.tell(view.world.view(view.scope, 0))
    return ""


def _raise(view: View, rng: random.Random) -> None:
    """Let the owner mark an entry private, and with it the words of its events."""
    world = view.world
    owner = world.view(view.scope, 0).memory
    done = owner.mark(_seq(view, rng), "private")
    for event_id in done.events:
        event = owner.get(event_id)
        for word in WORD.findall(dumped(event)):
            known = world.words[word]
            world.words[word] = Canary(known.scope, "private", known.project, known.label)


def _told(view: View, rng: random.Random) -> object:
    if view.kind.role == "reader":
        return view.memory.add(f"A reader adds {rng.random()}.")
    view.world.tell(view)
    return ""


Call = Callable[[View, str, random.Random], object]
CALLS: tuple[tuple[str, Call], ...] = (
    ("search", lambda v, w, r: v.memory.search(w, budget=r.choice((300, 4000)))),
    ("search all", lambda v, _, r: v.memory.search(r.choice(THINGS), budget=9000)),
    ("context", lambda v, w, r: v.memory.context(r.choice((w, *THINGS)))),
    ("filters", lambda v, _, r: v.memory.search(r.choice(THINGS), sensitivity=r.choice(SENSITIVITIES))),
    ("ask", lambda v, w, r: v.memory.ask(f"{r.choice((w, 'limit'))} {r.choice(THINGS)}", reader="lexical")),
    ("ask a model", lambda v, w, r: v.memory.ask(f"{r.choice(THINGS)} {w}?")),
    ("get", lambda v, _, r: v.memory.get(_seq(v, r))),
    ("documents", lambda v, _, __: v.memory.documents()),
    ("document", lambda v, _, r: v.memory.document(_document(v, r))),
    ("document by name", lambda v, w, _: v.memory.document(w)),
    ("current", lambda v, _, __: v.memory.current()),
    ("history", lambda v, _, r: v.memory.history(r.choice((_seq(v, r), _document(v, r))))),
    ("timeline", lambda v, _, r: v.memory.timeline(_seq(v, r))),
    ("grep", lambda v, _, r: v.memory.grep(r.choice(("kq", "limit", "上限")), limit=r.choice((1, 500)))),
    ("lines", lambda v, _, r: v.memory.read_lines(r.choice((_document(v, r), "CURRENT")))),
    ("facts", lambda v, w, r: v.memory.facts(r.choice((w, "phone", *THINGS)))),
    ("events", lambda v, _, r: v.memory.events(r.choice(("", *THINGS)))),
    ("catalog", lambda v, w, r: v.memory.list_documents(query=r.choice((None, w)))),
    ("status", lambda v, _, __: v.memory.status()),
    ("lint", lambda v, _, __: v.memory.lint()),
    ("blame", lambda v, _, r: v.memory.blame(_document(v, r))),
    ("diff", lambda v, _, r: v.memory.diff(_document(v, r))),
    ("cite", lambda v, _, r: v.memory.resolve(_citation(v, r))),
    ("tool", lambda v, w, r: v.memory.toolbox().call("search", {"query": r.choice((w, *THINGS))}).text),
    ("log", lambda v, _, __: tuple(v.memory.log(limit=40))),
    ("plans", lambda v, _, __: v.memory.plans()),
    ("then", lambda v, _, r: v.memory.search(r.choice(THINGS), true_at="2099")),
    ("tell", lambda v, _, r: _told(v, r)),
    ("change", lambda v, _, r: _change(v, r)),
)  # fmt: skip

TOOL_CALLS: tuple[tuple[str, Callable[[View, str, random.Random], dict[str, Any]]], ...] = (
    ("search", lambda _, w, r: {"query": r.choice((w, *THINGS))}),
    ("context", lambda _, w, r: {"query": r.choice((w, *THINGS))}),
    ("ask", lambda _, w, r: {"question": r.choice((w, *THINGS))}),
    ("fetch", lambda v, w, r: {"id": r.choice((w, _document(v, r), str(_seq(v, r)), "CURRENT"))}),
    ("history", lambda v, _, r: {"ref": r.choice((_document(v, r), str(_seq(v, r))))}),
    ("list_documents", lambda _, w, r: {"query": r.choice((None, w))}),
    ("read_lines", lambda v, _, r: {"document": _document(v, r)}),
    ("grep", lambda _, __, r: {"pattern": r.choice(("kq", "limit"))}),
    ("facts", lambda _, w, r: {"subject": r.choice((w, *THINGS))}),
    ("plans", lambda _, __, ___: {}),
)
SEAL = Seal(b"a secret of tests")


def tools(view: View, rng: random.Random) -> tuple[str, tuple[str, ...]]:
    """One call of a tool, as the MCP server works it off."""
    name, make = rng.choice(TOOL_CALLS)
    asked = view.world.asked(view)
    tool = TOOLS[name]
    try:
        given = arguments.read(tool.arguments, make(view, asked, rng))
        done = tool.work(Desk(memory=view.memory, seal=SEAL), given)
        said = f"{done.text}\n{json.dumps(shaped(done.value), ensure_ascii=False)}"
    except MemorandaError as error:
        said = failures.told(error)
    return f"{name}: {said}", (asked,)


COMMANDS: tuple[Callable[[View, str, random.Random], list[str]], ...] = (
    lambda _, w, r: ["search", r.choice((w, *THINGS))],
    lambda _, w, r: ["context", r.choice((w, *THINGS))],
    lambda _, w, r: ["ask", r.choice((w, *THINGS))],
    lambda _, __, ___: ["list"],
    lambda v, _, r: ["show", _document(v, r)],
    lambda v, _, r: ["get", str(_seq(v, r))],
    lambda v, _, r: ["history", _document(v, r)],
    lambda _, __, ___: ["grep", "kq"],
    lambda _, __, r: ["facts", r.choice(THINGS)],
    lambda _, __, r: ["events", r.choice(THINGS)],
    lambda _, __, ___: ["documents"],
    lambda v, _, r: ["blame", _document(v, r)],
    lambda v, _, r: ["diff", _document(v, r)],
    lambda _, __, ___: ["log"],
    lambda _, __, ___: ["status"],
    lambda _, __, ___: ["lint"],
    lambda _, __, ___: ["doctor"],
    lambda _, __, ___: ["plans", "list"],
    lambda _, __, ___: ["metrics"],
    lambda v, _, r: ["retract", str(_seq(v, r) + 10_000)],
)


def command(view: View, rng: random.Random) -> tuple[str, tuple[str, ...]]:
    """One command line, in this process."""
    asked = view.world.asked(view)
    args = rng.choice(COMMANDS)(view, asked, rng)
    extra = ["--json"] if rng.random() < 0.5 else []
    result = Command(view.world.root)(
        *args, *extra, "--user", view.user, *view.kind.flags(), MEMORANDA_AUTO="no"
    )
    return f"{' '.join(args)}: {result.output}{result.stderr}", (asked,)


REQUESTS: tuple[Callable[[View, str, random.Random], tuple[str, str, dict[str, Any]]], ...] = (
    lambda _, w, r: ("POST", "search", {"query": r.choice((w, *THINGS)), "budget": 9000}),
    lambda _, w, r: ("POST", "context", {"query": r.choice((w, *THINGS))}),
    lambda _, w, r: ("POST", "ask", {"question": r.choice((w, *THINGS))}),
    lambda _, w, r: ("POST", "ask/events", {"question": r.choice((w, *THINGS))}),
    lambda _, __, ___: ("POST", "grep", {"pattern": "kq"}),
    lambda _, w, r: ("POST", "facts", {"subject": r.choice((w, *THINGS))}),
    lambda _, __, r: ("POST", "events/search", {"query": r.choice(("", *THINGS))}),
    lambda _, w, r: ("POST", "catalog", {"query": r.choice((w, *THINGS))}),
    lambda v, _, r: ("POST", "citations", {"citation": _citation(v, r)}),
    lambda _, __, ___: ("GET", "documents", {}),
    lambda _, __, ___: ("GET", "current", {}),
    lambda _, __, ___: ("GET", "status", {}),
    lambda _, __, ___: ("GET", "log", {}),
    lambda _, __, ___: ("GET", "plans", {}),
    lambda _, __, ___: ("GET", "waiting", {}),
    lambda _, __, ___: ("GET", "lint", {}),
    lambda v, _, r: ("GET", f"documents/{_document(v, r)}", {}),
    lambda v, _, r: ("GET", f"lines/{_document(v, r)}", {}),
    lambda v, _, r: ("GET", f"blame/{_document(v, r)}", {}),
    lambda v, _, r: ("GET", f"diff/{_document(v, r)}", {}),
    lambda v, _, r: ("GET", f"history/{_document(v, r)}", {}),
    lambda v, _, r: ("GET", f"entries/{_seq(v, r)}", {}),
    lambda v, _, r: ("GET", f"timeline/{_seq(v, r)}", {}),
    lambda v, _, r: ("POST", f"entries/{_seq(v, r) + 10_000}/retract", {}),
)


def rest(view: View, rng: random.Random) -> tuple[str, tuple[str, ...]]:
    """One request to a server, with a token like the handle."""
    asked = view.world.asked(view)
    verb, path, given = rng.choice(REQUESTS)(view, asked, rng)
    http = view.world.service(view)
    done = http.request(verb, f"/v1/{path}", json=given if verb == "POST" else None)
    assert done.status_code < 500, done.text
    return f"{path}: {done.text} {dict(done.headers)}", (asked,)


PAGES: tuple[Callable[[View, str, random.Random], tuple[str, dict[str, Any]]], ...] = (
    lambda _, w, r: ("lab", {"q": r.choice((w, *THINGS))}),
    lambda _, w, r: ("library", {"q": r.choice((w, ""))}),
    lambda _, w, r: ("timeline", {"q": r.choice((w, "", *THINGS))}),
    lambda v, _, r: ("forget", {"seq": _seq(v, r)}),
    lambda v, _, r: ("trace", {"c": _citation(v, r)}),
    lambda v, _, r: (f"documents/{_document(v, r)}", {"view": r.choice(("", "blame", "history"))}),
    lambda v, _, r: (f"entries/{_seq(v, r)}", {}),
    lambda v, _, r: (f"events/e{_seq(v, r):06d}", {}),
    lambda _, __, ___: ("inbox", {}),
    lambda _, __, ___: ("health", {}),
)


def pages(view: View, rng: random.Random) -> tuple[str, tuple[str, ...]]:
    """One page of a server, or one question there, with a token like the handle."""
    asked = view.world.asked(view)
    person = view.world.pages(view)
    if rng.random() < 0.2:
        words = rng.choice((asked, *THINGS))
        path, form = rng.choice(
            (("ask", {"q": words, "reader": "lexical"}), ("forget/look", {"query": words}))
        )
        done = person.post(f"/{path}", **form)
    else:
        path, query = rng.choice(PAGES)(view, asked, rng)
        done = person.get(f"/{path}", **query)
    assert done.status_code < 500, done.text
    return f"{path}: {done.text} {dict(done.headers)}", (asked,)


SURFACES: dict[str, tuple[Surface, float]] = {
    "library": (library, 0.78),
    "mcp": (tools, 0.17),
    "command line": (command, 0.03),
    "rest": (rest, 0.02),
    "web": (pages, 0.02),
}
"""Each way in, and how often it is taken. A door that is added adds its line here."""


@dataclass(slots=True)
class Walked:
    """What came of a walk."""

    operations: int = 0
    by_surface: dict[str, int] = field(default_factory=dict)
    leaks: list[tuple[str, str, Kind, set[str], str]] = field(default_factory=list)
    seen: int = 0
    """Canaries that were shown to those who may see them: the walk is no walk through nothing."""


def walk(world: World, operations: int, seed: int, *, stop: Callable[[], bool]) -> Walked:
    """Do operations, each through some surface and handle, and look for words out of place."""
    done, rng = Walked(), random.Random(seed)  # noqa: S311 - no secret
    names = [*SURFACES]
    weights = [SURFACES[name][1] for name in names]
    scopes = len(world.by_scope)
    while done.operations < operations and not stop():
        name = rng.choices(names, weights)[0]
        view = world.view(rng.randrange(scopes), rng.randrange(len(KINDS)))
        said, asked = SURFACES[name][0](view, rng)
        heard = view.heard.prompts()
        for what, text in (
            (name, said),
            ("prompts", heard),
            ("log", "\n".join(world.logged.lines)),
        ):
            found = world.leaks(view, text, asked)
            if found:
                done.leaks.append((what, view.user, view.kind, found, text[:3000]))
        world.logged.lines.clear()
        done.operations += 1
        done.by_surface[name] = done.by_surface.get(name, 0) + 1
        done.seen += len(WORD.findall(said))
    return done
