"""Runs the cases of a Python client, and prints the outcome of each as a line of JSON, like journey.mjs for Node.

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
    """One case under way. `step` is the step of the last request."""

    def __init__(self, case):
        self.setting, self.base = case["setting"], case["base"]
        self.client_id, self.client_metadata_url = case.get("client_id"), case.get("client_metadata_url")
        self.person, self.scope = case["person"], case["scope"]
        self.redirect_uri, self.prompt = case["redirect_uri"], case.get("prompt")
        self.mcp = f"{self.base}/mcp"
        self.step = "resource metadata"
        self.authorization = None
        self.refresh = "not given"

    async def note_request(self, request):
        """Sets the step to that of the request. A hook of the HTTP client."""
        path, body = request.url.path, await request.aread()
        if "/.well-known/oauth-protected-resource" in path:
            self.step = "resource metadata"
        elif "/.well-known/o" in path:
            self.step = "provider metadata"
        elif path.endswith("/register"):
            self.step = "registration"
        elif b"grant_type=authorization_code" in body:
            self.step = "token"
        elif b"grant_type=refresh_token" in body:
            self.step = "refresh"

    async def note_response(self, response):
        """Sets the step after a token was received. A hook of the HTTP client."""
        if self.step == "token" and response.status_code == 200:
            self.step = "ID token"

    def consent(self, url):
        """Signs the person in at the address of the client. Returns the redirect address and its parameters."""
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

    def check_rest(self, token):
        """Checks REST: the person, a row that the client may read, and a route whose scope the client does not have."""
        self.step = "REST"
        me = self.get("/v1/me", token, 200)
        if me["id"] != self.person:
            raise RuntimeError(f"/v1/me must return the person {self.person}; received {me['id']}")
        if len(self.get("/v1/transactions?pageSize=1", token, 200)["transactions"]) != 1:
            raise RuntimeError("/v1/transactions has no row")
        self.get("/v1/portfolio", token, 403)

    def check_refreshed(self, earlier, refreshed):
        """Checks an access token that was exchanged for the refresh token."""
        self.step = "refresh"
        if refreshed == earlier:
            raise RuntimeError("the refresh returned the same access token")
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
            raise RuntimeError(f"GET {path} must return {status}; received {received}: {text[:300]!r}")
        return json.loads(text)


async def check_tools(journey, session):
    """Checks the tool server: the list, a tool that the client may call, and a tool whose scope it does not have."""
    journey.step = "tools"
    listed = await session.list_tools()
    if not any(tool.name == "get_top_merchants" for tool in listed.tools):
        raise RuntimeError("tools/list has no get_top_merchants")
    merchants = as_json(await session.call_tool("get_top_merchants", {"timeRange": "all"}))
    if merchants.get("isError") or not merchants["structuredContent"]["merchants"]:
        raise RuntimeError(f"get_top_merchants: {merchants}")
    # A missing scope is an error result for the person. It must not start another sign-in.
    if not as_json(await session.call_tool("get_portfolio_snapshot", {})).get("isError"):
        raise RuntimeError("get_portfolio_snapshot must fail, because the client does not have its scope")


def as_json(result):
    return result.model_dump(by_alias=True, exclude_none=True)


class Memory:
    """The storage of an `OAuthClientProvider`, in memory."""

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
    """Returns the first error inside nested exception groups, which task groups raise."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def run(package, drive):
    """Runs `drive` on every case of the plan, the JSON file that the first argument names, and prints each outcome."""
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    for case in plan["cases"]:
        journey, why = Journey(case), None
        try:
            asyncio.run(drive(journey))
        except Exception as error:  # an exception of any library is an outcome
            why = f"{type(innermost(error)).__name__}: {innermost(error)}"
        outcome = {
            "client": plan["client"],
            "version": importlib.metadata.version(package),
            "setting": journey.setting,
            "failed_at": journey.step if why else None,
            "why": why,
            "authorization": journey.authorization,
            "refresh": journey.refresh,
        }
        print(json.dumps(outcome), flush=True)
