"""What tests of the MCP door and field cases share about the log."""

from __future__ import annotations

from memoranda import Memory


def positions(memory: Memory) -> list[int]:
    """The position of every record, in order."""
    return [record.position for record in memory.log()]
