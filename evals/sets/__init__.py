"""The data sets in the common form: each gives contexts, and the files that it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evals.forms import Context, Row
from evals.sets import beam, facts, hotpot, icl, longmemeval, mquake, personamem, talks

Load = Callable[[Path, int | None], Iterator[Context]]


@dataclass(frozen=True, slots=True)
class DataSet:
    """One data set."""

    load: Load
    """Data folder and limit of contexts -> contexts, in a fixed order."""
    files: tuple[str, ...]
    """Globs below the data folder."""
    bounds: tuple[tuple[str, str, float], ...] = ()
    """(figure, sign, bound) of the retrieval without a model, over what counts."""

    def found(self, data: Path) -> list[Path]:
        """Give the files that are there."""
        return sorted({path for glob in self.files for path in data.glob(glob)})


SETS: Final[dict[str, DataSet]] = {
    "locomo": DataSet(
        talks.locomo, ("locomo/locomo_dev*",), (("hit@1000", ">=", 0.80), ("hit@2000", ">=", 0.86))
    ),
    "realmem": DataSet(talks.realmem, ("realmem/*_dialogues_*",)),
    "longmemeval": DataSet(longmemeval.load, ("longmemeval/*_dev*",)),
    "factconsolidation": DataSet(
        facts.load,
        ("memoryagentbench/conflict_resolution_dev*", "factconsolidation/dev_*"),
        (("first", ">=", 0.93),),
    ),
    "mquake_hard": DataSet(mquake.load, ("mquake_hard/mquake_hard_dev*",)),
    "hotpot50": DataSet(hotpot.load, ("hotpot50/corpus*", "hotpot50/questions_dev*")),
    "personamem": DataSet(personamem.load, ("personamem/personamem_32k_*",)),
    "beam": DataSet(beam.load, ("beam/beam_128k_dev*",)),
    "beam_large": DataSet(beam.large, ("beam/beam_500k_dev*", "beam/beam_1m_dev*")),
    "icl": DataSet(icl.load, ("icl/*",)),
}


def contexts(name: str, data: Path, limit: int | None = None) -> Iterator[Context]:
    """Give the contexts of a set.

    Raises:
        SystemExit: its files are not below the folder.
    """
    chosen = SETS[name]
    if not chosen.found(data):
        raise SystemExit(f"no {name} below {data}: nothing was evaluated")
    return chosen.load(data, limit)


__all__ = ["SETS", "DataSet", "Row", "contexts"]
