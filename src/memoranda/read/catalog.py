"""Looking things up by name: the catalog, a document, an event, how the scope stands."""

from __future__ import annotations

import difflib
import json
from dataclasses import replace

from memoranda.errors import ForgottenError, NotFoundError
from memoranda.lifetimes import LAST
from memoranda.read import lineage
from memoranda.read.reach import Reach
from memoranda.store import parking, requests, schema
from memoranda.store.calls import RUN, spent_on
from memoranda.store.edits import DONE as EDITED
from memoranda.store.erasure import is_whole
from memoranda.store.gitting import FAULT as GIT_FAULT
from memoranda.store.home import Home
from memoranda.store.ledger import PENDING
from memoranda.store.log import Log, Record
from memoranda.store.places import doubt
from memoranda.store.view import View
from memoranda.values import BlockView, DocumentInfo, DocumentView, Entry, Event, Status, plain


def documents(view: View, reach: Reach) -> tuple[DocumentInfo, ...]:
    """Give the catalog of what may be read."""
    return tuple(info for info in view.documents() if reach.allows(info.project))


def current(view: View, reach: Reach) -> tuple[Entry, ...]:
    """Give the entries of CURRENT that may be read, oldest first."""
    places = [place.seq for place in view.current() if reach.allows(place.project)]
    lines = view.entries(places)
    return tuple(lines[seq] for seq in places)


def find(ref: str, view: View, reach: Reach) -> DocumentInfo:
    """Find a document by id, title or file name, exactly; case does not matter.

    Raises:
        NotFoundError: there is none; with the near names.
    """
    known = documents(view, reach)
    wanted = ref.strip().casefold()
    for names in (_ids, _files, _titles):
        for info in known:
            if wanted in {name.casefold() for name in names(info)}:
                return info
    near = difflib.get_close_matches(ref, [info.title for info in known], n=3, cutoff=0.5)
    raise NotFoundError("document", ref, tuple(near))


def resolve(ref: str, view: View, log: Log, reach: Reach) -> tuple[DocumentInfo, str]:
    """Find a document as `find` does; a retired one, by its id, as the one that took it in.

    Returns:
        The document, and a sentence that says where the retired one went ("" for none).

    Raises:
        NotFoundError: there is none, and none that took it in.
    """
    try:
        return find(ref, view, reach), ""
    except NotFoundError:
        line = lineage.heirs(ref.strip().casefold(), log.connection)
        info = view.document(line[-1].document_id) if line else None
        if info is None or not reach.allows(info.project):
            raise
        return info, lineage.in_words(line)


def _ids(info: DocumentInfo) -> tuple[str, ...]:
    return (info.document_id,)


def _files(info: DocumentInfo) -> tuple[str, ...]:
    name = info.file.removeprefix("topics/")
    return (info.file, name, name.removesuffix(".md"))


def _titles(info: DocumentInfo) -> tuple[str, ...]:
    return (info.title,)


def document(ref: str, view: View, log: Log, reach: Reach) -> DocumentView:
    """Give a whole document; for the id of a retired one, the one that took it in, with a note.

    Raises:
        NotFoundError: there is none.
    """
    info, note = resolve(ref, view, log, reach)
    topic = view.topic_document(info.document_id)
    printed = view.printed(info.document_id)
    seqs = [
        item.seqs[0]
        for block in topic.blocks
        for line in block.lines
        for item in (line, *line.under)
    ]
    entries = {
        seq: replace(entry, lines=printed.ranges.get(seq))
        for seq, entry in view.entries(seqs).items()
    }
    blocks = tuple(
        BlockView(
            headings=block.headings,
            lines=lines,
            entries=tuple(
                entries[item.seqs[0]] for line in block.lines for item in (line, *line.under)
            ),
        )
        for block, lines in zip(topic.blocks, printed.blocks, strict=True)
    )
    return DocumentView(
        header=info,
        update_log=topic.header.update_log,
        blocks=blocks,
        markdown=printed.text,
        note=note,
    )


def was_readable(document_id: str, log: Log, reach: Reach) -> bool:
    """Say whether a document, retired or not, may be read."""
    row = log.connection.execute(
        "SELECT project FROM document WHERE id = ?", (document_id,)
    ).fetchone()
    return row is not None and reach.allows(row[0])


def event(ref: str, log: Log, reach: Reach) -> Event:
    """Give an event by its id, or by the caller's id.

    Raises:
        NotFoundError: there is none.
    """
    records = [log.by_id(ref), *(log.record(at) for at in reversed(log.find("external_id", ref)))]
    record = next((item for item in records if item is not None and _readable(item, reach)), None)
    if record is None or record.body is None:
        raise NotFoundError("event", ref)
    if is_whole(record.body):
        raise ForgottenError("event", ref, log.erased_at(record.position))
    return as_event(record)


def as_event(record: Record) -> Event:
    """Give an event's record, with its payload, as the event."""
    body = record.body or {}
    return Event(
        event_id=record.record_id,
        position=record.position,
        recorded=record.recorded,
        content=body["content"],
        source=body["source"],
        speaker=body["speaker"],
        time=body["time"],
        session=body["session"],
        project=body["project"],
        sensitivity=body["sensitivity"],
        external_id=body["external_id"],
        metadata=body["metadata"],
        actor=body["actor"],
    )


def _readable(record: Record, reach: Reach) -> bool:
    return (
        record.kind == "event" and record.body is not None and reach.allows(record.body["project"])
    )


def _pending(log: Log, due: int) -> tuple[str, ...]:
    plans = parking.plans(log.connection, "pending")
    forgetting = "something is being forgotten; open the memory again to finish it"
    return (
        *((f"{due} entries are due for consolidation",) if due else ()),
        *((forgetting,) if log.meta(PENDING) else ()),
        *(
            f"request {asked.request_id} to forget something waits; see asked"
            for asked in requests.requests(log, "waiting")
        ),
        *(f"plan {plan.plan_id} ({plan.kind}) waits for a decision" for plan in plans),
    )


def _git(log: Log) -> tuple[str, ...]:
    fault = log.meta(GIT_FAULT).decode()
    return (fault,) if fault else ()


def status(
    home: Home, *, project: str | None, due_since: str | None, model: str = "rules"
) -> Status:
    """Say how a scope stands."""
    view, log = home.view, home.log
    waiting = view.current()
    free = view.free(shadow=home.settings.mode == "shadow")
    doubts = [found for path in (home.folder, home.shelf.root) if (found := doubt(path))]
    return Status(
        root=str(home.folder.parents[2]),
        folder=str(home.folder),
        database=str(home.database),
        documents_folder=str(home.shelf.root),
        user=home.scope.user,
        workspace=home.scope.workspace,
        project=project,
        model=model,
        format=schema.FORMAT,
        position=log.position(),
        events=view.count("events"),
        entries=view.count("entries"),
        documents=view.count("documents"),
        current_entries=len(waiting),
        current_tokens=view.current_tokens(),
        due_since=due_since,
        oldest_unplaced=view.current_since(),
        superseded=view.count("superseded"),
        retracted=view.count("retracted"),
        forgotten=view.count("forgotten"),
        pending=_pending(log, len(free) if due_since else 0),
        failed=tuple(
            filter(None, [log.meta("failed").decode(), *log.meta("files").decode().split("\n")])
        ),
        index_lag=log.position() - home.index_position(),
        conflicts=home.conflicts(),
        warnings=tuple(dict.fromkeys([*doubts, *_git(log)])),
        edited=json.loads(edit) if (edit := log.meta(EDITED)) else None,
        last_expiry=json.loads(gone) if (gone := log.meta(LAST)) else None,
        last_run=json.loads(run) if (run := log.meta(RUN)) else None,
        used_today=plain(spent_on(log.connection, log.now()[:10])),
    )
