"""Topic quality by rules on RealMem: purity, spread, small documents, findable by title and summary."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals import customers
from evals.bm25 import rank
from evals.realmem import Persona, personas
from memoranda import DocumentInfo, Memory, Settings

BOUNDS = {
    "purity": (0.90, ">="),
    "spread": (6.5, "<="),
    "small": (0.25, "<="),
    "found": (0.60, ">="),
}
"""What issue A1 asks for."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The four figures of one persona."""

    purity: float
    """Share of project turns in documents that their project dominates."""
    spread: float
    """Documents that hold 80 % of a project, mean over projects."""
    small: float
    """Share of documents under 1,000 tokens."""
    found: float
    """Share of gold sessions inside the first 5 documents by title and summary, mean over queries."""
    documents: int
    projects: int
    queries: int


def run(data: Path, *, limit: int | None = None) -> dict[str, Any]:
    """Consolidate each persona by rules and measure."""
    rows: list[dict[str, Any]] = []
    largest: list[tuple[int, str, str]] = []
    for persona in personas(data, limit):
        with tempfile.TemporaryDirectory() as folder, Memory.open(folder, settings=Settings()) as m:
            m.add_many(persona.events)
            m.consolidate()
            infos = m.documents()
            held = {info.document_id: _sessions(m, info) for info in infos}
        figures = measure(persona, infos, held)
        rows.append({"persona": persona.name, **_plain(figures)})
        largest += [(info.token_count, info.title, persona.name) for info in infos]
        print(_line(persona.name, figures), flush=True)
    whole = {name: sum(row[name] for row in rows) / len(rows) for name in BOUNDS}
    bounds = [
        {
            "figure": name,
            "value": round(whole[name], 4),
            "bound": f"{sign} {bound}",
            "met": whole[name] >= bound if sign == ">=" else whole[name] <= bound,
        }
        for name, (bound, sign) in BOUNDS.items()
    ]
    customers_result = customers.run()
    bounds.append(customers_result["bound"])
    print("\nmean over personas:")
    for row in bounds:
        print(
            f"  {row['figure']:8} {row['value']:.3f}  ({row['bound']}) {'ok' if row['met'] else 'MISSED'}"
        )
    print("\nthe 20 largest documents:")
    for tokens, title, name in sorted(largest, reverse=True)[:20]:
        print(f"  {tokens:6}  {title}  ({name})")
    return {
        "rows": rows,
        "customers": customers_result["rows"],
        "bounds": bounds,
        "largest": sorted(largest, reverse=True)[:20],
    }


def _sessions(memory: Memory, info: DocumentInfo) -> Counter[str]:
    """Count the turns of each session in a document, by the ids of the events its lines cite."""
    counts: Counter[str] = Counter()
    for block in memory.document(info.document_id).blocks:
        for entry in block.entries:
            counts.update(name.rsplit(":", 1)[0] for name in entry.external_ids)
    return counts


def measure(
    persona: Persona, infos: tuple[DocumentInfo, ...], held: dict[str, Counter[str]]
) -> Figures:
    """Compute the four figures."""
    of_project: dict[str, Counter[str]] = {}
    for document, sessions in held.items():
        for session, turns in sessions.items():
            counts = of_project.setdefault(document, Counter())
            counts[persona.projects[session]] += turns
    good = total = 0
    spread: dict[str, list[int]] = {}
    for counts in of_project.values():
        top = max(counts.items(), key=lambda item: (item[1], item[0]))[0]
        for project, turns in counts.items():
            if project != "Enhanced":
                total += turns
                good += turns * (project == top)
                spread.setdefault(project, []).append(turns)
    texts = [f"{info.title}\n{info.summary}" for info in infos]
    shares = []
    for query in persona.queries:
        best = {infos[number].document_id for number in rank(query.text, texts)[:5]}
        inside = {session for name in best for session in held[name]}
        shares.append(len(query.sessions & inside) / len(query.sessions))
    return Figures(
        purity=good / total,
        spread=sum(_needed(turns) for turns in spread.values()) / len(spread),
        small=sum(info.token_count < 1000 for info in infos) / len(infos),
        found=sum(shares) / len(shares),
        documents=len(infos),
        projects=len(spread),
        queries=len(shares),
    )


def _needed(turns: list[int]) -> int:
    """Count the fewest documents that hold 80 % of a project's turns."""
    wanted, number = 0.8 * sum(turns), 0
    for size in sorted(turns, reverse=True):
        if wanted <= 0:
            break
        wanted -= size
        number += 1
    return number


def _plain(figures: Figures) -> dict[str, float]:
    return {name: getattr(figures, name) for name in Figures.__dataclass_fields__}


def _line(name: str, figures: Figures) -> str:
    return (
        f"{name:18} purity {figures.purity:.3f}  spread {figures.spread:.2f}  small {figures.small:.2f}"
        f"  found {figures.found:.3f}  ({figures.documents} documents, {figures.projects} projects, "
        f"{figures.queries} queries)"
    )
