"""One question whose reply names things that it shows: prompt, names, form, and what is read of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from memoranda.llm.aliases import Aliases
from memoranda.llm.forms import Form
from memoranda.llm.model import Request
from memoranda.llm.prompts import Prompt
from memoranda.llm.replies import value_of
from memoranda.read.readers.run import Failure, Part, Run, unseen

K = TypeVar("K")
T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Generic[K, T]):
    """What a question shows, and the form of its reply."""

    prompt: str
    """The prompt's name."""
    form: Form[T]
    group: str
    """As the form calls the names that it takes."""
    letter: str
    """How the names begin."""
    keys: tuple[K, ...]
    """What is named, each once."""
    texts: tuple[str, ...]
    """All that is shown: the fence's number stands in none of it."""


def put(
    run: Run,
    offer: Offer[K, T],
    data: Callable[[Aliases[K]], Mapping[str, str]],
    read: Callable[[T, Aliases[K]], U],
    *,
    part: Part = "retrieval",
) -> U | Failure:
    """Ask, and read the reply; one that can't be read is repaired once.

    Args:
        run: asks the model.
        offer: what is shown.
        data: gives the places of the prompt, with the names of this call.
        read: makes something of the reply; it raises ReplyError where that can't be.
        part: to which part of the trace it counts.
    """
    prompt = Prompt.load(offer.prompt)
    nonce = unseen(run.desk.nonce, offer.texts)
    names = Aliases(offer.letter, offer.keys, nonce=nonce)
    offered = {offer.group: tuple(names)}
    request = Request(
        messages=prompt.messages(nonce=nonce, data=data(names)),
        schema=offer.form.schema(offered),
        max_tokens=run.desk.limits.reply_tokens,
    )
    return run.ask(
        request,
        lambda reply: read(offer.form.read(value_of(reply), offered), names),
        label=prompt.label,
        part=part,
    )
