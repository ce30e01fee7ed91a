"""Signs in with Authlib's client for Starlette, configured with the address of the OpenID document, as the
documentation recommends to dashboards.

Authlib checks the ID token with joserfc.
"""

import json
import urllib.request

from authlib.integrations.httpx_client import AsyncOAuth2Client
from authlib.integrations.starlette_client import OAuth
from starlette.requests import Request

from journey import run


def request(session, query=b""):
    """Returns a request as the framework would pass it, with the person's session."""
    return Request({"type": "http", "method": "GET", "headers": [], "query_string": query, "session": session})


async def drive(journey):
    with urllib.request.urlopen(f"{journey.base}/.well-known/oauth-protected-resource") as response:
        server = json.load(response)["authorization_servers"][0]
    hooks = {"request": [journey.note_request], "response": [journey.note_response]}
    client = OAuth().register(
        "passbook",
        client_id=journey.client_id,
        server_metadata_url=f"{server}/.well-known/openid-configuration",
        client_kwargs={
            "scope": journey.scope,
            "code_challenge_method": "S256",
            "token_endpoint_auth_method": "none",
            "event_hooks": hooks,
        },
    )
    session = {}
    prompt = {"prompt": journey.prompt} if journey.prompt else {}
    redirect = await client.authorize_redirect(request(session), journey.redirect_uri, **prompt)
    back, _ = journey.consent(redirect.headers["location"])
    tokens = await client.authorize_access_token(request(session, back.partition("?")[2].encode()))
    if tokens["userinfo"]["sub"] != journey.person:
        raise RuntimeError("the ID token names another person")
    journey.check_rest(tokens["access_token"])
    if "refresh_token" in tokens:
        metadata = await client.load_server_metadata()
        async with AsyncOAuth2Client(journey.client_id, token_endpoint_auth_method="none") as http:
            refreshed = await http.refresh_token(metadata["token_endpoint"], tokens["refresh_token"])
        journey.check_refreshed(tokens["access_token"], refreshed["access_token"])


run("Authlib", drive)
