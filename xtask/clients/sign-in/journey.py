"""What every client of Python does with its cases, and how it tells how far it came; the twin of journey.mjs.

    python CLIENT.py PLAN BROWSER...        where BROWSER... is the command that runs browser.mjs
"""

import asyncio
import importlib.metadata
import json
import subprocess
import sys
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit


class Journey:
    """One case on its way. `step` is that of the last request."""

    def __init__(self, case):
        self.setting, self.base = case["setting"], case["base"]
        self.client_id, self.person, self.scope = case["client_id"], case["person"], case["scope"]
        self.redirect_uri, self.prompt = case["redirect_uri"], case.get("prompt")
        self.mcp = f"{self.base}/mcp"
        self.step = "resource metadata"
        self.authorization = None
        self.refresh = "not given"

    async def note_request(self, request):
        """A hook of the HTTP client: what is asked for now."""
        path, body = request.url.path, await request.aread()
        if "/.well-known/oauth-protected-resource" in path:
            self.step = "resource metadata"
        elif "/.well-known/o" in path:
            self.step = "provider metadata"
        elif b"grant_type=authorization_code" in body:
            self.step = "token"
        elif b"grant_type=refresh_token" in body:
            self.step = "refresh"

    async def note_response(self, response):
        """A hook of the HTTP client: a token came."""
        if self.step == "token" and response.status_code == 200:
            self.step = "ID token"

    def consent(self, url):
        """The person goes where the client sends them, and comes back with parameters for it."""
        self.step = "authorization"
        self.authorization = urlsplit(url)._replace(query="").geturl()
        command = [*sys.argv[2:], url, self.redirect_uri, self.person]
        visit = subprocess.run(command, capture_output=True, text=True, check=False)
        if visit.returncode:
            raise RuntimeError(next(line for line in visit.stderr.splitlines() if "Error: " in line))
        back = visit.stdout.strip()
        parameters = {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()}
        if "code" not in parameters:
            raise RuntimeError(f"{parameters.get('error')}: {parameters.get('error_description')}")
        self.step = "callback"
        return back, parameters

    def ask_rest(self, token):
        """Asks REST for what the client may read, for whose it is, and for what it may not read."""
        self.step = "REST"
        me = self.get("/v1/me", token, 200)
        if me["id"] != self.person:
            raise RuntimeError(f"/v1/me is of {me['id']}, and {self.person} signed in")
        if len(self.get("/v1/transactions?pageSize=1", token, 200)["transactions"]) != 1:
            raise RuntimeError("/v1/transactions has no row")
        self.get("/v1/portfolio", token, 403)

    def ask_refreshed(self, earlier, refreshed):
        """Asks with a token that came for the refresh token."""
        self.step = "refresh"
        if refreshed == earlier:
            raise RuntimeError("the same access token again")
        self.get("/v1/me", refreshed, 200)
        self.refresh = "works"

    def get(self, path, token, status):
        request = urllib.request.Request(self.base + path, headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request) as response:
                received, text = response.status, response.read()
        except urllib.error.HTTPError as error:
            received, text = error.code, error.read()
        if received != status:
            raise RuntimeError(f"GET {path} answered {received}: {text[:300]!r}")
        return json.loads(text)


async def ask_tools(journey, session):
    """What a client of the Model Context Protocol asks the tool server once it is connected."""
    journey.step = "tools"
    listed = await session.list_tools()
    if not any(tool.name == "get_top_merchants" for tool in listed.tools):
        raise RuntimeError("tools/list has no get_top_merchants")
    merchants = as_json(await session.call_tool("get_top_merchants", {"timeRange": "all"}))
    if merchants.get("isError") or not merchants["structuredContent"]["merchants"]:
        raise RuntimeError(f"get_top_merchants: {merchants}")
    # A scope that the client was not given ends in a sentence for the person, never in another sign-in.
    if not as_json(await session.call_tool("get_portfolio_snapshot", {})).get("isError"):
        raise RuntimeError("get_portfolio_snapshot needs a scope that the client was not given")


def as_json(result):
    return result.model_dump(by_alias=True, exclude_none=True)


class Memory:
    """What an `OAuthClientProvider` of either SDK keeps."""

    def __init__(self, client):
        self.client, self.tokens = client, None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def innermost(error):
    """What went wrong inside the groups that task groups make of it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def run(client, package, drive):
    """Runs `drive` on every case of the plan that the first argument names, and prints a line of JSON for each."""
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    for case in cases:
        journey, why = Journey(case), None
        try:
            asyncio.run(drive(journey))
        except Exception as error:  # whatever a library raises is the outcome
            why = f"{type(innermost(error)).__name__}: {innermost(error)}"
        outcome = {
            "client": client,
            "version": importlib.metadata.version(package),
            "setting": journey.setting,
            "failed_at": journey.step if why else None,
            "why": why,
            "authorization": journey.authorization,
            "refresh": journey.refresh,
        }
        print(json.dumps(outcome), flush=True)
