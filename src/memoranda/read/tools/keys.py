"""Keys of states, `project / subject / attribute`, and which of them a name means."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from memoranda.read.lexical import Source
from memoranda.read.tools.places import in_reach
from memoranda.text.analyse import fold, is_unspaced
from memoranda.text.frames.words import stem

STATED = "key: "
"""How a key begins that was stated with the entry; others were made by the frames of the rules."""
ALONE = "- / "
"""How a key by the rules begins where there is no project."""
_WORD = re.compile(r"[\w'./:#-]+")
_IDLE = frozenset(["the", "a", "an", "my", "our", "your", "his", "her", "their", "of", "is", "are"])
_PERSONAL = re.compile(r"\b(?:i|we|my|our|me|us|mine|ours)\b|我|咱|本人")
_IDLE_ZH = re.compile("[的是为叫]|我们?|我的")


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key, in its parts; `name` is the whole, as the view has it."""

    name: str
    project: str
    owner: str
    """Of a frame's key: who said it, or `*` for anyone in a project; else ""."""
    subject: str
    attribute: str

    @property
    def is_stated(self) -> bool:
        """Whether it was stated with the entry, and holds one value."""
        return self.name.startswith(STATED)

    @property
    def state(self) -> tuple[str, ...]:
        """The state that it is a key of: keys of other owners are of the same, if none speaks of himself."""
        if self.is_stated or self.is_personal:
            return (self.name,)
        return (self.project, self.subject, self.attribute)

    @property
    def is_personal(self) -> bool:
        """Whether who said it spoke of himself."""
        return bool(self.owner and _PERSONAL.search(self.subject))

    @property
    def text(self) -> str:
        """All of it that names something, folded; who said it, if he spoke of himself."""
        owner = self.owner if self.is_personal else ""
        return fold(f"{owner} {self.subject} {self.attribute}")


@lru_cache(maxsize=4096)
def parse(name: str) -> Key:
    """Read a key. A stated one of two parts has no project; one of one part has no attribute."""
    parts = [part.strip() for part in name.removeprefix(STATED).split(" / ")]
    project = parts.pop(0) if len(parts) > 2 else ""
    subject, attribute = parts[0], " / ".join(parts[1:])
    owner = ""
    if not name.startswith(STATED) and ": " in subject:
        owner, subject = subject.split(": ", 1)
    return Key(
        name=name,
        project="" if project == "-" else project,
        owner="" if owner == "*" else owner,
        subject=subject,
        attribute=attribute,
    )


def all_keys(source: Source, *, retracted: bool = False) -> dict[str, list[int]]:
    """Give the keys in reach, each with its lines' first seqs, ascending; `retracted` ones too if asked."""
    rows = source.log.connection.execute(
        "SELECT DISTINCT key, head.seq, head.project FROM entry_key JOIN entry USING (seq) "
        "JOIN entry AS head ON head.seq = entry.line "
        "WHERE head.erased IS NULL AND (head.retracted IS NULL OR ?) ORDER BY key, head.seq",
        (retracted,),
    )
    found: dict[str, list[int]] = {}
    for key, seq, project in rows:
        if in_reach(seq, project, source.reach):
            found.setdefault(key, []).append(seq)
    return found


def names(text: str) -> tuple[str, ...]:
    """Give the words that a name is looked for by; a Chinese run stays whole, without particles."""
    found = []
    for word in _WORD.findall(fold(text)):
        if any(is_unspaced(character) for character in word):
            found += [piece for piece in _IDLE_ZH.split(word) if piece]
        elif word not in _IDLE:
            found.append(word.removesuffix("'s"))
    return tuple(dict.fromkeys(found)) or tuple(dict.fromkeys(_WORD.findall(fold(text))))


def holds(words: Iterable[str], text: str) -> bool:
    """Say whether a folded text holds all words: in any form of theirs, Chinese as a substring."""
    own = _forms(text)
    return all(_held(word, text, own) for word in words)


def _held(word: str, text: str, own: frozenset[str]) -> bool:
    if any(is_unspaced(character) for character in word):
        return word in text
    return word in own or stem(word) in own


@lru_cache(maxsize=4096)
def _forms(text: str) -> frozenset[str]:
    found = _WORD.findall(text)
    bare = [word.removesuffix("'s").strip(".:'") for word in found]
    return frozenset([*found, *bare, *map(stem, bare)])


def near(subject: str, known: Iterable[str]) -> tuple[str, ...]:
    """Give subjects of keys whose names are like a subject, or share a word with it."""
    subjects = sorted({key.subject or key.owner for key in map(parse, known)})
    words = names(subject)
    alike = difflib.get_close_matches(fold(subject), subjects, n=5, cutoff=0.5)
    sharing = [name for name in subjects if any(holds([word], fold(name)) for word in words)]
    return tuple(dict.fromkeys([*alike, *sharing, *subjects[:5]]))[:5]
