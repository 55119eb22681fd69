"""The pages in headless Chromium: each by a real task; readable on a phone; without a script too."""

from __future__ import annotations

import re
from typing import Any

import pytest
from web_browser import Person
from web_site import Place

Served = tuple[Place, str]
PAGES = (
    "/inbox",
    "/library",
    "/timeline",
    "/lab",
    "/ask",
    "/trace",
    "/forget",
    "/health?measure=yes",
)


def first_plan(site: Place) -> str:
    with site.memory() as memory:
        return memory.waiting()[0]


def approved(site: Place) -> None:
    with site.memory() as memory:
        for plan_id in memory.waiting():
            memory.approve(plan_id)


def every_page(site: Place) -> list[str]:
    """Addresses of every kind of page, with something on each."""
    plan_id = first_plan(site)
    approved(site)
    with site.memory() as memory:
        memory.add("The pear harvest starts in week 36.", speaker="Mira Sand")
        memory.consolidate()
        event = memory.get(2).event_ids[0]  # type: ignore[union-attr]
        info = memory.documents()[0]
        forget_id = memory.forget(entry=6).forget_id
    document = f"/documents/{info.document_id}"
    return [
        *PAGES, f"/plans/{plan_id}", f"/plans/{first_plan(site)}", document, f"{document}?view=blame",
        f"{document}?view=history", f"{document}?v={info.version}", "/entries/1", "/entries/7",
        f"/events/{event}", f"/trace?c={info.document_id}@{info.version}:1-40",
        "/forget?entry=3", f"/forget/receipts/{forget_id}?verify=yes", "/timeline?kind=plan",
        "/library?q=nothing", "/entries/99", "/timeline?axis=said&source=user",
    ]  # fmt: skip


def test_a_plan_is_looked_at_approved_undone_and_had_again(
    person: Person, served_site: Served
) -> None:
    page = person.page
    assert page.get_by_role("link", name="Inbox").get_by_text("1").is_visible()
    page.get_by_role("link", name=re.compile("Placing")).click()
    line = page.locator("tr.added", has_text="我最喜欢的茶是龙井")
    line.get_by_text("Word for word").click()
    assert line.locator(".event .raw").inner_text() == "我最喜欢的茶是龙井，每天早上喝一壶。"
    page.get_by_role("button", name="Approve").click()
    assert page.get_by_role("status").inner_text() == "Approved and applied."
    assert page.locator("h1 .state").inner_text() == "approved"
    page.get_by_label("Reason").fill("一个主题一篇")
    page.get_by_role("button", name="Undo").click()
    assert page.locator("h1 .state").inner_text() == "undone"
    page.get_by_role("button", name="Have it again").click()
    assert page.get_by_role("status").inner_text() == "It is in force again."
    with served_site[0].memory() as memory:
        assert memory.documents()


def test_what_a_plan_changes_stands_beside_what_stays(person: Person, served_site: Served) -> None:
    approved(served_site[0])
    with served_site[0].memory() as memory:
        memory.correct(3, "The harvest app needs a release every first Monday.")
        memory.consolidate()
        plan_id = memory.waiting()[-1]
    page = person.goto(f"/plans/{plan_id}")
    new = page.locator("tr.added .right", has_text="first Monday")
    assert new.count() == 1
    assert new.locator(".sign").inner_text() == "+"
    page.get_by_text("The summary is made anew").first.click()
    assert page.locator("tr.of-summary ins").first.is_visible()
    assert page.locator("thead").first.inner_text().split() == ["Before", "After"]


def test_the_library_leads_to_a_document_and_its_lines_to_their_events(
    person: Person, served_site: Served
) -> None:
    approved(served_site[0])
    page = person.goto("/library")
    page.get_by_label("Sorted by").select_option("title")
    page.wait_for_url("**sort=title*")
    page.locator("tbody a").first.click()
    page.wait_for_url("**/documents/**")
    item = page.locator(".item", has_text="555-0177").first
    origin = item.locator(":scope > .origin")
    assert not origin.is_visible()
    item.hover()
    page.wait_for_timeout(200)
    assert origin.is_visible()
    page.mouse.move(2, 2)
    item.locator(":scope > .body > .meta .seq").focus()  # and by keyboard
    page.wait_for_timeout(200)
    assert origin.is_visible()
    page.keyboard.press("Enter")
    assert item.evaluate("node => node.classList.contains('open')")
    assert not page.get_by_text("My desk phone is 555-0131.").first.is_visible()
    item.get_by_text("1 earlier, replaced").click()
    assert item.locator(".item", has_text="555-0131").is_visible()
    origin.locator(".ids a").first.click()
    assert "I work from Bergen. My desk phone is 555-0177." in page.locator(".raw").inner_text()


def test_the_history_slides_by_keyboard(person: Person, served_site: Served) -> None:
    approved(served_site[0])
    with served_site[0].memory() as memory:
        document_id = str(memory.get(4).document_id)  # type: ignore[union-attr]
        memory.retract(4)
    page = person.goto(f"/documents/{document_id}")
    page.get_by_role("link", name="History").click()
    slider = page.get_by_role("slider")
    last = int(slider.input_value())
    slider.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**n={last - 1}*")
    assert page.get_by_text(f"Version {last - 1} of {last}").is_visible()
    page.get_by_role("link", name="Blame").click()
    assert page.locator("table.blame tr.entry").count() >= 1


def test_the_timeline_narrows_and_leads_to_an_event(person: Person) -> None:
    page = person.goto("/timeline")
    assert page.locator("svg rect").count() >= 1
    page.get_by_label("Source").select_option("tool")
    page.wait_for_url("**source=tool*")
    assert page.locator(".records li").count() == 1
    page.get_by_role("link", name=re.compile("Build 1204")).click()
    assert page.locator("h1").inner_text() == "Event, as it came"


def test_the_lab_puts_readers_side_by_side(person: Person) -> None:
    page = person.goto("/lab")
    page.get_by_label("Question").fill("When are releases of the harvest app?")
    page.get_by_label("agentic").check()
    page.get_by_role("button", name="Search").click()
    columns = page.locator(".column")
    assert columns.count() == 2
    boxes = [columns.nth(at).bounding_box() for at in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"]  # type: ignore[index]
    agentic = columns.nth(1)
    assert agentic.locator(".rounds > li").count() == 3
    assert "grep" in agentic.locator(".rounds").inner_text()
    assert columns.first.locator("mark", has_text="release").count() >= 1


def test_a_claim_is_traced_to_its_event(person: Person, served_site: Served) -> None:
    approved(served_site[0])
    page = person.goto("/ask")
    page.get_by_label("Question").fill("When are releases of the harvest app?")
    page.keyboard.press("Enter")
    assert page.locator(".answer .prose strong").inner_text() == "second"
    page.get_by_role("link", name="Trace to its events").first.click()
    assert (
        page.locator(".chain").first.locator(".quote").inner_text()
        == "a release every second Thursday"
    )
    assert "every second Thursday" in page.locator(".printed").inner_text()
    page.locator(".step .ids a").first.click()
    assert (
        page.locator(".raw").inner_text()
        == "The harvest app needs a release every second Thursday."
    )
    assert "x-3" in page.locator(".facts").inner_text()


def test_something_is_forgotten_and_the_receipt_is_seen(
    person: Person, served_site: Served
) -> None:
    approved(served_site[0])
    page = person.goto("/forget")
    page.get_by_label("Find it by its words").fill("龙井")
    page.keyboard.press("Enter")
    page.get_by_label("line #4").check()
    page.get_by_role("button", name="Look at what is ticked").click()
    assert "龙井" in page.locator(".going").first.inner_text()
    page.get_by_role("button", name="Forget for good").click()  # the box is not ticked yet
    assert page.locator("h1").inner_text() == "What would go"
    page.get_by_label("I am sure").check()
    page.get_by_role("button", name="Forget for good").click()
    assert page.locator("h1").inner_text() == "Receipt of forgetting"
    assert "龙井" not in page.content()
    page.get_by_role("button", name="Look again").click()
    assert "nothing is left" in page.get_by_role("status").inner_text()
    person.goto("/forget")
    page.get_by_label("Find it by its words").fill("龙井")
    page.keyboard.press("Enter")
    page.locator("main").get_by_text("No event has these words").wait_for()


def test_an_entry_is_corrected(person: Person, served_site: Served) -> None:
    approved(served_site[0])
    page = person.goto("/entries/5")
    page.get_by_label("What is right").fill("阳台上的罗勒每天浇一次水。")
    page.get_by_role("button", name="Correct").click()
    assert page.locator("h1 + blockquote").inner_text() == "阳台上的罗勒每天浇一次水。"


def test_health_is_checked(person: Person) -> None:
    page = person.goto("/health")
    page.get_by_role("button", name="Check now").click()
    assert "0 flaws." in page.locator(".note.done").inner_text()
    page.get_by_role("button", name="Measure over time").click()
    assert page.locator(".ten .value").count() == 10


def test_language_and_colours_stay_chosen(person: Person) -> None:
    page = person.goto("/library?sort=title")
    page.get_by_role("button", name="中文").click()
    assert page.locator("h1").inner_text() == "文库"
    assert page.url.endswith("/library?sort=title")
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.get_by_role("button", name="深色").click()
    page.wait_for_selector("html[data-theme=dark]")
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert light != dark
    person.goto("/ask")
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_all_of_it_works_without_a_script(chromium: Any, served_site: Served) -> None:
    site, base = served_site
    person = Person(chromium, base, java_script_enabled=False)
    person.login(site.grant)
    page = person.page
    page.get_by_role("link", name=re.compile("Placing")).click()
    page.get_by_role("button", name="Approve").click()
    assert page.get_by_role("status").inner_text() == "Approved and applied."
    person.goto("/library")
    page.get_by_label("Sorted by").select_option("title")
    page.get_by_role("button", name="Show").click()
    assert "sort=title" in page.url
    page.locator("tbody a").first.click()
    page.locator(".item .seq").first.click()  # no card to pin: the link leads to the entry
    assert re.search(r"/entries/\d+", page.url)
    person.close()


def test_no_page_is_wider_than_a_phone(chromium: Any, served_site: Served) -> None:
    site, base = served_site
    with site.memory() as memory:
        memory.add("x" * 3000, speaker="y" * 200)
        memory.add("忆" * 2000, speaker="Mira Sand")
    addresses = every_page(site)
    person = Person(chromium, base, viewport={"width": 390, "height": 844})
    person.login(site.grant)
    wide = {}
    for path in addresses:
        width = person.goto(path).evaluate("document.documentElement.scrollWidth")
        if width > 390:
            wide[path] = width
    assert wide == {}
    person.close()


def test_no_page_shuts_anybody_out(chromium: Any, served_site: Served) -> None:
    """What axe finds serious or critical: names, roles, labels, order; contrast in both schemes."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="`axe-playwright-python` is missing"
    ).Axe()
    site, base = served_site
    person = Person(chromium, base, color_scheme="light")
    found = {}
    person.goto("/login")
    found["/login"] = _serious(axe, person.page)
    person.login(site.grant)
    for number, path in enumerate(every_page(site)[:-4]):
        person.goto(path)
        found[path] = _serious(axe, person.page)
        if number % 3:  # colours are the same on all; every third page shows them in dark
            continue
        person.page.emulate_media(color_scheme="dark")
        found[f"{path} (dark)"] = _serious(axe, person.page, only="color-contrast")
        person.page.emulate_media(color_scheme="light")
    assert {path: what for path, what in found.items() if what} == {}
    assert len(found) > 25
    person.close()


def _serious(axe: Any, page: Any, *, only: str = "") -> list[str]:
    page.evaluate("for (const node of document.querySelectorAll('details')) node.open = true")
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if only:
        options["runOnly"] = {"type": "rule", "values": [only]}
    return [
        f"{rule['id']}: {node['html'][:120]} {node['any'][:1]}"[:400]
        for rule in axe.run(page, options=options).response["violations"]
        if rule["impact"] in {"serious", "critical"}
        for node in rule["nodes"][:3]
    ]
