"""A model that says exactly what it was told to say, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable

from memoranda.llm.doubles.said import Said, answered
from memoranda.llm.model import Reply, Request


class ScriptedModel:
    """Says its replies in order, or what a function makes of each request.

    `ScriptedModel("first", {"second": 2}, ModelTimeoutError(...))`, or `ScriptedModel(function)`.

    Attributes:
        requests: what it was asked, in order.
    """

    def __init__(self, *replies: Said | Callable[[Request], Said], name: str = "scripted") -> None:
        self.name = name
        self.requests: list[Request] = []
        self._replies = replies
        self._lock = threading.Lock()

    def ask(self, request: Request) -> Reply:
        """Say the next reply.

        Raises:
            LookupError: no reply is left: the test is wrong, so this is no ModelError.
            ModelError: the one that is next.
        """
        with self._lock:
            at = len(self.requests)
            self.requests.append(request)
        if len(self._replies) == 1 and callable(self._replies[0]):
            return answered(self._replies[0](request), request, model=self.name)
        if at >= len(self._replies):
            raise LookupError(f"model {self.name} has only {len(self._replies)} replies to say")
        said = self._replies[at]
        return answered(said(request) if callable(said) else said, request, model=self.name)
