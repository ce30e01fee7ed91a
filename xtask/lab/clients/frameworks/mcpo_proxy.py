"""Starts mcpo, which serves every tool as an operation of an OpenAPI document, and calls each operation.

The first argument is the path of the program mcpo.
"""

import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from expected import ADDRESS, HEADERS, Run

START_SECONDS_MAX = 60


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def send(address, body=None):
    """Returns the status and the JSON of a response."""
    content = None if body is None else json.dumps(body).encode()
    sent = urllib.request.Request(address, content, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(sent, timeout=30) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def document(base):
    """Returns the OpenAPI document of mcpo as soon as it has the tools."""
    for _ in range(START_SECONDS_MAX):
        try:
            status, found = send(f"{base}/passbook/openapi.json")
            if status == 200 and found["paths"]:
                return found
        except urllib.error.URLError:
            pass
        time.sleep(1)
    raise RuntimeError("mcpo did not start")


def check(run, base):
    found = document(base)
    run.check_tool_count(len(found["paths"]))
    for path, item in found["paths"].items():
        operation = item["post"]
        name = path.strip("/")
        schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        reference = schema.get("$ref", "")
        named = found["components"]["schemas"].get(reference.rpartition("/")[2], {"type": "object"})
        run.check_tool(name, operation["description"], {"properties": {}, **named})
    # mcpo ignores the arguments of a tool without parameters, so such a call is not rejected.
    run.calls = [call for call in run.calls if call.result or run.tools[call.tool]["inputSchema"]["properties"]]
    for call in run.calls:
        status, result = send(f"{base}/passbook/{call.tool}", call.arguments)
        run.check_result(call.number, json.dumps(result), status != 200)


if __name__ == "__main__":
    run = Run("mcpo")
    port = free_port()
    with tempfile.NamedTemporaryFile("w", suffix=".json") as configuration:
        json.dump({"mcpServers": {"passbook": {"type": "streamable-http", "url": ADDRESS, "headers": HEADERS}}}, configuration)
        configuration.flush()
        command = [sys.argv[1], "--host", "127.0.0.1", "--port", str(port), "--config", configuration.name, "--log-level", "ERROR"]
        proxy = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            check(run, f"http://127.0.0.1:{port}")
        except Exception:
            proxy.terminate()
            print(proxy.communicate()[0])
            raise
        proxy.terminate()
        proxy.communicate()
    run.end()
