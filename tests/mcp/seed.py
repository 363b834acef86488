"""Connects an ad account and makes the key of an agent: `seed.py READY AGENT`."""

import json
import sys
import urllib.request
from pathlib import Path

READY = json.loads(Path(sys.argv[1]).read_text())
PLATFORM = "alpha_ads"


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"X-API-Key": READY["api_key"], "Content-Type": "application/json"}
    request = urllib.request.Request(READY["gateway"] + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


# The user approves the consent page.
consent = call("GET", f"/connections/{PLATFORM}/authorize")["authorize_url"]
urllib.request.urlopen(consent, data=b"decision=approve", timeout=60).close()
[connection] = [one["id"] for one in call("GET", "/connections")["connections"] if one["status"] == "ACTIVE"]
limit = {
    "connections": [connection],
    "amounts": [{"currency": "USD", "daily": 500, "per_change": 200}],
    "approval": {"activation": True},
}
key = call("POST", "/api-keys", {"name": "Agent", "scopes": ["campaigns"], "spending_limit": limit})["api_key"]
agent = {"url": READY["gateway"] + "/v1/mcp", "api_key": key, "connection_id": connection}
Path(sys.argv[2]).write_text(json.dumps(agent))
