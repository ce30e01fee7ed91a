"""Lists and calls all tools with an agent of pydantic-ai: a fake model requests one call after the other."""

import asyncio
import json

from expected import ADDRESS, HEADERS, Run
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.usage import UsageLimits


async def main():
    run = Run("pydantic-ai-slim")
    waiting = list(run.calls)

    def fake_model(messages, offered):
        if len(waiting) == len(run.calls):
            run.check_tool_count(len(offered.function_tools))
            for tool in offered.function_tools:
                run.check_tool(tool.name, tool.description, tool.parameters_json_schema)
        for part in messages[-1].parts:
            if isinstance(part, ToolReturnPart):
                content = part.content if isinstance(part.content, str) else json.dumps(part.content)
                run.check_result(part.tool_call_id, content, part.outcome != "success")
        if not waiting:
            return ModelResponse(parts=[TextPart("done")])
        call = waiting.pop(0)
        return ModelResponse(parts=[ToolCallPart(call.tool, call.arguments, tool_call_id=call.number)])

    toolset = MCPToolset(ADDRESS, headers=HEADERS, max_retries=len(run.calls))
    agent = Agent(FunctionModel(fake_model), toolsets=[toolset])
    async with agent:
        await agent.run("Call every tool.", usage_limits=UsageLimits(request_limit=len(run.calls) + 1))
    run.end()


asyncio.run(main())
