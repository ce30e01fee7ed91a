"""The whole way with the Python SDK of the Model Context Protocol, in either version: it is refused, and signs in by itself."""

from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

from journey import Memory


async def sign_in(journey, http_client, answer, ask):
    """Refused, consent, tools, REST, and a refresh where there is one.

    `http_client` is the class of the SDK's HTTP client, `answer` makes what its callback gives out of the parameters that
    the person came back with, and `ask` connects through an HTTP client and asks for tools.
    """
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
        return answer(came_back)

    provider = OAuthClientProvider(journey.mcp, OAuthClientMetadata(**metadata), memory, redirect, callback)
    hooks = {"request": [journey.note_request], "response": [journey.note_response]}
    async with http_client(auth=provider, event_hooks=hooks) as http:
        await ask(http)
        first = memory.tokens
        journey.ask_rest(first.access_token)
        if first.refresh_token:
            provider.context.token_expiry_time = 1  # as if its time were over
            await http.get(f"{journey.base}/v1/me")
            journey.ask_refreshed(first.access_token, memory.tokens.access_token)
