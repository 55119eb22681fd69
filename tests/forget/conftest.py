"""Forgetting: what is forgotten is in no byte, and nothing else is lost."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "crash"))
