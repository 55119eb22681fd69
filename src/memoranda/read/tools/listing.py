"""The catalog, page by page, whole or narrowed to what a query names."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import replace

from memoranda.errors import InputError, NotFoundError
from memoranda.read import catalog
from memoranda.read.lexical import Source
from memoranda.read.tools.places import in_reach
from memoranda.read.tools.results import DocumentPage
from memoranda.read.tools.titles import hidden_titles, made_of_seen
from memoranda.text.analyse import fold, is_stopword, is_unspaced, terms
from memoranda.values import DocumentInfo


def list_docs(
    source: Source,
    *,
    page: int = 1,
    query: str | None = None,
    project: str | None = None,
    limit: int,
) -> DocumentPage:
    """Give one page of the catalog; with a query, what names most of its words comes first.

    Under filters only documents with a line that fits are there, with the count of such lines, and
    without a summary that was made from others.

    Args:
        source: the memory at one position.
        page: from 1 on.
        query: words of titles and summaries; Chinese, Japanese and Korean as substrings.
        project: documents of this project alone.
        limit: documents on a page.

    Raises:
        InputError: there is no such page, or the project is beyond the reach.
    """
    if project is not None and not source.reach.allows(project):
        raise InputError(
            f"project {project!r} can't be read here; open the memory with all_projects=True"
        )
    known = [info for info in admitted(source) if project is None or info.project == project]
    fitting = known if query is None or not query.strip() else _named(query, known)
    pages = max(1, -(-len(fitting) // limit))
    if type(page) is not int or not 1 <= page <= pages:
        raise InputError(f"page {page!r} is not there: pages go from 1 to {pages}")
    waiting = [at for at in source.view.current() if in_reach(at.seq, at.project, source.reach)]
    return DocumentPage(
        documents=tuple(fitting[(page - 1) * limit : page * limit]),
        page=page,
        pages=pages,
        total=len(fitting),
        query=query,
        current_entries=len(waiting),
        note=_note(query, known, fitting, page, pages),
        position=source.log.position(),
    )


def admitted(source: Source) -> list[DocumentInfo]:
    """Give the catalog in reach, as the filters let it be seen."""
    known = catalog.documents(source.view, source.reach)
    sieve = source.reach.sieve
    if sieve is None:
        return list(known)
    rows = source.log.connection.execute(
        "SELECT document_id, count(*) FROM json_each(?) AS given "
        "CROSS JOIN entry ON entry.seq = given.value WHERE entry.line = entry.seq "
        "AND entry.superseded_by IS NULL AND entry.retracted IS NULL GROUP BY document_id",
        (json.dumps(sorted(sieve.lines)),),
    )
    counts = dict(rows.fetchall())
    made = dict(source.log.connection.execute("SELECT id, summary_from FROM document").fetchall())
    hidden = hidden_titles(source)
    found = []
    for info in known:
        if info.document_id in counts:
            whole = made_of_seen(json.loads(made[info.document_id]), source)
            known_as = info.document_id if info.document_id in hidden else info.title
            found.append(
                replace(
                    info,
                    title=known_as,
                    summary=info.summary if whole else "",
                    file=info.file if known_as == info.title else "",
                    entry_count=counts[info.document_id],
                )
            )
    return found


def find(ref: str, source: Source) -> DocumentInfo:
    """Find a document by id, title or file name; by what of these may be seen.

    Raises:
        NotFoundError: there is none; with near names.
    """
    if not source.reach.hides:
        return catalog.find(ref, source.view, source.reach)
    seen = {info.document_id: info for info in admitted(source)}
    wanted = ref.strip().casefold()
    for info in seen.values():
        if wanted in {name.casefold() for name in (info.document_id, info.title, info.file)}:
            return info
    titles = [info.title for info in seen.values()]
    near = difflib.get_close_matches(ref, titles, n=3, cutoff=0.5)
    raise NotFoundError("document", ref, tuple(near))


def _named(query: str, known: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    """Keep the documents that name a word of the query, those that name most first."""
    pieces = [piece for piece in fold(query).split() if piece]
    telling = [piece for piece in pieces if not is_stopword(piece)] or pieces

    def held(info: DocumentInfo) -> int:
        text = fold(f"{info.document_id} {info.title} {info.summary} {info.project or ''}")
        words = set(terms(text))
        return sum(_holds(piece, text, words) for piece in telling)

    scored = [(held(info), info) for info in known]
    return [info for score, info in sorted(scored, key=lambda item: -item[0]) if score]


def _holds(piece: str, text: str, words: set[str]) -> bool:
    if any(is_unspaced(character) for character in piece):
        return piece in text
    return bool(set(terms(piece)) & words)


def _note(
    query: str | None,
    known: Sequence[DocumentInfo],
    fitting: Sequence[DocumentInfo],
    page: int,
    pages: int,
) -> str:
    if fitting:
        return f"page {page} of {pages}; ask for page {page + 1}" if page < pages else ""
    if not known:
        return "there are no documents yet; search also looks in CURRENT and in the log"
    titles = [info.title for info in known]
    near = difflib.get_close_matches(query or "", titles, n=5, cutoff=0.3) or titles[:5]
    return (
        f"none of {len(known)} documents names that; near titles: {', '.join(near)}. "
        "Search looks inside the documents"
    )
