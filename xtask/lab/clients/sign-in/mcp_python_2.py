"""Signs in with version 2 of the Python SDK of the Model Context Protocol."""

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult

from journey import check_tools, run
from mcp_sign_in import sign_in


async def drive(journey):
    async def check(http):
        async with Client(streamable_http_client(journey.mcp, http_client=http)) as session:
            await check_tools(journey, session)

    def callback_result(back):
        return AuthorizationCodeResult(code=back["code"], state=back["state"], iss=back.get("iss"))

    await sign_in(journey, httpx2.AsyncClient, callback_result, check)


run("mcp", drive)
