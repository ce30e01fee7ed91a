"""Signs in with either version of the Python SDK of the Model Context Protocol: a 401 response starts the sign-in."""

from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

from journey import Memory


async def sign_in(journey, http_client, callback_result, check):
    """Runs a sign-in: the 401 response, consent, tools, REST, and a refresh if there is a refresh token.

    `http_client` is the class of the SDK's HTTP client. `callback_result` converts the parameters of the redirect to
    the result of the SDK's callback. `check` connects through an HTTP client and checks the tools.
    """
    metadata = {
        "client_name": "sign-in",
        "redirect_uris": [journey.redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
    registered = journey.client_id and OAuthClientInformationFull(client_id=journey.client_id, **metadata)
    memory = Memory(registered)
    redirected = {}

    async def redirect(url):
        redirected.update(journey.consent(url)[1])

    async def callback():
        return callback_result(redirected)

    provider = OAuthClientProvider(
        journey.mcp,
        OAuthClientMetadata(**metadata),
        memory,
        redirect,
        callback,
        client_metadata_url=journey.client_metadata_url,
    )
    hooks = {"request": [journey.note_request], "response": [journey.note_response]}
    async with http_client(auth=provider, event_hooks=hooks) as http:
        await check(http)
        first = memory.tokens
        journey.check_rest(first.access_token)
        if first.refresh_token:
            provider.context.token_expiry_time = 1  # in the past, so that the SDK refreshes the token
            await http.get(f"{journey.base}/v1/me")
            journey.check_refreshed(first.access_token, memory.tokens.access_token)
