"""What a run by a model would use: its prompts are made on the state as it is, counted, and not sent."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

from memoranda.errors import ModelTimeoutError
from memoranda.llm.model import Reply, Request, Usage
from memoranda.llm.told import prompt_tokens
from memoranda.reports import Estimate
from memoranda.store.home import Home
from memoranda.store.view import Place
from memoranda.write import answers as windows
from memoranda.write import facts
from memoranda.write.by_model import Maintainer
from memoranda.write.near import keys_near

WORDED = 0.35
"""Of 1,000 tokens of events, so many thousands come back as facts, about."""
PLACED = 0.1
"""Of 1,000 tokens of entries, so many thousands come back when they are rewritten and routed, about."""


class _Counting:
    """Counts what it is asked, and never answers."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.calls = 0
        self.tokens = 0
        self._lock = threading.Lock()

    def ask(self, request: Request) -> Reply:
        with self._lock:
            self.calls += 1
            self.tokens += prompt_tokens(request)
        raise ModelTimeoutError(self.name, 0.0)


def estimate(
    home: Home, name: str, *, nonce: Callable[[], str], price: Callable[[Usage], float | None]
) -> Estimate:
    """Estimate a run over what stands in CURRENT and no plan holds. The scope must be held.

    Splits and merges that follow are not counted.

    Args:
        home: the scope.
        name: of the model.
        nonce: as for a maintainer.
        price: of a usage, in US dollars.
    """
    model = _Counting(name)
    settings = home.settings
    maintainer = Maintainer(
        model,
        nonce=nonce,
        entry_tokens=settings.entry_tokens,
        prompt_tokens=settings.prompt_tokens,
    )
    most = min(settings.current_tokens, settings.prompt_tokens)
    shadow = home.settings.mode == "shadow"
    unread = home.view.unread(shadow=shadow, undone=True)
    free = home.view.free(shadow=shadow, undone=True)
    for part in _parts(unread, most):
        lines = home.view.entries(part)
        entries = tuple(lines[seq] for seq in part)
        batch = facts.Batch(entries=entries, keys=keys_near(entries, home.view))
        maintainer.extract(batch.events(), keys=batch.keys)
    for part in _parts(free, most):
        rewriting = maintainer.rewrite(windows.asked_about(part, home).rewriting)
        blocks, _ = windows.blocks_of(rewriting, home)
        maintainer.route(blocks, taken=windows.taken_titles(home.view))
    replies = round(
        WORDED * sum(place.tokens for place in unread)
        + PLACED * sum(place.tokens for place in free)
    )
    return Estimate(
        calls=model.calls,
        input_tokens=model.tokens,
        output_tokens=replies,
        money=price(Usage(input_tokens=model.tokens, output_tokens=replies, estimated=True)),
    )


def _parts(places: Sequence[Place], most: int) -> Iterator[list[int]]:
    """Cut lines into windows of at most so many tokens, at least one line each."""
    part: list[int] = []
    tokens = 0
    for place in places:
        tokens += place.tokens
        if part and tokens > most:
            yield part
            part, tokens = [], place.tokens
        part.append(place.seq)
    if part:
        yield part
