"""The suite `tokens` keeps texts by an ideal model and measures what came of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from evals.ideal import Ideal
from evals.ideal_facts import FactGold, Sentences
from evals.tokens_figures import (
    WRITING,
    cost,
    entries,
    fact_persona,
    facts_kept,
    keep,
    opened,
    quality,
)
from evals.tokens_flush import flush

from memoranda import Memory, NewEvent

ROOT = Path(__file__).resolve().parents[2]
FORMS = {
    "P36": {"cloze": "The capital of [X] is __", "question": "What is the capital of [X]?"},
    "P112": {"cloze": "[X] was founded by __", "question": "Who founded [X]?"},
}
LANDS = ("Norrin", "Ostvale", "Kelding", "Sorholm", "Tarnby")
TEXTS = [
    *(f"The capital of {land} is {land} Harbour." for land in LANDS),
    *(f"{land} Ferry Union was founded by Ida {land}." for land in LANDS),
    "The capital of Kelding is Port Elm.",
    "Norrin Ferry Union was founded by Tove Lind.",
]
QUESTIONS = ["What is the capital of Kelding?", "Who founded Norrin Ferry Union?"]


@pytest.fixture
def gold() -> FactGold:
    return FactGold(Sentences(FORMS), TEXTS)


def test_an_ideal_model_keeps_every_fact_and_marks_every_update(
    gold: FactGold, tmp_path: Path
) -> None:
    ideal = Ideal(gold)
    persona = fact_persona("lands", gold, QUESTIONS)
    with opened(ideal, str(tmp_path)) as memory:
        keep(memory, persona.events)
        kept = facts_kept(gold, entries(memory))
        topics = quality(memory, persona)
    assert kept == {"kept": 1.0, "holding": 1.0, "updates": 2, "marked": 1.0}
    assert (topics["purity"], topics["found"], topics["documents"]) == (1.0, 1.0, 1)
    assert {"extract", "rewrite", "route"} <= set(ideal.spent)
    assert cost(ideal.spent, 100, WRITING)["tokens_out"] > 0


def test_facts_that_were_never_added_are_not_kept(gold: FactGold, tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        memory.add_many(
            NewEvent(content=fact.text, source="external", external_id=f"{fact.serial}:0")
            for fact in gold.all[:9]
        )
        memory.consolidate()
        kept = facts_kept(gold, entries(memory))
    assert kept == {"kept": 0.75, "holding": 0.7, "updates": 2, "marked": 0.0}


def test_a_flush_shows_about_as_much_to_a_model_when_the_library_is_larger() -> None:
    few, many = flush(10), flush(60)
    assert (few["documents"], many["documents"]) == (10, 60)
    assert few["left"] == many["left"] == 0
    assert many["tokens_in"] < 1.2 * few["tokens_in"]


def test_a_peer_belongs_to_the_suite_of_tokens(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "evals", "--suite", "updates", "--data", str(tmp_path)]
    done = subprocess.run(
        [*command, "--peer", "python3"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2
    assert "--peer is for the suites tokens" in done.stderr
