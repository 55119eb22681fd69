"""Our memory inside the official harness: `python -m evals.mab.official CHECKOUT SCRIPT ARGUMENTS...`.

The checkout is the user's; nothing of it is in this project. Its `AgentWrapper` is replaced, where the
harness makes agents, by a subclass that takes agents whose name holds `memoranda` and leaves all others
to it. The name in the agent's YAML chooses the reader: `Agentic_memory_memoranda_hybrid`, `..._agentic`,
`..._lexical`; its `model` is a name of ours, such as `openai:NAME`, or `rules`.
"""

from __future__ import annotations

import importlib
import runpy
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evals.mab.memory import BenchMemory
from memoranda.text.tokens import count

MARK = "memoranda"
READERS = ("agentic", "summary", "lexical", "hybrid")


class _Ours:
    """What our agents do otherwise; all others are left to the harness, whose class comes next."""

    def _initialize_agent_by_type(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401
        if not is_ours(self):
            return super()._initialize_agent_by_type(*given, **named)  # type: ignore[misc]
        self.memories: dict[str, BenchMemory] = {}
        self.built: dict[str, float] = {}
        return None

    def send_message(
        self,
        message: str,
        memorizing: bool = False,  # noqa: FBT001, FBT002 - as the harness calls it
        query_id: Any = None,  # noqa: ANN401
        context_id: Any = None,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        if not is_ours(self):
            return super().send_message(  # type: ignore[misc]
                message, memorizing, query_id, context_id
            )
        if memorizing:
            return self._memorize(message)
        return self._answer(message)

    def _memory(self) -> BenchMemory:
        """Give the one memory of this agent: the harness makes a new agent for each context."""
        place = str(self.agent_save_to_folder)
        if place not in self.memories:
            reader: Any = next(r for r in (*READERS, "hybrid") if r in (*_parts(self), "hybrid"))
            named = str(getattr(self, "model", "rules"))
            model = None if named == "rules" else named
            folder = Path(place)
            folder.mkdir(parents=True, exist_ok=True)
            self.memories[place] = BenchMemory(
                folder, str(self.sub_dataset), model=model, reader=reader
            )
        return self.memories[place]

    def _memorize(self, chunk: str) -> str:
        begun = time.monotonic()
        self._memory().memorize(chunk)
        place = str(self.agent_save_to_folder)
        self.built[place] = self.built.get(place, 0.0) + time.monotonic() - begun
        return "memorized"

    def _answer(self, query: str) -> Mapping[str, Any]:
        begun = time.monotonic()
        answer = self._memory().answer(query)
        said = answer.text or next((claim.quote for claim in answer.claims), "")
        built = self.built.pop(str(self.agent_save_to_folder), 0.0)
        return {
            "output": said,
            "input_len": count(query),
            "output_len": count(said),
            "memory_construction_time": built,
            "query_time_len": time.monotonic() - begun,
        }

    def save_agent(self) -> Any:  # noqa: ANN401 - as the harness has it
        if not is_ours(self):
            return super().save_agent()  # type: ignore[misc]
        self._memory().finish()
        return None

    def load_agent(self) -> Any:  # noqa: ANN401
        return None if is_ours(self) else super().load_agent()  # type: ignore[misc]


def wrapped(base: type) -> type:
    """Make the subclass of the harness's `AgentWrapper`."""
    return type("MemorandaAgent", (_Ours, base), {})


def is_ours(agent: Any) -> bool:  # noqa: ANN401 - an agent of the harness
    """Say whether an agent's name asks for our memory."""
    return MARK in str(getattr(agent, "agent_name", "")).lower()


def _parts(agent: Any) -> list[str]:  # noqa: ANN401
    return str(agent.agent_name).lower().split("_")


def install(module: Any) -> None:  # noqa: ANN401 - the harness's module that makes agents
    """Put the subclass in place of the wrapper, where a module of the harness names it."""
    module.AgentWrapper = wrapped(module.AgentWrapper)


def main(arguments: list[str]) -> None:
    """Run a script of a checkout with our memory in it."""
    if len(arguments) < 2:
        raise SystemExit("usage: python -m evals.mab.official CHECKOUT SCRIPT ARGUMENTS...")
    checkout, script, *rest = arguments
    sys.path.insert(0, checkout)
    install(importlib.import_module("initialization"))
    sys.argv = [script, *rest]
    runpy.run_path(str(Path(checkout) / script), run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
