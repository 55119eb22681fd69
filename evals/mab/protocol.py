"""The protocol: chunks of sentences, templates, parsing, metrics, category averages, overall."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evals import judges
from memoranda.text.tokens import count

CHUNK: Final = 4096
"""Tokens of a chunk."""
MARKERS: Final = ("Now Answer the Question:", "Here is the conversation:")
"""What stands before the question proper; a system with its own retrieval searches what follows."""
_END = re.compile(r"""(?<=[.!?])["')\]]*\s+(?=["'(\[]?[A-Z0-9])""")
_SHORT = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|[A-Z])\.$")


@dataclass(frozen=True, slots=True)
class Family:
    """How sets of one kind are told, asked and scored."""

    begin: str
    """How the names of its sets begin."""
    category: str
    told: str
    """What the memory is told that the context is."""
    asked: str
    """How a question is put; holds {question}."""
    metric: str
    longest: int
    """Tokens of an answer."""


FAMILIES: Final = (
    Family(
        "ruler_qa", "AR", "These are documents to remember.",
        "Answer from the documents you remember, with the answer only.\n"
        "Now Answer the Question: {question}\nAnswer:", "substring_exact_match", 50,
    ),
    Family(
        "longmemeval", "AR", "This is a conversation of a user and an assistant.",
        "Answer as briefly as you can, in a phrase if that will do.\n"
        "Now Answer the Question: {question}\nAnswer:", "judge", 50,
    ),
    Family(
        "eventqa", "AR", "This is a part of a book.",
        "Now Answer the Question: {question}\nThe event that happens next is:",
        "substring_exact_match", 40,
    ),
    Family(
        "icl_", "TTL", "These are examples, each with its label.",
        "Give the number of the label that fits, as `label: N` and nothing else.\n"
        "Now Answer the Question: {question}\nlabel:", "exact_match", 20,
    ),
    Family(
        "recsys", "TTL", "These are talks of a user and one who recommends films.",
        "Recommend 20 films, numbered, and nothing else.\n"
        "Here is the conversation: {question}\nRecommendations:", "recall@5", 300,
    ),
    Family(
        "infbench_sum", "LRU", "This is a book.", "{question}", "judge", 1200,
    ),
    Family(
        "detective_qa", "LRU", "This is a book.",
        "Answer in the form that is asked for.\nNow Answer the Question: {question}",
        "exact_match", 2000,
    ),
    Family(
        "factconsolidation", "SF", "These are facts, each with a serial number.",
        "Facts with a larger serial number are newer, and where two contradict each other the newer "
        "holds. Answer from these facts alone, whatever the world says, in as few words as will do.\n"
        "Now Answer the Question: {question}\nAnswer:", "substring_exact_match", 10,
    ),
)  # fmt: skip
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "AR": ("SH-QA", "MH-QA", "LME", "Event"),
    "TTL": ("MCC", "Rec"),
    "LRU": ("Summ", "DetQA"),
    "SF": ("FC-SH", "FC-MH"),
}
"""Category -> the columns that it is the plain mean of; overall is the mean of the four, unrounded."""


def family_of(source: str) -> Family:
    """Give the family of a set.

    Raises:
        LookupError: the name is not known.
    """
    for family in FAMILIES:
        if source.startswith(family.begin):
            return family
    raise LookupError(f"{source!r} is no set of the benchmark")


def column_of(source: str) -> str:
    """Give the column in which a set counts."""
    if source.startswith("factconsolidation"):
        return "FC-MH" if "_mh_" in source else "FC-SH"
    named = {
        "ruler_qa1": "SH-QA", "ruler_qa2": "MH-QA", "longmemeval": "LME", "eventqa": "Event",
        "icl_": "MCC", "recsys": "Rec", "infbench": "Summ", "detective": "DetQA",
    }  # fmt: skip
    return next(column for begin, column in named.items() if source.startswith(begin))


def sentences(text: str) -> list[str]:
    """Cut a text into sentences; line breaks inside a sentence stay, a serial number is one of its own."""
    found: list[str] = []
    for part in _END.split(text):
        if found and _SHORT.search(found[-1]):
            found[-1] += f" {part}"
        elif part.strip():
            found.append(part.strip())
    return found


def chunks(text: str, size: int = CHUNK) -> list[str]:
    """Fill chunks with sentences, joined by one blank; a longer sentence stays whole."""
    found: list[str] = []
    held: list[str] = []
    used = 0
    for sentence in sentences(text):
        more = count(sentence)
        if held and used + more > size:
            found.append(" ".join(held))
            held, used = [], 0
        held.append(sentence)
        used += more
    return [*found, " ".join(held)] if held else found


def told(family: Family, chunk: str) -> str:
    """Wrap a chunk for a memory that is told in words."""
    return f"User: {family.told}\n{chunk}\nAssistant: I will remember it."


def question_in(query: str) -> str:
    """Take the question proper out of a query: what follows a marker, without the cue at its end."""
    for marker in MARKERS:
        if marker in query:
            query = query.partition(marker)[2]
            break
    lines = [line for line in query.strip().splitlines() if line.strip()]
    while len(lines) > 1 and lines[-1].rstrip().endswith(":") and len(lines[-1]) < 60:
        lines.pop()
    return "\n".join(lines).strip()


def score(family: Family, said: str, answers: Sequence[str]) -> dict[str, float]:
    """Score an answer by every metric that needs no model.

    A label is read as `N` or `label: N` alike: the benchmark's own code scores the form it asks for
    as wrong, and is reported beside it as `exact_strict`.
    """
    parsed = judges.parsed(said)
    forms = (parsed,) if family.begin == "icl_" else (said, parsed)
    found = {
        "exact_match": float(any(judges.exact(form, answers) for form in forms)),
        "substring_exact_match": float(any(judges.substring(form, answers) for form in forms)),
        "f1": round(max(judges.f1(form, answers) for form in forms), 4),
    }
    if family.begin == "icl_":
        found["exact_strict"] = found["exact_match"]
        found["exact_match"] = max(
            found["exact_match"], float(judges.exact(judges.number_of(said), answers))
        )
    if family.begin == "eventqa":
        found["eventqa_recall"] = float(all(answer.lower() in said.lower() for answer in answers))
    if family.metric == "recall@5":
        found["recall@5"] = recall(said, answers, 5)
    return found


def recall(said: str, golds: Sequence[str], k: int) -> float:
    """Give the share of gold titles among the first k that a numbered list names, nearest by spelling."""
    import difflib  # noqa: PLC0415

    start = said.find("1.")
    lines = (said[start:] if start >= 0 else said.replace(",", "\n")).splitlines()
    titles = [re.sub(r"\([^)]*\)|^\s*\d+[.)]\s*", "", line).strip().lower() for line in lines]
    first = [title for title in titles if title][:k]
    wanted = [gold.lower() for gold in golds]
    hits = {gold for gold in wanted if difflib.get_close_matches(gold, first, n=1, cutoff=0.85)}
    return round(len(hits) / len(wanted), 4) if wanted else 0.0


def averages(by_source: Mapping[str, Sequence[float]]) -> dict[str, float | None]:
    """Give columns, categories and overall in percent; a category is None where a column is missing.

    Columns are means over their sets; a category the plain mean of its columns; overall the plain
    mean of the four unrounded categories.
    """
    columns: dict[str, list[float]] = {}
    for source, values in by_source.items():
        if values:
            columns.setdefault(column_of(source), []).append(sum(values) / len(values) * 100)
    means = {name: sum(values) / len(values) for name, values in columns.items()}
    found: dict[str, float | None] = dict(means)
    categories = dict(_categories(means))
    found |= categories
    known = [value for value in categories.values() if value is not None]
    found["overall"] = sum(known) / len(known) if len(known) == len(GROUPS) else None
    return found


def _categories(means: Mapping[str, float]) -> Iterator[tuple[str, float | None]]:
    for category, names in GROUPS.items():
        own = [means[name] for name in names if name in means]
        yield category, sum(own) / len(own) if len(own) == len(names) else None
