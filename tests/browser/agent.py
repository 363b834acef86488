"""An agent: it knows the address and the key of its configuration, and speaks the Model Context Protocol."""

import json
import urllib.error
import urllib.request

VERSION = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}


class Agent:
    def __init__(self, server):
        """`server` is what the dashboard shows for a client: an address, and headers with the key."""
        self.url, self.headers = server["url"], server["headers"]

    def send(self, method, params):
        headers = self.headers | {
            "Content-Type": "application/json",
            "MCP-Protocol-Version": VERSION,
            "Mcp-Method": method,
            "Mcp-Name": params.get("name", ""),
        }
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params | {"_meta": META}}
        request = urllib.request.Request(self.url, json.dumps(message).encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def tools(self):
        return [tool["name"] for tool in self.send("tools/list", {})[1]["result"]["tools"]]

    def call(self, tool, arguments=None, refused=False):
        status, answer = self.send("tools/call", {"name": tool, "arguments": arguments or {}})
        assert status == 200 and answer["result"]["isError"] == refused, answer
        return answer["result"]["structuredContent"]

    def preview(self, kind, arguments):
        return self.call("preview_change", {"kind": kind, "arguments": arguments})

    def change(self, kind, arguments):
        token = self.preview(kind, arguments)["confirm_token"]
        return self.call(kind + "_campaign", arguments | {"confirm_token": token})
