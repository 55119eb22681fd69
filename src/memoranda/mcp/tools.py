"""The tools, in the order in which agents see them."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from typing import Final

from mcp_types import Tool as ToolCard
from mcp_types import ToolAnnotations

from memoranda.mcp import (
    arguments,
    finding,
    forgetting,
    looking,
    planning,
    precise,
    shapes,
    writing,
)
from memoranda.mcp.tool import Tool

TOOLS: Final[Mapping[str, Tool]] = {
    tool.name: tool
    for tool in (
        *finding.TOOLS,
        *looking.TOOLS,
        *precise.TOOLS,
        *writing.TOOLS,
        *planning.TOOLS,
        *forgetting.TOOLS,
    )
}


def offered(*, read_only: bool, without: Collection[str] = ()) -> Mapping[str, Tool]:
    """Give the tools by name; with `read_only` those alone that change nothing."""
    kept = {name: tool for name, tool in TOOLS.items() if tool.reads or not read_only}
    return {name: tool for name, tool in kept.items() if name not in without}


@functools.cache
def card(tool: Tool) -> ToolCard:
    """Describe a tool as the protocol has it."""
    return ToolCard(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=arguments.schema(tool.arguments),
        output_schema=shapes.schema(tool.output),
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads,
            destructive_hint=tool.destroys,
            idempotent_hint=tool.repeats,
            open_world_hint=False,
        ),
    )
