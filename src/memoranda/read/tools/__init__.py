"""Tools over the memory: capped, typed, dated, sourced; for Python, the doors and a reader's model."""

from __future__ import annotations

from memoranda.read.tools.caps import Caps
from memoranda.read.tools.look import Look
from memoranda.read.tools.results import ToolResult
from memoranda.read.tools.tool import Shown, Tool
from memoranda.read.tools.toolbox import Toolbox

__all__ = ["Caps", "Look", "Shown", "Tool", "ToolResult", "Toolbox"]
