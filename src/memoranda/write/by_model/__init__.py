"""Maintenance by a model: each step a pure function of a model and typed inputs, with a rules twin.

A model names what changes by the short names of one call; it never writes ids, seqs, times or
citations. Every wording it types passes the guard or is dropped: the sources stay verbatim, and None
leaves a title or summary to the rules. Nothing here reads or writes a store.
"""

from memoranda.write.by_model.asking import Asker, Fallback, Report
from memoranda.write.by_model.extract import Extraction, LeftOut
from memoranda.write.by_model.items import Item
from memoranda.write.by_model.maintainer import Maintainer
from memoranda.write.by_model.places import Block, Candidate, NewDocument, Routing
from memoranda.write.by_model.reshape import (
    LargeBlock,
    Merging,
    NewPart,
    Small,
    Splitting,
    Union,
)
from memoranda.write.by_model.rewrite import Rewriting, Window
from memoranda.write.by_model.summarize import Named, Summaries, Whole

__all__ = [
    "Asker",
    "Block",
    "Candidate",
    "Extraction",
    "Fallback",
    "Item",
    "LargeBlock",
    "LeftOut",
    "Maintainer",
    "Merging",
    "Named",
    "NewDocument",
    "NewPart",
    "Report",
    "Rewriting",
    "Routing",
    "Small",
    "Splitting",
    "Summaries",
    "Union",
    "Whole",
    "Window",
]
