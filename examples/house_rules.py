"""Extensions of your own: a permission check and a tool, registered through settings alone.

Put this folder into PYTHONPATH, `house_rules:for_the_team` into MEMORANDA_PERMITS, and
`house_rules:walk` into MEMORANDA_TOOLS.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoranda.read.tools import Look, Tool
from memoranda.values import Entry

OURS = frozenset({"Alma", "Bo"})
"""Who is on the team."""


def for_the_team(entry: Entry) -> bool:
    """Let through what is not private, and what somebody of the team said."""
    return entry.sensitivity != "private" or entry.speaker in OURS


def walk() -> Tool:
    """Give a tool that goes from fact to fact: the value of one is the subject of the next."""
    names = {"type": "array", "items": {"type": "string"}}
    return Tool(
        name="walk",
        description="Follow facts: the value of each attribute is the subject of the next.",
        parameters={
            "type": "object",
            "required": ["subject", "attributes"],
            "properties": {"subject": {"type": "string"}, "attributes": names},
        },
        function=_walk,
    )


def _walk(look: Look, given: Mapping[str, Any]) -> str:
    steps, subject = [], given["subject"]
    for attribute in given["attributes"]:
        found = look.facts(subject, attribute).facts
        if not found:
            break
        steps.append(f"{subject} / {attribute}: {found[0].value}")
        subject = found[0].value
    return "\n".join(steps)
