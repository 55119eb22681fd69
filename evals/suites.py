"""The suites by name: what each is, whether it asks a model, and how it is run."""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import memoranda
from evals import answering, retrieval
from evals.forms import Row, data_hash
from evals.running import Options, cpu
from evals.sets import SETS

CORE: Final = ("locomo", "factconsolidation", "topics", "updates", "forgetbench", "constructed")
"""What `core` runs: no model, development halves, under 20 minutes on 2 cores."""
MINUTES: Final = 20


@dataclass(frozen=True, slots=True)
class Suite:
    """One suite."""

    module: str
    """Below `evals`; it has `run(options)`, or an older `run(data, *, limit)`."""
    says: str
    model: bool = False
    """Whether it needs a model."""
    function: str = "run"
    older: bool = False
    """Whether its function takes a data folder and keywords in place of options."""
    files: tuple[str, ...] = ()
    """Globs of the data of an older suite, for the hash."""
    takes: tuple[str, ...] = ()
    """Keywords of an older suite that are passed on: `model`, `peer`, `out`, `jobs`."""

    def is_there(self) -> bool:
        """Say whether its module can be found."""
        try:
            return importlib.util.find_spec(f"evals.{self.module}") is not None
        except ModuleNotFoundError:
            return False

    def run(self, name: str, options: Options) -> Row:
        """Run it."""
        if self.model and options.model is None:
            raise SystemExit(f"the suite {name} needs a model: MODEL=openai:NAME or the like")
        function: Callable[..., Row] = getattr(
            importlib.import_module(f"evals.{self.module}"), self.function
        )
        return self._older(name, options, function) if self.older else function(options)

    def _older(self, name: str, options: Options, function: Callable[..., Row]) -> Row:
        begun, used = time.monotonic(), cpu()
        known = {"model": options.model, "out": options.out, "jobs": options.jobs}
        known |= dict(options.more)
        given = {key: known[key] for key in self.takes if known.get(key)}
        result = function(options.data, limit=options.limit, **given)
        files = [path for glob in self.files for path in sorted(options.data.glob(glob))]
        return {
            "suite": name,
            "version": memoranda.__version__,
            "data": data_hash(files, options.data) if files else "",
            "model": options.model,
            "settings": options.settings(),
            "seconds": round(time.monotonic() - begun, 1),
            "cpu_seconds": round(cpu() - used, 1),
            **result,
        }


def _older(module: str, says: str, files: tuple[str, ...] = (), **more: Any) -> Suite:  # noqa: ANN401
    return Suite(module, says, older=True, files=files, **more)


OTHERS: Final[Mapping[str, Suite]] = {
    "constructed": Suite("constructed.suite", "six kinds of cases of our own, English and Chinese"),
    "thresholds": Suite("thresholds", "split thresholds 1,000 to 9,000 by rules"),
    "peers": Suite("peers.retrieval", "evidence recall beside other memories, no model"),
    "mab": Suite("mab.suite", "MemoryAgentBench's protocol; with a model, or retrieval alone"),
    "judge": Suite("judging", "the judge's control set", model=True),
    "schemes": Suite("schemes", "full, chunks, hybrid, agentic, summary, no structure", model=True),
    "rounds": Suite("drifting", "ten rounds of maintenance, made again each time", model=True),
    "topics": _older("topics", "topic quality by rules on RealMem", ("realmem/*",)),
    "conservation": _older("conservation", "every event in one place", ("locomo/*", "realmem/*")),
    "updates": _older("updates", "does the newer replace the older, by rules", ("updates/*",)),
    "tokens": _older("tokens", "what maintenance costs with ideal replies", takes=("peer",)),
    "blame": _older("blame", "every line resolves to its events", ("locomo/*",)),
    "readers-recall": _older("readers_recall", "readers with scripted policies", ("locomo/*",)),
    "readers": _older("readers", "readers beside chunks", model=True,
        takes=("model", "out", "jobs"),
    ),
    "updates-by-model": _older(
        "by_model", "updates, by a model", ("updates/*",), model=True, function="updates",
        takes=("model",),
    ),
    "drive": _older(
        "drive", "a conversation kept by a model, and every law after it", ("locomo/*",),
        model=True, takes=("model", "out"),
    ),
    "forgetbench": _older("forgetbench", "is a deleted fact still reachable", ("forgetbench/*",)),
    "automemorybench": _older(
        "automemory", "superseded, deleted, restricted memories", ("automemorybench/*",)
    ),
    "secrets": _older("hidden", "made-up secrets, plain texts, and conversations", ("locomo/*",)),
    "gatemem": _older("gatemem", "access, updates, deletion among several people", ("gatemem/*",)),
    "precisionmembench": _older(
        "precisionmem", "only the right memory, not the superseded one", ("precisionmembench/*",)
    ),
}  # fmt: skip


def names() -> list[str]:
    """Give the names of all suites: sets in the common form, and the others that are there."""
    return [*SETS, *(name for name, suite in OTHERS.items() if suite.is_there())]


def needs_model(name: str) -> bool:
    """Say whether a suite can't be run without a model."""
    return name in OTHERS and OTHERS[name].model


def run(name: str, options: Options) -> Row:
    """Run one suite; a set in the common form is asked by a model if one is named, else searched."""
    if name in SETS:
        return answering.run(name, options) if options.model else retrieval.run(name, options)
    return OTHERS[name].run(name, options)


def core(options: Options) -> list[Row]:
    """Run the core suites, one after another; each uses the processes it is given."""
    results = []
    for name in CORE:
        if name not in names():
            print(f"{name}: not there, left out", flush=True)
            continue
        print(f"\n== {name}", flush=True)
        results.append(run(name, replace(options, model=None)))
    return results
