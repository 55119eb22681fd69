"""The door for agents: memory as an MCP server, over stdio or streamable HTTP."""
