"""Each of the ten figures, on memories made so that its value is known."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memoranda import Memory, Settings
from memoranda.errors import InputError
from memoranda.llm.doubles import ScriptedModel
from memoranda.metrics.state import spread

QUIET = Settings(auto=False)


def value(memory: Memory, name: str, **options: object) -> float | None:
    return memory.metrics(**options)[name].value  # type: ignore[arg-type]


def test_all_ten_are_there_in_their_order(memory: Memory) -> None:
    found = memory.metrics()
    assert [metric.name for metric in found.metrics] == [
        "coverage", "revision", "retention", "purity", "fragment",
        "drift", "cost", "deletion", "backlog", "replay",
    ]  # fmt: skip
    assert found.position == memory.status().position
    assert found.missed == ()


def test_the_same_memory_gives_the_same_figures(memory: Memory) -> None:
    assert memory.metrics().to_dict() == memory.metrics().to_dict()


def test_an_empty_memory_has_nothing_to_measure(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "root", settings=QUIET) as memory:
        found = memory.metrics(points=3)
    values = {metric.name: metric.value for metric in found.metrics}
    assert values["backlog"] == 0
    assert {values[name] for name in ("coverage", "revision", "purity", "cost", "deletion")} == {
        None
    }


def test_coverage_counts_what_waits_in_current_as_not_covered(memory: Memory) -> None:
    assert value(memory, "coverage") == 1
    memory.add("The kiln needs a new door before winter.")
    assert value(memory, "coverage") == round(16 / 17, 4)


def test_labelled_questions_say_what_a_search_brings_back(memory: Memory) -> None:
    asked = [
        {"question": "When does the choir practise? 合唱团什么时候排练", "evidence": ["choir:0"]},
        {"question": "kiln degrees", "evidence": ["kiln:0", "nowhere:1"]},
    ]
    found = memory.metrics(questions=asked)["coverage"]
    assert (found.value, found.counted, found.details["whole"]) == (0.75, 2, 1)


@pytest.mark.parametrize("bad", [{}, {"question": "x"}, {"question": "x", "evidence": []}])
def test_a_question_without_evidence_is_refused(memory: Memory, bad: dict[str, object]) -> None:
    with pytest.raises(InputError, match="evidence"):
        memory.metrics(questions=[bad])


def test_revision_asks_in_the_old_words_and_wants_the_new_first(memory: Memory) -> None:
    seq = memory.search("kiln degrees").evidence[0].entries[0].seq
    memory.correct(seq, "The kiln behind the boat shed fires at 1100 degrees.")
    found = memory.metrics()["revision"]
    assert (found.value, found.counted, found.details["wrong"]) == (1.0, 1, [])


def test_retention_finds_a_line_whose_source_was_changed(memory: Memory, tmp_path: Path) -> None:
    assert value(memory, "retention") == 1
    database = next(tmp_path.rglob("memory.db"))
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE entry SET source = 'assistant' WHERE seq = 2")
    connection.close()
    with Memory.open(tmp_path / "root", settings=QUIET, heal=False) as other:
        found = other.metrics()["retention"]
    assert found.details["wrong"] == [2]
    assert found.value == round(15 / 16, 4)


def test_purity_by_label_and_by_words_agree_that_topics_are_apart(memory: Memory) -> None:
    assert len(memory.documents()) > 1
    assert value(memory, "purity", label="topic") == 1
    assert value(memory, "purity") == 1


def test_purity_by_label_falls_when_two_topics_share_a_document(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "root", settings=QUIET) as memory:
        for text, topic in (
            ("It leaks.", "weir"),
            ("It was mended.", "weir"),
            ("We sing.", "choir"),
        ):
            memory.add(text, session="s", metadata={"topic": topic})
        memory.consolidate()
        assert len(memory.documents()) == 1
        assert value(memory, "purity", label="topic") == round(2 / 3, 4)


def test_fragment_counts_the_lines_beside_a_hit(memory: Memory) -> None:
    found = memory.metrics()["fragment"]
    assert found.value == 1
    assert found.details["neighbours"] == found.details["found"] > 0


def test_drift_by_rules_is_nought(memory: Memory) -> None:
    found = memory.metrics()["drift"]
    assert (found.value, found.details["worded"]) == (0.0, 0)


def test_drift_finds_a_line_that_no_event_says(memory: Memory, tmp_path: Path) -> None:
    database = next(tmp_path.rglob("memory.db"))
    with sqlite3.connect(database) as connection:
        connection.execute(
            "UPDATE entry SET text = 'The kiln fires at 2000 degrees.' WHERE seq = 1"
        )
    connection.close()
    with Memory.open(tmp_path / "root", settings=QUIET, heal=False) as other:
        found = other.metrics()["drift"]
    assert found.details["drifted"] == [1]


def test_cost_is_told_only_where_what_was_shown_is_counted(memory: Memory, tmp_path: Path) -> None:
    assert value(memory, "cost") is None
    shown = memory.search("kiln glazes")
    seqs = {seq for item in shown.evidence for entry in item.entries for seq in entry.seqs}
    found = memory.metrics()["cost"]
    assert (found.value, found.counted, found.details["tokens"]) == (0.0, len(seqs), 0)
    with Memory.open(tmp_path / "quiet", settings=QUIET) as quiet:
        quiet.add("The weir was mended.")
        quiet.search("weir")
        assert value(quiet, "cost") is None
        assert not list((tmp_path / "quiet").rglob("shown.db"))


def test_cost_counts_the_tokens_of_calls(tmp_path: Path) -> None:
    counting = Settings(auto=False, count_shown=True)
    with Memory.open(
        tmp_path / "root", settings=counting, model=ScriptedModel(*["{}"] * 9)
    ) as memory:
        memory.add("The weir below the mill was mended in April.")
        memory.consolidate()
        memory.search("weir")
        found = memory.metrics()["cost"]
    assert found.details["tokens"] > 0
    assert found.value == found.details["tokens"]
    assert sum(found.details["by_step"].values()) == found.details["tokens"]


def test_deletion_takes_no_operation(memory: Memory) -> None:
    assert value(memory, "deletion") is None
    memory.forget(external_id="kiln:2")
    memory.forget(external_id="choir:3")
    found = memory.metrics()["deletion"]
    assert (found.value, found.counted, found.details["late"]) == (0.0, 2, [])


def test_deletion_counts_on_while_an_entry_is_still_there(memory: Memory, tmp_path: Path) -> None:
    memory.forget(external_id="kiln:2")
    memory.add("Afterwards.")
    database = next(tmp_path.rglob("memory.db"))
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE entry SET erased = NULL WHERE erased IS NOT NULL")
    connection.close()
    with Memory.open(tmp_path / "root", settings=QUIET, heal=False) as other:
        assert (value(other, "deletion") or 0) > 0


def test_what_was_shown_goes_with_what_is_forgotten(memory: Memory, tmp_path: Path) -> None:
    memory.search("kiln glazes dry")
    seq = memory.search("kiln glazes dry").evidence[0].entries[0].seq
    file = next(tmp_path.rglob("shown.db"))
    memory.forget(entry=seq)
    with sqlite3.connect(file) as connection:
        left = {row[0] for row in connection.execute("SELECT seq FROM shown")}
    connection.close()
    assert left
    assert seq not in left


def test_a_damaged_count_is_made_anew(memory: Memory, tmp_path: Path) -> None:
    memory.search("kiln")
    next(tmp_path.rglob("shown.db")).write_bytes(b"no database at all" * 100)
    for _ in range(2):
        memory.search("kiln")
    assert (value(memory, "cost")) == 0


def test_the_backlog_counts_plans_that_wait(tmp_path: Path) -> None:
    review = Settings(auto=False, mode="review")
    with Memory.open(tmp_path / "root", settings=review) as memory:
        memory.add("The weir below the mill was mended in April.")
        assert value(memory, "backlog") == 0
        memory.consolidate()
        assert memory.waiting()
        assert value(memory, "backlog") == len(memory.waiting())


def test_replay_finds_a_file_that_differs(memory: Memory, tmp_path: Path) -> None:
    assert value(memory, "replay") == 1
    database = next(tmp_path.rglob("memory.db"))
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE document SET version = version + 1 WHERE id = 'd1'")
        connection.execute("UPDATE document SET title = 'Other' WHERE id = 'd1'")
    connection.close()
    with Memory.open(tmp_path / "root", settings=QUIET, heal=False) as other:
        found = other.metrics()["replay"]
    assert found.value is not None
    assert found.value < 1
    assert found.details["differing"]


def test_replay_holds_through_undo_and_forgetting(memory: Memory) -> None:
    plan = next(record for record in memory.log(kind="plan"))
    memory.forget(external_id="kiln:1")
    memory.undo(plan.record_id)
    memory.consolidate()
    assert value(memory, "replay") == 1


def test_earlier_positions_show_how_it_came(memory: Memory) -> None:
    history = memory.metrics(points=4).history
    assert len(history) == 4
    assert [point.position for point in history] == sorted(point.position for point in history)
    assert history[-1].position == memory.status().position
    assert history[0].values["coverage"] == 0
    assert history[-1].values["coverage"] == 1
    assert {point.values["drift"] for point in history} == {0.0}


def test_limits_of_the_call_and_of_the_settings_are_kept(tmp_path: Path) -> None:
    strict = Settings(auto=False, metric_limits="coverage>=0.9, backlog<=0")
    with Memory.open(tmp_path / "root", settings=strict) as memory:
        memory.add("The weir was mended.")
        assert memory.metrics().missed == ("coverage>=0.9",)
        assert memory.metrics(limits="coverage>=0").missed == ()


@pytest.mark.parametrize("text", ["coverage", "speed>=1", "coverage>=x", "coverage=0.9"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="limit"):
        Settings(metric_limits=text)


def test_metrics_span_the_scope(tmp_path: Path) -> None:
    with (
        Memory.open(tmp_path / "root", project="mill") as memory,
        pytest.raises(InputError, match="all_projects"),
    ):
        memory.metrics()


def test_a_sample_is_spread_evenly_and_ends_with_the_last() -> None:
    assert spread(range(1, 11), 3) == [3, 6, 10]
    assert spread("abc", 5) == ["a", "b", "c"]
