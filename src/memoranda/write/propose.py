"""Plans by rules: where each segment goes, what it is called, what is split and merged."""

from __future__ import annotations

from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.operations import Create, NewBlock, Operation, Plan, Text, Update
from memoranda.write.draft import Draft, heading_of
from memoranda.write.intake import BY
from memoranda.write.supersede import supersessions


def consolidation(draft: Draft, home: Home, index: FtsIndex) -> Plan:
    entries = [e for s in draft.segments for e in s]
    epoch = home.view.counter("epoch") + 1
    groups = {}
    for s in draft.segments:
        groups.setdefault((s[0].project, s[0].session), []).append(s)
    ops: list[Operation] = list(draft.duplicates)
    number = home.view.counter("document")
    for (project, session), segs in groups.items():
        number += 1
        first = segs[0][0].seq
        ops.append(Create(document_id=f"d{number}", project=project, title=Text(text=f"Session {session}", made_from=(first,)), summary=Text(text=segs[0][0].text[:100], made_from=(first,)),
            blocks=tuple(NewBlock(headings=(heading_of(s),), seqs=tuple(e.seq for e in s)) for s in segs)))
    if entries:
        ops += supersessions(sorted(entries, key=lambda e: e.seq), home.view, index)
    ev = sorted({i for e in home.view.entries(draft.window).values() for i in e.event_ids})
    return Plan(plan_id=home.log.new_id("plan"), kind="consolidate", epoch=epoch, window=draft.window, input_event_ids=tuple(ev), versions={}, operations=tuple(ops), warnings=(), by=BY)


def reshaping(home: Home, index: FtsIndex):
    return None
