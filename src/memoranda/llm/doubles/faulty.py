"""A model that spoils right replies in forty ways, the same way each time."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType

from memoranda.errors import InputError, ModelError
from memoranda.llm.doubles.faults import Fault, Spoiled
from memoranda.llm.doubles.faults_of_text import TEXT_FAULTS
from memoranda.llm.doubles.faults_of_values import VALUE_FAULTS
from memoranda.llm.doubles.said import answered
from memoranda.llm.model import Model, Reply, Request

FAMILIES: Mapping[str, Fault] = MappingProxyType({**TEXT_FAULTS, **VALUE_FAULTS})
"""Each way to spoil a reply, by name."""
HARMLESS = frozenset({"fenced", "reasoning"})
"""Families whose replies can be used as they are."""


class FaultyModel:
    """Asks another model and spoils what it says.

    Which family strikes hangs on the seed and the prompt alone: so threads and repetitions change
    nothing, and the repair of a reply, having another prompt, meets another family.

    Attributes:
        struck: pairs (prompt hash, family), in the order of the answers.
    """

    def __init__(
        self, right: Model, *, seed: int, family: str | None = None, rate: float = 1.0
    ) -> None:
        """Take the model that is right.

        Args:
            right: says what is then spoiled.
            seed: another seed, other faults.
            family: one of `FAMILIES` for all replies; None = each reply has one by chance.
            rate: the share of replies that is spoiled, from 0 to 1.

        Raises:
            InputError: there is no such family.
        """
        if family is not None and family not in FAMILIES:
            raise InputError(f"there is no family {family!r} of faults")
        self.right = right
        self.name = f"faulty({right.name})"
        self.seed = seed
        self.family = family
        self.rate = rate
        self.struck: list[tuple[str, str]] = []
        self._lock = threading.Lock()

    def ask(self, request: Request) -> Reply:
        """Give a spoiled reply.

        Raises:
            ModelError: the family is one of faults on the way.
        """
        reply = self.right.ask(request)
        prompt = request.prompt_hash
        chance = Random(f"{self.seed}:{prompt}")  # noqa: S311 - the same each time, on purpose
        if chance.random() >= self.rate:
            return reply
        family = self.family or chance.choice(sorted(FAMILIES))
        with self._lock:
            self.struck.append((prompt, family))
        if reply.tool_calls and not reply.text:
            return self._spoiled_call(reply, chance, family, request)
        said = FAMILIES[family](reply.text, chance, request)
        if isinstance(said, Spoiled):
            spoiled = answered(said.text, request, model=self.name)
            return answered(replace(spoiled, stop=said.stop, parsed=None), request, model=self.name)
        return answered(said, request, model=self.name)

    def _spoiled_call(self, reply: Reply, chance: Random, family: str, request: Request) -> Reply:
        """Spoil the arguments of the first call of a tool, or its name."""
        first, *rest = reply.tool_calls
        said = FAMILIES[family](first.arguments, chance, request)
        if isinstance(said, ModelError):
            return answered(said, request, model=self.name)
        text, stop = (said.text, said.stop) if isinstance(said, Spoiled) else (said, reply.stop)
        call = replace(first, arguments=text)
        if family == "unknown_action":
            call = replace(first, name=chance.choice(("delete_all", "exec", first.name.upper())))
        return replace(reply, tool_calls=(call, *rest), stop=stop)
