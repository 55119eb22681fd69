"""mem0 beside ours in the suite `tokens`: ideal replies, vectors, and the rows of the table."""

from __future__ import annotations

import json
from http.client import HTTPConnection

import pytest
from evals.ideal_facts import FactGold, Sentences
from evals.ideal_talk import TalkGold
from evals.locomo import Conversation
from evals.peers.endpoint import serving
from evals.peers.mem0_replies import NEAR, Mem0Replies, vector
from evals.peers.run import AT_ONCE, chunks, held, named
from evals.tokens import _peer_bounds
from evals.tokens_peers import TalkFacts, beside, standing

from memoranda import NewEvent
from memoranda.text.tokens import count

FORMS = {
    "P36": {"cloze": "The capital of [X] is __", "question": "What is the capital of [X]?"},
    "P112": {"cloze": "[X] was founded by __", "question": "Who founded [X]?"},
}
TEXTS = [
    "The capital of Norrin is Aster.",
    "The Ferry Union was founded by Ida Vance.",
    "The capital of Ostvale is Birk.",
    "The capital of Norrin is Port Elm.",
]
SYSTEM = f"Tell the new memories as JSON; name what each is on in {NEAR}."


@pytest.fixture
def gold() -> FactGold:
    return FactGold(Sentences(FORMS), TEXTS)


def asked(new: str, known: list[str], before: str = "") -> list[dict[str, str]]:
    """The shape of mem0's one question: headings, known memories as JSON, the messages."""
    memories = [{"id": str(at), "text": text} for at, text in enumerate(known)]
    user = "\n\n".join(
        (
            f"## Last k Messages\n{before}",
            "## Recently Extracted Memories\n[]",
            f"## Existing Memories\n{json.dumps(memories, ensure_ascii=False)}",
            f"## New Messages\n{new}",
            "## Observation Date\n2031-05-04",
            "# Output:",
        )
    )
    return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": user}]


def row(**more: object) -> dict[str, object]:
    cost = {"calls": 2, "tokens_in": 900, "tokens_out": 300}
    none = {"calls": 0, "tokens_in": 0, "tokens_out": 0}
    return {
        "set": "lands",
        "memory_tokens": 600,
        "seconds": 3.0,
        "writing": none,
        "extract": cost,
        **more,
    }


# --- what mem0 is told ------------------------------------------------------------------------


def test_mem0_is_told_every_new_fact_word_for_word(gold: FactGold) -> None:
    replies = Mem0Replies(gold)
    text, tokens_in, tokens_out = replies.answer(asked("user: " + "\n".join(TEXTS) + "\n", []))
    memory = json.loads(text)["memory"]
    assert [one["text"] for one in memory] == TEXTS
    assert [one["id"] for one in memory] == ["0", "1", "2", "3"]
    assert all(NEAR not in one for one in memory)
    spent = replies.spent["extract"]
    assert (spent.calls, spent.tokens_in, spent.tokens_out) == (1, tokens_in, tokens_out)
    assert tokens_out == count(text)


def test_a_newer_fact_is_linked_to_the_memory_on_its_state_that_is_shown(gold: FactGold) -> None:
    text, _, _ = Mem0Replies(gold).answer(asked(f"user: {TEXTS[3]}\n", [TEXTS[2], TEXTS[0]]))
    assert json.loads(text)["memory"] == [
        {"id": "0", "text": TEXTS[3], "attributed_to": "user", NEAR: ["1"]}
    ]


def test_what_a_known_memory_tells_in_the_same_words_is_left_out(gold: FactGold) -> None:
    told = f"user: {TEXTS[0]}\n{TEXTS[1]}\n{TEXTS[1]}\n"
    text, _, _ = Mem0Replies(gold).answer(asked(told, [TEXTS[0]]))
    assert [one["text"] for one in json.loads(text)["memory"]] == [TEXTS[1]]


def test_earlier_messages_are_not_told_again(gold: FactGold) -> None:
    before = f"user: {TEXTS[2]}\n"
    text, _, _ = Mem0Replies(gold).answer(asked(f"user: {TEXTS[1]}\n", [], before))
    assert [one["text"] for one in json.loads(text)["memory"]] == [TEXTS[1]]


def test_a_question_of_another_form_is_refused(gold: FactGold) -> None:
    other = [{"role": "system", "content": "Decide."}, {"role": "user", "content": TEXTS[0]}]
    replies = Mem0Replies(gold)
    with pytest.raises(ValueError, match="no ideal reply"):
        replies.answer(other)
    assert replies.spent == {}


# --- vectors ----------------------------------------------------------------------------------


def test_texts_with_much_in_common_have_near_vectors() -> None:
    def near(one: str, other: str) -> float:
        return sum(a * b for a, b in zip(vector(one, 256), vector(other, 256), strict=True))

    assert near(TEXTS[0], TEXTS[0]) == pytest.approx(1, abs=1e-4)
    assert near(TEXTS[0], TEXTS[3]) > 0.5 > near(TEXTS[0], TEXTS[1])
    assert near("渡轮九点开", "渡轮十点开") > near("渡轮九点开", "药在柜子里")
    assert vector("", 8) == pytest.approx(vector("  ", 8))


def test_the_endpoint_gives_vectors_and_counts_them(gold: FactGold) -> None:
    replies = Mem0Replies(gold)
    with serving(replies.answer, replies.embed) as url:
        connection = HTTPConnection(url.split("/")[2], timeout=10)
        body = json.dumps({"input": TEXTS[:2], "model": "any", "dimensions": 64})
        connection.request("POST", "/v1/embeddings", body.encode())
        reply = json.loads(connection.getresponse().read())
        connection.close()
    assert [one["embedding"] for one in reply["data"]] == [vector(t, 64) for t in TEXTS[:2]]
    tokens = sum(count(text) for text in TEXTS[:2])
    assert reply["usage"]["prompt_tokens"] == tokens == replies.spent["embed"].tokens_in
    assert set(replies.spent) == {"embed"}


# --- runs and rows ----------------------------------------------------------------------------


def test_peers_are_named_with_their_interpreters() -> None:
    assert named("") == {}
    assert named("bin/python") == {"infini-memory": "bin/python"}
    assert named("mem0=a/python, infini-memory=b/python") == {
        "mem0": "a/python",
        "infini-memory": "b/python",
    }
    with pytest.raises(SystemExit, match="mem0"):
        named("other=python")


def test_what_a_runner_prints_is_read_as_lines() -> None:
    assert held({"memories": TEXTS}) == tuple(TEXTS)
    page = f"# Land\n\n- <seq=1,time=empty> {TEXTS[0]}\nplain\n"
    assert held({"documents": [{"content": page}]}) == (TEXTS[0],)


def test_texts_are_given_in_parts_and_none_is_lost() -> None:
    texts = [f"The capital of Land {n} is Town {n}." for n in range(300)]
    parts = chunks(texts)
    assert "\n".join(parts).split("\n") == texts
    assert len(parts) > 1
    assert all(count(part) < AT_ONCE + 300 for part in parts)


def test_a_replaced_fact_that_still_stands_is_stale(gold: FactGold) -> None:
    assert standing(gold, TEXTS) == {"kept": 1.0, "stale": 1, "updates": 1}
    assert standing(gold, TEXTS[1:]) == {"kept": 1.0, "stale": 0, "updates": 1}
    assert standing(gold, TEXTS[:3]) == {"kept": 2 / 3, "stale": 1, "updates": 1}


def test_ours_and_a_peer_stand_side_by_side_with_means_of_their_runs() -> None:
    ours = row(holding=1.0, marked=0.75, updates=8)
    peer = row(
        peer="mem0",
        version="9.9",
        kept=0.5,
        stale=8,
        updates=8,
        seconds=5.0,
        embedding={"calls": 4},
    )
    slower = {**peer, "seconds": 7.0, "kept": 0.4}
    first, second = beside([ours, peer, slower])
    assert (first["system"], second["system"]) == ("memoranda", "mem0 9.9")
    assert (second["runs"], second["seconds"], second["newest_kept"]) == (2, 6.0, 0.4)
    assert (first["stale_as_current"], second["stale_as_current"]) == (2, 8)
    assert (first["in_per_1000"], first["out_per_1000"]) == (1500, 500)
    assert (first["embedding_calls"], second["embedding_calls"]) == (0, 4)


def test_mem0_is_judged_by_all_its_tokens_out() -> None:
    dear = {"calls": 1, "tokens_in": 0, "tokens_out": 900}
    bounds = list(_peer_bounds([row()], [row(peer="mem0", extract=dear)]))
    assert [(bound["value"], bound["met"]) for bound in bounds] == [(3.0, True)]
    bounds = list(_peer_bounds([row(extract=dear)], [row(peer="mem0")]))
    assert [bound["met"] for bound in bounds] == [False]


def test_a_line_of_a_talk_tells_the_facts_that_are_observed_of_its_turn() -> None:
    talk = Conversation(
        name="two",
        events=tuple(
            NewEvent(
                content=content,
                source="user",
                speaker=speaker,
                time="2031-05-04T09:00:00+00:00",
                session="session_1",
                external_id=f"D1:{n}",
            )
            for n, (speaker, content) in enumerate(
                (("Tove", "The ferry sank, sadly."), ("Rolf", "Oh no!")), start=1
            )
        ),
        questions=(),
    )
    facts = TalkFacts(talk, TalkGold(talk, {"D1:1": ["Tove's ferry sank."]}))
    assert facts.texts == ["Tove (2031-05-04): The ferry sank, sadly.", "Rolf (2031-05-04): Oh no!"]
    assert facts.turns == {"D1:1": ["Tove's ferry sank."]}
    text, _, _ = Mem0Replies(facts, facts.tell).answer(
        asked("user: " + "\n".join(facts.texts) + "\n", [])
    )
    assert [one["text"] for one in json.loads(text)["memory"]] == ["Tove's ferry sank."]
