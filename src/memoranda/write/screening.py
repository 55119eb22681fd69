"""Secrets are looked for before an event is written: marked, refused, or let in as asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from memoranda.errors import SecretError
from memoranda.text.secrets import find, hidden, mark
from memoranda.values import NewEvent

Secrets = Literal["redact", "refuse", "keep"]
_NAMES = ("speaker", "session", "external_id", "idempotency_key", "actor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Screened:
    """An event as it may be stored, and as it came."""

    event: NewEvent
    given: NewEvent
    kinds: tuple[str, ...] = ()
    """The kinds of what was replaced by marks, one for each secret."""


class Screen:
    """Looks for secrets in whatever is about to be stored.

    Args:
        mode: `redact` puts marks in their places, `refuse` raises, `keep` does not look.
    """

    def __init__(self, mode: Secrets = "redact") -> None:
        self._mode = mode

    def event(self, event: NewEvent) -> Screened:
        """Screen all that an event says: content, names, ids and metadata.

        Raises:
            SecretError: it holds a secret, and the mode is `refuse`; or its project's name is one.
        """
        if self._mode == "keep":
            return Screened(event=event, given=event)
        if event.project is not None and (kinds := hidden(event.project)[1]):
            raise SecretError("project", kinds)  # a name with a mark in it names nothing
        found: list[str] = []
        changed: dict[str, Any] = {}
        for name in ("content", *_NAMES):
            value = getattr(event, name)
            if value is not None and (text := self.text(value, name, found)) != value:
                changed[name] = text
        if event.metadata:
            metadata = self._value(dict(event.metadata), "metadata", found)
            changed |= {"metadata": metadata} if metadata != event.metadata else {}
        screened = replace(event, **changed) if changed else event
        return Screened(event=screened, given=event, kinds=tuple(found))

    def text(self, text: str, field: str, found: list[str] | None = None) -> str:
        """Screen one text, such as a reason or a line that was edited by hand.

        Args:
            text: the text.
            field: its name, for the error.
            found: takes the kinds of what was replaced.

        Raises:
            SecretError: it holds a secret, and the mode is `refuse`.
        """
        if self._mode == "keep":
            return text
        safe, kinds = hidden(text)
        if kinds and self._mode == "refuse":
            raise SecretError(field, kinds)
        if found is not None:
            found += kinds
        return safe

    def same(self, stored: str, given: str) -> bool:
        """Say whether a text was stored as it came before secrets were looked for, or the other way."""
        return hidden(stored)[0] == hidden(given)[0]

    def _value(self, value: object, field: str, found: list[str]) -> Any:  # noqa: ANN401 - JSON
        match value:
            case str():
                return self.text(value, field, found)
            case Mapping():
                return {
                    self.text(str(name), field, found): self._member(name, item, field, found)
                    for name, item in value.items()
                }
            case list() | tuple():
                return [self._value(item, field, found) for item in value]
            case _:
                return value

    def _member(self, name: object, item: object, field: str, found: list[str]) -> Any:  # noqa: ANN401
        """Screen a member of a mapping; its name may tell that it is a password."""
        if isinstance(item, str):
            start = len(f"{name}: ")
            spans = [span for span in find(f"{name}: {item}") if span[1] > start > span[0] - 1]
            if spans and not find(item):
                if self._mode == "refuse":
                    raise SecretError(field, (spans[0][2],))
                found.append(spans[0][2])
                return mark(spans[0][2])
        return self._value(item, field, found)
