"""Suites end to end on small sets: rows, bounds, resuming, reports, peers, the harness."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from evals import __main__ as command
from evals import answering, retrieval, running
from evals.constructed.cases import HALVES, KINDS, LANGUAGES, cases
from evals.mab.memory import BenchMemory
from evals.mab.official import install
from evals.peers.retrieval import packed
from evals.peers.systems import Chunk, Chunks, Fts5, Ours
from evals.running import Options
from evals.sets import contexts
from evals.sets.facts import load as load_facts

from memoranda.llm.doubles import ScriptedModel


def test_a_set_is_searched_and_every_question_has_a_row(options: Options) -> None:
    result = retrieval.run("locomo", options)
    assert [row["name"] for row in result["rows"][:2]] == ["talk-1 0", "talk-1 1"]
    assert len(result["rows"]) == 8
    counted = [row for row in result["rows"] if row["counts"]]
    assert all(row["retrieval_hit"] for row in counted)
    assert [row["kind"] for row in result["rows"] if not row["counts"]] == ["adversarial"] * 2
    assert {bound["figure"] for bound in result["bounds"]} >= {"hit@1000", "hit@2000"}
    assert result["data"]
    assert result["version"]


def test_a_run_goes_on_where_it_stopped(options: Options) -> None:
    whole = retrieval.run("locomo", options)
    files = sorted((options.out / "rows").rglob("*.jsonl"))
    lines = files[0].read_text("utf-8").splitlines()
    files[0].write_text("\n".join(lines[:2]) + '\n{"name": "cut of', encoding="utf-8")
    again = retrieval.run("locomo", options)
    assert again["resumed"] == len(whole["rows"]) - 2
    assert {row["name"] for row in again["rows"]} == {row["name"] for row in whole["rows"]}
    assert retrieval.run("locomo", options)["resumed"] == len(whole["rows"])


def test_processes_give_the_same_rows(options: Options, tmp_path: Path) -> None:
    def bare(result: dict[str, Any]) -> list[tuple[str, float | None]]:
        return [(row["name"], row.get("hit")) for row in result["rows"]]

    alone = retrieval.run("locomo", options)
    both = retrieval.run("locomo", replace(options, jobs=2, out=tmp_path / "two"))
    assert bare(alone) == bare(both)


def test_a_unit_that_fails_is_told_and_holds_up_no_other(options: Options) -> None:
    def work(_: Options, unit: str, __: frozenset[str]) -> Iterator[dict[str, Any]]:
        yield {"name": unit}
        if unit == "bad":
            raise OSError("no such peer")

    run = running.Run("x", options, "hash")
    run.go(["good", "bad", "fine"], work)
    result = run.result({"bounds": []})
    assert [row["name"] for row in result["rows"]] == ["good", "bad", "fine"]
    assert result["failed"] == {"bad": "OSError: no such peer"}
    assert [row["met"] for row in result["bounds"]] == [False]


def test_another_seed_or_budget_does_not_take_rows_of_this_one(options: Options) -> None:
    run = running.Run("locomo", options, "hash")
    assert run.folder != running.Run("locomo", replace(options, seed=2), "hash").folder
    assert run.folder != running.Run("locomo", options, "other").folder
    assert run.folder == running.Run("locomo", replace(options, limit=3), "hash").folder


def test_what_is_asked_of_a_model_is_drawn_evenly_and_by_seed(data: Path) -> None:
    given = list(contexts("locomo", data))
    one = answering.pick(given, 4, 1)
    assert [q.name for c in one for q in c.questions] == [
        q.name for c in answering.pick(given, 4, 1) for q in c.questions
    ]
    assert len(one) == 2
    seeds = {
        tuple(q.name for c in answering.pick(given, 3, s) for q in c.questions) for s in range(9)
    }
    assert len(seeds) > 1


def test_every_scheme_is_asked_and_judged(options: Options) -> None:
    context = next(contexts("locomo", options.data))
    model = ScriptedModel(lambda _: "not known")
    rows = list(answering.answers(context, ("full", "chunks", "lexical"), model, model, options))
    assert {row["method"] for row in rows} == {"full", "chunks", "lexical"}
    assert all(row["refused"] for row in rows)
    assert all(row["hit"] for row in rows if row["method"] == "full")
    told = answering.figures(rows)["tables"]
    assert {row["method"]: row["refused with the evidence"] for row in told["errors"]}["full"] == 4


def test_the_command_writes_one_json_and_the_report_is_one_page(
    options: Options, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--suite", "locomo", "--data", str(options.data), "--out", str(options.out)]
    assert command.main(given) == 0
    result = json.loads((options.out / "locomo.json").read_text("utf-8"))
    assert {"suite", "version", "data", "model", "settings", "seconds", "rows", "bounds"} <= set(
        result
    )
    assert command.main(["report", str(options.out)]) == 0
    page = (options.out / "report.html").read_text("utf-8")
    assert "written to" in capsys.readouterr().out
    assert page.count("<svg") >= 2
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")
    _Whole().feed(page)


class _Whole(HTMLParser):
    """Checks that tags end in the order in which they began."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002
        if tag not in {"meta", "rect", "line"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in {"rect", "line"}:
            assert self.open.pop() == tag


def test_a_report_of_nothing_says_so(tmp_path: Path) -> None:
    assert command.main(["report", str(tmp_path)]) == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_constructed_sets_have_twenty_cases_of_each_kind_in_two_halves(
    kind: str, language: str
) -> None:
    halves = [{case.name.rsplit("-", 1)[0] if kind == "samename" else case.name
               for case in cases(kind, language, half)} for half in HALVES]  # fmt: skip
    assert not halves[0] & halves[1]
    assert len(halves[0]) + len(halves[1]) >= 20


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_case_can_be_told_right_from_wrong(language: str, half: str) -> None:
    for kind in KINDS:
        for case in cases(kind, language, half):
            now, before = case.question.answers, case.question.avoid
            said = [event.content for event in case.events]
            if case.deed:
                assert before[0] in said[0], case.name
                assert case.stays in said[1], case.name
                assert before[0] not in said[1], case.name
            else:
                assert now[0] in said[-1], case.name
            if before and not case.deed and case.project is None:
                assert before[0] in said[-2], case.name
                assert before[0] not in said[-1], case.name


def test_facts_on_one_context_share_it(tmp_path: Path) -> None:
    folder = tmp_path / "factconsolidation"
    folder.mkdir()
    rows = [
        {"context": "Facts:\n0. The weir is old.", "questions": ["How is the weir?"],
         "answers": [["old"]], "metadata": {"source": f"factconsolidation_{hop}_6k"}}
        for hop in ("mh", "sh")
    ]  # fmt: skip
    (folder / "dev_x.json").write_text(json.dumps(rows), encoding="utf-8")
    found = list(load_facts(tmp_path, None))
    assert [context.name for context in found] == ["dev_x:factconsolidation_6k"]
    assert [question.counts for question in found[0].questions] == [False, True]


TURNS = [
    Chunk(name="a", text="The kiln fires at 1040 degrees.", speaker="Ada", session="1"),
    Chunk(name="b", text="The ferry leaves at six.", speaker="Olek", session="1"),
    Chunk(name="c", text="We sing on Thursdays.", speaker="Ada", session="2"),
]


@pytest.mark.parametrize("make", [Ours, Fts5, Chunks])
def test_every_memory_finds_a_turn_behind_the_same_two_methods(make: Any) -> None:
    system = make()
    try:
        for turn in TURNS:
            system.memorize(turn)
        found = system.search("When does the ferry leave?", 2000)
    finally:
        system.close()
    assert "b" in found[:2]


def test_hits_are_packed_with_the_turns_beside_them() -> None:
    assert packed(["b"], TURNS, 0) == ["b"]
    assert packed(["b"], TURNS, 1) == ["b", "a", "c"]
    long = [*TURNS, Chunk(name="d", text="word " * 4000)]
    assert packed(["d", "a"], long, 0) == ["a"]


def test_a_fact_whose_number_ends_a_chunk_waits_for_the_next(tmp_path: Path) -> None:
    with BenchMemory(tmp_path / "m", "factconsolidation_sh_6k") as memory:
        assert memory.memorize("Here is a list of facts: 0. The weir is old. 1.") == 1
        assert memory.memorize("The quay is new. 2. The mill is dry.") == 2
        memory.finish()
        found = memory.search("Now Answer the Question: Is the quay new?\nAnswer:")
    texts = [entry.text for item in found.evidence for entry in item.entries]
    assert "The quay is new." in texts


def test_an_example_whose_label_is_in_the_next_chunk_waits_for_it(tmp_path: Path) -> None:
    with BenchMemory(tmp_path / "m", "icl_nlu") as memory:
        assert memory.memorize("where is my card\nlabel: 4\nhow do I pay") == 1
        assert memory.memorize("label: 7\nblock my card now label: 4") == 2
        memory.finish()
        assert memory.label_of(memory.search("how can I pay")) == "7"
        assert memory.label_of(memory.search("my card is gone")) == "4"


class _Harness:
    """The contract of the harness's wrapper, in words of our own."""

    def __init__(self, name: str, folder: Path) -> None:
        self.agent_name = name
        self.sub_dataset = "factconsolidation_sh_6k"
        self.model = "rules"
        self.agent_save_to_folder = str(folder)
        self._initialize_agent_by_type()

    def _initialize_agent_by_type(self) -> None:
        self.theirs = True

    def send_message(self, message: str, memorizing: bool = False, *_: object) -> object:  # noqa: ARG002, FBT001, FBT002
        return "theirs"

    def save_agent(self) -> str:
        return "theirs"

    def load_agent(self) -> str:
        return "theirs"


def test_our_agent_runs_in_the_harness_and_others_are_left_to_it(tmp_path: Path) -> None:
    class Module:
        AgentWrapper: Any = _Harness

    install(Module)
    ours = Module.AgentWrapper("Agentic_memory_memoranda_lexical", tmp_path / "one")
    ours.send_message(
        "0. The weir was mended by Osei. 1. The weir was mended by Mira.", memorizing=True
    )
    ours.save_agent()
    reply = ours.send_message("Now Answer the Question: Who mended the weir?\nAnswer:")
    assert "Mira" in reply["output"]
    assert {
        "output",
        "input_len",
        "output_len",
        "memory_construction_time",
        "query_time_len",
    } <= set(reply)
    again = Module.AgentWrapper("Agentic_memory_memoranda_lexical", tmp_path / "one")
    again.load_agent()
    assert "Mira" in again.send_message("Who mended the weir?")["output"]
    other = Module.AgentWrapper("Structure_rag_bm25", tmp_path / "two")
    assert other.send_message("x") == "theirs"
    assert other.save_agent() == "theirs"
