"""The calls that each framework makes, and the results that its model must receive.

Every tool is called without arguments, with many arguments, and with invalid ones. The expected results come from the
same calls sent as plain JSON. The environment variables PASSBOOK_MCP and PASSBOOK_TOKEN name the tool server and the
token.
"""

import importlib.metadata
import json
import os
import pathlib
import sys
import urllib.request
from dataclasses import dataclass

ADDRESS = os.environ["PASSBOOK_MCP"]
HEADERS = {"Authorization": f"Bearer {os.environ['PASSBOOK_TOKEN']}"}
REVISION = "2025-11-25"
EXAMPLES = json.loads(pathlib.Path(__file__).parent.with_name("calls.json").read_text())


@dataclass
class Call:
    """A call of a tool. `result` is the structured content, or None if the server must reject the arguments."""

    number: str
    tool: str
    arguments: dict
    result: dict | None


def request(method, params):
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {
        **HEADERS,
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": REVISION,
    }
    sent = urllib.request.Request(ADDRESS, json.dumps(message).encode(), headers)
    with urllib.request.urlopen(sent, timeout=30) as response:
        return json.load(response)["result"]


def expected_calls():
    calls = []
    for tool, examples in EXAMPLES.items():
        for arguments in [{}, examples["rich"], examples["refused"]]:
            result = request("tools/call", {"name": tool, "arguments": arguments})
            calls.append(Call(f"call-{len(calls)}", tool, arguments, result.get("structuredContent")))
        assert [call.result is None for call in calls[-3:]] == [False, False, True], f"{tool}: unexpected results"
    return calls


class Run:
    """Compares what a framework lists and receives with the expected tools and results."""

    def __init__(self, package, version=None):
        self.name = f"{package} {version or importlib.metadata.version(package)}"
        self.tools = {tool["name"]: tool for tool in request("tools/list", {})["tools"]}
        assert self.tools.keys() == EXAMPLES.keys(), "calls.json must have arguments for every tool"
        self.calls = expected_calls()
        self.problems = []
        self.received = set()

    def check_tool(self, name, description, schema):
        """Checks a tool as the framework offers it to the model. `schema` is its input schema."""
        tool = self.tools.get(name)
        if tool is None:
            self.problems.append(f"{name}: not a tool of the server")
            return
        if description != tool["description"]:
            self.problems.append(f"{name}: the description differs: {description!r}")
        if schema.get("type") != "object" or list(schema["properties"]) != list(tool["inputSchema"]["properties"]):
            self.problems.append(f"{name}: the input schema differs: {schema}")

    def check_tool_count(self, count):
        if count != len(self.tools):
            self.problems.append(f"{count} tools are offered to the model, the server has {len(self.tools)}")

    def check_result(self, number, text, is_error):
        """Checks what the model receives for a call. `is_error` is None if the framework does not tell errors apart."""
        [call] = [call for call in self.calls if call.number == number]
        self.received.add(number)
        place = f"{call.tool} with {json.dumps(call.arguments)}"
        if is_error is not None and is_error != (call.result is None):
            self.problems.append(f"{place}: error is {is_error}; received {text}")
        elif call.result is None:
            if call.tool not in text:
                self.problems.append(f"{place}: the error does not name the tool: {text}")
        # A framework may join the JSON and the line of words about what the figures leave out.
        elif json.JSONDecoder().raw_decode(text)[0] != call.result:
            self.problems.append(f"{place}: the result differs: {text}")

    def end(self):
        """Prints the report, and ends with exit code 1 if anything differs."""
        missing = [call.number for call in self.calls if call.number not in self.received]
        if missing:
            self.problems.append(f"no result reached the model for {missing}")
        for problem in self.problems:
            print(problem)
        print(f"{self.name}: {len(self.tools)} tools, {len(self.received)} calls")
        sys.exit(1 if self.problems else 0)
