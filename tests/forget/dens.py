"""A memory as a test of forgetting keeps it: settings by chance, all its folders below one."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from quoting import quoting

from memoranda import Memory, Settings
from memoranda.llm.doubles import HashedEmbedder
from memoranda.llm.model import Model
from scene import Place

SIZES = Settings(
    current_tokens=400, split_tokens=450, merge_tokens=120, entry_tokens=120, auto=False
)
SAFE = ("config", "cache", "data", "state")


@dataclass(slots=True)
class Den:
    """One memory with its data root, documents elsewhere, home and folder for temporary files.

    What is written to `out` left the house: exports, backups elsewhere, files that were imported.
    """

    folder: Path
    rng: random.Random
    settings: Settings
    model: Model | None = None
    memory: Memory = field(init=False)
    place: Place = field(init=False)
    archive: Path | None = None
    """An archive that was made while the canary lived."""
    backup: Path | None = None
    """A backup likewise, elsewhere."""
    lines: list[bytes] = field(default_factory=list)
    """Lines that were imported."""
    told: int = 0
    """So many plain sentences were told."""

    def __post_init__(self) -> None:
        for name in ("root", "out", "home", "tmp"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.place = Place(self.folder / "root", self.settings, ids=f"{self.rng.random()}-")
        self.open()

    @property
    def out(self) -> Path:
        return self.folder / "out"

    @property
    def searched(self) -> list[Path]:
        """All folders in which nothing may be found."""
        names = ("root", "elsewhere", "home", "tmp")
        return [self.folder / name for name in names if (self.folder / name).exists()]

    def open(self) -> Memory:
        """Open it, or open it anew."""
        embedder = HashedEmbedder() if self.settings.vectors == "on" else None
        self.memory = self.place.open(model=self.model, embedder=embedder)
        return self.memory

    def close(self) -> None:
        self.memory.close()

    def reopened(self) -> Memory:
        self.close()
        return self.open()

    def plain(self) -> str:
        """A sentence that was not told before."""
        self.told += 1
        what = self.rng.choice(_THINGS)
        return self.rng.choice(_TELLING).format(what=what, number=1000 + self.told)


_THINGS = ("kiln", "ferry", "fence", "boiler", "choir", "rye bread", "wind pump", "旧窑", "渡轮")
_TELLING = (
    "The {what} was looked after by Olek on day {number}.",
    "Mira says that the {what} needs {number} more screws.",
    "My phone number is 555-{number}.",
    "The deployment limit of the {what} is {number} pods.",
    "米拉说{what}要修{number}次。",
    "Nobody knew of the {what} in room {number}. It may be sold, or it may not.",
)


def den(folder: Path, rng: random.Random, *, by_rules: bool = False, **given: Any) -> Den:
    """Make one, with settings by chance."""
    settings = SIZES
    model = None
    if rng.random() < 0.5 and not by_rules:
        model = quoting(rng.randrange(1000), faults=rng.random() < 0.4)
        settings = replace(settings, keep_calls=rng.random() < 0.7, trust="model")
    if rng.random() < 0.3:
        settings = replace(settings, documents=str(folder / "elsewhere"))
    if rng.random() < 0.4:
        settings = replace(settings, vectors="on")
    if rng.random() < 0.15:
        settings = replace(settings, git=True)
    if rng.random() < 0.2:
        settings = replace(settings, mode="review")
    settings = replace(settings, **given)
    return Den(folder, rng, settings, model)


@contextmanager
def at_home(folder: Path) -> Iterator[None]:
    """Let everything that has a place of its own by default stand below a folder."""
    home, tmp = folder / "home", folder / "tmp"
    for path in (home, tmp):
        path.mkdir(parents=True, exist_ok=True)
    own = {"HOME": str(home), "TMPDIR": str(tmp)}
    own |= {f"XDG_{name.upper()}_HOME": str(home / name) for name in SAFE}
    before = {name: os.environ.get(name) for name in own}
    temporary = tempfile.tempdir
    os.environ.update(own)
    tempfile.tempdir = str(tmp)
    try:
        yield
    finally:
        tempfile.tempdir = temporary
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
