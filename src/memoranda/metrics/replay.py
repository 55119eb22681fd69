"""The figure of whether the log alone makes the library again: audit replay success."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memoranda.errors import MemorandaError
from memoranda.measures import Metric
from memoranda.metrics.state import share
from memoranda.store.home import Home
from memoranda.store.past import past
from memoranda.store.replay import Then, at


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay of the whole log came to."""

    checks: tuple[tuple[int, bool], ...]
    """Log position of each plan that was in force when it was made, and whether it found its base."""
    files: int
    differing: tuple[str, ...]
    """Files at the head that the replay prints otherwise than the views do, or than they stand on disk."""
    fault: str = ""
    """Why the log could not be replayed to its end; "" if it could."""


def replayed(home: Home) -> Replayed:
    """Fold the log into empty tables, record by record, and compare with what was recorded then."""
    checks: list[tuple[int, bool]] = []
    position = home.log.position()
    try:
        with past(home) as then:
            before: dict[str, int] = {}
            for record in then.onward():
                if record.kind == "plan" and record.body is not None:
                    checks.append((record.position, _based(record.body, before)))
                if record.kind not in {"event", "extraction"}:
                    before = then.versions()
        with at(home, position) as now:
            made = dict(now.files())
    except MemorandaError as error:
        return Replayed(
            checks=(*checks, (position, False)), files=0, differing=(), fault=str(error)
        )
    home.view.forget_prints()
    views, disk = Then(position, home.view, 0).files(), home.projection.contents()
    names = made.keys() | views.keys() | disk.keys()
    differing = sorted(n for n in names if not made.get(n) == views.get(n) == disk.get(n))
    return Replayed(checks=tuple(checks), files=len(names), differing=tuple(differing))


def _based(plan: Mapping[str, Any], versions: Mapping[str, int]) -> bool:
    """Say whether the replay has every document at the version that the plan was made on."""
    return all(versions.get(name) == version for name, version in plan["versions"].items())


def replay(done: Replayed, position: int, *, head: bool) -> Metric:
    """Measure whether the state can be made again from the log (R258).

    The log is folded from its first record. For each plan the documents must stand at the versions
    that the plan recorded as its base, when it is its turn; and at the end every file must have the
    bytes that the views print and that stand on disk. The figure is the share of these checks that hold.

    Args:
        done: the replay.
        position: plans up to this position count.
        head: whether the files count too.
    """
    plans = [good for at_position, good in done.checks if at_position <= position]
    good = sum(plans) + (done.files - len(done.differing) if head else 0)
    total = len(plans) + (done.files if head else 0)
    said = f"{sum(plans)} of {len(plans)} plans found the documents they were made on"
    if head:
        said += f", {done.files - len(done.differing)} of {done.files} files came out byte for byte"
    return Metric(
        name="replay",
        value=share(good, total),
        unit="share",
        better="higher",
        counted=total,
        text=f"{said}; {done.fault}" if done.fault else said,
        details={"plans": len(plans), "files": done.files, "differing": list(done.differing)[:20]},
    )
