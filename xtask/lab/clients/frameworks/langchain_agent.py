"""Lists and calls all tools with langchain-mcp-adapters: a fake model requests every call in one message."""

import asyncio

from expected import ADDRESS, HEADERS, Run
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_mcp_adapters.client import MultiServerMCPClient


class FakeModel(FakeMessagesListChatModel):
    def bind_tools(self, tools, **options):
        """Describes the tools as a model of OpenAI receives them."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools])


async def main():
    run = Run("langchain-mcp-adapters")
    server = {"transport": "streamable_http", "url": ADDRESS, "headers": HEADERS}
    tools = {tool.name: tool for tool in await MultiServerMCPClient({"passbook": server}).get_tools()}
    calls = [{"name": call.tool, "args": call.arguments, "id": call.number, "type": "tool_call"} for call in run.calls]
    model = FakeModel(responses=[AIMessage(content="", tool_calls=calls)]).bind_tools(tools.values())
    offered = [tool["function"] for tool in model.kwargs["tools"]]
    run.check_tool_count(len(offered))
    for tool in offered:
        run.check_tool(tool["name"], tool["description"], tool["parameters"])
    message = await model.ainvoke([HumanMessage("Call every tool.")])
    for call in message.tool_calls:
        received = await tools[call["name"]].ainvoke(call)
        run.check_result(call["id"], received.text, received.status == "error")
    run.end()


asyncio.run(main())
