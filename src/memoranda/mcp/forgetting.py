"""The tool that forgets: a look first, then the deed, which must carry the look's token."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from memoranda.errors import ForgottenError, InputError
from memoranda.mcp.arguments import Arguments, Name, Seq
from memoranda.mcp.seal import NOTICE
from memoranda.mcp.tool import Desk, Recalled, Result, Tool
from memoranda.read.render import line
from memoranda.reports import Forgotten
from memoranda.values import Entry


class Forget(Arguments):
    """What `forget` takes."""

    event: Annotated[
        Name | None, Field(description="Id of an event: it goes with every entry from it.")
    ] = None
    entry: Annotated[
        Seq | None, Field(description="Number of an entry: its line goes, with what says it.")
    ] = None
    external_id: Annotated[Name | None, Field(description="Your id of an event.")] = None
    confirm: Annotated[
        str | None,
        Field(max_length=100, description="The token of the preview; without it this only looks."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting(Recalled):
    """What would be forgotten, or what was."""

    done: bool
    receipt: Forgotten
    confirm: str | None = None
    """Of a preview: give it back, with the same name, to forget."""
    entries: tuple[Entry, ...] = ()
    """Of a preview: the lines that would go."""


def _forget(desk: Desk, given: Forget) -> Result:
    names = (given.event, given.entry, given.external_id)
    if sum(name is not None for name in names) != 1:
        raise InputError(
            "name exactly one of event, entry and external_id; "
            "texts can't be forgotten by their words: search first, then give the number"
        )
    if given.confirm is None:
        return _preview(desk, given)
    return _confirmed(desk, given, given.confirm)


def _preview(desk: Desk, given: Forget) -> Result:
    looked = _looked(desk, given)
    token = _token(desk, given, looked)
    entries = tuple(dict.fromkeys(_line(desk, seq) for seq in looked.seqs))
    value = Forgetting(notice=NOTICE, done=False, receipt=looked, confirm=token, entries=entries)
    lines = desk.seal.fence("\n".join(map(line, entries)) or "(no line of a document)")
    text = (
        f"Nothing was changed. This would go for good, with {_many(looked)}:\n{lines}\n"
        f"Ask the user. To forget it, call again with the same name and confirm={token}"
    )
    return Result(value, text)


def _looked(desk: Desk, given: Forget) -> Forgotten:
    return desk.memory.forget(
        event=given.event, entry=given.entry, external_id=given.external_id, dry_run=True
    )


def _confirmed(desk: Desk, given: Forget, confirm: str) -> Result:
    with suppress(ForgottenError):  # a call before it was cut off half-way: this one ends it
        if not _fits(desk, given, _looked(desk, given), confirm):
            raise InputError(
                "the token does not fit: it is of another name, or of what stood there before, or of "
                "a server that has ended; nothing was forgotten; call without confirm and look again"
            )
    done = desk.memory.forget(event=given.event, entry=given.entry, external_id=given.external_id)
    text = f"Forgotten: {_many(done)}. It can't be undone."
    if done.left:
        text += f" Files that are not ours still hold a piece of it: {', '.join(done.left)}."
    return Result(Forgetting(notice=NOTICE, done=True, receipt=done), text)


def _facts(given: Forget, looked: Forgotten) -> tuple[object, ...]:
    return ("forget", given.event, given.entry, given.external_id, looked.events, looked.seqs)


def _token(desk: Desk, given: Forget, looked: Forgotten) -> str:
    return desk.seal.token(*_facts(given, looked))


def _fits(desk: Desk, given: Forget, looked: Forgotten, confirm: str) -> bool:
    return desk.seal.fits(confirm, *_facts(given, looked))


def _line(desk: Desk, seq: int) -> Entry:
    found = desk.memory.get(seq)
    assert isinstance(found, Entry)  # noqa: S101 - a number names an entry
    return found


def _many(found: Forgotten) -> str:
    numbers = f" (entries {', '.join(map(str, found.seqs))})" if found.seqs else ""
    return f"{len(found.events)} events{numbers}"


TOOLS: Final = (
    Tool(
        name="forget",
        title="Forget for good",
        description=(
            "Forget an event or an entry for good, by its name. The first call changes nothing: it "
            "shows what would go and gives a token. Show that to the user, and only if the user "
            "agrees call again with confirm set to the token. It can't be undone."
        ),
        arguments=Forget,
        output=Forgetting,
        work=_forget,
        destroys=True,
        repeats=True,
    ),
)
