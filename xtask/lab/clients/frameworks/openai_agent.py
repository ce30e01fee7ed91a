"""Lists and calls all tools with an agent of openai-agents: a fake model requests all calls in its first response.

The schemas are converted to OpenAI's strict form. This fails for a schema without `properties`.
"""

import asyncio
import json
import os

# The SDK would send a trace of the run to its maker.
os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"

from agents import Agent, Model, ModelResponse, Runner, Usage
from agents.mcp import MCPServerStreamableHttp
from expected import ADDRESS, HEADERS, Run
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


class FakeModel(Model):
    def __init__(self, run):
        self.run = run

    async def get_response(self, system_instructions, input, model_settings, tools, *others, **more):
        outputs = [item for item in input if isinstance(item, dict) and item.get("type") == "function_call_output"]
        for item in outputs:
            output = item["output"]
            text = output if isinstance(output, str) else output[0]["text"]
            self.run.check_result(item["call_id"], text, None)
        return ModelResponse(output=[done()] if outputs else self.first(tools), usage=Usage(), response_id=None)

    def first(self, tools):
        self.run.check_tool_count(len(tools))
        for tool in tools:
            self.run.check_tool(tool.name, tool.description, tool.params_json_schema)
            if not tool.strict_json_schema:
                self.run.problems.append(f"{tool.name}: the input schema has no strict form")
        return [
            ResponseFunctionToolCall(
                type="function_call", call_id=call.number, name=call.tool, arguments=json.dumps(call.arguments)
            )
            for call in self.run.calls
        ]

    def stream_response(self, *others, **more):
        raise NotImplementedError


def done():
    text = ResponseOutputText(type="output_text", text="done", annotations=[])
    return ResponseOutputMessage(id="1", type="message", role="assistant", status="completed", content=[text])


async def main():
    run = Run("openai-agents")
    async with MCPServerStreamableHttp({"url": ADDRESS, "headers": HEADERS}) as server:
        agent = Agent("Passbook", model=FakeModel(run), mcp_servers=[server], mcp_config={"convert_schemas_to_strict": True})
        await Runner.run(agent, "Call every tool.")
    run.end()


asyncio.run(main())
