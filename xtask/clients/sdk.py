"""An official Python SDK, whichever is installed: connect, list, and call every tool with no, with rich and with
refused arguments.

Every result is held against the schema that the list shows, formats included, by a validator of our own beside the
one inside the SDK. Address and token come by environment.
"""

import asyncio
import importlib.metadata
import json
import os
import pathlib
import sys
from contextlib import asynccontextmanager

from jsonschema import Draft202012Validator, FormatChecker
from mcp.client.streamable_http import streamable_http_client

ADDRESS = os.environ["PASSBOOK_MCP"]
HEADERS = {"Authorization": f"Bearer {os.environ['PASSBOOK_TOKEN']}"}
CALLS = json.loads(pathlib.Path(__file__).with_name("calls.json").read_text())
SDK = importlib.metadata.version("mcp")
FORMATS = FormatChecker(["date", "date-time", "uuid"])


@asynccontextmanager
async def first():
    """SDK 1: a session over three streams."""
    import httpx
    from mcp import ClientSession

    async with httpx.AsyncClient(headers=HEADERS) as http:
        async with streamable_http_client(ADDRESS, http_client=http) as (read, write, _):
            async with ClientSession(read, write) as session:
                started = await session.initialize()
                yield session, started.protocolVersion


def second(mode):
    """SDK 2: one client, which knows both eras."""

    @asynccontextmanager
    async def connect():
        import httpx2
        from mcp import Client

        async with httpx2.AsyncClient(headers=HEADERS) as http:
            async with Client(streamable_http_client(ADDRESS, http_client=http), mode=mode) as client:
                yield client, client.protocol_version

    return connect


if SDK.startswith("1."):
    CLIENTS = [("legacy", first, "2025-11-25")]
else:
    CLIENTS = [
        ("legacy", second("legacy"), "2025-11-25"),
        ("auto", second("auto"), "2026-07-28"),
        ("modern", second("2026-07-28"), "2026-07-28"),
    ]


def validator(schema):
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=FORMATS)


def plain(model):
    """As it was on the wire: the names of the two SDKs differ."""
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


async def call_one(client, tool):
    given = CALLS.get(tool["name"])
    assert given, "calls.json has no arguments for this tool"
    takes, gives = validator(tool["inputSchema"]), validator(tool["outputSchema"])
    for arguments in [{}, given["rich"]]:
        takes.validate(arguments)
        result = plain(await client.call_tool(tool["name"], arguments))
        assert not result.get("isError"), f"{arguments} was refused: {result['content']}"
        gives.validate(result["structuredContent"])
        said = json.loads(result["content"][0]["text"])
        assert said == result["structuredContent"], f"{arguments}: the text says something else"
    refused = plain(await client.call_tool(tool["name"], given["refused"]))
    assert refused.get("isError") is True, f"{given['refused']} was not refused"
    assert refused.get("structuredContent") is None, "a refusal has structured content"
    assert tool["name"] in refused["content"][0]["text"], "a refusal names its tool"


async def main():
    assert all(not FORMATS.conforms("no", name) for name in FORMATS.checkers), "a format that is not checked"
    assert set(FORMATS.checkers) == {"date", "date-time", "uuid"}, FORMATS.checkers
    problems = []
    for mode, connect, revision in CLIENTS:
        async with connect() as (client, agreed):
            assert agreed == revision, f"{mode}: agreed on {agreed}, not on {revision}"
            tools = plain(await client.list_tools())["tools"]
            assert tools, f"{mode}: the list is empty"
            for tool in tools:
                try:
                    await call_one(client, tool)
                except Exception as error:
                    problems.append(f"{mode}: {tool['name']}: {error}")
            print(f"mcp {SDK}, {mode}, at {agreed}: {len(tools)} tools called")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(asyncio.run(main()))
