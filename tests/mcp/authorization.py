"""Runs the authorization scenarios of the conformance suite: `authorization.py NODE MODULES SIGNED_IN`."""

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import person

NODE, MODULES = sys.argv[1], Path(sys.argv[2])
PEOPLE = json.loads(Path(sys.argv[3]).read_text())
SERVICE = PEOPLE["service"]
PORT = "45873"
SUITE = MODULES / "node_modules" / "conformance-new" / "dist" / "index.js"


def register():
    body = {"client_name": "Conformance", "redirect_uris": [f"http://127.0.0.1:{PORT}/callback"]}
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(SERVICE + "/v1/oauth2/register", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["client_id"]


def main():
    arguments = ["--url", SERVICE, "--client-id", register(), "--resource", SERVICE + "/v1/mcp", "-p", PORT]
    process = subprocess.Popen([NODE, SUITE, "authorization", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said, is_asked = "", False
    for line in process.stdout:
        said += line
        asked = re.search(re.escape(SERVICE) + r"/dashboard/connect\?[^\s\x1b]+", line)
        if asked and not is_asked:
            is_asked = True
            browser = person.Browser(SERVICE, PEOPLE["sandbox"])
            to = person.consent(browser, asked[0], PEOPLE["email"], may_change=True)
            urllib.request.urlopen(to, timeout=60).close()
    code = process.wait(timeout=60)
    assert is_asked and code == 0 and "WARNING" not in said and "FAILURE" not in said, said
    print("conformance, authorization: passed")


main()
