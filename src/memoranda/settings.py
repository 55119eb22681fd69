"""Settings: frozen, read once, at a door."""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from memoranda.errors import InputError
from memoranda.lifetimes import rules
from memoranda.measures import limits

PREFIX = "MEMORANDA_"
RULES = "rules"
MODEL_FORMS = "rules, openai:NAME, anthropic:NAME or command:PROGRAM ARGUMENTS"
NONE = "none"
"""How a text says that an optional setting has no value."""

_KINDS_OF_MODEL = frozenset({"openai", "anthropic", "command"})
_SWITCH = {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}
_LEAST = {
    "current_tokens": 50, "split_tokens": 50, "entry_tokens": 50, "reply_tokens": 50,
    "prompt_tokens": 200, "merge_tokens": 0, "current_seconds": 0, "busy_seconds": 0, "model_seconds": 0.01,
    "run_calls": 0, "run_tokens": 0, "run_money": 0, "day_calls": 0, "day_tokens": 0, "day_money": 0,
    "search_hits": 1, "grep_hits": 1, "read_lines": 1, "catalog_page": 1,
    "inline_documents": 1, "evidence_tokens": 1,
}  # fmt: skip
_MOST = {"busy_seconds": 1e6, "model_seconds": 1e6, "current_seconds": math.inf}
_MOST_OF_ALL = 1e15
_READ_BY: Mapping[str, Callable[[str], object]] = {"metric_limits": limits, "retention": rules}
"""Settings with a language of their own -> what reads it."""
_HIDDEN = frozenset({"model", "secrets"})
"""Never quoted in a message: people put keys into the wrong place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that can be set, with the defaults of the paper where it gives one (R95, R137, R138).

    Attributes:
        current_tokens: CURRENT is due from this many tokens on; also the largest window of one plan.
        current_seconds: CURRENT is due this long after its first entry was recorded, in seconds; inf = never.
        split_tokens: a document above this many tokens is a candidate for a split.
        merge_tokens: a document below this many tokens is a candidate for a merge.
        structure: `off` switches split and merge off (ablation, R152).
        auto: consolidate as soon as CURRENT is due; False only marks it due; None: True with the
            rules, False with a model, which works in the background only when asked to.
        entry_tokens: a message above this many tokens is cut into several entries.
        mode: `auto`: a plan that policy allows applies at once, the others wait; `review`: every plan
            waits; `shadow`: plans are recorded and change nothing (R224-R226).
        documents: another folder for the Markdown files; None = inside the scope's folder.
        busy_seconds: how long to wait for another process before giving up, in seconds.
        model: who maintains: `rules`, `openai:NAME`, `anthropic:NAME` or `command:PROGRAM ARGUMENTS`;
            only its form is looked at here.
        trust: whose word on what replaces what is applied without approval; with `rules` a
            replacement that only a model proposes waits for a person.
        run_calls: the most calls of a model in one run; None = no limit.
        run_tokens: the most tokens, prompts and replies, in one run; None = no limit.
        run_money: the most money in one run, in US dollars; None = no limit.
        day_calls: the most calls of a model in one UTC day; None = no limit.
        day_tokens: the most tokens, prompts and replies, in one UTC day; None = no limit.
        day_money: the most money in one UTC day, in US dollars; None = no limit.
        price: what the model costs, `IN/OUT` in US dollars for a million tokens of prompt and of
            reply; None = as listed by `genai-prices`, if it is installed.
        adopt: take in what people write into the files; off, an edited file is kept as a copy, and
            printed as it was.
        git: commit the topic files, one commit a plan, to a git repository in the documents folder.
        keep_calls: keep the text of prompts and replies in the log; False keeps only their digests.
        prompt_tokens: the most tokens of entries that a model is asked about in one call.
        reply_tokens: the most tokens of one reply.
        model_seconds: how long to wait for one reply, in seconds.
        vectors: `on`: searches also go by meaning, with a model on this machine (the extra `vectors`;
            R193).
        clearance: the highest sensitivity that handles see and may add: `public`, `internal` or
            `private`. What opens a handle can only lower it.
        role: what handles may do at most: `reader`, `writer`, `maintainer` or `owner`.
        only_projects: handles see only these projects, parted by commas, and what has none.
        labels: handles see, of what names access labels, only what has one of these, parted by commas.
        tools: tools of your own for a reader's model (R197): `module:function`, or names that
            installed packages offer; commas between them.
        permits: permission checks of your own (R196), named likewise: what one refuses is no evidence.
        search_hits: the most blocks that one search by a tool shows (R186, as the five below).
        grep_hits: the most lines that one grep shows.
        read_lines: the most lines of a document that one reading shows.
        catalog_page: documents on one page of the catalog.
        inline_documents: a library of at most so many documents goes whole into a reader's first prompt.
        evidence_tokens: the most tokens that the text of one tool's result takes.
        secrets: what becomes of passwords, keys and tokens in what is added: `redact` puts a mark in
            their places before anything is written, `refuse` takes nothing that holds one, `keep`
            does not look.
        asked_to_forget: what a user's request to forget something does (`please forget my address`):
            `ask` lets it wait for approval, `run` forgets at once what it names clearly, `ignore`
            takes it for a sentence like any other.
        retention: how long things are kept, by source, sensitivity or kind, such as
            `tool=90d, private=1y forget`; None keeps all. In a file a table `[retention]` says it too.
        count_shown: count which entries searches and answers show, by number, for the figure `cost`
            of `metrics` (R255).
        metric_limits: what the figures of `metrics` are to keep, such as `coverage>=0.9, backlog<=5`.

    Raises:
        InputError: a value is of another kind, or can't work; the message names the setting.
    """

    current_tokens: int = 5000
    current_seconds: float = 3600.0
    split_tokens: int = 5000
    merge_tokens: int = 1000
    structure: Literal["on", "off"] = "on"
    auto: bool | None = None
    entry_tokens: int = 1000
    mode: Literal["auto", "review", "shadow"] = "auto"
    documents: str | None = None
    busy_seconds: float = 30.0
    model: str = RULES
    trust: Literal["rules", "model"] = "rules"
    run_calls: int | None = None
    run_tokens: int | None = None
    run_money: float | None = None
    day_calls: int | None = None
    day_tokens: int | None = None
    day_money: float | None = None
    price: str | None = None
    keep_calls: bool = False
    adopt: bool = True
    git: bool = False
    prompt_tokens: int = 6000
    reply_tokens: int = 4096
    model_seconds: float = 120.0
    vectors: Literal["off", "on"] = "off"
    clearance: Literal["public", "internal", "private"] = "private"
    role: Literal["reader", "writer", "maintainer", "owner"] = "owner"
    only_projects: str | None = None
    labels: str | None = None
    tools: str | None = None
    permits: str | None = None
    search_hits: int = 20
    grep_hits: int = 50
    read_lines: int = 200
    catalog_page: int = 50
    inline_documents: int = 100
    evidence_tokens: int = 4000
    secrets: Literal["redact", "refuse", "keep"] = "redact"
    asked_to_forget: Literal["ask", "run", "ignore"] = "ask"
    retention: str | None = None
    count_shown: bool = False
    metric_limits: str | None = None

    def __post_init__(self) -> None:
        """Refuse what can't work."""
        for field in fields(self):
            value = getattr(self, field.name)
            if objection := objection_to(field.name, value):
                raise InputError(f"setting {field.name} {objection}")
        if self.merge_tokens > self.split_tokens:
            raise InputError("setting merge_tokens must not be larger than split_tokens")

    @property
    def runs_by_itself(self) -> bool:
        """Say whether consolidation runs as soon as it is due: as `auto` says, else with rules only."""
        return self.model.strip() == RULES if self.auto is None else self.auto

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Settings:
        """Read `MEMORANDA_CURRENT_TOKENS`, `MEMORANDA_STRUCTURE` ... where they are set.

        An empty variable counts as not set; `none` takes an optional setting's value away.

        Raises:
            InputError: a value is not of the setting's kind; the message names the variable.
        """
        return cls(**stated(environ))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _Kind:
    """What values a setting takes."""

    one: type
    choices: tuple[str, ...] = ()
    optional: bool = False

    @property
    def told(self) -> str:
        words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
        found = _either(self.choices) if self.choices else words[self.one]
        return f"{found}, or none" if self.optional else found


def stated(environ: Mapping[str, str], *, without: Container[str] = ()) -> dict[str, object]:
    """Give the settings that an environment states, by name.

    Args:
        environ: the environment.
        without: settings that are stated elsewhere; their variables are not looked at.

    Raises:
        InputError: a value can't be used; the message names the variable.
    """
    found: dict[str, object] = {}
    for name in _kinds():
        variable = PREFIX + name.upper()
        if name not in without and (text := environ.get(variable)):
            found[name] = _read(name, text, variable)
    return found


def objection_to(name: str, value: object) -> str | None:
    """Say what is wrong with a value of a setting, to be put after the setting's name; None if nothing.

    Raises:
        KeyError: there is no such setting.
    """
    kind = _kinds()[name]
    if value is None and kind.optional:
        return None
    if kind.choices:
        return None if value in kind.choices else f"is {_either(kind.choices)}{_not(name, value)}"
    if not _is(kind.one, value):
        return f"must be {kind.told}{_not(name, value)}"
    if isinstance(value, str):
        return _form(name, value)
    return _size(name, value) if kind.one in {int, float} else None


def _is(one: type, value: object) -> bool:
    if isinstance(value, bool):
        return one is bool
    return isinstance(value, (int, float)) if one is float else isinstance(value, one)


def _size(name: str, value: Any) -> str | None:  # noqa: ANN401 - a number, as `_is` has seen
    least, most = _LEAST[name], _MOST.get(name, _MOST_OF_ALL)
    if value > most:
        return f"is too large; the most is {most:,.0f}"
    if value >= least:
        return None
    return f"must {f'be at least {least:g}' if least else 'not be negative'}{_not(name, value)}"


def _form(name: str, text: str) -> str | None:
    if name == "price" and not _is_price(text):
        return f"is IN/OUT in dollars for a million tokens, such as 0.25/2{_not(name, text)}"
    if name == "model" and not _names_a_model(text):
        return f"must be {MODEL_FORMS}"
    if name in _READ_BY:
        return _unreadable(name, text)
    return "must not be empty" if not text.strip() else None


def _unreadable(name: str, text: str) -> str | None:
    try:
        _READ_BY[name](text)
    except InputError as error:
        return f"can't be read: {error}"
    return None


def _is_price(text: str) -> bool:
    try:
        parts = [float(part) for part in text.split("/")]
    except ValueError:
        return False
    return len(parts) == 2 and all(0 <= part < math.inf for part in parts)


def _names_a_model(spec: str) -> bool:
    kind, colon, name = spec.strip().partition(":")
    if not colon:
        return kind == RULES
    return kind in _KINDS_OF_MODEL and bool(name.strip())


def _read(name: str, text: str, variable: str) -> object:
    """Turn the text of a variable into a value of its setting."""
    kind = _kinds()[name]
    if kind.optional and text.strip().lower() == NONE:
        return None
    value: object = text
    try:
        if kind.one is bool:
            value = _SWITCH[text.strip().lower()]
        elif kind.one in {int, float}:
            value = kind.one(text)
    except (ValueError, KeyError) as error:
        raise InputError(f"{variable}={_quoted(text)} can't be used: give {kind.told}") from error
    if objection := objection_to(name, value):
        said = "" if name in _HIDDEN else f"={_quoted(text)}"
        raise InputError(f"{variable}{said} can't be used: it {objection}")
    return value


def _quoted(value: object) -> str:
    said = repr(value)
    return said if len(said) <= 60 else said[:57] + "..."


def _not(name: str, value: object) -> str:
    """Say what was given, where that may be shown, and can."""
    shown = isinstance(value, (str, float)) or (
        isinstance(value, int) and -_MOST_OF_ALL < value < _MOST_OF_ALL
    )
    return f", not {_quoted(value)}" if shown and name not in _HIDDEN else ""


def _either(choices: tuple[str, ...]) -> str:
    quoted = [repr(choice) for choice in choices]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"


@cache
def _kinds() -> dict[str, _Kind]:
    """Read the kinds of the settings off their annotations, in the order of the fields."""
    return {field.name: _kind(get_type_hints(Settings)[field.name]) for field in fields(Settings)}


def _kind(hint: object) -> _Kind:
    if get_origin(hint) is Literal:
        return _Kind(str, choices=get_args(hint))
    if get_origin(hint) in {Union, types.UnionType}:
        (one,) = (part for part in get_args(hint) if part is not type(None))
        return _Kind(one, optional=True)
    assert isinstance(hint, type)  # noqa: S101 - the annotations above
    return _Kind(hint)
