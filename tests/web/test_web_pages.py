"""The pages, without a browser: what they say, and what their forms do."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from web_site import Place, Visitor, mark_of, words_of

from memoranda import Memory
from memoranda.web.answers import HEADERS
from memoranda.web.routes import READS, WRITES, routes


def planned(site: Place) -> str:
    with site.memory() as memory:
        memory.consolidate()
        return memory.waiting()[0]


def filled(site: Place) -> None:
    plan_id = planned(site)
    with site.memory() as memory:
        memory.approve(plan_id)


def test_a_plan_is_reviewed_approved_and_undone(site: Place, mira: Visitor) -> None:
    plan_id = planned(site)
    assert plan_id in mira.get("/inbox").text
    page = mira.get(f"/plans/{plan_id}").text
    assert "Word for word" in page
    assert "我最喜欢的茶是龙井" in page
    approved = mira.follow(mira.post(f"/plans/{plan_id}/approve"))
    assert "Approved and applied." in words_of(approved.text)
    with site.memory() as memory:
        assert memory.documents()
        assert memory.plan(plan_id).decided_by == "Mira"
    undone = mira.follow(mira.post(f"/plans/{plan_id}/undo", reason="too early"))
    assert "Undone." in words_of(undone.text)
    with site.memory() as memory:
        assert memory.documents() == ()
        undo_id = next(memory.log(kind="undo")).record_id
    again = mira.follow(mira.post(f"/plans/{undo_id}/undo"))
    assert "It is in force again." in words_of(again.text)


def test_a_rejected_plan_tells_its_reason(site: Place, mira: Visitor) -> None:
    plan_id = planned(site)
    page = mira.follow(mira.post(f"/plans/{plan_id}/reject", reason="一篇就够了"))
    assert "一篇就够了" in page.text
    with site.memory() as memory:
        assert memory.plan(plan_id).state == "rejected"


def test_what_waits_is_placed_from_the_inbox(site: Place, mira: Visitor) -> None:
    page = mira.follow(mira.post("/inbox/consolidate"))
    assert "Plans that wait: 1" in words_of(page.text)


def test_plans_to_look_at_only_and_all_that_waits_are_within_reach(
    site: Place, mira: Visitor
) -> None:
    shadow = replace(site.settings, mode="shadow")
    with Memory.open(site.root, user="mira", settings=shadow) as memory:
        for number in range(20):
            memory.add(f"Bed {number} of the greenhouse holds leeks.")
        memory.consolidate()
        plan_id = memory.plans("shadow")[0].plan_id
    page = mira.get("/inbox").text
    assert f"/plans/{plan_id}" in page
    assert "Bed 19" not in page
    assert "Bed 19" in mira.get("/inbox", current="all").text
    assert "only to look at" in words_of(mira.get(f"/plans/{plan_id}").text)


def test_somebody_asked_to_be_forgotten(site: Place, mira: Visitor) -> None:
    with site.memory() as memory:
        memory.add("Please forget my desk phone 555-0131.", speaker="Mira Sand")
        waiting = memory.asked("waiting")
    assert len(waiting) == 1
    page = mira.get("/inbox").text
    assert "Please forget my desk phone" in page
    path = f"/requests/{waiting[0].request_id}"
    assert mira.post(f"{path}/grant", seq="1").status_code == 400  # not sure
    receipt = mira.follow(mira.post(f"{path}/grant", seq=["1", "2"], sure="yes"))
    assert "Receipt of forgetting" in words_of(receipt.text)
    with site.memory() as memory:
        assert memory.asked("waiting") == ()
        assert memory.status().forgotten >= 2


def test_a_request_is_declined(site: Place, mira: Visitor) -> None:
    with site.memory() as memory:
        memory.add("Please forget my desk phone 555-0131.", speaker="Mira Sand")
        waiting = memory.asked("waiting")
    assert len(waiting) == 1
    mira.follow(mira.post(f"/requests/{waiting[0].request_id}/decline"))
    with site.memory() as memory:
        assert memory.asked("waiting") == ()
        assert memory.get(1)


def test_a_claim_leads_to_its_event(site: Place, mira: Visitor) -> None:
    filled(site)
    answer = mira.post("/ask", q="What is the desk phone of Mira?").text
    href = re.search(r'href="(/trace\?[^"]+)"', answer)
    assert href is not None
    trace = mira.get(href[1].replace("&amp;", "&")).text
    event_id = re.search(r"/events/(\w+)", trace)
    assert event_id is not None
    event = mira.get(event_id[0]).text
    assert "I work from Bergen. My desk phone is 555-0131." in event
    assert "x-1" in event


def test_what_is_not_known_is_said(mira: Visitor) -> None:
    assert "Not known" in words_of(mira.post("/ask", q="Who won the chess match?").text)


def test_forgetting_shows_asks_and_leaves_a_receipt(site: Place, mira: Visitor) -> None:
    filled(site)
    found = mira.post("/forget/look", q="desk phone").text
    assert 'name="seq" value="1"' in found
    preview = mira.get("/forget", seq=["1", "2"]).text
    assert "Nothing was changed yet." in preview
    expect = re.search(r'name="expect" value="([^"]+)"', preview)
    assert expect is not None
    unsure = mira.post("/forget", seq="1,2", expect=expect[1])
    assert unsure.status_code == 400
    with site.memory() as memory:
        assert memory.get(1)
    receipt = mira.follow(mira.post("/forget", seq="1,2", expect=expect[1], sure="yes"))
    assert "555-0131" not in receipt.text
    assert "Files that still hold it" in receipt.text
    again = mira.client.get(str(receipt.url) + "?verify=yes")
    assert "nothing is left" in words_of(again.text)
    assert mira.get("/entries/1").status_code == 410
    assert "1 event" not in words_of(mira.post("/forget/look", q="555-0131").text)


def test_forgetting_takes_only_what_was_shown(site: Place, mira: Visitor) -> None:
    preview = mira.post("/forget/look", query="bergen").text
    expect = re.search(r'name="expect" value="([^"]+)"', preview)
    assert expect is not None
    other = mira.post("/forget", query="release", expect=expect[1], sure="yes")
    assert other.status_code == 400
    with site.memory() as memory:
        assert memory.status().forgotten == 0


def test_what_hides_in_a_selection_comes_back_as_it_is(site: Place, mira: Visitor) -> None:
    with site.memory() as memory:
        memory.add("The \u200bhidden door.")
    preview = mira.post("/forget/look", query="\u200bhidden").text
    expect = re.search(r'name="expect" value="([^"]+)"', preview)
    hidden = re.search(r'name="query" value="([^"]+)"', preview)
    assert expect is not None
    assert hidden is not None
    assert hidden[1] == "\u200bhidden"
    done = mira.post("/forget", query=hidden[1], expect=expect[1], sure="yes")
    assert done.status_code == 303


def test_no_address_holds_words_of_memory(site: Place, mira: Visitor) -> None:
    """Addresses stay in the history of a browser: numbers and ids may, words that are to go may not."""
    filled(site)
    pages = [mira.get(path).text for path in ("/inbox", "/timeline", "/entries/1", "/documents/d1")]
    pages.append(mira.post("/ask", q="What is the desk phone of Mira?").text)
    pages.append(mira.post("/forget/look", q="phone").text)
    pages.append(mira.post("/forget/look", query="phone").text)
    hrefs = [href for page in pages for href in re.findall(r'(?:href|action)="([^"]+)"', page)]
    assert len(hrefs) > 60
    assert [href for href in hrefs if re.search("phone|bergen|555|mira", href, re.IGNORECASE)] == []
    page = mira.get("/forget", q="Bergen", query="Bergen", speaker="Mira Sand").text
    assert "I work from Bergen" not in page
    assert "What would go" not in page


def test_an_entry_is_corrected_and_retracted(site: Place, mira: Visitor) -> None:
    filled(site)
    page = mira.follow(
        mira.post("/entries/3/correct", text="The harvest app needs a release every Monday.")
    )
    assert "This line replaces #3." in words_of(page.text)
    mira.follow(mira.post("/entries/5/retract", reason="the basil is gone"))
    with site.memory() as memory:
        assert memory.get(3).superseded_by == 7  # type: ignore[union-attr]
        assert memory.get(5).retracted  # type: ignore[union-attr]
    assert "replaced by" in words_of(mira.get("/entries/3").text)


def test_a_document_shows_where_each_line_comes_from(site: Place, mira: Visitor) -> None:
    filled(site)
    with site.memory() as memory:
        info = memory.documents()[0]
        blame = memory.blame(info.document_id)
        folder = memory.status().documents_folder
    page = mira.get(f"/documents/{info.document_id}").text
    for line in blame.lines:
        if line.kind == "entry":
            assert f'id="L{line.lines[0]}"' in page
            assert f"/events/{line.event_ids[0]}" in page
    assert f"{folder}/{info.file}" in page
    assert "rules/1" in words_of(mira.get(f"/documents/{info.document_id}", view="blame").text)


def test_the_history_goes_to_each_version(site: Place, mira: Visitor) -> None:
    filled(site)
    with site.memory() as memory:
        first = memory.get(1).document_id  # type: ignore[union-attr]
        memory.retract(1)
        versions = memory.diff(str(first)).versions
    assert len(versions) > 1
    for number, version in enumerate(versions, 1):
        page = words_of(mira.get(f"/documents/{first}", view="history", n=number).text)
        assert f"Version {number} of {len(versions)}" in page
        assert f"version {version}" in page
    old = words_of(mira.get(f"/documents/{first}", v=versions[0]).text)
    assert "This is an earlier version." in old


def test_the_timeline_narrows(site: Place, mira: Visitor) -> None:
    filled(site)
    assert "Build 1204" in mira.get("/timeline", source="tool").text
    assert "Bergen" not in mira.get("/timeline", source="tool").text
    decisions = words_of(mira.get("/timeline", kind="decision").text)
    assert "approved" in decisions
    assert "<svg" in mira.get("/timeline", axis="said").text


def test_the_timeline_goes_on_where_a_page_ends(site: Place, mira: Visitor) -> None:
    with site.memory() as memory:
        for number in range(70):
            memory.add(f"Row {number} of the greenhouse was watered.")
    first = mira.get("/timeline", kind="event").text
    older = re.search(r'rel="next" href="([^"]+)"', first)
    assert older is not None
    second = mira.client.get(older[1].replace("&amp;", "&")).text
    seen = re.findall(r"/events/(\w+)", first) + re.findall(r"/events/(\w+)", second)
    assert len(seen) == len(set(seen)) == 76


def test_the_lab_says_why(site: Place, mira: Visitor) -> None:
    filled(site)
    page = mira.post("/lab", q="罗勒 release", reader=["lexical", "agentic"]).text
    assert page.count('class="column"') == 2
    assert "<mark>release</mark>" in page
    assert "<mark>罗勒</mark>" in page
    assert re.search(r"score \d\.\d{3}", words_of(page))


def test_the_library_sorts_and_narrows(site: Place, mira: Visitor) -> None:
    filled(site)
    with site.memory() as memory:
        titles = sorted((info.title for info in memory.documents()), key=str.casefold)
    page = mira.get("/library", sort="title").text
    assert sorted(titles, key=page.index) == titles
    assert "No document fits" in words_of(mira.get("/library", q="zebra").text)


def test_health_measures_and_checks(site: Place, mira: Visitor) -> None:
    filled(site)
    page = words_of(mira.get("/health", check="yes", measure="yes").text)
    assert "Source retention" in page
    assert "0 flaws." in page
    assert "No model was called." in page


def test_an_empty_memory_says_what_to_do(tmp_path: object) -> None:
    from pathlib import Path  # noqa: PLC0415

    empty = Place(Path(str(tmp_path)))
    visitor = empty.visitor()
    for path in ("/inbox", "/library", "/timeline", "/lab", "/ask", "/trace", "/forget", "/health"):
        page = visitor.get(path)
        assert page.status_code == 200
        assert 'class="empty"' in page.text, path
    empty.shelf.close()


def test_the_pages_speak_chinese(mira: Visitor) -> None:
    mira.post("/look", language="zh", theme="dark", next="/library")
    page = mira.get("/library").text
    assert '<html lang="zh-Hans" data-theme="dark">' in page
    assert "文库" in page
    assert not re.search(r">(Library|Inbox|Log out)<", page)


@pytest.mark.parametrize("path", ["/ask", "/lab", "/forget/look"])
def test_another_language_after_an_answer_leads_back_to_its_page(mira: Visitor, path: str) -> None:
    page = mira.post(path, q="tea").text
    back = re.search(r'name="next" value="([^"]+)"', page)
    assert back is not None
    assert mira.follow(mira.post("/look", language="zh", next=back[1])).status_code == 200


def test_every_answer_is_locked_down(site: Place, mira: Visitor) -> None:
    for path in ("/inbox", "/login", "/static/style.css", "/entries/99", "/static/none"):
        reply = mira.get(path)
        wanted = {**HEADERS}
        if reply.status_code == 200 and path.startswith("/static"):
            del wanted["Cache-Control"]
        assert {name: reply.headers.get(name) for name in wanted} == wanted, path
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "http" not in policy


def test_pages_hold_no_script_or_style_of_their_own(site: Place, mira: Visitor) -> None:
    filled(site)
    for path, _, _ in READS:
        if "{" not in path:
            page = mira.get(path).text
            assert re.findall(r"<script[^>]*>", page) == ['<script src="/static/page.js" defer>']
            assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page), path


# who may do what


def test_without_a_login_every_page_leads_there(site: Place) -> None:
    stranger = Visitor(site)
    for path, _, _ in READS:
        reply = stranger.get(re.sub(r"\{\w+\}", "1", path))
        assert reply.status_code == 303
        assert reply.headers["location"].startswith("/login?next=")


LEADS = {
    "/library?q=x": "/library?q=x",
    "/%09/evil": "/%09/evil",
    "//evil.example": "/",
    "https://evil.example": "/",
    "/\\evil.example": "/",
    "/\t/evil.example": "/",
    "javascript:alert(1)": "/",
    "": "/",
}


@pytest.mark.parametrize("to", list(LEADS))
def test_a_login_leads_back_to_the_page_but_never_elsewhere(site: Place, to: str) -> None:
    stranger = Visitor(site)
    stranger.mark = mark_of(stranger.client.get("/login", params={"next": to}).text)
    reply = stranger.post("/login", token=site.grant, next=to)
    assert reply.headers["location"] == LEADS[to]


def test_a_wrong_token_is_told_and_opens_nothing(site: Place) -> None:
    stranger = Visitor(site)
    reply = stranger.login(site.grant[:-1] + "x")
    assert reply.status_code == 401
    assert "memoranda_session" not in stranger.client.cookies
    assert stranger.get("/library").status_code == 303


def test_the_session_cookie_is_out_of_reach(site: Place) -> None:
    stranger = Visitor(site)
    reply = stranger.login(site.grant)
    cookie = next(
        c for c in reply.headers.get_list("set-cookie") if c.startswith("memoranda_session=")
    )
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert site.grant not in cookie


def test_a_revoked_token_ends_its_session(site: Place, mira: Visitor) -> None:
    assert mira.get("/library").status_code == 200
    site.tokens.revoke("Mira")
    assert mira.get("/library").status_code == 303


def test_logging_out_ends_the_session(mira: Visitor) -> None:
    mira.post("/logout")
    assert mira.get("/library").status_code == 303


ROLES = {
    "reader": set(),
    "writer": {"correct", "retract"},
    "maintainer": {"correct", "retract", "consolidate", "approve", "reject", "undo"},
}


@pytest.mark.parametrize("role", list(ROLES))
def test_a_role_sees_and_does_what_it_may(site: Place, role: str) -> None:
    plan_id = planned(site)
    visitor = site.visitor(site.granted(role, role))
    with site.memory() as memory:
        before = memory.status().position
    for path, _, needs in WRITES:
        if needs == ("ask",) or set(needs) <= ROLES[role]:
            continue
        address = re.sub(r"\{(\w+)\}", lambda m: plan_id if m[1] == "plan_id" else "1", path)
        reply = visitor.post(address, reason="x", text="x", sure="yes", seq="1", expect="1-x")
        assert reply.status_code == 403, path
    with site.memory() as memory:
        assert memory.status().position == before
    page = visitor.get("/library").text
    assert ("/inbox" in page) == (role == "maintainer")
    assert 'href="/forget"' not in page
    assert ("Bergen" in visitor.get("/timeline").text) is True


def test_a_token_of_one_project_sees_that_alone(site: Place) -> None:
    with site.memory() as memory:
        memory.add("The orchard gate code is with Tomas.", metadata={})
    from memoranda import Memory  # noqa: PLC0415

    with Memory.open(site.root, user="mira", project="vault", settings=site.settings) as other:
        other.add("Vault shelf nine holds the seed bank.")
    visitor = site.visitor(site.granted("guest", "owner", projects=("garden",)))
    for path in ("/timeline", "/library", "/lab?q=seed+bank", "/ask"):
        assert "seed bank holds" not in visitor.get(path).text
        assert "Vault shelf" not in visitor.get(path).text
    assert visitor.get("/inbox").status_code == 403


def test_another_user_is_another_world(site: Place) -> None:
    from memoranda.gate.grant import Grant  # noqa: PLC0415

    token = site.tokens.add(
        Grant(token_id="f" * 8, name="Noor", user="noor", role="owner"), "n" * 43
    )
    noor = site.visitor(token)
    assert noor.get("/entries/1").status_code == 404
    assert "Bergen" not in noor.get("/timeline").text


def test_too_many_calls_are_slowed(site: Place, mira: Visitor) -> None:
    from dataclasses import replace  # noqa: PLC0415

    from memoranda.gate.rates import Rates  # noqa: PLC0415

    slow = replace(site.gate, rates=Rates(calls=10, misses=10))
    visitor = Visitor(site, app=Starlette(routes=routes(slow)))
    visitor.login(site.grant)
    codes = [visitor.get("/ask").status_code for _ in range(20)]
    assert 429 in codes
