"""A reply that runs on without an end costs no more than a few times what was shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from memoranda import Memory, NewEvent, Settings
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from memoranda.text.tokens import count
from memoranda.write.by_model import Maintainer
from memoranda.write.by_model.asking import FIRST, TIMES

NONCE = "0123456789abcdef"
TALK = "米拉说，她的面包房每天早上六点开门，周二休息。"


@pytest.mark.parametrize("events", [1, 40])
def test_the_longest_reply_goes_by_what_was_shown(events: int) -> None:
    model = ScriptedModel(lambda _: {})
    maintainer = Maintainer(model, nonce=lambda: NONCE, entry_tokens=1000)
    maintainer.extract([NewEvent(content=f"{TALK} {number}") for number in range(events)])
    (request,) = model.requests
    shown = sum(count(f"{TALK} {number}") for number in range(events))
    assert FIRST + TIMES * shown <= request.max_tokens <= 4096
    assert request.max_tokens < FIRST + TIMES * (shown + 40 * events) + 100


def test_no_reply_is_longer_than_the_setting_allows() -> None:
    model = ScriptedModel(lambda _: {})
    maintainer = Maintainer(model, nonce=lambda: NONCE, entry_tokens=1000, reply_tokens=450)
    maintainer.extract([NewEvent(content=f"{TALK} {number}") for number in range(40)])
    assert [request.max_tokens for request in model.requests] == [450]


def test_a_model_that_misnames_has_the_names_in_its_schema_from_then_on() -> None:
    """A small model writes `events` where the name of an event belongs: a grammar lets it not."""

    def reply(request: Request) -> dict[str, Any]:
        names = re.findall(r"\(([a-z|]+)\)", json.dumps(request.schema))
        return {"facts": [{"of": names[0].split("|")[0] if names else "events", "fact": ""}]}

    model = ScriptedModel(reply)
    lists: set[str] = set()
    for _ in range(2):
        maintainer = Maintainer(model, nonce=lambda: NONCE, entry_tokens=1000, lists=lists)
        made = maintainer.extract([NewEvent(content=TALK), NewEvent(content=f"{TALK}谢谢。")])
        assert made.report.fallbacks == ()
    assert lists == {"extract"}
    listed = ["pattern" in json.dumps(request.schema) for request in model.requests]
    assert listed == [False, True, True]


def test_what_a_handle_learned_of_its_model_holds_for_its_next_run(root: Path) -> None:
    def reply(request: Request) -> dict[str, Any]:
        fields = (request.schema or {})["properties"]
        if "facts" not in fields:
            return {}
        found = fields["facts"]["items"]["properties"]["of"].get("pattern", "(events")
        return {"facts": [{"of": re.split(r"[(|)]", found)[1], "fact": ""}]}

    model = ScriptedModel(reply)
    with Memory.open(root, model=model, settings=Settings(auto=False)) as memory:
        for number in range(3):
            memory.add(f"{TALK} {number}")
            memory.consolidate()
        assert memory.last_run is not None
        assert memory.last_run.left_to_rules == ()
        calls = [call for call in memory.calls() if call.purpose.startswith("extract@")]
    assert len(calls) == 4, "only the first run had to ask again"
