"""The Python SDK of the Model Context Protocol, version 1: the HTTP client is refused, and signs in by itself."""

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from journey import ask_tools, run
from mcp_sign_in import sign_in


async def drive(journey):
    async def ask(http):
        async with (
            streamable_http_client(journey.mcp, http_client=http) as (incoming, outgoing, _),
            ClientSession(incoming, outgoing) as session,
        ):
            await session.initialize()
            await ask_tools(journey, session)

    await sign_in(journey, httpx.AsyncClient, lambda back: (back["code"], back["state"]), ask)


run("mcp-python-1", "mcp", drive)
