"""Receipts of what was forgotten, and a later look whether they hold."""

from __future__ import annotations

import json
from collections.abc import Iterator

from memoranda.errors import NotFoundError
from memoranda.reports import Forgotten
from memoranda.selections import Verified
from memoranda.store import ledger
from memoranda.store.home import Home
from memoranda.store.ledger import LEDGER
from memoranda.store.log import Log
from memoranda.write import elsewhere, traces
from memoranda.write.tally import Sought, tally


def receipts(log: Log) -> Iterator[Forgotten]:
    """Give the receipts of all that was forgotten, newest first."""
    rows = log.connection.execute(
        "SELECT id, body FROM record JOIN payload USING (position) "
        "WHERE kind NOT IN ('event', 'extraction') AND kind = 'receipt' "
        "AND json_valid(body) AND json_extract(body, '$.kind') = 'forget' ORDER BY position DESC"
    ).fetchall()
    for record_id, body in rows:
        yield Forgotten.from_dict({**json.loads(body), "receipt_id": record_id})


def receipt_of(log: Log, name: str) -> Forgotten:
    """Give a receipt by its id, or by the forget record's.

    Raises:
        NotFoundError: there is none.
    """
    for receipt in receipts(log):
        if name in {receipt.receipt_id, receipt.forget_id}:
            return receipt
    raise NotFoundError("receipt", name)


def verify(home: Home, receipt: Forgotten, text: str | None) -> Verified:
    """Look whether what a receipt says is gone is gone.

    Args:
        home: the scope; its lock must be held.
        receipt: what was done.
        text: what was forgotten, to search every byte for; None leaves that out.
    """
    log, left = home.log, []
    record = log.by_id(receipt.forget_id)
    if record is None or record.kind != "forget":
        raise NotFoundError("forget record", receipt.forget_id)
    events, missing = _positions(receipt, log)
    left += [f"event {name} is not in the log" for name in missing]
    sought = Sought(
        events=tuple(sorted(events.values())),
        seqs=receipt.seqs,
        shared=receipt.anew,
        upto=record.position,
        known={"commits": _commits(home, {*receipt.seqs})},
    )
    places = tally(home, sought)
    known = ledger.parse(home.files.read(home.folder / LEDGER) or b"")
    left += [f"event {name} is not in {LEDGER}" for name in receipt.events if name not in known]
    looked = None
    if text is not None and text.strip():
        words = traces.sampled([text])
        looked = traces.look(home, words, traces.kept(home, words, (), {}))
        left += [f"{file} holds a piece of the text" for file in looked.left]
    return Verified(
        forget_id=receipt.forget_id,
        time=log.now(),
        places=places,
        left=tuple(left),
        chain=_chain(log, record.position) == receipt.chain[1] or not receipt.chain[1],
        scanned_files=looked.files if looked is not None else 0,
        scanned_bytes=looked.bytes if looked is not None else 0,
        forms=looked.forms if looked is not None else (),
        out_of_reach=receipt.out_of_reach,
    )


def _positions(receipt: Forgotten, log: Log) -> tuple[dict[str, int], list[str]]:
    rows = log.connection.execute(
        "SELECT id, position FROM record WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(receipt.events)),),
    )
    found = {row[0]: int(row[1]) for row in rows}
    return found, [name for name in receipt.events if name not in found]


def _commits(home: Home, seqs: set[int]) -> int:
    """Count the commits that hold it, where the repository is ours alone to write anew."""
    history = elsewhere.history(home)
    return 0 if history is None else len(history.holding(seqs).commits)


def _chain(log: Log, position: int) -> str:
    row = log.connection.execute(
        "SELECT lower(hex(chain)) FROM record WHERE position = ?", (position,)
    ).fetchone()
    return str(row[0]) if row else ""
