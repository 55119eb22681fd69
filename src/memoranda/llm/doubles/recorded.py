"""A model that plays recorded replies again, and one that records them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable

from memoranda.errors import InputError
from memoranda.llm.doubles.said import answered
from memoranda.llm.model import Model, Reply, Request, Stop, ToolCall, Usage

_STOPS: tuple[Stop, ...] = ("end", "tool", "length", "refused", "other")


class RecordedModel:
    """Plays replies by the hash of their prompt."""

    def __init__(self, lines: Iterable[str], *, name: str = "recorded") -> None:
        """Take the lines of a recording, as `RecordingModel.lines` gives them.

        Raises:
            InputError: a line is no recorded reply; the message numbers it.
        """
        self.name = name
        self._replies: dict[str, Reply] = {}
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    prompt, reply = _parsed(line)
                except (ValueError, KeyError, TypeError) as error:
                    raise InputError(f"line {number} is no recorded reply") from error
                self._replies[prompt] = reply

    def ask(self, request: Request) -> Reply:
        """Play the reply to a prompt.

        Raises:
            LookupError: this prompt was not recorded: record anew, so this is no ModelError.
        """
        prompt = request.prompt_hash
        if prompt not in self._replies:
            raise LookupError(f"model {self.name} has no reply for the prompt {prompt[:12]}")
        return answered(self._replies[prompt], request, model=self.name)


class RecordingModel:
    """Asks another model and keeps what it said.

    Attributes:
        lines: one line of JSON a reply, in the order of the answers.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name
        self.lines: list[str] = []
        self._lock = threading.Lock()

    def ask(self, request: Request) -> Reply:
        """Ask the other model; its errors are not recorded."""
        reply = self.model.ask(request)
        kept = {name: value for name, value in reply.to_dict().items() if name != "parsed"}
        with self._lock:
            self.lines.append(json.dumps({"prompt": request.prompt_hash, "reply": kept}))
        return reply


def _parsed(line: str) -> tuple[str, Reply]:
    found = json.loads(line)
    said = dict(found["reply"])
    if said["stop"] not in _STOPS:
        raise ValueError(said["stop"])
    said["usage"] = Usage(**said["usage"])
    said["tool_calls"] = tuple(ToolCall(**call) for call in said["tool_calls"])
    return str(found["prompt"]), Reply(**said)
