"""One request of a person: who asks, for what, in which words; and what a page gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from urllib.parse import quote, urlencode

from memoranda.errors import InputError
from memoranda.gate.grant import Grant
from memoranda.memory import Memory
from memoranda.web.sessions import Session
from memoranda.web.words import LANGUAGES, Language, Words, preferred

Theme = Literal["auto", "light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("auto", "light", "dark")
_MOST: Final = 20_000
"""Characters of one field."""
_WHOLE: Final = frozenset(
    ("plans", "plan", "approve", "reject", "undo", "log", "replay", "metrics", "consolidate")
)
"""What spans all projects, and is no use to who sees only some."""
Fields = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a person wants the pages: kept in a cookie, and safe whatever that holds."""

    language: Language = "en"
    theme: Theme = "auto"

    @classmethod
    def of(cls, cookie: str, accepted: str) -> Look:
        """Read the cookie `zh.dark`; what it does not say is as the browser asks for it."""
        names = cookie.split(".")
        language = next((name for name in LANGUAGES if name in names), preferred(accepted))
        return cls(language=language, theme=next((t for t in THEMES if t in names), "auto"))

    @property
    def cookie(self) -> str:
        """What the cookie holds."""
        return f"{self.language}.{self.theme}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request, with the open memory that it is about."""

    memory: Memory
    grant: Grant
    session: Session
    look: Look
    path: Mapping[str, Any] = field(default_factory=dict)
    query: Fields = field(default_factory=dict)
    form: Fields = field(default_factory=dict)

    @property
    def words(self) -> Words:
        """The words of this person's language."""
        return Words(language=self.look.language)

    def may(self, *methods: str) -> bool:
        """Say whether this person may call methods of the facade, and their handle can."""
        return all(allowed(self.grant, method) for method in methods)

    def asked(self, name: str, default: str = "") -> str:
        """Give a field of the form, else of the query, without blanks around it.

        Raises:
            InputError: it is too long.
        """
        found = self.form.get(name) or self.query.get(name) or (default,)
        text = found[-1].strip()
        if len(text) > _MOST:
            raise InputError(f"{name} has {len(text)} characters; at most {_MOST} are taken")
        return text

    def all(self, name: str) -> tuple[str, ...]:
        """Give all values of a field."""
        return self.form.get(name) or self.query.get(name) or ()

    def number(self, name: str, default: int) -> int:
        """Give a field as a whole number from 0 on.

        Raises:
            InputError: it is none.
        """
        text = self.asked(name)
        if not text:
            return default
        return whole_number(name, text)


def allowed(grant: Grant, method: str) -> bool:
    """Say whether the bearer of a token may call a method of the facade, and its handle can."""
    whole = grant.projects is None and (grant.project is None or grant.all_projects)
    return grant.may_call(method) and (whole or method not in _WHOLE)


def whole_number(name: str, text: str) -> int:
    """Read a whole number from 0 on.

    Raises:
        InputError: it is none.
    """
    if not (text.isascii() and text.isdecimal()) or len(text) > 15:
        raise InputError(f"{name} is a whole number, not {text[:40]!r}")
    return int(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page to be made: a template and what stands in it."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Go:
    """Go to another page, after something was done."""

    to: str
    note: tuple[str, str] | None = None
    """A key of the catalogue and a detail, to be told there."""


Reply = Page | Go


def address(*path: object, **query: object) -> str:
    """Make an address on this site: each part and value escaped; None and "" are left out."""
    parts = "/".join(quote(str(part), safe="") for part in path)
    asked = urlencode([(k, str(v)) for k, v in query.items() if v is not None and v != ""])
    return f"/{parts}?{asked}" if asked else f"/{parts}"
