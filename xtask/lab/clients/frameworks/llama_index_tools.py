"""Lists and calls all tools with the MCP client of LlamaIndex, which converts each input schema to a Python class."""

import asyncio
import json

from expected import ADDRESS, HEADERS, Run
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


async def main():
    run = Run("llama-index-tools-mcp")
    spec = McpToolSpec(BasicMCPClient(ADDRESS, headers=HEADERS))
    tools = {tool.metadata.name: tool for tool in await spec.to_tool_list_async()}
    run.check_tool_count(len(tools))
    for name, tool in tools.items():
        run.check_tool(name, tool.metadata.description, tool.metadata.get_parameters_dict())
    for call in run.calls:
        received = (await tools[call.tool].acall(**call.arguments)).raw_output
        text = received.content[0].text if received.is_error else json.dumps(received.structured_content)
        run.check_result(call.number, text, received.is_error)
    run.end()


asyncio.run(main())
