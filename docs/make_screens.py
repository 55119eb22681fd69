"""Make the pictures in docs/screens/ anew: a demo memory, served on loopback, in headless Chromium.

Run `PYTHONPATH=src:. python docs/make_screens.py [NAME ...]`. It needs the extra `dev`, Chromium, and
fonts for English and Chinese; with `pngquant` on the path the files are a third of their size.
"""  # noqa: INP001 - a script, not a package

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SCREENS = ROOT / "docs" / "screens"
DEMO = ROOT / "examples" / "demo"
sys.path[:0] = [str(ROOT / "tests" / "web"), str(ROOT / "tests"), str(DEMO)]

from played import PlayedModel  # noqa: E402
from web_browser import Person, browser  # noqa: E402

from memoranda import Memory, Settings  # noqa: E402
from memoranda.gate.allowed import Allowed  # noqa: E402
from memoranda.gate.gate import Gate  # noqa: E402
from memoranda.gate.grant import Grant  # noqa: E402
from memoranda.gate.listening import listen  # noqa: E402
from memoranda.gate.rates import Rates  # noqa: E402
from memoranda.gate.shelf import Shelf  # noqa: E402
from memoranda.gate.tokens import Tokens  # noqa: E402
from memoranda.llm.model import Model, Reply, Request, Usage  # noqa: E402
from memoranda.rest.app import make  # noqa: E402
from served import listening  # noqa: E402

QUESTION = PlayedModel().recorded["question"]
AUTO = Settings(
    current_tokens=600, split_tokens=900, merge_tokens=200, auto=True, current_seconds=1e9,
    price="0.4/1.6",
)  # fmt: skip
REVIEW = replace(AUTO, mode="review", auto=False)
HOME = """
(root) => {
  for (const node of document.querySelectorAll("code.path")) {
    node.textContent = node.textContent.replace(root, "~/memory");
  }
}
"""
"""Shows a folder that people would have in place of the temporary one."""
SIZES = {"wide": (1280, 860), "narrow": (390, 844)}


class Played(PlayedModel):
    """The demo's recording, from its start for each question; tokens are counted by length."""

    def ask(self, request: Request) -> Reply:
        """Play the next turn."""
        form = json.dumps(request.schema)
        if '"value"' in form:  # the recording knows no such question
            text = request.messages[-1].content
            name = "+44 117 555 0148" if "reach Amara" in text else "Amara Okoye, the finance"
            found = re.search(rf"^(\S+) .*{re.escape(name)}", text, re.MULTILINE)
            said = {"line": found and found[1], "value": name.partition(",")[0] if found else ""}
            return Reply(text=json.dumps(said), parsed=said, usage=Usage(input_tokens=300))
        reply = super().ask(request)
        if '"because"' in form:
            self._round = 0
        sent = sum(len(turn.content) for turn in request.messages)
        usage = Usage(input_tokens=sent // 4, output_tokens=len(reply.text) // 4, estimated=True)
        return replace(reply, usage=usage)


class Days:
    """A clock that a script sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 2, 2, 8, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Give the time that was set."""
        return self.now


class Demo:
    """The demo's talks in a memory, the last two of them still to be reviewed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.clock = Days()
        numbers = count(0x1A20)
        self.opening = {"clock": self.clock, "ids": lambda: f"01a2{next(numbers):020x}"}
        lines = (DEMO / "conversation.jsonl").read_text(encoding="utf-8").splitlines()
        events = [json.loads(line) for line in lines]
        first = next(at for at, event in enumerate(events) if event["session"] >= "s18")
        with self.open(AUTO) as memory:
            self.tell(memory, events[:first])
        with self.open(REVIEW) as memory:
            self.tell(memory, events[first:-8])
            memory.consolidate()
            self.tell(memory, events[-8:])
        for day in (2, 3, 5, 6, 9, 10, 11):
            self.clock.now = datetime(2026, 6, day, 8, tzinfo=UTC)
            with self.open(REVIEW, Played()) as memory:
                for _ in range(1 + day % 3):
                    memory.ask(QUESTION)

    def open(self, settings: Settings, model: Model | None = None) -> Memory:
        """Open the memory, at the demo's time."""
        return Memory.open(self.root, user="lena", settings=settings, model=model, **self.opening)

    def tell(self, memory: Memory, events: list[dict[str, Any]]) -> None:
        """Add events, each when it was said."""
        for event in events:
            self.clock.now = datetime.fromisoformat(event["time"]) + timedelta(seconds=5)
            memory.import_lines([json.dumps(event)])


class Modelled(Shelf):
    """A shelf whose memories are read by the recording, at the demo's time."""

    def __init__(self, demo: Demo) -> None:
        super().__init__(demo.root, REVIEW)
        self._demo = demo

    def _open(self, _: Grant) -> Memory:
        return self._demo.open(REVIEW, Played())


@contextmanager
def served(demo: Demo) -> Iterator[tuple[str, str]]:
    """Serve the demo; give the address and the token."""
    tokens = Tokens(demo.root / "tokens.json")
    grant = Grant(token_id="0" * 8, name="Lena", user="lena", role="owner")
    token = tokens.add(grant, "s" * 43)
    with listen("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
        gate = Gate(
            tokens=tokens,
            shelf=Modelled(demo),
            allowed=Allowed.at("127.0.0.1", port),
            rates=Rates(calls=0, misses=0),
            version="0",
        )
        with listening(make(gate, mcp=False), sock):
            yield f"http://127.0.0.1:{port}", token
        gate.shelf.close()


def places(memory: Memory) -> dict[str, str]:
    """Give the pages of which pictures are taken: name -> address."""
    line = memory.search("rate limit of the ingest API").evidence[1]
    document = f"/documents/{line.document_id}"
    longest = (
        f"/documents/{max(memory.documents(), key=lambda info: info.update_count).document_id}"
    )
    plans = memory.waiting()
    return {
        "inbox": "/inbox",
        "plan": f"/plans/{plans[0]}",
        "diff": f"/plans/{plans[0]}#d16",
        "library": "/library?sort=tokens",
        "document": document,
        "blame": f"{longest}?view=blame",
        "history": f"{longest}?view=history&n=4",
        "timeline": "/timeline?kind=event",
        "lab": "/lab",
        "ask": "/ask",
        "provenance": "/ask",
        "entry": f"/entries/{line.entries[-1].seq}",
        "event": f"/events/{line.entries[0].event_ids[0]}",
        "forget": f"/forget?seq={line.entries[-1].seq}&seq={line.entries[-2].seq}",
        "health": "/health?measure=yes",
    }


def shown(person: Person, name: str, root: Path) -> None:
    """Do on a page what its picture is to show."""
    page = person.page
    if name in {"ask", "provenance", "lab"}:
        page.locator("#q").fill(QUESTION)
        if name == "lab":
            page.locator("input[value=agentic]").check()
        page.locator("main button.main").click()
        page.wait_for_selector(".answer, .columns")
    if name == "provenance":
        page.locator(".cite a").first.click()
    if name.startswith("diff"):
        page.evaluate("scrollBy(0, -12)")
        page.locator(page.evaluate("location.hash")).locator(".ground summary").last.click()
    if name == "document":
        item = page.locator(".item:has(> .body > .older)").first
        item.locator("summary").click()
        item.locator(".seq").first.click()
        item.evaluate("node => node.scrollIntoView({block: 'center'})")
    page.evaluate(HOME, str(root))
    page.wait_for_timeout(250)


def taken(person: Person, path: Path) -> None:
    """Take a picture, with fewer colours where `pngquant` is there."""
    person.page.screenshot(path=path)
    if tool := shutil.which("pngquant"):
        subprocess.run(  # noqa: S603 - a program of ours on a file of ours
            [tool, "--force", "--output", path, "--strip", "--quality", "70-95", path], check=False
        )


def main(wanted: list[str]) -> int:
    """Take the pictures that are named, or all."""
    SCREENS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        demo = Demo(Path(folder))
        with served(demo) as (base, token), browser() as chromium:
            for size, (width, height) in SIZES.items():
                viewport = {"width": width, "height": height}
                person = Person(chromium, base, viewport=viewport, color_scheme="light")
                person.context.set_default_timeout(60_000)
                for shot in pictures(demo, person, token):
                    if not wanted or shot in wanted:
                        shown(person, shot, demo.root)
                        taken(person, SCREENS / f"{shot}-{size}.png")
                person.close()
    return 0


def pictures(demo: Demo, person: Person, token: str) -> Iterator[str]:
    """Open page after page, each in its language and colours; give the name of its picture."""
    person.goto("/login")
    yield "login"
    person.login(token)
    with demo.open(REVIEW) as memory:
        pages = places(memory)
        seq = memory.current()[-1].seq
    extra = {
        "dark": pages["library"],
        "diff-dark": pages["plan"] + "#d7",
        "chinese": pages["inbox"],
    }
    for shot, where in {**pages, **extra, "chinese-document": chinese(demo)}.items():
        person.page.emulate_media(color_scheme="dark" if "dark" in shot else "light")
        language = "中文" if "chinese" in shot else "English"
        person.goto("/ask").get_by_role("button", name=language).click()
        person.goto(where)
        yield shot
    person.goto("/ask").get_by_role("button", name="English").click()
    forgotten(person, seq)
    yield "receipt"


def forgotten(person: Person, seq: int) -> None:
    """Forget an entry, as a person does, and look at the receipt."""
    page = person.goto(f"/forget?entry={seq}")
    page.get_by_label("I am sure").check()
    page.get_by_role("button", name="Forget for good").click()
    page.get_by_role("button", name="Look again").click()
    page.wait_for_selector(".note.done")


def chinese(demo: Demo) -> str:
    """Give the address of a document in Chinese."""
    with demo.open(REVIEW) as memory:
        found = next(info for info in memory.documents() if "看板" in info.title)
    return f"/documents/{found.document_id}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
