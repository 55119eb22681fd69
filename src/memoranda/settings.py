"""Settings: frozen, read once, at a door."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal

from memoranda.errors import InputError

PREFIX = "MEMORANDA_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that can be set, with the defaults of the paper where it gives one (R95, R137, R138).

    Attributes:
        current_tokens: CURRENT is due from this many tokens on; also the largest window of one plan.
        current_seconds: CURRENT is due this long after its first entry was recorded, in seconds.
        split_tokens: a document above this many tokens is a candidate for a split.
        merge_tokens: a document below this many tokens is a candidate for a merge.
        structure: `off` switches split and merge off (ablation, R152).
        auto: consolidate by rules as soon as CURRENT is due; False only marks it due.
        entry_tokens: a message above this many tokens is cut into several entries.
        mode: `auto`: a plan that policy allows applies at once, the others wait; `review`: every plan
            waits; `shadow`: plans are recorded and change nothing (R224-R226).
        documents: another folder for the Markdown files; None = inside the scope's folder.
        busy_seconds: how long to wait for another process before giving up, in seconds.
    """

    current_tokens: int = 5000
    current_seconds: float = 3600.0
    split_tokens: int = 5000
    merge_tokens: int = 1000
    structure: Literal["on", "off"] = "on"
    auto: bool = True
    entry_tokens: int = 1000
    mode: Literal["auto", "review", "shadow"] = "auto"
    documents: str | None = None
    busy_seconds: float = 30.0

    def __post_init__(self) -> None:
        """Refuse sizes that can't work."""
        for name in ("current_tokens", "split_tokens", "entry_tokens"):
            if getattr(self, name) < 50:
                raise InputError(f"setting {name} must be at least 50, not {getattr(self, name)}")
        for name in ("merge_tokens", "current_seconds", "busy_seconds"):
            if getattr(self, name) < 0:
                raise InputError(f"setting {name} must not be negative")
        if self.merge_tokens > self.split_tokens:
            raise InputError("setting merge_tokens must not be larger than split_tokens")
        if self.structure not in {"on", "off"}:
            raise InputError(f"setting structure is 'on' or 'off', not {self.structure!r}")
        if self.mode not in {"auto", "review", "shadow"}:
            raise InputError(f"setting mode is 'auto', 'review' or 'shadow', not {self.mode!r}")

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Settings:
        """Read `MEMORANDA_CURRENT_TOKENS`, `MEMORANDA_STRUCTURE` ... where they are set.

        Raises:
            InputError: a value is not of the setting's kind; the message names the variable.
        """
        found: dict[str, object] = {}
        for field in fields(cls):
            name = PREFIX + field.name.upper()
            if environ.get(name):
                found[field.name] = _read(name, environ[name], getattr(cls(), field.name))
        return replace(cls(), **found)  # type: ignore[arg-type]


def _read(name: str, text: str, default: object) -> object:
    try:
        match default:
            case bool():
                return {
                    "1": True,
                    "true": True,
                    "on": True,
                    "0": False,
                    "false": False,
                    "off": False,
                }[text.lower()]
            case int():
                return int(text)
            case float():
                return float(text)
            case _:
                return text
    except (ValueError, KeyError) as error:
        raise InputError(f"{name}={text!r} is not a value of the kind of {default!r}") from error
