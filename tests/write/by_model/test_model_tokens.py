"""What a right model must write to keep a library: a fraction of what it keeps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from librarian import Shown, asker, block, draft_of, entry, librarian

from memoranda import Entry
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Reply, Request
from memoranda.store.operations import Text
from memoranda.text.tokens import count
from memoranda.write.by_model import Candidate, LargeBlock, Report, Small, Whole, Window
from memoranda.write.by_model.reshape import merge, split
from memoranda.write.by_model.rewrite import rewrite
from memoranda.write.by_model.route import route
from memoranda.write.by_model.summarize import summarize

WINDOW = 5000
THINGS = {
    "captain of the ferry": "The captain of the ferry {a} is now called {b}.",
    "keeper of the lighthouse": "The keeper of the lighthouse at {a} is {b}.",
    "baker in the town": "The baker in the town of {a} is {b} again.",
    "bridge over the river": "The bridge over the river {a} was built by {b}.",
    "票价渡轮": "渡轮{a}的票价由{b}决定。",
    "choir of the school": "The choir of the school in {a} sings with {b}.",
    "orchard on the hill": "The orchard on the hill at {a} belongs to {b}.",
    "mayor of the island": "The mayor of the island {a} is named {b}.",
}
_FIRST = [
    "Al",
    "Be",
    "Cor",
    "Dun",
    "Es",
    "Fal",
    "Gor",
    "Hal",
    "Is",
    "Jor",
    "Kel",
    "Lor",
    "Mor",
    "Nor",
    "Or",
    "Pel",
    "Quin",
    "Ros",
    "Sel",
    "Tor",
]
_LAST = [
    "ba",
    "den",
    "dorf",
    "fors",
    "gard",
    "holm",
    "keld",
    "lund",
    "mark",
    "nes",
    "rup",
    "sted",
    "thal",
    "ven",
    "vik",
]
NAMES = [first + last for first in _FIRST for last in _LAST]


def facts(tokens: int) -> tuple[list[Entry], dict[int, str], list[tuple[int, int]]]:
    """Make short facts of mixed topics: entries, the topic of each, the updates (older, newer)."""
    chance = Random(7)  # noqa: S311 - the same each time, on purpose
    topics: dict[int, str] = {}
    entries: list[Entry] = []
    updates = []
    said: dict[tuple[str, str], int] = {}
    texts: set[str] = set()
    held = 0
    while held < tokens:
        topic = chance.choice(sorted(THINGS))
        seq = len(entries) + 1
        subject = chance.choice(NAMES)
        old = chance.choice(sorted(said)) if said and chance.random() < 0.1 else (topic, subject)
        text = THINGS[old[0]].format(a=old[1], b=chance.choice(NAMES))
        if text in texts:
            continue
        texts.add(text)
        if old in said:
            updates.append((said[old], seq))
        said[old] = seq
        entries.append(entry(seq, text, speaker=None, time="2026-05-02"))
        topics[seq] = old[0]
        held += count(text)
    return entries, topics, updates


TALK = {
    "garden and goats": (
        "The goats got into the garden again and ate half of the beans before I woke up.",
        "We should mend the fence of the garden this week, the boards came on Monday.",
        "Do you think the goats would stay on the hill if we moved the trough up there?",
        "My sister keeps two goats as well, and hers never touch the garden at all.",
    ),
    "choir and concert": (
        "The choir sings at the concert in the old church, and I am to stand in the first row.",
        "I was so nervous at the last concert that I forgot the second verse of the song.",
        "Our choir needs two more voices, so the teacher asked the neighbours to come along.",
        "After the concert everybody stayed for soup, and the choir sang until midnight.",
    ),
    "渡轮和旅行": (
        "渡轮下周二停开，所以我们的旅行要晚一天，我已经告诉妈妈了。",
        "旅行的箱子还没收拾，渡轮的票放在厨房的抽屉里，别忘了带。",
        "上次坐渡轮的时候风很大，这次旅行我想带一件厚外套。",
    ),
    "boat and paint": (
        "The boat needs new paint before the summer, the old paint comes off in large pieces.",
        "I found blue paint for the boat in the shed, but there is not enough of it left.",
        "Olek will help me turn the boat over on Sunday if it does not rain all day.",
    ),
}


def talk(tokens: int) -> tuple[list[Entry], dict[int, str]]:
    """Make sessions of a conversation, each on one or two matters."""
    chance = Random(3)  # noqa: S311 - the same each time, on purpose
    entries: list[Entry] = []
    topics: dict[int, str] = {}
    held = 0
    while held < tokens:
        session, topic = f"s{len(entries)}", chance.choice(sorted(TALK))
        for turn in range(12):
            seq = len(entries) + 1
            text = f"{chance.choice(NAMES)} {seq}: {chance.choice(TALK[topic])}"
            who = "Mira" if turn % 2 else "Olek"
            entries.append(entry(seq, text, speaker=who, session=session))
            topics[seq] = topic
            held += count(text)
    return entries, topics


@dataclass
class Library:
    """What a right model knows, says, and has written so far."""

    topics: Mapping[int, str]
    updates: Sequence[tuple[int, int]] = ()
    group: bool = True
    written: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    documents: dict[str, list[Entry]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    report: Report = field(default_factory=Report)
    marked: set[tuple[int, int]] = field(default_factory=set)
    by_text: dict[str, int] = field(default_factory=dict)

    def model(self) -> ScriptedModel:
        inner = librarian(self.answer)

        def counted(request: Request) -> Reply:
            reply = inner.ask(request)
            self.written[Shown(request).step] += reply.usage.output_tokens
            return reply

        return ScriptedModel(counted)

    def seqs(self, shown: Shown) -> dict[int, str]:
        """Give the name of each entry that is shown."""
        found = {}
        for line in shown.text.split("\n"):
            head, _, text = line.strip().partition(": ")
            if text in self.by_text:
                found[self.by_text[text]] = head.split()[0]
        return found

    def answer(self, shown: Shown) -> dict[str, Any]:
        step = {"rewrite": self.rewriting, "route": self.routing, "split": self.splitting}
        if shown.step in step:
            return step[shown.step](shown)
        if shown.step == "merge":
            return {"merge": []}
        names = {
            shown.titled(title): topic
            for topic, title in self.titles.items()
            if title in shown.text
        }
        return {"docs": [{"of": name, "sum": summary_of(t)} for name, t in names.items()]}

    def rewriting(self, shown: Shown) -> dict[str, Any]:
        if not self.group:
            return {}
        groups: dict[str, list[str]] = defaultdict(list)
        names = self.seqs(shown)
        new = set(shown.names("entries"))
        for seq in sorted(names):
            if names[seq] in new:
                groups[self.topics[seq]].append(names[seq])
        old = [f"{names[a]} {names[b]}" for a, b in self.updates if a in names and b in names]
        blocks = [{"under": topic, "of": " ".join(of)} for topic, of in sorted(groups.items())]
        return {"blocks": blocks, "old": old}

    def routing(self, shown: Shown) -> dict[str, Any]:
        groups: dict[str, dict[str, None]] = defaultdict(dict)
        name = ""
        for line in shown.data["blocks"].split("\n"):
            if line.startswith("block "):
                name = line.removeprefix("block ")
            else:
                groups[self.topics[self.by_text[line.partition(": ")[2]]]][name] = None
        go = []
        for topic, blocks in groups.items():
            known = self.titles.get(topic)
            to = shown.titled(known) if known and f'"{known}"' in shown.text else topic
            go.append({"to": to, "blocks": " ".join(blocks), "sum": summary_of(topic)})
        return {"go": go}

    def splitting(self, shown: Shown) -> dict[str, Any]:
        names = [line.split()[0] for line in shown.data["blocks"].split("\n")]
        half = names[len(names) // 2 :]
        topic = next(t for t, title in self.titles.items() if title == shown.data["document"])
        return {
            "parts": [{"title": topic, "of": f"{half[0]}-{half[-1]}", "sum": summary_of(topic)}]
        }

    # --- one window ---------------------------------------------------------------------------

    def consolidate(self, window: Sequence[Entry]) -> None:
        self.by_text = {e.text: e.seq for e in window}
        older = self.older(window)
        self.by_text |= {e.text: e.seq for e in older}
        made = rewrite(
            asker(self.model()),
            Window(entries=tuple(window), draft=draft_of(tuple(window)), older=older),
        )
        self.marked |= {(link.older, link.newer) for link in made.possible}
        candidates = tuple(
            Candidate(
                document_id=document_id,
                project=None,
                title=self.titles[self.topics[held[0].seq]],
                summary=Text(text=summary_of(self.topics[held[0].seq]), made_from=(held[0].seq,)),
            )
            for document_id, held in self.documents.items()
        )
        blocks = [block(*segment, candidates=candidates) for segment in made.draft.segments]
        routing = route(asker(self.model()), blocks)
        self.report = self.report.plus(made.report, routing.report)
        names: dict[int | None, str] = {}
        for target, segment in zip(routing.targets, made.draft.segments, strict=True):
            document_id = target.document_id or names.setdefault(
                target.new, f"d{len(self.documents) + 1}"
            )
            self.documents.setdefault(document_id, []).extend(segment)
            if target.new is not None:
                title = routing.new[target.new].title
                assert title is not None
                self.titles[self.topics[segment[0].seq]] = title.text

    def older(self, window: Sequence[Entry]) -> tuple[Entry, ...]:
        seqs = {e.seq for e in window}
        wanted = {a for a, b in self.updates if b in seqs and a not in seqs}
        held = [e for entries in self.documents.values() for e in entries]
        return tuple(e for e in held if e.seq in wanted)

    # --- all of them --------------------------------------------------------------------------

    def reshape(self) -> None:
        """Split the largest document, ask for merges, and summarise what was split."""
        document_id = max(self.documents, key=lambda name: len(self.documents[name]))
        held = self.documents[document_id]
        title = self.titles[self.topics[held[0].seq]]
        parts = [held[start : start + 6] for start in range(0, len(held), 6)]
        blocks = [
            LargeBlock(
                block_id=n,
                headings=(),
                entries=tuple(part),
                tokens=sum(count(e.text) for e in part),
            )
            for n, part in enumerate(parts, start=1)
        ]
        size = sum(b.tokens for b in blocks)
        splitting = split(asker(self.model()), blocks, title=title, limit=size * 2 // 3)
        small = [
            Small(
                document_id=name,
                project=None,
                title=Text(text=self.titles[self.topics[entries[0].seq]], made_from=()),
                summary=Text(text=summary_of(self.topics[entries[0].seq]), made_from=()),
                tokens=500,
            )
            for name, entries in self.documents.items()
        ]
        merging = merge(asker(self.model()), small, ())
        named = summarize(
            asker(self.model()), [Whole(document_id=document_id, title=title, entries=tuple(held))]
        )
        assert named.named[0].summary is not None
        self.report = self.report.plus(splitting.report, merging.report, named.report)

    def rate(self, entries: Sequence[Entry]) -> float:
        return 1000 * sum(self.written.values()) / sum(count(e.text) for e in entries)


def summary_of(topic: str) -> str:
    """Give a summary of the size that a model would write, of words that stand in the topic."""
    words = topic.replace(" of the", ",").replace(" in the", ",")
    return f"{topic}; {words}; {topic}; {words}; {topic}"


def kept(library: Library, entries: Sequence[Entry]) -> None:
    placed = sorted(e.seq for held in library.documents.values() for e in held)
    assert placed == [e.seq for e in entries]
    for held in library.documents.values():
        assert len({library.topics[e.seq] for e in held}) == 1, "one topic a document"
    assert (library.report.repaired, library.report.fallbacks) == (0, ())
    assert library.report.reworded == 0


def windows(entries: Sequence[Entry]) -> list[list[Entry]]:
    found: list[list[Entry]] = [[]]
    held = 0
    for one in entries:
        held += count(one.text)
        if held > WINDOW:
            found.append([])
            held = count(one.text)
        found[-1].append(one)
    return found


def test_short_facts_cost_at_most_300_tokens_a_thousand() -> None:
    entries, topics, updates = facts(10_000)
    library = Library(topics, updates)
    for window in windows(entries):
        library.consolidate(window)
    library.reshape()
    kept(library, entries)
    assert library.marked == set(updates)
    assert len(updates) > 40
    assert library.rate(entries) <= 300, dict(library.written)


def test_conversation_costs_at_most_150_tokens_a_thousand() -> None:
    entries, topics = talk(10_000)
    library = Library(topics, group=False)
    for window in windows(entries):
        library.consolidate(window)
    library.reshape()
    kept(library, entries)
    assert library.rate(entries) <= 150, dict(library.written)
