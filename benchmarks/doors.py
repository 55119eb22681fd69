"""The doors: a search at 10,000 blocks through each, against the library in the same run."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from benchmarks.library import place_all
from benchmarks.mcp import Agent
from benchmarks.measure import Row, folder, in_turns, median, part, say
from benchmarks.texts import Talk
from memoranda import Memory, Settings
from memoranda.rest.client import Client

ENVIRONMENT = {**os.environ, "MEMORANDA_AUTO": "off"}


def run(*, small: bool) -> Iterator[Row]:
    """Measure each door with the same questions, in turns."""
    size, rounds, starts = (50, 3, 1) if small else (10_000, 100, 15)
    say(f"doors: {size:,} blocks")
    with folder(in_memory=True) as here:
        talk = Talk(seed=3)
        with Memory.open(here, settings=Settings(auto=False)) as memory:
            memory.add_many(talk.events(size))
            place_all(memory, entries=100)
            memory.search("warm up")
        questions = [talk.question() for _ in range(rounds)]
        with _opened(here) as works:
            yield from _searches(works, questions)
        yield from _commands(here, questions[:starts])


@contextmanager
def _opened(here: Path) -> Iterator[dict[str, Callable[[str], object]]]:
    """Open every door that stays open, on one root."""
    with contextlib.ExitStack() as stack:
        memory = stack.enter_context(Memory.open(here, settings=Settings(auto=False)))
        agent = stack.enter_context(_agent(here))
        url, token = stack.enter_context(_server(here))
        client = stack.enter_context(Client(url, token))
        http = stack.enter_context(httpx2.Client(base_url=url, trust_env=False))
        yield {
            "library": memory.search,
            "REST, typed client": client.search,
            "REST, bare bytes": lambda question: http.post(
                "/v1/search",
                json={"query": question},
                headers={"Authorization": f"Bearer {token}"},
            ).raise_for_status(),
            "MCP over stdio": lambda question: agent.call("search", query=question),
            "a call that does nothing": lambda _: http.get("/healthz").raise_for_status(),
        }


@contextmanager
def _agent(here: Path) -> Iterator[Agent]:
    command = [sys.executable, "-m", "memoranda", "mcp", "--root", str(here)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    ) as process:  # fmt: skip
        agent = Agent(process)
        agent.hello()
        yield agent
        process.kill()


@contextmanager
def _server(here: Path) -> Iterator[tuple[str, str]]:
    """Start a server as people do; give its address and a token."""
    base = [sys.executable, "-m", "memoranda"]
    made = [*base, "token", "add", "benchmark", "--role", "owner", "--root", str(here)]
    token = subprocess.run(made, check=True, capture_output=True, encoding="utf-8").stdout.strip()
    command = [*base, "serve", "--root", str(here), "--port", "0", "--rate", "0", "--json"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=ENVIRONMENT) as process:
        assert process.stderr is not None  # noqa: S101 - opened as a pipe
        url = json.loads(process.stderr.readline())["url"]
        try:
            yield url, token
        finally:
            process.terminate()


def _searches(works: dict[str, Callable[[str], object]], questions: list[str]) -> Iterator[Row]:
    for work in works.values():
        work("warm up")
    asked = {name: iter(questions) for name in works}

    def turn(name: str) -> Callable[[], object]:
        return lambda: works[name](next(asked[name]))

    found = dict(
        zip(works, in_turns([turn(name) for name in works], rounds=len(questions)), strict=True)
    )
    alone, nothing = found.pop("library"), found.pop("a call that does nothing")
    for name, spent in found.items():
        for what, figure in (("p50", median), ("p95", lambda values: part(values, 0.95))):
            yield _row(f"search {what}, {name}", figure(spent), figure(alone), "the library")
        above = [one - other for one, other in zip(spent, alone, strict=True)]
        yield _row(f"{name}: above the library", median(above), median(nothing), "GET /healthz")


def _commands(here: Path, questions: list[str]) -> Iterator[Row]:
    """Measure the command line: each search is a process of its own."""
    command = [sys.executable, "-m", "memoranda", "search", "--root", str(here), "--json"]
    with Memory.open(here, settings=Settings(auto=False)) as memory:
        theirs, ours = iter(questions), iter(questions)

        def cli() -> None:
            subprocess.run(
                [*command, next(ours)], check=False, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, env=ENVIRONMENT,
            )  # fmt: skip

        works = (cli, lambda: memory.search(next(theirs)))
        spent, alone = in_turns(works, rounds=len(questions))
    for what, figure in (("p50", median), ("p95", lambda values: part(values, 0.95))):
        yield _row(f"search {what}, command line", figure(spent), figure(alone), "the library")


def _row(what: str, ours: float, other: float, against: str) -> Row:
    return Row(
        matter="doors", what=what, ours=ours * 1e3, other=other * 1e3, unit="ms", against=against
    )
