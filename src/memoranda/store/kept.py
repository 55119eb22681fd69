"""Which pieces of texts that go do the texts that stay hold as well? A scan can't tell those apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from memoranda.store import index, schema, vectors
from memoranda.store.needles import named
from memoranda.text.analyse import fold, terms
from memoranda.text.pieces import Kept, grams, pieces

OURS = (
    schema.LOG_TABLES,
    schema.VIEW_TABLES,
    index.TABLES,
    vectors.TABLES,
    """
    sqlite_autoindex_ unit_config unit_content unit_data unit_docsize unit_idx segid pgno
    create table index trigger virtual using primary key unique without rowid integer strict
    route_document route_posting route_posting_number route_project route_term counts terms
    event extraction plan receipt retraction forget consolidate reshape retract rebuild erased
    created updated retired placed split merged superseded retracted corrected forgotten redacted
    position recorded content source speaker session project sensitivity metadata actor default
    user assistant tool external public internal private current topics untitled conflicts
    memoranda memory backups scope.lock index.db memory.db vectors.db erased.jsonl damaged users workspace
    external_id idempotency idempotency_key event_id event_ids input_event_ids digest versions
    operations warnings duplicates supersessions supersedes corrects window epoch blocks headings
    headings_from made_from title_from summary_from title summary created_time updated_time
    document_id documents projected projected_current counter token_count entry_count update_count
    current_epoch parent_id merged_from update_log version format reason duration model policy
    mtime_ns ctime_ns size_bytes scope_id undated summarised
    reworded left_out reword leave_out extract looked why keys call kept proposal decision mode
    purpose prompt_hash prompt reply usage calls seconds price outcome estimated plan_id upkeep
    input_tokens output_tokens cached_tokens written_tokens upkeep.lock memoranda.toml
    rewrite route split merge summarize repair greeting filler repeat noise
    """,
)
"""Words that every memory's files hold of themselves."""

_FIRST = 64 * 1024
_LATER = 1024 * 1024
_STUB = 5
_REST = re.compile(rb"[0-9A-Za-z_\x80-\xff]*")
_WORD = re.compile(r"\w+")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_MEANT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def kept_in(texts: Iterable[str], others: Iterable[str]) -> Kept:
    """Give the `kept` of `scan` for texts that go, from all texts that stay.

    It says whether a text that stays holds a piece, whatever the case, or a word with the same
    index term. The words that our own files hold of themselves (`OURS`) count as said in a text.
    Each of `others` is read once, and few are in memory at a time; one in JSON counts as what it
    says, too.
    """
    wanted: set[str] = set()
    for text in texts:
        wanted |= _asked(text)
    found: set[str] = set()
    for batch in _batches(chain(OURS, others)):
        found |= _found(wanted - found, _folded(batch))
        if "\\" in batch:
            found |= _found(wanted - found, _folded(_ESCAPE.sub(_said, batch)))
    return lambda piece: _folded(piece) in found


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else fold(text)


def _said(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _MEANT.get(match[2], match[2])


def _asked(text: str) -> set[str]:
    """Name all that a scan may ask of a text."""
    asked: set[str] = set()

    def note(piece: str) -> bool:
        asked.add(_folded(piece))
        return True

    for piece in pieces(text):
        note(named(piece))
    pieces(text, kept=note)
    for gram in grams(text):
        for part in (gram.shown, *gram.terms):
            note(part)
    for term in terms(text):
        note(term)
    return asked


def _batches(others: Iterable[str]) -> Iterator[str]:
    """Join texts to a small batch, which finds what is everywhere, and then to large ones.

    Plain ASCII has batches of its own: it is folded a hundred times faster.
    """
    batches: dict[bool, list[str]] = {True: [], False: []}
    sizes, limits = {True: 0, False: 0}, {True: _FIRST, False: _FIRST}
    for text in others:
        plain = text.isascii()
        batches[plain].append(text)
        sizes[plain] += len(text)
        if sizes[plain] > limits[plain]:
            yield "\n".join(batches[plain])
            batches[plain], sizes[plain], limits[plain] = [], 0, _LATER
    yield from ("\n".join(batch) for batch in batches.values())


def _found(wanted: set[str], folded: str) -> set[str]:
    """Say which of the wanted pieces a folded text holds, as they are or as index terms."""
    if not wanted:
        return set()
    from ahocorasick_rs import BytesAhoCorasick  # noqa: PLC0415 - start-up time

    listed = sorted(wanted)
    stubs = {piece[:-1]: piece for piece in listed if _may_be_stem(piece)}
    patterns = [*listed, *sorted(stubs.keys() - wanted)]
    automaton = BytesAhoCorasick(piece.encode("utf-8", "surrogatepass") for piece in patterns)
    data = folded.encode("utf-8", "surrogatepass")
    seen: set[str] = set()
    words: dict[str, set[bytes]] = {}
    for which, start, end in automaton.find_matches_as_indexes(data, overlapping=True):
        pattern = patterns[which]
        seen.add(pattern)
        if pattern in stubs:
            words.setdefault(pattern, set()).add(_word(data, start, end))
    found = seen & wanted
    for stub in sorted(words):
        if stubs[stub] not in found and stubs[stub] in _terms_of(words[stub]):
            found.add(stubs[stub])
    return found


def _word(data: bytes, start: int, end: int) -> bytes:
    """Give the word that begins with a match, as bytes that may go on too far; b"" inside of a word."""
    before = data[max(0, start - 4) : start].decode("utf-8", "ignore")[-1:]
    if before.isalnum() or before == "_":
        return b""
    found = _REST.match(data, end)
    return data[start : found.end() if found else end]


def _terms_of(words: set[bytes]) -> set[str]:
    """Give the index terms of words, each up to its first sign that is no letter or digit."""
    whole = {_WORD.match(word.decode("utf-8", "ignore")) for word in words}
    cut = {found[0] for found in whole if found}
    return {term for word in sorted(cut) for term in terms(word)}


def _may_be_stem(piece: str) -> bool:
    """A stem may end otherwise than its words do: `happi` of happy."""
    return len(piece) > _STUB and piece.isascii() and piece.isalpha()
