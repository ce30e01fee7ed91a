"""Calls every tool with the command line of the MCP Inspector.

The arguments are the paths of Node and of the folder of the Inspector's npm package.
"""

import json
import pathlib
import subprocess
import sys

from expected import ADDRESS, HEADERS, Run

NODE, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
PACKAGE = json.loads((FOLDER / "package.json").read_text())
PROGRAM = FOLDER / PACKAGE["bin"]["mcp-inspector"]
SERVER = ["--server-url", ADDRESS, "--transport", "http", "--stored-auth-only", "--format", "json"]
# The Inspector takes a token only on its command line. The demo's token ends with this run.
HEADER = ["--header", f"Authorization: {HEADERS['Authorization']}"]


def inspect(*words):
    command = [NODE, PROGRAM, "--cli", *SERVER, *HEADER, "--method", *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    try:
        return json.loads(done.stdout)["result"]
    except (ValueError, KeyError):
        raise SystemExit(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")


run = Run(PACKAGE["name"], PACKAGE["version"])
for tool in inspect("tools/list")["tools"]:
    run.check_tool(tool["name"], tool["description"], tool["inputSchema"])
for call in run.calls:
    arguments = [word for name, value in call.arguments.items() for word in ("--tool-arg", f"{name}={json.dumps(value)}")]
    result = inspect("tools/call", "--tool-name", call.tool, *arguments)
    is_error = bool(result.get("isError"))
    text = result["content"][0]["text"] if is_error else json.dumps(result["structuredContent"])
    run.check_result(call.number, text, is_error)
run.end()
