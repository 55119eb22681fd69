"""What of the library lies near some entries: older lines, documents, keys; at most so much of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from memoranda.store.index import FtsIndex
from memoranda.store.query import phrase
from memoranda.store.view import View
from memoranda.text.analyse import content_counts
from memoranda.values import Entry
from memoranda.write.by_model import Candidate
from memoranda.write.draft import heading_texts
from memoranda.write.route import block_counts
from memoranda.write.supersede import STATED

TELLING = 6
"""So many of the rarest terms of an entry are looked for."""
LOOKED_AT = 60
"""So many of the newest lines with one of these terms are weighed."""
EACH = 2
"""So many older lines are offered for one entry."""
OLDER = 24
"""So many older lines are offered for one window (R120)."""
DOCUMENTS = 6
"""So many documents are offered for one block."""
KEYS = 32
"""So many keys of states are offered for one batch of events."""
SCANNED = 4000
"""So many of the newest keys of a project are weighed."""
_WORDS = re.compile(r"[^\W_]+")


def older_lines(
    entries: Sequence[Entry], view: View, index: FtsIndex, *, most: int = OLDER
) -> tuple[Entry, ...]:
    """Give the lines of the library that are nearest to some entries, in order of their numbers.

    Lines of the same project that hold now; the nearest of each entry in turn, as far as they go.
    """
    own = {seq for entry in entries for seq in entry.seqs}
    lists = [_near(entry, own, view, index) for entry in entries]
    chosen: dict[int, None] = {}
    for row in zip_longest(*lists):
        chosen |= dict.fromkeys(seq for seq in row if seq is not None)
    seqs = list(chosen)[:most]
    lines = view.entries(seqs)
    return tuple(lines[seq] for seq in sorted(seqs) if seq in lines)


def _near(entry: Entry, own: set[int], view: View, index: FtsIndex) -> list[int]:
    wanted = content_counts([entry.text])
    frequency = index.frequencies(wanted)
    telling = sorted((t for t in wanted if t in frequency), key=lambda t: (frequency[t], t))
    query = " OR ".join(phrase([term]) for term in telling[:TELLING])
    hits = index.before(query, 1 << 62, limit=LOOKED_AT, project=entry.project)
    places = view.places(seq for seq in hits if seq not in own)
    lines = {place.line for place in places.values()} - own
    shared = index.sharing(telling[:TELLING], sorted(lines))
    standing = view.places(lines)
    found = [
        seq for seq, place in standing.items() if place.holds and place.project == entry.project
    ]
    return sorted(found, key=lambda seq: (-shared[seq], -seq))[:EACH]


def documents(
    block: Sequence[Entry], also: Iterable[str], view: View, index: FtsIndex
) -> tuple[Candidate, ...]:
    """Give the documents that are offered to a block: some that are named, then the nearest."""
    project = block[0].project
    near = index.postings.nearest(block_counts(block), project, DOCUMENTS)
    names = dict.fromkeys([*also, *(name for name, _ in near)])
    return tuple(found for name in names if (found := candidate(name, view)) is not None)


def candidate(document_id: str, view: View) -> Candidate | None:
    """Give a document as it is offered; None if there is none."""
    info = view.document(document_id)
    if info is None:
        return None
    return Candidate(
        document_id=document_id,
        project=info.project,
        title=info.title,
        summary=view.summary_text(document_id),
        headings=heading_texts(view.blocks(document_id)),
    )


def keys_near(entries: Sequence[Entry], view: View) -> tuple[str, ...]:
    """Give the keys of states that share most words with some entries, of the same projects (R66)."""
    counts = content_counts(entry.text for entry in entries)
    words = {word for entry in entries for word in _WORDS.findall(entry.text.casefold())}
    words |= {(entry.speaker or "").casefold() for entry in entries} | counts.keys()
    scores: Counter[str] = Counter()
    for project in dict.fromkeys(entry.project for entry in entries):
        for key in view.stated_keys(f"{STATED}{(project or '-').casefold()} / ", limit=SCANNED):
            shown = key.removeprefix(STATED)
            own = set(_WORDS.findall(shown)) | content_counts([shown]).keys()
            scores[shown] = len(own & words)
    best = sorted((key for key in scores if scores[key]), key=lambda key: (-scores[key], key))
    return tuple(best[:KEYS])
