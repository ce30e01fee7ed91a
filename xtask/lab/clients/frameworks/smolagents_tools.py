"""Lists and calls all tools with the MCP client of smolagents, which converts each tool and each result."""

import json

from expected import ADDRESS, HEADERS, Run
from smolagents import MCPClient
from smolagents.models import get_tool_json_schema

run = Run("smolagents")
server = {"url": ADDRESS, "transport": "streamable-http", "headers": HEADERS}
with MCPClient(server, structured_output=True) as listed:
    tools = {tool.name: tool for tool in listed}
    run.check_tool_count(len(tools))
    for tool in tools.values():
        # The description that the model receives also has the schema of the result.
        offered = get_tool_json_schema(tool)["function"]
        description = run.tools[tool.name]["description"]
        if not offered["description"].startswith(description):
            run.problems.append(f"{tool.name}: the description differs: {offered['description']!r}")
        run.check_tool(tool.name, description, offered["parameters"])
    for call in run.calls:
        # The model receives the text of an error in place of an object.
        result = tools[call.tool](**call.arguments)
        run.check_result(call.number, json.dumps(result), isinstance(result, str))
run.end()
