"""One right question for each step, and what must hold of its result whatever the reply was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from librarian import Shown, asker, block, candidate, draft_of, entry, event

from memoranda.store.operations import Text
from memoranda.write import reshape as by_rules
from memoranda.write.by_model import LargeBlock, Report, Small, Whole, Window
from memoranda.write.by_model.extract import extract
from memoranda.write.by_model.reshape import merge, split
from memoranda.write.by_model.rewrite import rewrite
from memoranda.write.by_model.route import route
from memoranda.write.by_model.summarize import summarize

EVENTS = (
    event("I moved to Riga yesterday, and I may adopt a dog."),
    event("You like herring, I hear.", source="assistant", speaker=None),
    event("渡轮周二停开，周三九点开。", speaker="米拉", time="2026-05-13"),
    event("My phone number is 555-1234."),
    event("ok thanks"),
)
FACTS = ("Mira moved to Riga yesterday, and may adopt a dog.", "渡轮周二停开，周三九点开。")
FACT_DATED = "Mira moved to Riga yesterday (2026-05-11), and may adopt a dog."
ENTRIES = (
    entry(1, "I want to paint the fence in May.", time="2026-05-02"),
    entry(2, "I want to finish it before the goats come back.", time="2026-05-02"),
    entry(3, "渡轮周二停开。", time="2026-05-02", speaker="米拉"),
    entry(4, "The paint is in the boathouse.", time="2026-05-02"),
    entry(5, "The paint is in the boathouse!", time="2026-05-02"),
    entry(6, "渡轮周二九点开。", time="2026-05-09", speaker="米拉"),
)
JOINED = "I want to paint the fence in May. I want to finish it before the goats come back."
OLD = entry(91, "渡轮周一停开。", time="2026-01-01", speaker="米拉", document_id="d7")
OTHER = entry(92, "The farm gate is open.", project="farm", document_id="d9")
FENCE = candidate("d3", "Mira's fence", "fence, blue paint, boathouse")
FERRY = candidate("d7", "渡轮时间", "渡轮")
FARM = candidate("d9", "Farm gate", "farm gate", project="farm")
TITLES = frozenset({"Paint, boathouse", "渡轮周二", "Fence, goats", "Paint and fence"})
SUMMARIES = frozenset({"paint, boathouse", "渡轮，周二停开", "fence, goats", "渡轮，周二九点"})
HEADINGS = frozenset({"Paint", "渡轮"})
BLOCKS = (
    block(*ENTRIES[:2], rules="d3", candidates=(FENCE, FERRY)),
    block(ENTRIES[2], ENTRIES[5], rules="d3", candidates=(FERRY,), older=(OLD, OTHER)),
    block(ENTRIES[3], ENTRIES[4], candidates=(FENCE, FARM)),
)
LARGE = tuple(
    LargeBlock(block_id=10 + e.seq, headings=("2026-05-02",), entries=(e,), tokens=60)
    for e in ENTRIES
)
SMALL = tuple(
    Small(
        document_id=f"d{number}",
        project=project,
        title=Text(text=title, made_from=(number,)),
        summary=Text(text=summary, made_from=(number,)),
        tokens=100,
    )
    for number, title, summary, project in (
        (2, "Paint", "paint, boathouse", None),
        (4, "Fence", "fence, goats", None),
        (6, "渡轮", "渡轮，周二停开", None),
        (8, "Gate", "farm gate", "farm"),
    )
)
WHOLES = (
    Whole(document_id="d2", title="One", entries=ENTRIES[3:5], retitle=True),
    Whole(document_id="d7", title="Two", entries=(ENTRIES[2], ENTRIES[5]), retitle=True),
)


@dataclass(frozen=True)
class Step:
    """A step: its run, its right reply, what must hold of what it gave."""

    run: Callable[[Any], Any]
    right: Callable[[Shown], Mapping[str, Any]]
    holds: Callable[[Any], None]


def texts(*found: Text | None) -> Iterator[str]:
    yield from (text.text for text in found if text is not None)


def _extract(model: Any) -> Any:
    return extract(asker(model), EVENTS, keys=("- / mira / home",), entry_tokens=120)


def _right_extract(shown: Shown) -> dict[str, Any]:
    """The right reply to what is shown, which may be a half."""
    moved, ferry, thanks = EVENTS[0].content, EVENTS[2].content, EVENTS[4].content
    facts = []
    if shown.has(moved):
        key = shown.of("- / mira / home")
        facts.append({"of": shown.of(moved), "fact": FACTS[0], "key": key, "when": "yesterday"})
    if shown.has(ferry):
        facts.append({"of": shown.of(ferry), "fact": FACTS[1]})
    skip = [{"of": shown.of(thanks), "why": "greeting"}] if shown.has(thanks) else []
    return {"facts": facts, "skip": skip}


def _extract_holds(made: Any) -> None:
    cited = {number for item in made.items for number in item.events}
    left = {gone.event for gone in made.left_out}
    assert cited | left == set(range(len(EVENTS)))
    assert not cited & left
    assert left <= {1, 4}, "what a user tells is never left out"
    for item in made.items:
        if item.said is None:
            start, end = item.span
            assert EVENTS[item.events[0]].content[start:end].strip()
        else:
            assert item.said in {*FACTS, FACT_DATED}
            assert set(item.events) <= {0, 2}
        assert set(item.to_json()) <= {"event", "events", "span", "said", "tokens", "keys"}


def _rewrite(model: Any) -> Any:
    window = Window(entries=ENTRIES, draft=draft_of(ENTRIES), older=(OLD, OTHER))
    return rewrite(asker(model), window)


def _right_rewrite(shown: Shown) -> dict[str, Any]:
    """The right reply to what is shown, which may be a half: of each part what can be said of it."""

    def named(*entries: Any) -> str:
        return " ".join(shown.of(e.text) for e in entries if shown.has(e.text))

    first, second, ferry, paint, again, later = ENTRIES
    groups = {"Paint": named(paint, again), "渡轮": named(ferry, later)}
    joined = named(first, second)
    pairs = (named(OLD, ferry), named(ferry, later))
    return {
        "blocks": [{"under": head, "of": of} for head, of in groups.items() if of],
        "same": [pair for pair in (named(again, paint),) if " " in pair],
        "join": [{"of": joined, "text": JOINED}] if " " in joined else [],
        "old": [pair for pair in pairs if " " in pair],
    }


def _rewrite_holds(made: Any) -> None:
    found = Counter(e.seq for segment in made.draft.segments for e in segment)
    found.update(item.seq for item in made.draft.duplicates)
    found.update(seq for join in made.joins for seq in join.seqs[1:])
    assert found == Counter(e.seq for e in ENTRIES)
    assert {(d.seq, d.of) for d in made.draft.duplicates} <= {(5, 4)}
    assert {(j.seqs, j.text.text) for j in made.joins} <= {((1, 2), JOINED)}
    assert made.draft.supersedes == ()
    assert made.draft.window == tuple(e.seq for e in ENTRIES)
    assert {t.text for path in made.headings for t in path} <= HEADINGS
    shown = {e.text for segment in made.draft.segments for e in segment}
    assert shown <= {JOINED, *(e.text for e in ENTRIES)}
    assert {seq for link in made.possible for seq in (link.older, link.newer)} <= {
        *range(1, 7),
        OLD.seq,
    }


def _route(model: Any) -> Any:
    return route(asker(model), BLOCKS, batch=12)


def _right_route(shown: Shown) -> dict[str, Any]:
    go: list[dict[str, Any]] = []
    old: list[str] = []
    if shown.has(ENTRIES[0].text):
        go.append(
            {"to": "Fence, goats", "blocks": shown.block_of(ENTRIES[0].text), "sum": "fence, goats"}
        )
    if shown.has(ENTRIES[2].text):
        to = shown.titled("渡轮时间")
        go.append({"to": to, "blocks": shown.block_of(ENTRIES[2].text), "sum": "渡轮，周二九点"})
        old.append(f"{shown.of(OLD.text)} {shown.of(ENTRIES[5].text)}")
    if shown.has(ENTRIES[3].text):
        to = "Paint, boathouse"
        go.append({"to": to, "blocks": shown.block_of(ENTRIES[3].text), "sum": "paint, boathouse"})
    return {"go": go, "old": old}


def _route_holds(made: Any) -> None:
    assert len(made.targets) == len(BLOCKS)
    for target, one in zip(made.targets, BLOCKS, strict=True):
        offered = {c.document_id for c in one.candidates if c.project is None}
        offered.add(one.by_rules.document_id or "")
        if target.document_id is not None:
            assert target.document_id in offered
        else:
            assert made.new[target.new].project is None
    used = {target.new for target in made.targets if target.document_id is None}
    assert used == set(range(len(made.new))), "no document is made for nothing"
    titles = set(texts(*(new.title for new in made.new)))
    summaries = set(texts(*(new.summary for new in made.new), *made.summaries.values()))
    assert titles <= TITLES | SUMMARIES, (titles, summaries)
    assert summaries <= SUMMARIES | TITLES
    seqs = {seq for link in made.possible for seq in (link.older, link.newer)}
    assert OTHER.seq not in seqs
    assert set(made.summaries) <= {"d3", "d7"}


def _split(model: Any) -> Any:
    return split(asker(model), LARGE, title="Notes", limit=300)


def _right_split(shown: Shown) -> dict[str, Any]:
    names = [shown.of(e.text) for e in ENTRIES]
    return {
        "parts": [
            {
                "title": "Paint, boathouse",
                "of": f"{names[3]}-{names[4]}",
                "sum": "paint, boathouse",
            },
            {"title": "渡轮周二", "of": f"{names[2]} {names[5]}", "sum": "渡轮，周二停开"},
        ]
    }


def _split_holds(made: Any) -> None:
    moved = Counter(number for part in made.parts for number in part.blocks)
    assert all(times == 1 for times in moved.values())
    assert moved.keys() < {b.block_id for b in LARGE}
    assert made.parts, "it is too large: something leaves"
    assert set(texts(*(part.title for part in made.parts))) <= TITLES | SUMMARIES
    assert set(texts(*(part.summary for part in made.parts))) <= SUMMARIES | TITLES


def _merge(model: Any) -> Any:
    return merge(asker(model), SMALL, (by_rules.Merge("d2", "d4", 0.2),), limit=1000)


def _right_merge(shown: Shown) -> dict[str, Any]:
    names = " ".join(shown.titled(title) for title in ("Paint", "Fence"))
    return {"merge": [{"of": names, "title": "Paint and fence", "sum": "fence, goats"}]}


def _merge_holds(made: Any) -> None:
    merged = Counter(name for union in made.unions for name in union.documents)
    assert all(times == 1 for times in merged.values())
    assert merged.keys() <= {"d2", "d4", "d6"}, "nothing crosses projects"
    assert set(texts(*(union.title for union in made.unions))) <= TITLES | SUMMARIES
    assert set(texts(*(union.summary for union in made.unions))) <= SUMMARIES | TITLES


def _summarize(model: Any) -> Any:
    return summarize(asker(model), WHOLES)


def _right_summarize(shown: Shown) -> dict[str, Any]:
    return {
        "docs": [
            {"of": shown.titled("One"), "sum": "paint, boathouse", "title": "Paint, boathouse"},
            {"of": shown.titled("Two"), "sum": "渡轮，周二停开", "title": "渡轮周二"},
        ]
    }


def _summarize_holds(made: Any) -> None:
    assert [named.document_id for named in made.named] == ["d2", "d7"]
    assert set(texts(*(named.title for named in made.named))) <= TITLES | SUMMARIES
    assert set(texts(*(named.summary for named in made.named))) <= SUMMARIES | TITLES


STEPS: Mapping[str, Step] = {
    "extract": Step(_extract, _right_extract, _extract_holds),
    "rewrite": Step(_rewrite, _right_rewrite, _rewrite_holds),
    "route": Step(_route, _right_route, _route_holds),
    "split": Step(_split, _right_split, _split_holds),
    "merge": Step(_merge, _right_merge, _merge_holds),
    "summarize": Step(_summarize, _right_summarize, _summarize_holds),
}


def report_of(made: Any) -> Report:
    found: Report = made.report
    return found
