"""The ideal model of the suite `tokens` reads what a step shows, and answers it rightly."""

from __future__ import annotations

import json
from http.client import HTTPConnection

import pytest
from evals.ideal import Ideal, listed
from evals.ideal_facts import FactGold, Sentences
from evals.peers.endpoint import serving
from evals.peers.replies import PeerReplies

from memoranda import Entry, NewEvent
from memoranda.store.operations import Text
from memoranda.text.tokens import count
from memoranda.write.by_model import Asker, Block, Candidate, LargeBlock, Small, Whole, Window
from memoranda.write.by_model.extract import extract
from memoranda.write.by_model.reshape import merge, split
from memoranda.write.by_model.rewrite import rewrite
from memoranda.write.by_model.route import route
from memoranda.write.by_model.summarize import summarize
from memoranda.write.draft import Draft
from memoranda.write.route import Route
from memoranda.write.segments import segments

FORMS = {
    "P36": {"cloze": "The capital of [X] is __", "question": "What is the capital of [X]?"},
    "P26": {"cloze": "[X] is married to __", "question": "Who is [X] married to?"},
    "P112": {"cloze": "[X] was founded by __", "question": "Who founded [X]?"},
}
TEXTS = [
    "The capital of Norrin is Aster.",
    "Mira Holm is married to Olek Brand.",
    "The Ferry Union was founded by Ida Vance.",
    "The capital of Norrin is Port Elm.",
    "The Keeper of the Lamp is Tove Lind.",
    "Ines Falk is married to Rolf Dane.",
]


@pytest.fixture
def gold() -> FactGold:
    return FactGold(Sentences(FORMS), TEXTS)


@pytest.fixture
def ideal(gold: FactGold) -> Ideal:
    return Ideal(gold)


def asker(ideal: Ideal) -> Asker:
    return Asker(model=ideal.model(), nonce="5e" * 8)


def entry(number: int) -> Entry:
    return Entry(seqs=(number + 1,), text=TEXTS[number], source="external", event_ids=("e",))


ENTRIES = tuple(entry(number) for number in range(len(TEXTS)))


# --- what is known ----------------------------------------------------------------------------


def test_a_later_fact_on_the_same_state_is_the_newest(gold: FactGold) -> None:
    assert [fact.text for fact in gold.updates] == [TEXTS[0]]
    asked = gold.asked("What is the capital of Norrin?")
    assert asked is not None
    assert asked.text == TEXTS[3]


def test_a_question_on_nobody_known_has_no_fact(gold: FactGold) -> None:
    assert gold.asked("Who founded Norrin?") is None
    assert gold.asked("How are you?") is None


def test_few_facts_are_one_topic_and_many_are_parted_by_their_states() -> None:
    many = [f"The capital of Land {n} is Town {n}." for n in range(120)]
    many += [f"Union {n} was founded by Ida {n}." for n in range(120)]
    parted = FactGold(Sentences(FORMS), many)
    assert parted.topic_of_relation("P36") != parted.topic_of_relation("P112")
    few = FactGold(Sentences(FORMS), TEXTS)
    assert few.topic_of_relation("P36") == few.topic_of_relation("P112")


# --- what it answers --------------------------------------------------------------------------


def test_every_fact_is_told_with_its_state(ideal: Ideal) -> None:
    events = [NewEvent(content=text, source="external") for text in TEXTS]
    made = extract(asker(ideal), events, entry_tokens=1000)
    assert [item.said for item in made.items] == TEXTS
    assert [item.keys[0].rpartition("- / ")[2] for item in made.items[::3]] == [
        "norrin / capital",
        "norrin / capital",
    ]
    assert (made.report.used, made.report.reworded, made.report.fallbacks) == (1, 0, ())


def test_a_key_that_is_offered_is_named_and_not_typed_again(ideal: Ideal) -> None:
    events = [NewEvent(content=TEXTS[0], source="external")]
    for keys in ((), ("- / norrin / capital",)):
        extract(asker(ideal), events, keys=keys, entry_tokens=1000)
    assert ideal.spent["extract"].calls == 2
    alone = Ideal(ideal._gold)
    extract(asker(alone), events, entry_tokens=1000)
    assert ideal.spent["extract"].tokens_out < 2 * alone.spent["extract"].tokens_out


def test_entries_on_one_state_come_under_one_heading(ideal: Ideal) -> None:
    draft = Draft(
        window=tuple(e.seq for e in ENTRIES),
        segments=segments(ENTRIES),
        duplicates=(),
        supersedes=(),
    )
    made = rewrite(asker(ideal), Window(entries=ENTRIES, draft=draft))
    held = {path[0].text: [e.seq for e in s] for s, path in zip_of(made) if path}
    assert held["capital"] == [1, 4]
    assert held["married"] == [2, 6]
    assert made.report.reworded == 0


def zip_of(made: object) -> list[tuple[tuple[Entry, ...], tuple[Text, ...]]]:
    return list(zip(made.draft.segments, made.headings, strict=True))  # type: ignore[attr-defined]


def test_blocks_go_to_the_document_on_their_topic(ideal: Ideal) -> None:
    known = Candidate(
        document_id="d7",
        project=None,
        title="capital, founded by",
        summary=Text(text="capital, founded by", made_from=(1,)),
    )
    blocks = [
        Block(entries=(one,), by_rules=Route(None, 0, 0.0), candidates=(known,))
        for one in ENTRIES[:3]
    ]
    made = route(asker(ideal), blocks)
    assert {target.document_id for target in made.targets} == {"d7"}
    assert made.summaries["d7"].text == "married, capital, founded by"


def test_without_a_document_a_new_one_is_named_in_words_of_its_entries(ideal: Ideal) -> None:
    made = route(
        asker(ideal), [Block(entries=(one,), by_rules=Route(None, 0, 0.0)) for one in ENTRIES]
    )
    assert len(made.new) == 1
    assert made.new[0].title is not None
    assert made.new[0].title.text == "married, capital, founded by"


def test_a_large_document_is_parted(ideal: Ideal) -> None:
    blocks = [
        LargeBlock(block_id=n, headings=(), entries=(ENTRIES[n],), tokens=3000) for n in range(3)
    ]
    made = split(asker(ideal), blocks, title="Everything so far", limit=5000)
    assert [part.blocks for part in made.parts] == [(1,), (2,)]
    assert made.report.fallbacks == ()


def test_small_documents_on_one_topic_are_merged(ideal: Ideal) -> None:
    small = [
        Small(
            document_id=f"d{n}",
            project=None,
            title=Text(text=title, made_from=(n,)),
            summary=Text(text=title, made_from=(n,)),
            tokens=300,
        )
        for n, title in enumerate(("capital of", "founded by Ida"), start=1)
    ]
    made = merge(asker(ideal), small, ())
    assert [union.documents for union in made.unions] == [("d1", "d2")]


def test_a_document_is_summed_up_by_its_states(ideal: Ideal) -> None:
    whole = Whole(document_id="d1", title="Old title here", entries=ENTRIES[:3], retitle=True)
    named = summarize(asker(ideal), [whole]).named[0]
    assert named.summary is not None
    assert named.title is not None
    assert named.summary.text == "married, capital, founded by"


def test_tokens_are_counted_step_by_step(ideal: Ideal) -> None:
    extract(asker(ideal), [NewEvent(content=TEXTS[0], source="external")], entry_tokens=1000)
    spent = ideal.spent["extract"]
    assert (set(ideal.spent), spent.calls) == ({"extract"}, 1)
    assert 0 < spent.tokens_out < 40 < spent.tokens_in


@pytest.mark.parametrize(
    ("names", "written"),
    [
        (["a", "b"], "a b"),
        (["c", "a", "b"], "a-c"),
        (["e", "a", "c"], "a c e"),
        (["e", "d", "c", "a"], "a c-e"),
    ],
)
def test_names_in_a_row_are_written_as_a_run(names: list[str], written: str) -> None:
    assert listed(names, "abcde") == written


# --- the peer's questions ---------------------------------------------------------------------


def test_of_two_contradicting_facts_a_page_of_the_peer_keeps_the_newer(gold: FactGold) -> None:
    shown = "\n".join(f"- <seq={n},time=empty> {text}" for n, text in enumerate(TEXTS))
    replies = PeerReplies(gold)
    text, _, tokens = replies.answer([{"role": "system", "content": f"[OLD DOCUMENT]\n{shown}"}])
    assert TEXTS[3] in text
    assert TEXTS[0] not in text
    assert all(kept in text for kept in TEXTS[1:])
    assert tokens == count(text) == replies.spent["document"].tokens_out


def test_a_plan_for_the_peer_names_each_fact_once(gold: FactGold) -> None:
    shown = "\n".join(f"- <seq=1,time=empty> {text}" for text in TEXTS)
    asked = {"new_content": shown, "docs": [{"id": "x1", "summary": "capital, married"}]}
    text, _, _ = PeerReplies(gold).answer(
        [
            {"role": "system", "content": 'reply with "new_docs"'},
            {"role": "user", "content": json.dumps(asked)},
        ]
    )
    plan = json.loads(text)
    assert [update["id"] for update in plan["updates"]] == ["x1"]
    assert all(text.count(fact) == 1 for fact in TEXTS)


def test_the_endpoint_says_what_it_is_told_to() -> None:
    with serving(lambda messages: (f"heard {messages[0]['content']}", 7, 3)) as url:
        connection = HTTPConnection(url.split("/")[2], timeout=10)
        body = json.dumps({"messages": [{"role": "user", "content": "渡轮"}]})
        connection.request("POST", "/v1/chat/completions", body.encode())
        reply = json.loads(connection.getresponse().read())
        connection.close()
    assert reply["choices"][0]["message"]["content"] == "heard 渡轮"
    assert reply["usage"] == {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
