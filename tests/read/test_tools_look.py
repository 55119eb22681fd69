"""The typed tools: search, catalog, lines, facts, history, events, within reach and filters."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools_scene import silent, state, toolbox

from memoranda import Memory, NewEvent
from memoranda.errors import ForgottenError, InputError, NotFoundError
from memoranda.read.tools import Caps
from memoranda.read.tools.printed import HIDDEN
from memoranda.read.tools.results import Fact, Facts
from scene import CHINESE_PHONE, LIMIT, SENTENCES, Place, fast

FERRY = "key: 渡口 / 渡轮 / 开船时间"


@pytest.fixture
def stocked(place: Place) -> Memory:
    memory = place.open()
    memory.add_many(
        NewEvent(content=text, time=f"2026-05-{number:02}", session=f"s{number // 4}")
        for number, text in enumerate(SENTENCES[:16], 1)
    )
    memory.consolidate()
    memory.add_many(NewEvent(content=text, time="2026-05-28") for text in SENTENCES[16:])
    return memory


def only(found: Facts) -> Fact:
    assert len(found.facts) == found.total == 1
    return found.facts[0]


# --- search -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "seq"), [("harbour keys", 2), ("渡轮 码头", 13), ("蓝色铁盒", 12), ("篱笆", 17)]
)
def test_a_search_gives_the_block_its_lines_dates_and_sources(
    stocked: Memory, query: str, seq: int
) -> None:
    hit = toolbox(stocked).look(lambda look: look.search(query)).hits[0]
    first = hit.entries[0]
    assert first.seq == seq
    assert hit.snippet == first.text == SENTENCES[seq - 1]
    assert (first.time or "") in hit.dates
    assert hit.sources == ("user",)
    if hit.document_id == "CURRENT":
        assert hit.lines is None
        return
    assert hit.lines is not None
    page = stocked.read_lines(hit.document_id, *hit.lines)
    assert any(first.text in line for line in page.lines)
    assert hit.version == page.version
    assert hit.headings == stocked.document(hit.document_id).blocks[0].headings


def test_a_search_shows_the_newest_state_where_the_old_words_match(memory: Memory) -> None:
    memory.add("The ferry costs 4 crowns at the gate.", time="2026-05-01")
    memory.consolidate()
    memory.correct(1, "It is free of charge now.")
    hits = toolbox(memory).look(lambda look: look.search("crowns gate")).hits
    assert [entry.text for hit in hits for entry in hit.entries] == ["It is free of charge now."]


def test_a_search_reaches_events_that_no_entry_cites(memory: Memory) -> None:
    silent(memory, "罗盘在抽屉里。", time="2026-05-02")
    (hit,) = toolbox(memory).look(lambda look: look.search("罗盘")).hits
    assert (hit.document_id, hit.snippet, hit.dates) == ("LOG", "罗盘在抽屉里。", ("2026-05-02",))


def test_the_limit_of_a_search_is_told(stocked: Memory) -> None:
    found = toolbox(stocked, caps=Caps(search=1)).look(lambda look: look.search("the kiln 船屋"))
    assert len(found.hits) == 1
    assert found.total > 1
    assert f"{found.total - 1} more blocks" in found.note


def test_a_search_that_finds_nothing_says_what_there_is(stocked: Memory) -> None:
    found = toolbox(stocked).look(lambda look: look.search("xylophone"))
    assert found.hits == ()
    assert f"there are {len(stocked.documents())} documents" in found.note
    assert stocked.documents()[0].title in found.note


def test_a_long_line_is_shown_around_the_words(memory: Memory) -> None:
    memory.add("a b " * 400 + "the brass compass" + " c d" * 400)
    (hit,) = toolbox(memory).look(lambda look: look.search("brass compass")).hits
    assert "brass compass" in hit.snippet
    assert len(hit.snippet) <= 242
    assert hit.snippet.startswith("…")
    assert hit.snippet.endswith("…")


# --- catalog ----------------------------------------------------------------------------------


def library(place: Place, number: int) -> Memory:
    """Documents on one thing each."""
    memory = place.open()
    for at in range(number):
        memory.add(f"Workshop{at:03} keeps lathe{at:03} and vise{at:03} oiled.", session=f"s{at}")
    memory.consolidate()
    return memory


def test_the_catalog_comes_in_pages_that_hold_each_document_once(place: Place) -> None:
    memory = library(place, 60)
    known = [info.document_id for info in memory.documents()]
    size = -(-len(known) // 3)
    box = toolbox(memory, caps=Caps(catalog=size))
    pages = [box.look(lambda look, at=at: look.list_docs(page=at)) for at in (1, 2, 3)]  # type: ignore[misc]
    assert [info.document_id for page in pages for info in page.documents] == known
    assert {(page.pages, page.total) for page in pages} == {(3, len(known))}
    with pytest.raises(InputError, match="pages go from 1 to 3"):
        box.look(lambda look: look.list_docs(page=4))


def test_a_query_narrows_the_catalog_in_any_script(stocked: Memory) -> None:
    whole = stocked.list_documents()
    assert whole.total == len(stocked.documents())
    assert whole.current_entries == 4
    for info in whole.documents:
        piece = info.summary[:3] if not info.summary[0].isascii() else info.summary.split()[0]
        found = stocked.list_documents(query=piece)
        assert info.document_id in {item.document_id for item in found.documents}
    nothing = stocked.list_documents(query="锤子")
    assert (nothing.total, nothing.documents) == (0, ())
    assert whole.documents[0].title in nothing.note


def test_the_catalog_of_a_project_counts_nothing_of_another(place: Place) -> None:
    whole = place.open()
    for project in ("acme", "茶馆", None):
        whole.add_many([NewEvent(content=f"The lathe of {project} hums.", project=project)])
    whole.consolidate()
    own = place.open(project="acme").list_documents()
    assert {info.project for info in own.documents} == {"acme", None}
    assert own.total == 2
    assert place.open(project="acme").list_documents(project="acme").total == 1
    with pytest.raises(InputError, match="茶馆"):
        place.open(project="acme").list_documents(project="茶馆")


# --- lines ------------------------------------------------------------------------------------


def test_lines_are_those_of_the_file(stocked: Memory, place: Place) -> None:
    for info in stocked.documents():
        text = (place.folder / info.file).read_text(encoding="utf-8")
        found = stocked.read_lines(info.document_id)
        assert "\n".join(found.lines) + "\n" == text
        assert (found.first, found.last, found.version) == (1, found.total, info.version)
        assert stocked.read_lines(info.title, 17, 18).lines == found.lines[16:18]
        for entry, start in zip(found.entries, found.starts, strict=True):
            assert entry.lines is not None
            assert start == entry.lines[0]


def test_current_reads_as_its_file(stocked: Memory, place: Place) -> None:
    stocked.state()  # brings the files up to date
    found = stocked.read_lines("CURRENT")
    assert "\n".join(found.lines) + "\n" == (place.folder / "CURRENT.md").read_text(
        encoding="utf-8"
    )
    assert [entry.seq for entry in found.entries] == [17, 18, 19, 20]
    assert all(
        entry.text in found.lines[start - 1]
        for entry, start in zip(found.entries, found.starts, strict=True)
    )


def test_current_of_a_project_has_no_line_of_another(place: Place) -> None:
    whole = place.open()
    for project in ("acme", "茶馆", None):
        whole.add_many([NewEvent(content=f"仓库 {project} 开着。", project=project)])
    found = place.open(project="acme").read_lines("CURRENT")
    assert [entry.seq for entry in found.entries] == [1, 3]
    assert "茶馆" not in "\n".join(found.lines)


def test_more_lines_than_the_cap_are_told(stocked: Memory) -> None:
    name = stocked.documents()[0].document_id
    found = toolbox(stocked, caps=Caps(read=5)).look(lambda look: look.read_lines(name))
    assert (found.first, found.last, len(found.lines)) == (1, 5, 5)
    assert f"{found.total - 5} more lines" in found.note
    assert "line 6" in found.note
    assert stocked.read_lines(name, 1000).lines == ()
    with pytest.raises(InputError, match="lines go from 1 on"):
        stocked.read_lines(name, 5, 4)


def test_filters_blacken_what_does_not_fit_and_all_that_tells_of_it(memory: Memory) -> None:
    memory.add("The safe opens with 7-7-7.", sensitivity="private", time="2026-05-01")
    memory.add("The safe stands in the hall.", time="2026-05-01")
    memory.consolidate()
    (info,) = memory.documents()
    box = toolbox(memory, sensitivity=["public", "internal"])
    for name in (info.document_id, "safe"):
        given = {"document": name} if name != "safe" else {"query": name}
        for tool in ("read_lines",) if name != "safe" else ("search", "list_docs", "events"):
            result = box.call(tool, given)
            assert result.error is None
            assert "7-7-7" not in str(result.to_dict())
    assert HIDDEN in box.call("read_lines", {"document": info.document_id}).text
    assert box.call("grep", {"pattern": "safe"}).found == 1
    assert box.call("facts", {"subject": "safe"}).found == 1
    (seen,) = box.look(lambda look: look.list_docs()).documents
    assert (seen.entry_count, seen.summary) == (1, "The safe stands in the hall.")
    other = toolbox(memory, sensitivity="private").look(lambda look: look.list_docs())
    assert [(info.entry_count, info.summary) for info in other.documents] == [(1, "")]


# --- facts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("placed", [True, False])
@pytest.mark.parametrize(
    ("texts", "subject", "attribute", "value"),
    [
        ((LIMIT.format(3), LIMIT.format(5)), "deployment limit", None, "5 pods"),
        ((LIMIT.format(3), LIMIT.format(5)), "the deployment", "limit", "5 pods"),
        ((CHINESE_PHONE.format(111), CHINESE_PHONE.format(222)), "我的电话", None, "222"),
        ((CHINESE_PHONE.format(111), CHINESE_PHONE.format(222)), "电话", None, "222"),
        (("Ana Roe lives in Porto.", "Ana Roe lives in Graz."), "Ana Roe", "lives in", "Graz"),
        (("茶馆的开门时间是八点。", "茶馆的开门时间是九点。"), "茶馆", "开门时间", "9点"),
    ],
)
def test_a_fact_is_the_newest_state_with_what_it_replaced(
    memory: Memory,
    *,
    placed: bool,
    texts: tuple[str, str],
    subject: str,
    attribute: Any,
    value: str,
) -> None:
    for number, text in enumerate(texts, 1):
        memory.add(text, time=f"2026-05-{number:02}")
        if placed:
            memory.consolidate()
    fact = only(memory.facts(subject, attribute))
    assert (fact.value, fact.since, fact.source) == (value, "2026-05-02", "user")
    assert fact.entry.seq == 2
    assert [entry.seq for entry in fact.earlier] == [1]
    assert fact.competing == ()


def test_what_was_said_later_holds_in_whatever_order_it_came(memory: Memory) -> None:
    for day, hour in ((3, "七点"), (1, "八点"), (4, "十点"), (2, "九点")):
        state(memory, f"渡轮{hour}开船。", FERRY, time=f"2026-05-{day:02}")
    fact = only(memory.facts("渡轮", "开船时间"))
    assert fact.value == "渡轮十点开船。"
    assert (fact.key, fact.since) == (FERRY, "2026-05-04")
    assert [entry.time for entry in fact.earlier] == ["2026-05-03", "2026-05-02", "2026-05-01"]
    memory.consolidate()
    again = only(memory.facts("渡轮", "开船时间"))
    assert (again.value, again.competing) == ("渡轮十点开船。", ())


def test_what_the_user_said_leads_and_a_later_word_of_the_assistant_competes(
    memory: Memory,
) -> None:
    state(memory, "渡轮九点开船。", FERRY, time="2026-05-01")
    state(memory, "渡轮十点开船。", FERRY, time="2026-05-02", source="assistant")
    fact = only(memory.facts("渡轮"))
    assert (fact.value, fact.source) == ("渡轮九点开船。", "user")
    assert [entry.text for entry in fact.competing] == ["渡轮十点开船。"]
    assert fact.earlier == ()


def test_one_state_that_two_people_tell_is_one_fact_and_what_i_say_of_me_is_mine(
    memory: Memory,
) -> None:
    memory.add("Ana Roe lives in Porto.", speaker="Olek", time="2026-05-02")
    memory.add("Ana Roe lives in Graz.", speaker="米拉", time="2026-05-01")
    fact = only(memory.facts("Ana Roe", "lives in"))
    assert fact.value == "Porto"
    assert [entry.seq for entry in (*fact.competing, *fact.earlier)] == [2]
    memory.add("I live in Riga.", speaker="Olek", time="2026-05-01")
    memory.add("I live in Oslo.", speaker="Ines", time="2026-05-02")
    assert only(memory.facts("Olek", "live in")).value == "Riga"


def test_a_retracted_state_gives_way_to_the_one_before(memory: Memory) -> None:
    state(memory, "渡轮九点开船。", FERRY, time="2026-05-01")
    newer = state(memory, "渡轮十点开船。", FERRY, time="2026-05-02")
    memory.consolidate()
    memory.retract(newer)
    assert only(memory.facts("渡轮")).value == "渡轮九点开船。"


def test_a_correction_without_a_key_holds_for_the_key(memory: Memory) -> None:
    older = state(memory, "渡轮九点开船。", FERRY, time="2026-05-01")
    memory.correct(older, "改成十一点了。")
    fact = only(memory.facts("渡轮"))
    assert fact.entry.text == "改成十一点了。"
    assert [entry.seq for entry in fact.earlier] == [older]


def test_a_sentence_without_a_key_is_found_by_its_words_newest_first(memory: Memory) -> None:
    memory.add("The author of Moon Tide is Ana Roe.", time="2026-05-01")
    memory.add("The author of Moon Tide is Bo Lind.", time="2026-05-02")
    memory.add("The author of Sun Tide is Cy Hale.", time="2026-05-03")
    fact = only(memory.facts("Moon Tide", "author"))
    assert (fact.key, fact.value) == (None, "The author of Moon Tide is Bo Lind.")
    assert [entry.text for entry in fact.earlier] == ["The author of Moon Tide is Ana Roe."]


def test_facts_of_one_project_are_not_those_of_another(place: Place) -> None:
    whole = place.open()
    for project, limit in (("acme", 3), ("茶馆", 7)):
        whole.add_many([NewEvent(content=LIMIT.format(limit), project=project)])
    own = place.open(project="acme").facts("deployment limit")
    assert only(own).value == "3 pods"
    assert {fact.value for fact in whole.facts("deployment limit").facts} == {"3 pods", "7 pods"}
    other = place.open(project="mill").facts("deployment limit")
    assert (other.facts, other.near) == ((), ())


def test_nothing_known_names_what_is_near(memory: Memory) -> None:
    memory.add(LIMIT.format(3))
    found = memory.facts("departure limit")
    assert found.facts == ()
    assert found.near == ("deplo limit",)
    assert "1 keys" in found.note
    with pytest.raises(InputError, match="subject"):
        memory.facts("  ")


def test_a_forgotten_state_is_no_fact_and_no_near_name(memory: Memory) -> None:
    memory.add(LIMIT.format(3))
    memory.forget(entry=1)
    found = memory.facts("deployment limit")
    assert (found.facts, found.near) == ((), ())


# --- history ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ref", ["user: deplo limit / be # pod", "- / user: deplo limit / be # pod"]
)
def test_the_history_of_a_key_tells_each_version_and_why_it_went(memory: Memory, ref: str) -> None:
    for number in (3, 5, 7):
        memory.add(LIMIT.format(number), time=f"2026-05-0{number}")
        memory.consolidate()
    memory.retract(3, reason="a typo")
    found = memory.timeline(ref)
    assert [(entry.seq, entry.retracted) for entry in found.versions] == [
        (3, True),
        (2, False),
        (1, False),
    ]
    told = [change.text for change in found.changes]
    assert "entry 1: replaced by entry 2" in told
    assert "entry 2: placed in d1" in told
    assert "entry 3 retracted: a typo" in told
    assert memory.history(ref) == found.changes
    assert [change.position for change in found.changes] == sorted(
        c.position for c in found.changes
    )


def test_the_history_of_an_entry_brings_its_whole_family(memory: Memory) -> None:
    for number in (3, 5, 7):
        memory.add(LIMIT.format(number), time=f"2026-05-0{number}")
    memory.consolidate()
    for seq in (1, 2, 3):
        assert [entry.seq for entry in memory.timeline(seq).versions] == [3, 2, 1]
    assert memory.timeline(2).keys == ("- / user: deplo limit / be # pod",)


def test_history_of_what_is_not_there(memory: Memory) -> None:
    memory.add(CHINESE_PHONE.format(1))
    memory.forget(entry=1)
    with pytest.raises(ForgottenError):
        memory.timeline(1)
    for ref in (2, 0, 1 << 70, "user: 电话 / #"):
        with pytest.raises(NotFoundError):
            memory.timeline(ref)
    with pytest.raises(NotFoundError):
        memory.history("a / b")


def test_history_of_another_project_is_not_there(place: Place) -> None:
    whole = place.open()
    whole.add_many([NewEvent(content=LIMIT.format(3), project="茶馆")])
    own = place.open(project="acme")
    for ref in (1, "茶馆 / *: deplo limit / be # pod"):
        with pytest.raises(NotFoundError) as caught:
            own.timeline(ref)
        assert caught.value.near == ()
    assert len(whole.timeline("茶馆 / *: deplo limit / be # pod").versions) == 1


# --- events -----------------------------------------------------------------------------------


def test_events_are_found_word_for_word_cited_or_not(memory: Memory) -> None:
    memory.add("老李说：明天晚上关闸门。", speaker="老李", time="2026-05-01")
    silent(memory, "闸门的钥匙在米拉那里。", time="2026-05-02", source="tool")
    seq = state(memory, "另一句话。", "key: 甲 / 乙", time="2026-05-03")
    found = memory.events("闸门")
    assert [(hit.event.content, hit.seqs) for hit in found.hits] == [
        ("闸门的钥匙在米拉那里。", ()),
        ("老李说：明天晚上关闸门。", (1,)),
    ]
    (said,) = memory.events("(said) 另一句话").hits  # the entry says it in other words
    assert seq in said.seqs


@pytest.mark.parametrize(
    "piece", ["自行车链", "一九八七年", "二号锅炉的压力", "紫色", "十八", "窑"]
)
def test_a_chinese_piece_is_found_in_all_events_that_hold_it(stocked: Memory, piece: str) -> None:
    wanted = {text for text in SENTENCES if piece in text}
    found = stocked.events(piece)
    assert {hit.event.content for hit in found.hits[: len(wanted)]} == wanted
    assert wanted
    if len(piece) < 3:  # of longer ones a part counts too
        assert found.total == len(wanted)


def test_words_are_found_in_their_forms_and_not_inside_others(memory: Memory) -> None:
    for text in (
        "Ferries leave early.",
        "A ferret sleeps.",
        "The ferry-boat is late.",
        "Offering.",
    ):
        memory.add(text)
    assert [hit.seqs for hit in memory.events("ferry").hits] == [(3,), (1,)]


def test_events_tell_what_became_of_what_they_said(memory: Memory) -> None:
    memory.add(LIMIT.format(3))
    memory.add(LIMIT.format(5))
    memory.consolidate()
    memory.retract(2)
    memory.add(LIMIT.format(6))
    memory.consolidate()
    told = {hit.seqs: (hit.outdated, hit.retracted) for hit in memory.events("limit").hits}
    assert told == {(1,): ((1,), ()), (2,): ((), (2,)), (3,): ((), ())}


def test_events_obey_filters_and_reach(place: Place) -> None:
    whole = place.open()
    rows: tuple[dict[str, Any], ...] = (
        {"time": "2026-03-01", "speaker": "Olek"},
        {"time": "2026-03-15T23:30Z", "source": "assistant", "session": "a"},
        {"time": "2026-04-01", "sensitivity": "private"},
        {"time": "2026-03-02", "project": "acme"},
    )
    whole.add_many(NewEvent(content=f"The kiln, note {n}.", **row) for n, row in enumerate(rows))

    def notes(memory: Memory, **filters: Any) -> list[str]:
        found = memory.events("kiln", **filters)
        assert found.total == len(found.hits)
        return sorted(hit.event.content[-2] for hit in found.hits)

    assert notes(whole) == ["0", "1", "2", "3"]
    assert notes(whole, on="2026-03") == ["0", "1", "3"]
    assert notes(whole, speaker="Olek") == ["0"]
    assert notes(whole, source=["assistant", "tool"]) == ["1"]
    assert notes(whole, sensitivity="private") == ["2"]
    assert notes(whole, project="acme") == ["3"]
    assert notes(whole, session="a") == ["1"]
    assert notes(place.open(project="mill")) == ["0", "1", "2"]
    whole.consolidate()
    parts = [notes(whole, document=info.document_id) for info in whole.documents()]
    assert sorted(note for part in parts for note in part) == ["0", "1", "2", "3"]
    with pytest.raises(NotFoundError, match="speaker"):
        whole.events("kiln", speaker="Olaf")


def test_a_forgotten_event_is_not_found_and_a_part_of_one_neither(memory: Memory) -> None:
    memory.add("The brass compass lies in the drawer.", id="m1")
    memory.forget(external_id="m1")
    assert memory.events("compass").total == 0
    assert memory.events("").total == 0
    assert "none of 0 events" in memory.events("compass").note


def test_events_without_words_are_the_newest(stocked: Memory) -> None:
    found = stocked.events("", limit=3)
    assert [hit.event.content for hit in found.hits] == list(SENTENCES[:-4:-1])
    assert found.total == 20


# --- facts against a truth that is known -------------------------------------------------------

SHIPS = ("Alma", "Bera", "渡轮甲", "渡轮乙")


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_facts_are_the_truth_of_any_history(data: st.DataObject) -> None:
    """Told in any order, placed at any time, retracted or not: the last word by event time holds."""
    with tempfile.TemporaryDirectory(dir=fast()) as folder:
        place = Place(Path(folder).resolve() / "root")
        try:
            _told_and_asked(place.open(), data)
        finally:
            place.close()


def _told_and_asked(memory: Memory, data: st.DataObject) -> None:
    told: dict[str, list[tuple[int, int, str]]] = {ship: [] for ship in SHIPS}
    days = data.draw(st.lists(st.integers(1, 28), min_size=3, max_size=10, unique=True))
    for day in days:
        ship = data.draw(st.sampled_from(SHIPS))
        text = f"{ship} lies at pier {day}."
        seq = state(memory, text, f"key: {ship} / berth", time=f"2026-05-{day:02}")
        told[ship].append((day, seq, text))
        match data.draw(st.sampled_from(["go on", "go on", "place", "retract"])):
            case "place":
                memory.consolidate()
            case "retract":
                memory.retract(seq)
                told[ship].pop()
            case _:
                pass
    for ship, versions in told.items():
        found = memory.facts(ship, "berth")
        now = [(fact.value, fact.competing) for fact in found.facts if fact.key]
        assert now == ([(max(versions)[2], ())] if versions else [])
        if versions:
            fact = found.facts[0]
            assert [entry.text for entry in fact.earlier] == [
                text for _, _, text in sorted(versions, reverse=True)[1:]
            ]
