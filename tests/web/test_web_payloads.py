"""Text that wants to be more than text: in every field, on every page, it stays text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from web_browser import ACTIVE, PARSED, Person
from web_payloads import ALL
from web_site import Place, Visitor

from memoranda import NewEvent
from memoranda.errors import InputError
from memoranda.llm.model import Request
from memoranda.web.markdown import TAGS, html

Served = tuple[Place, str]
LONG = bool(os.environ.get("MEMORANDA_LONG"))
REFLECTED = (
    ("/login", ("next",)), ("/library", ("q", "sort", "project", "only")),
    ("/timeline", ("q", "kind", "source", "axis")), ("/timeline", ("before",)),
    ("/lab", ("q", "budget")), ("/ask", ("q", "reader")), ("/trace", ("c", "quote")),
    ("/forget", ("seq",)), ("/forget", ("event",)), ("/documents/{}", ()), ("/plans/{}", ()),
    ("/entries/{}", ()), ("/events/{}", ()), ("/forget/receipts/{}", ()), ("/inbox", ("q", "x")),
    ("/health", ("check", "measure")),
)  # fmt: skip
"""Where an address holds words of the caller: the page, and the fields."""

FORMS = ("/ask", "/lab", "/forget/look")


def fields_of(payload: str) -> Iterator[dict[str, Any]]:
    """Give events that hold a text in each of their fields."""
    yield {"content": payload}
    yield {"content": f"The kettle {payload} boils.", "speaker": payload[:200] or None}
    yield {"content": "A cup.", "session": payload[:200], "external_id": payload[:200]}
    yield {"content": "A pot.", "metadata": {payload[:60]: payload}, "actor": payload[:200]}


def stored(site: Place) -> int:
    """Put every text into every field that takes it; give how many were taken."""
    taken = 0
    with site.memory() as memory:
        for payload in ALL:
            for given in fields_of(payload):
                try:
                    memory.add_many([NewEvent(**given)])
                except InputError:  # refused with reasons: not stored, so it is on no page
                    continue
                taken += 1
        memory.consolidate()
        for plan_id in memory.waiting()[:-1]:
            memory.approve(plan_id, reason=ALL[0], by=ALL[1])
        for seq, payload in zip((2, 9, 14), ALL[:3], strict=True):
            memory.retract(seq, reason=payload)
            memory.correct(seq + 2, f"Now {payload}")
    return taken


def addresses(site: Place) -> list[str]:
    """Give the pages on which stored texts are shown."""
    with site.memory() as memory:
        status = memory.status()
        every = range(1, status.entries + 1)
        seqs = every if LONG else [*every][::31]
        events = [memory.get(seq).event_ids[0] for seq in seqs]  # type: ignore[union-attr]
        documents = [memory.document(info.document_id) for info in memory.documents()]
        plans = [plan.plan_id for plan in memory.plans()]
    found = [
        "/inbox",
        "/library",
        "/timeline?axis=said",
        "/health",
    ]
    found += [f"/timeline?before={at}" for at in range(60, status.position, 120)]
    found += [f"/plans/{plan_id}" for plan_id in plans]
    for document in documents:
        info, last = document.header, document.markdown.count("\n")
        found += [
            f"/documents/{info.document_id}{view}" for view in ("", "?view=blame", "?view=history")
        ]
        found.append(f"/trace?c={info.document_id}@{info.version}:1-{last}")
    found += [f"/entries/{seq}" for seq in seqs] + [f"/events/{event_id}" for event_id in events]
    return found


def test_there_are_150_of_them() -> None:
    assert len(ALL) == len(set(ALL)) == 150


def test_nothing_that_is_stored_becomes_active(  # fc-054
    chromium: Any, served_site: Served
) -> None:
    site, base = served_site
    taken = stored(site)
    assert taken > 400
    visitor = Visitor(site)
    visitor.login(site.grant)
    paths = addresses(site)
    pages = {path: visitor.get(path) for path in paths}
    pages["found"] = visitor.post("/forget/look", q="kettle")
    pages["would go"] = visitor.post("/forget/look", query="kettle")
    assert {path: page.status_code for path, page in pages.items() if page.status_code != 200} == {}
    person = Person(chromium, base)
    person.page.goto("about:blank")
    person.outside.clear()
    active = parsed(person.page, {path: page.text for path, page in pages.items()})
    assert active == {}
    person.login(site.grant)
    live = [paths[at] for at in range(6)] + [
        path for path in paths if path.startswith(("/doc", "/pl"))
    ][:4]
    for path in live:  # and once as pages in force, with our script
        person.goto(path)
        assert person.page.evaluate("window.__fired") is None, path
    person.close()


def parsed(page: Any, pages: dict[str, str]) -> dict[str, list[str]]:
    """Have a browser read pages; give what is active in each."""
    names = list(pages)
    found: dict[str, list[str]] = {}
    for at in range(0, len(names), 50):
        part = names[at : at + 50]
        told = page.evaluate(PARSED, [pages[name] for name in part])
        found |= {name: what for name, what in zip(part, told, strict=True) if what}
    return found


def test_nothing_that_is_asked_becomes_active(chromium: Any, served_site: Served) -> None:
    """150 texts in every field of every address, and in the forms that answer at once."""
    site, base = served_site
    visitor = Visitor(site)
    visitor.login(site.grant)
    pages: dict[str, str] = {}
    for number, payload in enumerate(ALL):
        places = REFLECTED if LONG else REFLECTED[number % 6 :: 6]
        for path, names in places:
            where = path.format(re.sub(r"[\s/?#%\\\x00-\x1f\x7f\ud800-\udfff]", "_", payload)[:300])
            reply = visitor.get(where, **dict.fromkeys(names, payload[:700]))
            assert reply.status_code < 500, (path, payload)
            if reply.headers.get("content-type", "").startswith("text/html"):
                pages[f"{path} {names} {payload[:80]}"] = reply.text
        for path in FORMS if LONG else FORMS[number % 3 :][:1]:
            form = {"q": payload, "query": payload, "reader": "lexical", "budget": "200"}
            pages[f"POST {path} {payload[:80]}"] = visitor.post(path, **form).text
    assert len(pages) > (2_500 if LONG else 500)
    person = Person(chromium, base)
    person.page.goto("about:blank")
    person.outside.clear()
    assert parsed(person.page, pages) == {}
    person.context.close()
    assert person.outside == []


def quoting(said: str, request: Request) -> dict[str, Any]:
    """A right quote, and an answer that wants to be more than text."""
    shown = "\n".join(message.content for message in request.messages)
    line = re.search(r"^(\S+) .*every second Thursday", shown, re.MULTILINE)
    assert line is not None
    return {"because": [{"line": line[1], "quote": "every second Thursday"}], "answer": said}


def test_what_a_model_says_is_text_too(chromium: Any, served_site: Served) -> None:
    site, base = served_site
    person = Person(chromium, base)
    person.login(site.grant)
    cast = site.model
    for payload in ALL[:: 1 if LONG else 15]:
        cast.answer = partial(quoting, payload)
        page = person.goto("/ask")
        page.get_by_label("Question").fill("When are releases of the harvest app?")
        page.keyboard.press("Enter")
        page.wait_for_selector(".answer")
        assert page.evaluate(f"({ACTIVE})(document)") == [], payload
        assert page.evaluate("window.__fired") is None, payload
    person.close()


@pytest.mark.parametrize("payload", ALL)
def test_markdown_lets_only_harmless_tags_out(payload: str) -> None:
    made = str(html(payload))
    tags = set(re.findall(r"<([a-zA-Z][a-zA-Z0-9:-]*)", made))
    assert tags <= TAGS
    for tag in re.findall(r"<[a-zA-Z][^>]*>", made):
        assert set(re.findall(r'([\w:-]+)="', tag)) <= {"href", "rel", "start"}, tag
        href = re.search(r'href="([^"]*)"', tag)
        assert href is None or re.match(r"(https?://|mailto:)", href[1]), tag


def test_markdown_still_is_markdown() -> None:
    made = str(html("**bold**, `code`, [a page](https://a.example/x)\n\n- one\n- two"))
    assert "<strong>bold</strong>" in made
    assert '<a href="https://a.example/x" rel="noopener noreferrer nofollow">a page</a>' in made
    assert made.count("<li>") == 2


def test_what_hides_is_written_out(site: Place, mira: Visitor) -> None:
    with site.memory() as memory:
        seq = memory.add("pay \u202eecila\u202c now\u200b").seqs[0]
    page = mira.get(f"/entries/{seq}").text
    assert "pay \\u{202e}ecila\\u{202c} now\\u{200b}" in page
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b]", page)
