"""The prompts, one Markdown file each, and their loader."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from memoranda.errors import InputError
from memoranda.llm.model import Message
from memoranda.text.visible import show

_PARTS = re.compile(r"---\n(.*?)\n---\n\s*(.*)", re.DOTALL)
_LINE = re.compile(r"([a-z]+): (\S.*)")
_TASK = re.compile(r"^# Task\n", re.MULTILINE)
_PLACE = re.compile(r"\{\{([a-z_]+)\}\}")
_WORDS = re.compile(r"[\w .,:;/@+-]{0,400}")
_NONCE = re.compile(r"[0-9a-f]{8,32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One prompt: `rules` never change between calls and come first, `task` carries the data."""

    name: str
    purpose: str
    version: str
    rules: str
    task: str

    @classmethod
    def load(cls, name: str) -> Prompt:
        """Load the prompt of a file beside this module.

        Raises:
            InputError: there is none of this name, or it has not the form of a prompt.
        """
        return _loaded(name)

    @classmethod
    def parse(cls, name: str, text: str) -> Prompt:
        """Read a prompt: front matter with `purpose` and `version`, rules, `# Task`, the task.

        Raises:
            InputError: it has not this form, or its rules hold a place for data.
        """
        found = _PARTS.fullmatch(text.replace("\r\n", "\n"))
        lines = [_LINE.fullmatch(line) for line in found[1].split("\n")] if found else []
        head = {line[1]: line[2] for line in lines if line}
        if not found or not all(lines) or set(head) != {"purpose", "version"}:
            raise InputError(f"prompt {name} needs front matter with purpose and version")
        parts = _TASK.split(found[2])
        if len(parts) != 2:
            raise InputError(f"prompt {name} needs one heading '# Task'")
        rules, task = (part.strip() for part in parts)
        if set(_PLACE.findall(rules)) - {"form"}:
            raise InputError(f"prompt {name}: data belongs below '# Task', never in the rules")
        return cls(
            name=name, purpose=head["purpose"], version=head["version"], rules=rules, task=task
        )

    @property
    def label(self) -> str:
        """Its name and version, as call records have it: `extract@1`."""
        return f"{self.name}@{self.version}"

    def messages(
        self,
        *,
        nonce: str,
        data: Mapping[str, str],
        words: Mapping[str, str | int] | None = None,
        form: Mapping[str, Any] | None = None,
    ) -> tuple[Message, ...]:
        """Fill the places in: the rules as the system's turn, the task as the user's.

        Where there are data, the rules end with what data are (`data.md`).

        Args:
            nonce: 8 to 32 hexadecimal digits, new for each call; data that hold it are refused.
            data: place -> text of whatever origin; it is fenced, and never instruction.
            words: place -> a number or a few plain words of our own.
            form: JSON schema for the place `form`, which may stand in the rules.

        Raises:
            InputError: a place is left over or missing, the nonce is no nonce or stands in the
                data, or `words` hold more than plain words.
        """
        if not _NONCE.fullmatch(nonce):
            raise InputError("a nonce is 8 to 32 hexadecimal digits")
        filled = {name: fenced(name, text, nonce=nonce) for name, text in data.items()}
        filled |= {name: _plain(name, word) for name, word in (words or {}).items()}
        if form is not None:
            filled["form"] = json.dumps(form, ensure_ascii=False, separators=(",", ":"))
        wanted = set(_PLACE.findall(self.rules + self.task))
        if wanted != set(filled):
            odd = ", ".join(sorted(wanted ^ set(filled)))
            raise InputError(f"prompt {self.label}: places and data differ in {odd}")
        rules, task = (
            _PLACE.sub(lambda place: filled[place[1]], part) for part in (self.rules, self.task)
        )
        if data:
            rules = f"{rules}\n\n{_loaded('data').rules}".strip()
        turns = (Message(role="system", content=rules), Message(role="user", content=task))
        return tuple(turn for turn in turns if turn.content)


@cache
def _loaded(name: str) -> Prompt:
    if not re.fullmatch("[a-z_]+", name):
        raise InputError(f"there is no prompt {name!r}")
    try:
        text = files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"there is no prompt {name!r}") from None
    return Prompt.parse(name, text)


def fenced(name: str, text: str, *, nonce: str) -> str:
    """Put data between two lines that only this call knows; what can't be seen is written out.

    Raises:
        InputError: the nonce stands in the data.
    """
    seen = show(text)
    if nonce in seen:
        raise InputError(f"the nonce stands in {name}; take another")
    return f"<<<DATA {name} {nonce}\n{seen}\nDATA {name} {nonce}>>>"


def _plain(name: str, word: str | int) -> str:
    if not _WORDS.fullmatch(str(word)):
        raise InputError(f"{name} holds more than plain words; give it as data")
    return str(word)
