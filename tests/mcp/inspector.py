"""Uses the command line of the MCP inspector in both eras: `inspector.py NODE MODULES AGENT HOME`."""

import json
import os
import subprocess
import sys
from pathlib import Path

NODE, MODULES, HOME = sys.argv[1], Path(sys.argv[2]), sys.argv[4]
AGENT = json.loads(Path(sys.argv[3]).read_text())
PACKAGE = MODULES / "node_modules" / "@modelcontextprotocol" / "inspector"
NUMBER = json.loads((PACKAGE / "package.json").read_text())["version"]


def inspector(era: str, *arguments: str, code: int = 0) -> dict:
    """What the inspector prints; it exits with 5 if the result of a tool is an error."""
    command = [NODE, PACKAGE / "clients" / "launcher" / "build" / "index.js", "--cli", "--transport", "http"]
    command += ["--server-url", AGENT["url"], "--header", f"X-API-Key: {AGENT['api_key']}", "--protocol-era", era]
    environment = os.environ | {"HOME": HOME}
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=60, env=environment)
    assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return json.loads(done.stdout)


def call(era: str, tool: str, code: int = 0, **arguments) -> dict:
    flags = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments)]
    return inspector(era, *flags, code=code)


for era in ("legacy", "modern"):
    # Strict: it fails for a schema that a model may not understand, and only warns of one that is less portable.
    tools = inspector(era, "--method", "tools/list", "--strict")["tools"]
    names = {tool["name"] for tool in tools}
    assert {"list_accounts", "get_campaign"} <= names, names
    [account] = call(era, "list_accounts")["structuredContent"]["accounts"]
    assert account["id"] == AGENT["connection_id"], account
    refused = call(era, "get_campaign", code=5, campaign_id="cmp_" + 32 * "0")
    assert refused["isError"] and refused["structuredContent"]["code"] == "NOT_FOUND", refused
    print(f"inspector {NUMBER}, {era}: {len(tools)} tools, calls and an error are as expected")
