"""Asks for a typed reply: schema, strict reading, one repair, then a typed failure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from memoranda.errors import BudgetError, ModelError, ModelRefusedError, ReplyError
from memoranda.llm.forms import Form, Offered
from memoranda.llm.model import Message, Model, Reply, Request, Usage
from memoranda.llm.prompts import Prompt
from memoranda.llm.replies import value_of

T = TypeVar("T")
Failure = TypeVar("Failure", bound=ModelError)

ECHO = 4000
"""Characters; so much of a useless reply is shown to the model again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed(Generic[T]):
    """A reply that fits its form."""

    value: T
    reply: Reply
    """The last reply; its usage and calls are the sums of all."""
    repaired: str | None = None
    """Why the first reply could not be used (a code of `REASONS`), if it could not."""


def ask(
    model: Model,
    request: Request,
    form: Form[T],
    *,
    offered: Offered | None = None,
    listed: Offered | None = None,
    check: Callable[[T], None] | None = None,
) -> Typed[T]:
    """Ask for a reply of one form; a reply that can't be used is repaired once.

    Args:
        model: whom to ask.
        request: what to ask; a schema of the form is put in if it has none.
        form: what the reply must be.
        offered: the aliases that this call offers, by group.
        listed: names, by group, that the schema lists one by one where the reply is asked for again:
            a model whose replies are held to a schema can name no other. A reply that is cut though it
            was asked for so is not asked for again.
        check: a further test of the value; it raises ReplyError, and that is repaired as well.

    Raises:
        ReplyError: the second reply can't be used either, or no call, or no budget, was left for one.
        ModelRefusedError: the model declined; it is not asked again.
        ModelError: no reply came; `calls` tells how many calls were made.
    """
    whole = request if request.schema else replace(request, schema=form.schema())
    narrow = form.schema(listed, bounds=True) if listed else None
    first = model.ask(whole)
    try:
        return Typed(value=_value(first, form, offered, check), reply=first)
    except ReplyError as error:
        if error.reason == "refused":
            raise _counted(ModelRefusedError(first.model or model.name), first.calls) from None
        left = whole.calls - first.calls
        if left < 1 or (error.reason == "cut" and whole.schema == narrow):
            raise _counted(error, first.calls) from None
        problem = error
    except ModelRefusedError as error:
        raise _counted(error, first.calls) from None
    narrower = replace(whole, calls=left, schema=narrow or whole.schema)
    second = _again(model, narrower, first, problem)
    both = _joined(first, second)
    try:
        value = _value(second, form, offered, check)
    except (ReplyError, ModelRefusedError) as error:
        raise _counted(error, both.calls) from None
    return Typed(value=value, reply=both, repaired=problem.reason)


def repair(request: Request, reply: Reply, problem: ReplyError) -> Request:
    """Make the request that asks again: the useless reply and what is wrong with it are added."""
    said = reply.text if len(reply.text) <= ECHO else reply.text[:ECHO] + " [cut here]"
    said = said.encode("utf-8", "replace").decode("utf-8")
    nonce = hashlib.sha256(problem.detail.encode()).hexdigest()[:16]
    words = Prompt.load("repair").messages(nonce=nonce, data={"problem": problem.detail})
    turns = (Message(role="assistant", content=said.strip() or "(empty)"), *words[-1:])
    return replace(request, messages=request.messages + turns)


def _again(model: Model, request: Request, first: Reply, problem: ReplyError) -> Reply:
    try:
        return model.ask(repair(request, first, problem))
    except (
        BudgetError
    ):  # what was paid for is over: the run goes on, and stops at its next question
        raise _counted(problem, first.calls) from None
    except ModelError as error:
        raise _counted(error, first.calls + error.calls) from None


def _value(
    reply: Reply, form: Form[T], offered: Offered | None, check: Callable[[T], None] | None
) -> T:
    value = form.read(value_of(reply), offered)
    if check:
        check(value)
    return value


def _joined(first: Reply, second: Reply) -> Reply:
    usage: Usage = first.usage.plus(second.usage)
    return replace(second, usage=usage, calls=first.calls + second.calls)


def _counted(error: Failure, calls: int) -> Failure:
    error.calls = calls
    return error
