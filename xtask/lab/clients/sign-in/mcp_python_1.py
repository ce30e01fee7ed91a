"""Signs in with version 1 of the Python SDK of the Model Context Protocol."""

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from journey import check_tools, run
from mcp_sign_in import sign_in


async def drive(journey):
    async def check(http):
        async with (
            streamable_http_client(journey.mcp, http_client=http) as (incoming, outgoing, _),
            ClientSession(incoming, outgoing) as session,
        ):
            await session.initialize()
            await check_tools(journey, session)

    await sign_in(journey, httpx.AsyncClient, lambda back: (back["code"], back["state"]), check)


run("mcp", drive)
