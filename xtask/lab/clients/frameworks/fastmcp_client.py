"""Lists and calls all tools with the client of fastmcp, which builds a Python class from each output schema."""

import asyncio
import dataclasses
import json

from expected import ADDRESS, HEADERS, Run
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport


async def main():
    run = Run("fastmcp")
    async with Client(StreamableHttpTransport(ADDRESS, headers=HEADERS)) as client:
        tools = await client.list_tools()
        run.check_tool_count(len(tools))
        for tool in tools:
            run.check_tool(tool.name, tool.description, tool.input_schema)
        for call in run.calls:
            result = await client.call_tool(call.tool, call.arguments, raise_on_error=False)
            if call.result is not None and not dataclasses.is_dataclass(result.data):
                run.problems.append(f"{call.tool}: no object was built by the output schema: {result.data!r}")
            text = result.content[0].text if result.is_error else json.dumps(result.structured_content)
            run.check_result(call.number, text, result.is_error)
    run.end()


asyncio.run(main())
