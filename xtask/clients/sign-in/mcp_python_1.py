"""The Python SDK of the Model Context Protocol, version 1: the HTTP client is refused, and signs in by itself."""

import httpx
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

from journey import Memory, ask_tools, run


async def drive(journey):
    metadata = {
        "client_name": "sign-in",
        "redirect_uris": [journey.redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
    memory = Memory(OAuthClientInformationFull(client_id=journey.client_id, **metadata))
    came_back = {}

    async def redirect(url):
        came_back.update(journey.consent(url)[1])

    async def callback():
        return came_back["code"], came_back["state"]

    provider = OAuthClientProvider(journey.mcp, OAuthClientMetadata(**metadata), memory, redirect, callback)
    hooks = {"request": [journey.note_request], "response": [journey.note_response]}
    async with httpx.AsyncClient(auth=provider, event_hooks=hooks) as http:
        async with (
            streamable_http_client(journey.mcp, http_client=http) as (incoming, outgoing, _),
            ClientSession(incoming, outgoing) as session,
        ):
            await session.initialize()
            await ask_tools(journey, session)
        first = memory.tokens
        journey.ask_rest(first.access_token)
        if first.refresh_token:
            provider.context.token_expiry_time = 1  # as if its time were over
            await http.get(f"{journey.base}/v1/me")
            journey.ask_refreshed(first.access_token, memory.tokens.access_token)


run("mcp-python-1", "mcp", drive)
