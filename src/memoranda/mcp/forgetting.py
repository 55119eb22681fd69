"""The tool that forgets: a look first, then the deed, which must carry the look's token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field

from memoranda.errors import InputError
from memoranda.mcp.arguments import Arguments, Name, Seq, SourceName, When
from memoranda.mcp.seal import NOTICE
from memoranda.mcp.tool import Desk, Recalled, Result, Tool
from memoranda.read.render import line
from memoranda.reports import Forgotten
from memoranda.values import Entry

_SHOWN: Final = 50
"""So many lines of a preview are shown."""


class Forget(Arguments):
    """What `forget` takes."""

    event: Annotated[
        Name | None, Field(description="Id of an event: it goes with every entry from it.")
    ] = None
    entry: Annotated[
        Seq | None, Field(description="Number of an entry: its line goes, with what says it.")
    ] = None
    external_id: Annotated[Name | None, Field(description="Your id of an event.")] = None
    seq: Annotated[Name | None, Field(description="Numbers of entries: 12-20,31.")] = None
    document: Annotated[
        Name | None, Field(description="All entries of a document: id, title, or CURRENT.")
    ] = None
    source: Annotated[SourceName | None, Field(description="Who it comes from.")] = None
    speaker: Annotated[Name | None, Field(description="Said by this speaker, exactly.")] = None
    project: Annotated[Name | None, Field(description="Of this project alone.")] = None
    session: Annotated[Name | None, Field(description="Of this conversation, exactly.")] = None
    since: Annotated[When | None, Field(description="From this time on.")] = None
    until: Annotated[When | None, Field(description="Up to the end of this time.")] = None
    query: Annotated[
        Name | None, Field(description="Holds exactly this text; case does not matter.")
    ] = None
    all: Annotated[bool, Field(description="Everything. Only if the user asks for just that.")] = (
        False
    )
    confirm: Annotated[
        str | None,
        Field(max_length=100, description="The token of the preview; without it this only looks."),
    ] = None

    def parts(self) -> dict[str, Any]:
        """Give the parts of the selector that are set."""
        found = {name: getattr(self, name) for name in type(self).model_fields if name != "confirm"}
        return {name: value for name, value in found.items() if value not in {None, False}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting(Recalled):
    """What would be forgotten, or what was."""

    done: bool
    receipt: Forgotten
    confirm: str | None = None
    """Of a preview: give it back, with the same names, to forget."""
    entries: tuple[Entry, ...] = ()
    """Of a preview: the lines that would go, the first fifty."""
    more: int = 0
    """Of a preview: so many lines more."""


def _forget(desk: Desk, given: Forget) -> Result:
    if not given.parts():
        raise InputError(
            "say what to forget: event, entry, external_id, seq, document, source, speaker, project, "
            "session, since, until, query or all; what is given must all fit"
        )
    if given.confirm is None:
        return _preview(desk, given)
    return _confirmed(desk, given, given.confirm)


def _preview(desk: Desk, given: Forget) -> Result:
    looked = desk.memory.selected(limit=_SHOWN, **given.parts())
    preview = looked.preview
    value = Forgetting(
        notice=NOTICE,
        done=False,
        receipt=preview,
        confirm=preview.token,
        entries=looked.entries,
        more=looked.more,
    )
    lines = desk.seal.fence("\n".join(map(line, looked.entries)) or "(no line of a document)")
    more = f"\n... and {looked.more} lines more" if looked.more else ""
    text = (
        f"Nothing was changed. This would go for good, with {_many(preview)}:\n{lines}{more}\n"
        "Ask the user. To forget it, call again with the same names and "
        f"confirm={preview.token}"
    )
    return Result(value, text)


def _confirmed(desk: Desk, given: Forget, confirm: str) -> Result:
    done = desk.memory.forget(expect=confirm, **given.parts())
    text = f"Forgotten: {_many(done)}. It can't be undone. Receipt: {done.receipt_id}."
    if done.since:
        text += f" {done.since} more came to fit since the preview, and stay."
    if done.left:
        text += f" Files that are not ours still hold a piece of it: {', '.join(done.left)}."
    return Result(Forgetting(notice=NOTICE, done=True, receipt=done), text)


def _many(found: Forgotten) -> str:
    seqs = found.seqs[:_SHOWN]
    more = ", ..." if len(found.seqs) > len(seqs) else ""
    numbers = f" (entries {', '.join(map(str, seqs))}{more})" if seqs else ""
    return f"{len(found.events)} events{numbers}"


TOOLS: Final = (
    Tool(
        name="forget",
        title="Forget for good",
        description=(
            "Forget for good what fits every parameter that is given. The first call changes nothing: "
            "it shows what would go and gives a token. Show that to the user, and only if the user "
            "agrees call again with confirm set to the token. It can't be undone."
        ),
        arguments=Forget,
        output=Forgetting,
        work=_forget,
        destroys=True,
        repeats=True,
    ),
)
