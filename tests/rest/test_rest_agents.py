"""Agents beside the services: the same port, the same tokens, each with its own memory and role."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from served import Served, served, token_for

Work = Callable[[Client], Awaitable[Any]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("agents") / "root", mcp=True) as found:
        yield found


def talk(server: Served, token: str, work: Work, mode: str = "auto") -> Any:
    """Let the official client talk to the server over HTTP."""

    async def run() -> Any:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False) as http,
            Client(
                streamable_http_client(f"{server.url}/mcp", http_client=http), mode=mode
            ) as agent,
        ):
            return await work(agent)

    return anyio.run(run)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_and_a_service_share_a_memory(server: Served, mode: str) -> None:
    token = token_for(server.gate, user=f"shared-{mode}")

    async def work(agent: Client) -> str:
        given = {"text": "The mill has a heron.", "source": "user"}
        assert not (await agent.call_tool("remember", given)).is_error
        return str((await agent.call_tool("search", {"query": "heron"})).content[0].text)  # type: ignore[union-attr]

    assert "The mill has a heron." in talk(server, token, work, mode)
    found = server.http(token).get("/v1/entries/1").json()
    assert found["text"] == "The mill has a heron."


def test_a_token_opens_its_own_memory_and_tools_of_its_role(server: Served) -> None:
    owner = token_for(server.gate, user="roles")
    reader = token_for(server.gate, user="roles", role="reader")
    other = token_for(server.gate, user="roles-else")

    async def tools(agent: Client) -> set[str]:
        return {tool.name for tool in (await agent.list_tools()).tools}

    async def remember(agent: Client) -> Any:
        return await agent.call_tool("remember", {"text": "Anna keeps bees.", "source": "user"})

    async def search(agent: Client) -> str:
        return str((await agent.call_tool("search", {"query": "bees"})).content[0].text)  # type: ignore[union-attr]

    talk(server, owner, remember)
    assert {"remember", "forget", "plans", "search"} <= talk(server, owner, tools)
    assert (
        talk(server, reader, tools) & {"remember", "correct", "consolidate", "plans", "forget"}
        == set()
    )
    assert "Anna keeps bees." in talk(server, reader, search)
    assert "Anna keeps bees." not in talk(server, other, search)


def test_a_session_is_its_token_s_alone_and_ends_with_it(server: Served) -> None:
    first, second = server.http(user="sessions"), server.http(user="sessions")
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                   "clientInfo": {"name": "raw", "version": "0"}},
    }  # fmt: skip
    accept = {"Accept": "application/json, text/event-stream"}
    begun = first.post("/mcp", json=hello, headers=accept)
    assert begun.status_code == 200
    session = {**accept, "Mcp-Session-Id": begun.headers["mcp-session-id"]}
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert first.post("/mcp", json=told, headers=session).status_code == 202
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    assert first.post("/mcp", json=listing, headers=session).status_code == 200
    assert second.post("/mcp", json=listing, headers=session).status_code == 404
    grant = server.gate.tokens.all()[-2]
    server.gate.tokens.revoke(grant.token_id)
    assert first.post("/mcp", json=listing, headers=session).status_code == 401


def test_a_large_call_of_an_agent_is_refused(server: Served) -> None:
    http = server.http()
    assert http.post("/mcp", content=b" " * (4 * 1024 * 1024 + 1)).status_code == 413
    assert http.get("/mcp/other").status_code in {404, 405}
