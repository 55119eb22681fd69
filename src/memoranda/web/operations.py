"""Operations of a plan in a person's language: the engine's sentences, read and said anew."""

from __future__ import annotations

import re
from typing import Final

from memoranda.web.formats import runs
from memoranda.web.words import Words

_ID: Final = r"(?P<id>\S+)"
_SEQS: Final = r"entr(?:y|ies) (?P<seqs>\d+(?:, \d+)*)"
FORMS: Final = tuple(
    (key, re.compile(form, re.DOTALL))
    for key, form in (
        ("create", rf"create {_ID} (?P<title>'.*'|\".*\") with {_SEQS}"),
        ("update", rf"update {_ID} with {_SEQS}"),
        ("rename", rf"update {_ID} with {_SEQS}, called (?P<title>'.*'|\".*\")"),
        ("summary", rf"update {_ID} with a new summary"),
        ("merge", rf"merge (?P<from>.+) into {_ID} \((?P<why>.*)\)"),
        ("split", rf"split {_ID}: (?P<n>\d+) blocks go to (?P<to>.+)"),
        ("replace", r"replace entry (?P<old>\d+) by (?P<new>\d+)"),
        ("repeat", r"let entry (?P<new>\d+) stand in the line of (?P<old>\d+), which it repeats"),
        ("join", r"let entries (?P<seqs>[\d, ]+) stand in one line: (?P<title>.*)"),
        ("reword", rf"say {_SEQS} in other words: (?P<title>.*)"),
    )
)
"""Key of the catalogue -> the form of the engine's sentence."""


def said(operation: str, words: Words) -> str:
    """Say an operation in a language; what is not known stands as the engine says it."""
    for key, form in FORMS:
        if found := form.fullmatch(operation):
            told = found.groupdict()
            if "seqs" in told:
                seqs = [int(number) for number in told["seqs"].split(",")]
                lines = "op.lines" if len(seqs) > 1 else "op.line"
                told["seqs"] = words(lines, numbers=runs(seqs))
            return words(f"op.{key}", **told)
    return operation
