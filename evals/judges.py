"""Judges of answers: exact, substring, F1, option letter, and a model with a control set it must refuse."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evals.forms import Question, Row
from memoranda.errors import ModelError
from memoranda.llm.model import Message, Model, Request
from memoranda.llm.replies import value_of

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_LETTER = re.compile(r"\(?\b([a-d])\)?(?![a-z'])", re.IGNORECASE)
_SAID = re.compile(r"answer:(.*)", re.IGNORECASE)
UNKNOWN = re.compile(
    r"not known|don't know|do not know|no information|unknown|cannot be (?:told|answered)|不知道|没有提到",
    re.IGNORECASE,
)
F1_ENOUGH = 0.5
SCHEMA = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": ["right", "wrong"]},
    },
    "required": ["reason", "verdict"],
    "additionalProperties": False,
}
_RULES = """You compare an answer with a reference. Reply "right" only if the answer states what the \
reference states: the same thing, person, number, date or list, in any words. Reply "wrong" if it is \
vague (names no value, or only the general area), gives only a part of a list, adds something that \
contradicts, gives another value, or says that it is not known although the reference tells. An answer \
that only speaks of the topic is wrong. Give your reason in one short sentence first."""


def normal(text: str) -> str:
    """Normalise as the benchmark does: lower case, no ASCII punctuation, no articles, single blanks."""
    bare = text.lower().translate(str.maketrans("", "", string.punctuation))
    return " ".join(_ARTICLES.sub(" ", bare).split())


def parsed(text: str) -> str:
    """Take the answer out of a reply: what follows the first `Answer:` on its line, else the first line."""
    found = _SAID.search(text)
    said = found[1] if found else text.partition("\n")[0]
    said = said.strip()
    again = _SAID.match(said)
    return again[1].strip() if again else said


def exact(said: str, answers: Sequence[str]) -> bool:
    """Say whether an answer equals one of the golds, normalised."""
    return any(normal(said) == normal(answer) for answer in answers)


def substring(said: str, answers: Sequence[str]) -> bool:
    """Say whether an answer holds one of the golds, normalised."""
    return any(normal(answer) in normal(said) for answer in answers)


def f1(said: str, answers: Sequence[str]) -> float:
    """Give the best token F1; an answer of yes, no or nothing must be the gold's."""
    return max((_f1(normal(said), normal(answer)) for answer in answers), default=0.0)


def _f1(said: str, gold: str) -> float:
    flat = {"yes", "no", "noanswer"}
    if (said in flat or gold in flat) and said != gold:
        return 0.0
    one, two = Counter(said.split()), Counter(gold.split())
    both = (one & two).total()
    if not both:
        return 0.0
    precision, recall = both / one.total(), both / two.total()
    return 2 * precision * recall / (precision + recall)


def letter(said: str, answers: Sequence[str]) -> bool:
    """Say whether the first option letter of an answer is the gold's."""
    found = _LETTER.search(parsed(said)) or _LETTER.search(said)
    return found is not None and found[1].lower() in {
        answer.strip("() ").lower() for answer in answers
    }


def number_of(said: str) -> str:
    """Take the label out of a reply such as `label: 43`; "" if there is none."""
    found = re.search(r"-?\d+", parsed(said))
    return found[0] if found else ""


def score(question: Question, said: str) -> Row:
    """Judge an answer without a model, by the question's own judge; each judge's word is kept.

    Returns:
        `right` (None where only a model can tell), and the single judgements.
    """
    answers, best = question.answers, (said, parsed(said))
    judged: Row = {
        "exact": any(exact(one, answers) for one in best),
        "substring": any(substring(one, answers) for one in best) if answers else False,
        "f1": round(max(f1(one, answers) for one in best), 4),
        "refused": not said.strip() or UNKNOWN.search(said) is not None,
    }
    match question.judge:
        case "exact":
            right: bool | None = judged["exact"] or exact(number_of(said), answers)
        case "substring":
            right = judged["substring"]
        case "letter":
            right = letter(said, answers)
        case "f1":
            right = judged["substring"] or judged["f1"] >= F1_ENOUGH
        case _:
            right = None
    stale = bool(question.avoid) and substring(said, question.avoid)
    if right and stale and question.judge == "substring":
        judged["also_stale"] = True
    return {"right": right, **judged}


@dataclass(frozen=True, slots=True)
class Judged:
    """What a model said of an answer."""

    right: bool
    reason: str
    failed: str = ""
    """Why it could not be asked, or its reply not read: then it is not right."""
    tokens: int = 0


def by_model(model: Model, question: str, reference: str, said: str, *, timeout: float) -> Judged:
    """Let a model judge; anything but a clear "right" in the form that was asked for is wrong."""
    request = Request(
        messages=(
            Message(role="system", content=_RULES),
            Message(
                role="user",
                content=f"Question: {question}\nReference: {reference}\nAnswer: {said or '(nothing)'}",
            ),
        ),
        schema=SCHEMA,
        max_tokens=120,
        timeout=timeout,
    )
    try:
        reply = model.ask(request)
    except ModelError as error:
        return Judged(right=False, reason="", failed=type(error).__name__)
    tokens = reply.usage.input_tokens + reply.usage.output_tokens
    try:
        value = value_of(reply)
    except ModelError:
        value = None
    if not isinstance(value, dict) or value.get("verdict") not in {"right", "wrong"}:
        return Judged(right=False, reason="", failed="unreadable", tokens=tokens)
    return Judged(
        right=value["verdict"] == "right", reason=str(value.get("reason", "")), tokens=tokens
    )
