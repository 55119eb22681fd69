"""Who maintains and answers: a model, made on first use, or none, and then the rules do."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memoranda.errors import InputError
from memoranda.settings import MODEL_FORMS, RULES, objection_to

if TYPE_CHECKING:
    from memoranda.llm.model import Model


class Engine:
    """The model of a handle. Reading a name, or a wrong key, costs nothing until it is asked."""

    def __init__(self, given: str | Model | None, environ: Mapping[str, str] | None = None) -> None:
        """Take a model, or what names one.

        Args:
            given: a model, `rules` (or None), `openai:NAME`, `anthropic:NAME`, `command:...`.
            environ: where keys and addresses are read; default the process's own.

        Raises:
            InputError: it names no kind of model.
        """
        self._given = given
        self._environ = environ
        self.lists: set[str] = set()
        """Steps at which the model was seen to need the names one by one in its schema."""
        self._model: Model | None = None if given is None or isinstance(given, str) else given
        if self._model is not None and not _answers(self._model):
            raise InputError(
                f"a model has a name and answers by ask(request); a text is {MODEL_FORMS}"
            )
        wrong = objection_to("model", given) if isinstance(given, str) and given.strip() else None
        if wrong is not None:
            raise InputError(f"the model {wrong}")

    @property
    def by_rules(self) -> bool:
        """Say whether no model is meant."""
        if self._model is not None:
            return False
        return not isinstance(self._given, str) or self._given.strip() in {"", RULES}

    @property
    def name(self) -> str:
        """How people know it: `rules`, or the model's name."""
        if self._model is not None:
            return self._model.name
        if self.by_rules:
            return RULES
        from memoranda.llm.choose import called  # noqa: PLC0415 - start-up time

        return called(str(self._given))

    def model(self) -> Model | None:
        """Give the model; None when the rules are meant.

        Raises:
            InputError, ModelUnavailableError: it can't be made as it is named (`llm.choose`).
        """
        if self._model is None and not self.by_rules:
            from memoranda.llm.choose import choose  # noqa: PLC0415 - start-up time

            environ = os.environ if self._environ is None else self._environ
            self._model = choose(str(self._given), environ)
        return self._model


def _answers(model: object) -> bool:
    named = isinstance(getattr(model, "name", None), str)
    return named and callable(getattr(model, "ask", None))
