"""What the tests of the pages share: a memory with a story, a gate, a visitor, a served site."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.testclient import TestClient

from memoranda import Memory, NewEvent, Settings
from memoranda.gate.allowed import Allowed
from memoranda.gate.gate import Gate
from memoranda.gate.grant import Grant
from memoranda.gate.listening import listen
from memoranda.gate.rates import Rates
from memoranda.gate.shelf import Shelf
from memoranda.gate.tokens import Tokens
from memoranda.llm.model import Request
from memoranda.rest.app import make
from memoranda.web.forms import MARK
from memoranda.web.routes import routes
from readers_scene import Cast, call, step
from served import listening

REVIEW = Settings(auto=False, mode="review")
STORY = (
    ("Mira Sand", "user", "I work from Bergen. My desk phone is 555-0131."),
    ("Assistant", "assistant", "Noted: Bergen, and the desk phone 555-0131."),
    ("Mira Sand", "user", "The harvest app needs a release every second Thursday."),
    ("Mira Sand", "user", "我最喜欢的茶是龙井，每天早上喝一壶。"),
    ("Mira Sand", "user", "阳台上的罗勒每两天浇一次水。"),
    ("tests", "tool", "Build 1204 of the harvest app failed: 3 tests of 212."),
)
RELEASE = re.compile(r"^(\S+) .*every second Thursday", re.MULTILINE)
_MARKED = re.compile(rf'name="{MARK}" value="([0-9a-f]+)"')


def told(memory: Memory) -> None:
    """Tell the story."""
    memory.add_many(
        [
            NewEvent(
                content=text,
                speaker=speaker,
                source=source,  # type: ignore[arg-type]
                time=f"2026-04-0{day}T09:00:00Z",
                session=f"s{day}",
                external_id=f"x-{day}",
            )
            for day, (speaker, source, text) in enumerate(STORY, 1)
        ]
    )


def player() -> Cast:
    """A model that searches twice, and quotes the line on releases if it is shown it."""

    def answered(request: Request) -> dict[str, Any]:
        found = RELEASE.search(request.messages[-1].content)
        if found is None:
            return {"because": [], "answer": ""}
        because = [{"line": found[1], "quote": "a release every second Thursday"}]
        return {"because": because, "answer": "Every **second** Thursday."}

    return Cast(
        name="player",
        tools=lambda _, number: (
            step(call("search", query="harvest app release"))
            if number % 3 == 0
            else step(call("grep", pattern="Thursday"))
            if number % 3 == 1
            else step(done=True)
        ),
        answer=answered,
    )


class Played(Shelf):
    """Opens each memory with a model that a test plays."""

    def __init__(self, root: Path, settings: Settings, model: Any) -> None:
        super().__init__(root, settings)
        self._model = model

    def _open(self, grant: Grant) -> Memory:
        given: dict[str, Any] = grant.opening()
        return Memory.open(self.root, model=self._model, settings=self.settings, **given)


@dataclass
class Place:
    """A data root with its gate."""

    root: Path
    settings: Settings = REVIEW
    port: int = 80
    model: Any = None
    """Who answers and maintains; None: the rules."""

    def __post_init__(self) -> None:
        self.tokens = Tokens(self.root / "tokens.json")
        self.shelf = Played(self.root, self.settings, self.model)
        self.gate = Gate(
            tokens=self.tokens,
            shelf=self.shelf,
            allowed=Allowed.at("127.0.0.1", self.port),
            rates=Rates(calls=0, misses=0),
            version="1",
        )
        self.grant = self.granted("Mira", "owner")

    def granted(self, name: str, role: str, **more: Any) -> str:
        """Make a token; give it as its bearer would type it."""
        number = f"{len(self.tokens.all()) + 1:08x}"
        grant = Grant(token_id=number, name=name, user="mira", role=role, **more)  # type: ignore[arg-type]
        return self.tokens.add(grant, "s" * 43)

    @contextmanager
    def memory(self) -> Iterator[Memory]:
        """Have the memory by a handle of its own, kept by the rules."""
        with Memory.open(self.root, user="mira", settings=self.settings) as memory:
            yield memory

    def visitor(self, token: str | None = None, **given: Any) -> Visitor:
        """Give someone who is logged in."""
        visitor = Visitor(self, **given)
        visitor.login(self.grant if token is None else token)
        return visitor


class Visitor:
    """A browser without a screen: it keeps cookies, and fills in the marks of forms."""

    def __init__(self, place: Place, *, app: Any = None, base: str = "http://127.0.0.1") -> None:
        self.place = place
        self.client = TestClient(
            app or Starlette(routes=routes(place.gate)), base_url=base, follow_redirects=False
        )
        self.mark = ""

    def login(self, token: str) -> Any:
        """Log in by the form."""
        self.mark = mark_of(self.client.get("/login").text)
        reply = self.post("/login", token=token)
        if reply.status_code == 303:
            self.mark = mark_of(self.get("/ask").text)
        return reply

    def get(self, path: str, **query: Any) -> Any:
        """Look at a page."""
        return self.client.get(path + (f"?{urlencode(query, doseq=True)}" if query else ""))

    def post(self, path: str, **form: Any) -> Any:
        """Send a form of ours."""
        return self.send(path, {MARK: self.mark, **form})

    def send(self, path: str, form: Mapping[str, Any], **headers: str) -> Any:
        """Send any form."""
        told = {"content-type": "application/x-www-form-urlencoded", **headers}
        return self.client.post(path, content=urlencode(form, doseq=True), headers=told)

    def follow(self, reply: Any) -> Any:
        """Go where a form led to."""
        assert reply.status_code == 303, reply.text
        return self.client.get(reply.headers["location"])


def mark_of(page: str) -> str:
    """Give the mark that a page's forms carry."""
    found = _MARKED.search(page)
    assert found is not None, page[:500]
    return found[1]


def words_of(page: str) -> str:
    """Give what a person reads of a page."""
    text = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


@contextmanager
def served(root: Path, **given: Any) -> Iterator[tuple[Place, str]]:
    """Serve the whole application on loopback; give its place and its address."""
    with listen("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
        place = Place(root, port=port, **given)
        with listening(make(place.gate, mcp=False), sock):
            yield place, f"http://127.0.0.1:{port}"
        place.shelf.close()
