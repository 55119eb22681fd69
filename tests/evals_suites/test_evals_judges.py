"""Judges, intervals, and the protocol of MemoryAgentBench as pure functions."""

from __future__ import annotations

import pytest
from evals import judges, stats
from evals.answering import error_of
from evals.forms import Question
from evals.judging import FILE
from evals.mab import protocol

from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request


@pytest.mark.parametrize(
    ("text", "bare"),
    [("The D.C..", "dc"), ("3,000", "3000"), ("  An  old tea,  a Cup! ", "old tea cup")],
)
def test_texts_are_normalised_as_the_benchmark_does(text: str, bare: str) -> None:
    assert judges.normal(text) == bare


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("Answer: the mill\nand more", "the mill"),
        ("the mill\nand more", "the mill"),
        ("I think.\nanswer:  Wick ", "Wick"),
        ("Answer:\n 43", ""),
    ],
)
def test_a_reply_is_parsed_to_its_answer(reply: str, said: str) -> None:
    assert judges.parsed(reply) == said


def test_substring_holds_where_exact_does_not() -> None:
    assert judges.substring("It is in 1943.", ["43"])
    assert not judges.exact("It is in 1943.", ["43"])
    assert judges.exact("The Mill!", ["mill"])


def test_f1_counts_words_and_yes_is_not_no() -> None:
    assert judges.f1("the green boat shed", ["green shed"]) == pytest.approx(0.8)
    assert judges.f1("yes", ["no"]) == 0
    assert judges.f1("blue", ["green"]) == 0


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("(b)", True),
        ("Answer: b", True),
        ("The answer is (b) since ...", True),
        ("c", False),
        ("", False),
    ],
)
def test_the_option_letter_is_taken(said: str, *, right: bool) -> None:
    assert judges.letter(said, ["(b)"]) is right


def test_a_label_may_be_given_in_either_form() -> None:
    family = protocol.family_of("icl_banking77_5900shot_balance")
    assert protocol.score(family, "label: 43", ["43"])["exact_match"] == 1
    assert protocol.score(family, "label: 43", ["43"])["exact_strict"] == 0
    assert protocol.score(family, "42", ["43"])["exact_match"] == 0


def planted() -> dict[str, str]:
    """Give the kind of each planted answer."""
    found = {}
    for line in FILE.read_text("utf-8").splitlines():
        if line and line[0] != "#":
            _, _, *answers = (part.strip() for part in line.split("|"))
            found |= dict(zip(answers, ("right", "wrong", "vague"), strict=True))
    return found


def test_a_judge_that_is_right_refuses_every_planted_answer() -> None:
    kinds = planted()
    assert sum(kind != "right" for kind in kinds.values()) >= 40

    def judge(request: Request) -> object:
        said = request.messages[-1].content.rpartition("Answer: ")[2]
        return {"reason": "as planted", "verdict": "right" if kinds[said] == "right" else "wrong"}

    model = ScriptedModel(judge)  # type: ignore[arg-type]
    taken = {said: judges.by_model(model, "?", "!", said, timeout=1).right for said in kinds}
    assert taken == {said: kind == "right" for said, kind in kinds.items()}


@pytest.mark.parametrize(
    "reply", ["right", '{"verdict": "maybe", "reason": ""}', "I would say right."]
)
def test_a_reply_in_no_form_is_never_right(reply: str) -> None:
    told = judges.by_model(ScriptedModel(reply), "?", "!", "x", timeout=1)
    assert (told.right, told.failed) == (False, "unreadable")


def test_an_error_is_named_by_what_went_wrong() -> None:
    question = Question(name="q", kind="k", text="?", answers=("Wick",), avoid=("Thurso",))
    row = {"right": False, "said": "", "refused": True, "hit": True}
    assert error_of(row, question) == "refused with the evidence"
    assert error_of({**row, "said": "Thurso", "refused": False}, question) == "stale"
    assert error_of({**row, "said": "Oban", "refused": False}, question) == "misread"
    assert (
        error_of({**row, "said": "Oban", "refused": False, "hit": False}, question)
        == "not retrieved"
    )
    assert error_of({**row, "right": True}, question) == ""


def test_intervals_are_wilson_for_right_and_wrong_and_the_same_each_time() -> None:
    assert stats.interval([1.0] * 10) == (0.722, 1.0)
    mixed = [0.0, 0.5, 1.0, 1.0, 0.25]
    assert stats.interval(mixed) == stats.interval(mixed)
    low, high = stats.interval(mixed)
    assert low < 0.55 < high


def test_chunks_are_filled_with_whole_sentences() -> None:
    text = " ".join(f"{n}. The tide gauge {n} reads {n * 3} centimetres." for n in range(200))
    cut = protocol.chunks(text, 300)
    assert len(cut) > 5
    assert " ".join(cut).split() == text.split()
    assert all(part.strip() for part in cut)


def test_the_question_is_taken_out_of_its_template() -> None:
    for family in protocol.FAMILIES:
        query = family.asked.format(question="Who mends the weir?")
        assert protocol.question_in(query) == "Who mends the weir?"


def test_overall_is_the_mean_of_four_unrounded_categories() -> None:
    sets = {
        "ruler_qa1_197K": 0.5, "ruler_qa2_421K": 0.7, "longmemeval_s*": 0.6, "eventqa_full": 0.65,
        "icl_nlu": 0.8, "icl_trec_coarse": 0.6, "recsys_redial_full": 0.2,
        "infbench_sum_eng_shots2": 0.4, "detective_qa": 0.6,
        "factconsolidation_sh_262k": 0.9, "factconsolidation_mh_262k": 0.1,
    }  # fmt: skip
    found = protocol.averages({name: [value] for name, value in sets.items()})
    assert found["AR"] == pytest.approx(61.25)
    assert found["TTL"] == pytest.approx(45)
    assert found["overall"] == pytest.approx((61.25 + 45 + 50 + 50) / 4)
    del sets["detective_qa"]
    part = protocol.averages({name: [value] for name, value in sets.items()})
    assert part["LRU"] is None
    assert part["overall"] is None


def test_titles_are_found_among_the_first_five() -> None:
    said = "1. The Weir (2001)\n2. Quay Street\n3. Glass Tide"
    assert protocol.recall(said, ["the weir", "glass tide", "nowhere"], 5) == pytest.approx(
        2 / 3, abs=1e-3
    )
