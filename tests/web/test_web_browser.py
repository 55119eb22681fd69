"""The pages in headless Chromium: each by a real task; readable on a phone; without a script too."""

from __future__ import annotations

import re
from typing import Any

import pytest
from web_browser import Person, see
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
    see(page.get_by_role("link", name="Inbox").get_by_text("1")).to_be_visible()
    page.get_by_role("link", name=re.compile("Placing")).click()
    line = page.locator("tr.added", has_text="我最喜欢的茶是龙井")
    line.get_by_text("Word for word").click()
    see(line.locator(".event .raw")).to_have_text(
        "我最喜欢的茶是龙井，每天早上喝一壶。", use_inner_text=True
    )
    page.get_by_role("button", name="Approve").click()
    see(page.get_by_role("status")).to_have_text("Approved and applied.", use_inner_text=True)
    see(page.locator("h1 .state")).to_have_text("approved", use_inner_text=True)
    page.get_by_label("Reason").fill("一个主题一篇")
    page.get_by_role("button", name="Undo").click()
    see(page.locator("h1 .state")).to_have_text("undone", use_inner_text=True)
    page.get_by_role("button", name="Have it again").click()
    see(page.get_by_role("status")).to_have_text("It is in force again.", use_inner_text=True)
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
    see(new).to_have_count(1)
    see(new.locator(".sign")).to_have_text("+", use_inner_text=True)
    page.get_by_text("The summary is made anew").first.click()
    see(page.locator("tr.of-summary ins").first).to_be_visible()
    see(page.locator("thead").first.locator("th")).to_have_text(["Before", "After"])


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
    see(origin).to_be_hidden()
    item.hover()
    page.wait_for_timeout(200)
    see(origin).to_be_visible()
    page.mouse.move(2, 2)
    item.locator(":scope > .body > .meta .seq").focus()  # and by keyboard
    page.wait_for_timeout(200)
    see(origin).to_be_visible()
    page.keyboard.press("Enter")
    see(item).to_contain_class("open")
    see(page.get_by_text("My desk phone is 555-0131.").first).to_be_hidden()
    item.get_by_text("1 earlier, replaced").click()
    see(item.locator(".item", has_text="555-0131")).to_be_visible()
    origin.locator(".ids a").first.click()
    see(page.locator(".raw")).to_contain_text("I work from Bergen. My desk phone is 555-0177.")


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
    see(page.get_by_text(f"Version {last - 1} of {last}")).to_be_visible()
    page.get_by_role("link", name="Blame").click()
    see(page.locator("table.blame tr.entry").first).to_be_attached()


def test_the_timeline_narrows_and_leads_to_an_event(person: Person) -> None:
    page = person.goto("/timeline")
    see(page.locator("svg rect").first).to_be_attached()
    page.get_by_label("Source").select_option("tool")
    page.wait_for_url("**source=tool*")
    see(page.locator(".records li")).to_have_count(1)
    page.get_by_role("link", name=re.compile("Build 1204")).click()
    see(page.locator("h1")).to_have_text("Event, as it came", use_inner_text=True)


def test_the_lab_puts_readers_side_by_side(person: Person) -> None:
    page = person.goto("/lab")
    page.get_by_label("Question").fill("When are releases of the harvest app?")
    page.get_by_label("agentic").check()
    page.get_by_role("button", name="Search").click()
    columns = page.locator(".column")
    see(columns).to_have_count(2)
    boxes = [columns.nth(at).bounding_box() for at in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"]  # type: ignore[index]
    agentic = columns.nth(1)
    see(agentic.locator(".rounds > li")).to_have_count(3)
    see(agentic.locator(".rounds")).to_contain_text("grep")
    see(columns.first.locator("mark", has_text="release").first).to_be_attached()


def test_a_claim_is_traced_to_its_event(person: Person, served_site: Served) -> None:
    approved(served_site[0])
    page = person.goto("/ask")
    page.get_by_label("Question").fill("When are releases of the harvest app?")
    page.keyboard.press("Enter")
    see(page.locator(".answer .prose strong")).to_have_text("second", use_inner_text=True)
    page.get_by_role("link", name="Trace to its events").first.click()
    quote = page.locator(".chain").first.locator(".quote")
    see(quote).to_have_text("a release every second Thursday", use_inner_text=True)
    see(page.locator(".printed")).to_contain_text("every second Thursday")
    page.locator(".step .ids a").first.click()
    said = "The harvest app needs a release every second Thursday."
    see(page.locator(".raw")).to_have_text(said, use_inner_text=True)
    see(page.locator(".facts")).to_contain_text("x-3")


def test_something_is_forgotten_and_the_receipt_is_seen(
    person: Person, served_site: Served
) -> None:
    approved(served_site[0])
    page = person.goto("/forget")
    page.get_by_label("Find it by its words").fill("龙井")
    page.keyboard.press("Enter")
    page.get_by_label("line #4").check()
    page.get_by_role("button", name="Look at what is ticked").click()
    see(page.locator(".going").first).to_contain_text("龙井")
    page.get_by_role("button", name="Forget for good").click()  # the box is not ticked yet
    see(page.locator("h1")).to_have_text("What would go", use_inner_text=True)
    page.get_by_label("I am sure").check()
    page.get_by_role("button", name="Forget for good").click()
    see(page.locator("h1")).to_have_text("Receipt of forgetting", use_inner_text=True)
    assert "龙井" not in page.content()
    page.get_by_role("button", name="Look again").click()
    see(page.get_by_role("status")).to_contain_text("nothing is left")
    person.goto("/forget")
    page.get_by_label("Find it by its words").fill("龙井")
    page.keyboard.press("Enter")
    page.locator("main").get_by_text("No event has these words").wait_for()


def test_an_entry_is_corrected(person: Person, served_site: Served) -> None:
    approved(served_site[0])
    page = person.goto("/entries/5")
    page.get_by_label("What is right").fill("阳台上的罗勒每天浇一次水。")
    page.get_by_role("button", name="Correct").click()
    see(page.locator("h1 + blockquote")).to_have_text(
        "阳台上的罗勒每天浇一次水。", use_inner_text=True
    )


def test_health_is_checked(person: Person) -> None:
    page = person.goto("/health")
    page.get_by_role("button", name="Check now").click()
    see(page.locator(".note.done")).to_contain_text("0 flaws.")
    page.get_by_role("button", name="Measure over time").click()
    see(page.locator(".ten .value")).to_have_count(10)


def test_language_and_colours_stay_chosen(person: Person) -> None:
    page = person.goto("/library?sort=title")
    page.get_by_role("button", name="中文").click()
    see(page.locator("h1")).to_have_text("文库", use_inner_text=True)
    page.wait_for_url("**/library?sort=title")
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.get_by_role("button", name="深色").click()
    page.wait_for_selector("html[data-theme=dark]")
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert light != dark
    person.goto("/ask")
    see(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_all_of_it_works_without_a_script(chromium: Any, served_site: Served) -> None:
    site, base = served_site
    person = Person(chromium, base, java_script_enabled=False)
    person.login(site.grant)
    page = person.page
    page.get_by_role("link", name=re.compile("Placing")).click()
    page.get_by_role("button", name="Approve").click()
    see(page.get_by_role("status")).to_have_text("Approved and applied.", use_inner_text=True)
    person.goto("/library")
    page.get_by_label("Sorted by").select_option("title")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**sort=title*")
    page.locator("tbody a").first.click()
    page.locator(".item .seq").first.click()  # no card to pin: the link leads to the entry
    page.wait_for_url(re.compile(r"/entries/\d+"))
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
