"""Test doubles that ship: models that say what a test wants, without a network."""

from memoranda.llm.doubles.faulty import FAMILIES, FaultyModel
from memoranda.llm.doubles.hashed import HashedEmbedder
from memoranda.llm.doubles.obedient import ObedientModel
from memoranda.llm.doubles.recorded import RecordedModel, RecordingModel
from memoranda.llm.doubles.scripted import ScriptedModel

__all__ = [
    "FAMILIES",
    "FaultyModel",
    "HashedEmbedder",
    "ObedientModel",
    "RecordedModel",
    "RecordingModel",
    "ScriptedModel",
]
