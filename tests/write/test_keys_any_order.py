"""States with a key, told in any order and over many documents by a model: the last one said is current."""

from __future__ import annotations

import json
import os
import random
import re
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from memoranda import Memory, NewEvent, Settings
from memoranda.errors import StalePlanError
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from scene import Place, home, rows

LONG = os.environ.get("MEMORANDA_LONG") == "1"
CHAINS = 200 if LONG else 60
ORDERS = 6 if LONG else 2
SETTINGS = Settings(auto=False, current_tokens=2500, split_tokens=3000, merge_tokens=60)
TOPICS = ("harbour watch", "orchard rota", "choir notes", "boiler ledger", "ferry desk")
CHINESE = ("码头值班", "果园轮班", "合唱记录")
NAMES = ("Ines", "Olek", "Mira", "Tove", "Radu", "Suda", "Pavo", "Lien", "Wim", "Ayla")
THINGS = ("spare key", "blue ladder", "tide table", "seed box", "wind gauge")
PLACES = ("in the boathouse", "under the stairs", "behind the kiln", "on the pier", "by the well")
CHINESE_NAMES = ("老李", "小王", "阿梅", "老陈")
CHINESE_PLACES = ("船屋", "楼梯下", "旧窑后", "码头上", "井边")
PART = re.compile(r"<<<DATA (\S+) (\S+)\n(.*?)\nDATA \1 \2>>>", re.DOTALL)


@dataclass(frozen=True)
class Told:
    """One statement of a chain: its text, when it was said, and the key that a model gives it."""

    chain: int
    text: str
    time: str
    key: str


def chain(number: int, rng: random.Random) -> list[Told]:
    """Two to five states of one thing, a third of them there and back again, each in another document."""
    there_and_back = number % 3 == 0
    chinese = number % 5 == 4
    places = rng.sample(CHINESE_PLACES if chinese else PLACES, 5)
    values = [places[0], places[1], places[0]] if there_and_back else places[: rng.randint(2, 5)]
    days = sorted(rng.sample(range(1, 365), len(values)))
    topics = rng.sample(CHINESE if chinese else TOPICS, 3)
    who, what = _subject(number, chinese=chinese)
    found = []
    for at, (value, day) in enumerate(zip(values, days, strict=True)):
        topic = topics[at % 3]
        text = (
            f"{topic}：{who}把{what}放在{value}。"
            if chinese
            else f"{topic.capitalize()}: {who} keeps the {what} {value}."
        )
        time = f"2025-{1 + day // 31:02}-{1 + day % 28:02}T{10 + at}:00Z"
        found.append(Told(number, text, time, f"{who} / {what}".casefold()))
    return found


def _subject(number: int, *, chinese: bool) -> tuple[str, str]:
    if chinese:
        return f"{CHINESE_NAMES[number % 4]}", f"{number}号钥匙"
    return NAMES[number % 10], f"{THINGS[number // 10 % 5]} of gate {number}"


def limits(number: int, rng: random.Random) -> list[Told]:
    """The same of states that code can see for itself: a limit that changes."""
    values = [40, 50, 40] if number % 3 == 0 else rng.sample(range(10, 99), rng.randint(2, 5))
    days = sorted(rng.sample(range(1, 365), len(values)))
    found = []
    for at, (value, day) in enumerate(zip(values, days, strict=True)):
        text = f"The limit of cluster {number} is {value} pods."
        time = f"2025-{1 + day // 31:02}-{1 + day % 28:02}T{10 + at}:00Z"
        found.append(Told(number, text, time, f"cluster {number} / limit"))
    return found


# --- the model ----------------------------------------------------------------------------------


class Keeper:
    """Names the key of every event, an offered one if there is one, and files by topic."""

    def __init__(self, told: Sequence[Told]) -> None:
        self._keys = {one.text: one.key for one in told}

    def __call__(self, request: Request) -> str:
        data = {name: text for name, _, text in PART.findall(request.messages[1].content)}
        assert request.schema is not None
        fields = request.schema["properties"]
        if "facts" in fields:
            return self._facts(data)
        return (
            self._places(data) if "go" in fields else '{"merge":[]}' if "merge" in fields else "{}"
        )

    def _facts(self, data: dict[str, str]) -> str:
        offered = dict(_line(line) for line in data["keys"].splitlines() if ": " in line)
        known = {key.removeprefix("- / "): alias for alias, key in offered.items()}
        facts = []
        for line in data["events"].splitlines():
            alias, text = _line(line)
            key = self._keys[text]
            facts.append({"of": alias, "key": known.get(key, key)})
        return json.dumps({"facts": facts}, ensure_ascii=False)

    @staticmethod
    def _places(data: dict[str, str]) -> str:
        known = {
            title.casefold(): alias
            for alias, title in re.findall(
                r'^([a-z]{3,6}) "(.*?)"', data["documents"], re.MULTILINE
            )
        }
        go = []
        for part in re.split(r"^block ", data["blocks"], flags=re.MULTILINE)[1:]:
            name, text = part.split("\n", 1)
            topic = next((t for t in (*TOPICS, *CHINESE) if t in text.casefold()), None)
            if topic is not None:
                go.append({"blocks": name, "to": known.get(topic, topic)})
        return json.dumps({"go": go}, ensure_ascii=False)


def _line(line: str) -> tuple[str, str]:
    """Part a line into its name and what follows the head: times and keys have colons of their own."""
    head, text = re.split(r"(?<=user): |(?<=Mira): |(?<=^[a-z]{3}): ", line, maxsplit=1)
    return head.split(" ")[0], text


# --- the claims ---------------------------------------------------------------------------------


def arrive(place: Place, told: Sequence[Told], rng: random.Random) -> Memory:
    """Tell all in some order, with runs of the model in between."""
    memory = place.open(model=ScriptedModel(Keeper(told)))
    order = list(told)
    rng.shuffle(order)
    while order:
        size = rng.randint(40, 260)
        some, order = order[:size], order[size:]
        memory.add_many(
            NewEvent(content=one.text, time=one.time, speaker="Mira", session=f"s{rng.random()}")
            for one in some
        )
        memory.consolidate()
        assert memory.last_run is not None
        assert memory.last_run.stopped == ""
        assert memory.last_run.left_to_rules == ()
        approve(memory)
    return memory


def approve(memory: Memory) -> None:
    """Say yes to what waits: a plan that puts much of a document aside does (R230)."""
    while waiting := memory.waiting():
        with suppress(StalePlanError):  # planned anew, and that waits
            memory.approve(waiting[0])


def states(memory: Memory, told: Sequence[Told]) -> dict[int, list[tuple[str, str, bool]]]:
    """Give, by chain, each state that is kept: when it was said, its text, whether it is current."""
    chains = {one.text: one.chain for one in told}
    db = home(memory).log.connection
    found: dict[int, list[tuple[str, str, bool]]] = defaultdict(list)
    for text, moment, by in db.execute(
        "SELECT text, moment, superseded_by FROM entry WHERE line = seq ORDER BY moment, seq"
    ):
        found[chains[text]].append((moment[:10], text, by is None))
    return dict(found)


def wanted(chains: Sequence[Sequence[Told]]) -> dict[int, list[tuple[str, str, bool]]]:
    return {
        one[0].chain: [(state.time[:10], state.text, state is one[-1]) for state in one]
        for one in (sorted(told, key=lambda item: item.time) for told in chains)
    }


@pytest.mark.parametrize("order", range(ORDERS))
def test_the_state_said_last_is_current_in_any_order_over_any_documents(
    root: Path, order: int
) -> None:
    rng = random.Random("chains")  # noqa: S311 - no secret
    chains = [chain(number, rng) for number in range(CHAINS)]
    told = [one for states_ in chains for one in states_]
    place = Place(root, replace(SETTINGS, trust="model"))
    memory = arrive(place, told, random.Random(order))  # noqa: S311
    assert states(memory, told) == wanted(chains)
    assert memory.waiting() == ()
    assert memory.current() == ()
    assert len(_spread(memory)) >= CHAINS // 2
    if order == 0:
        views = rows(memory)
        memory.rebuild()
        assert rows(memory) == views
        assert memory.check(full=True).flaws == ()
    place.close()


def _spread(memory: Memory) -> list[tuple[Any, ...]]:
    """Give the links that lead from one document to another."""
    db = home(memory).log.connection
    return [
        tuple(row)
        for row in db.execute(
            "SELECT older.seq FROM entry AS older JOIN entry AS newer "
            "ON newer.seq = older.superseded_by WHERE newer.document_id <> older.document_id"
        )
    ]


@pytest.mark.parametrize("order", range(ORDERS))
@pytest.mark.parametrize("trust", ["rules", "model"])
def test_a_state_that_code_can_see_for_itself_needs_no_trust_in_the_model(
    root: Path, order: int, trust: Any
) -> None:
    rng = random.Random("limits")  # noqa: S311 - no secret
    chains = [limits(number, rng) for number in range(CHAINS)]
    told = [one for states_ in chains for one in states_]
    place = Place(root, replace(SETTINGS, trust=trust))
    memory = arrive(place, told, random.Random(order))  # noqa: S311
    assert states(memory, told) == wanted(chains)
    assert memory.waiting() == ()
    reasons = [reason for view in memory.plans() for reason in view.reasons]
    assert not [reason for reason in reasons if "word of a model" in reason]
    place.close()


def test_there_and_back_again_keeps_three_dated_states_in_every_order(root: Path) -> None:
    told = limits(0, random.Random(1))  # noqa: S311 - no secret
    assert [one.text for one in told].count(told[0].text) == 2
    for number, order in enumerate(
        ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    ):
        for apart in (False, True):
            place = Place(root / f"{number}{apart}", SETTINGS)
            memory = place.open(model=ScriptedModel(Keeper(told)))
            for at in order:
                memory.add(told[at].text, time=told[at].time, speaker="Mira")
                if apart:
                    memory.consolidate()
            memory.consolidate()
            assert states(memory, told) == wanted([told]), (order, apart)
            place.close()
