"""Calls every tool with the installed version of the official Python SDK: without arguments, with many arguments, and
with invalid ones.

A second validator, besides the one in the SDK, compares every result with the tool's output schema, formats included.
The environment variables PASSBOOK_MCP and PASSBOOK_TOKEN name the tool server and the token.
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
    """Connects with SDK 1, whose session uses three streams."""
    import httpx
    from mcp import ClientSession

    async with httpx.AsyncClient(headers=HEADERS) as http:
        async with streamable_http_client(ADDRESS, http_client=http) as (read, write, _):
            async with ClientSession(read, write) as session:
                started = await session.initialize()
                yield session, started.protocolVersion


def second(mode):
    """Returns a function that connects with SDK 2, whose client supports both eras."""

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
    """Returns the JSON of a model as received: the two SDKs name its attributes differently."""
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


async def call_one(client, tool):
    examples = CALLS.get(tool["name"])
    assert examples, "calls.json has no arguments for this tool"
    input_schema, output_schema = validator(tool["inputSchema"]), validator(tool["outputSchema"])
    for arguments in [{}, examples["rich"]]:
        input_schema.validate(arguments)
        result = plain(await client.call_tool(tool["name"], arguments))
        assert not result.get("isError"), f"{arguments} was rejected: {result['content']}"
        output_schema.validate(result["structuredContent"])
        content = json.loads(result["content"][0]["text"])
        assert content == result["structuredContent"], f"{arguments}: the text content differs from the structured content"
    rejected = plain(await client.call_tool(tool["name"], examples["refused"]))
    assert rejected.get("isError") is True, f"{examples['refused']} was not rejected"
    assert rejected.get("structuredContent") is None, "an error result has structured content"
    assert tool["name"] in rejected["content"][0]["text"], "the text of an error result does not name the tool"


async def main():
    assert all(not FORMATS.conforms("no", name) for name in FORMATS.checkers), "a format is not checked"
    assert set(FORMATS.checkers) == {"date", "date-time", "uuid"}, FORMATS.checkers
    problems = []
    for mode, connect, revision in CLIENTS:
        async with connect() as (client, agreed):
            assert agreed == revision, f"{mode}: the negotiated revision must be {revision}; received {agreed}"
            tools = plain(await client.list_tools())["tools"]
            assert tools, f"{mode}: tools/list is empty"
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
