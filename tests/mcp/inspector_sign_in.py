"""The inspector signs in on its command line, and signs in anew: `inspector_sign_in.py NODE MODULES SIGNED_IN HOME [whole]`.

Each call is a process of its own, so one story is told in each run, and both in the whole one.
"""

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import person

NODE, MODULES, HOME = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[4])
PEOPLE = json.loads(Path(sys.argv[3]).read_text())
SERVICE, URL = PEOPLE["service"], PEOPLE["service"] + "/v1/mcp"
PACKAGE = MODULES / "node_modules" / "@modelcontextprotocol" / "inspector"
NUMBER = json.loads((PACKAGE / "package.json").read_text())["version"]
CALLBACK = "http://127.0.0.1:45876/oauth/callback"
# Its document is known here, so that no machine of another company is asked.
OPENCODE = "https://opencode.ai/oauth/opencode/client.json"
CALLBACK_OF_DOCUMENT = "http://127.0.0.1:45876/callback"


class Inspector:
    """The command line in one era, by a registration or a document. It keeps its tokens between its processes."""

    def __init__(self, era, document):
        self.flags = ["--transport", "http", "--server-url", URL, "--protocol-era", era]
        self.flags += ["--callback-url", CALLBACK_OF_DOCUMENT if document else CALLBACK]
        self.flags += ["--client-metadata-url", document] if document else []
        self.asked = []

    def run(self, *arguments, may=None, ended=(), code=0):
        """What the inspector prints. `may` is what the person allows when it asks; without it, nothing may be asked.

        The tokens `ended` work no more before a person is asked: what they allow would end them, too.
        """
        command = [NODE, PACKAGE / "clients" / "launcher" / "build" / "index.js", "--cli", *self.flags, *arguments]
        environment = os.environ | {"HOME": str(HOME), "MCP_AUTO_OPEN_ENABLED": "false", "MCP_INSPECTOR_SECRET_STORE": "file"}
        # It asks only a person at a terminal.
        keyboard, terminal = pty.openpty()
        with subprocess.Popen(command, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
            os.close(terminal)
            try:
                told = self.listen(process, may, ended)
                out = process.stdout.read()
                process.wait(timeout=60)
            finally:
                # Otherwise it waits for its person for minutes.
                process.kill()
                os.close(keyboard)
        assert process.returncode == code, f"{arguments}: {process.returncode}\n{out}\n{told}"
        # It warns of a revocation that has failed.
        assert "Warning" not in told, told
        return json.loads(out) if code == 0 else None

    def listen(self, process, may, ended):
        """Reads what it tells its person, who answers where it asks."""
        told = ""
        for line in process.stderr:
            told += line
            shown = re.search(re.escape(SERVICE) + r"/dashboard/connect\?[^\s\x1b\x07]+", line)
            if shown and shown[0] not in self.asked:
                assert may, f"the inspector asks a person although it has a token: {told}"
                self.asked.append(shown[0])
                assert not any(works(token) for token in ended), f"a revoked token works: {told}"
                to = person.consent(person.Browser(SERVICE, PEOPLE["sandbox"]), shown[0], PEOPLE["email"], may == "change")
                urllib.request.urlopen(to, timeout=60).close()
        return told

    def call(self, tool, *flags, may=None, ended=(), **arguments):
        tools = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments)]
        result = self.run(*tools, *flags, may=may, ended=ended)
        assert not result.get("isError"), result
        return result["structuredContent"]


def kept():
    """The access tokens that the inspector has kept, whichever of its files has them."""
    text = "".join(one.read_text() for one in HOME.rglob("*.json"))
    return set(re.findall(r"uat_(?:live|test)_[\w.-]+", text))


def remember_metadata():
    """The inspector keeps the metadata of the sign-in in one place, and looks for it in another when it revokes."""
    store = HOME / ".mcp-inspector" / "storage" / "oauth.json"
    kept = json.loads(store.read_text())
    server = kept["servers"][URL]
    server.setdefault("serverMetadata", server["discoveryState"]["authorizationServerMetadata"])
    store.write_text(json.dumps(kept))


def works(token):
    """Whether an access token is let in."""
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).encode()
    try:
        urllib.request.urlopen(urllib.request.Request(URL, body, headers), timeout=60).close()
    except urllib.error.HTTPError as error:
        assert error.code == 401, error
        return False
    return True


def create(inspector, account, name):
    """Creates a campaign, which the sandbox has, once and paused."""
    draft = {"connection_id": account["id"], "name": name, "goal": "TRAFFIC", "budget_amount": 25}
    draft |= {"currency": account["currency"], "budget_period": "DAILY"}
    token = inspector.call("preview_change", kind="create", arguments=draft)["confirm_token"]
    inspector.call("create_campaign", **draft, confirm_token=token)
    with urllib.request.urlopen(PEOPLE["sandbox"] + "/_sandbox/campaigns?platform=alpha_ads", timeout=60) as response:
        books = json.load(response)["campaigns"]
    assert [one["status"] for one in books if one["name"] == name] == ["PAUSED"], books


def story(era, document):
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir(parents=True)
    inspector = Inspector(era, document)
    assert inspector.call("list_accounts", may="look")["accounts"]
    # It calls only what is listed, so one that only looks never meets the challenge of a refused change.
    change = ["--method", "tools/call", "--tool-name", "pause_campaign", "--tool-args-json", "{}"]
    inspector.run(*change, code=5)
    looking = kept()
    assert looking and all(works(token) for token in looking), "a kept token does not work"
    # It signs in anew, and ends what it had.
    remember_metadata()
    [account] = inspector.call("list_accounts", "--relogin", may="change", ended=looking)["accounts"]
    assert len(inspector.asked) == 2, inspector.asked
    changing = kept()
    create(inspector, account, f"Inspector {NUMBER}, {era}")
    # It refreshes what it has kept, and asks nobody.
    assert inspector.call("list_accounts", "--use-stored-auth")["accounts"]
    assert kept() and not kept() & changing, "the inspector has not refreshed"
    way = "document" if document else "registration"
    print(f"inspector {NUMBER}, {era}: signs in by its {way}, revokes, changes and refreshes")


story("modern", OPENCODE)
if "whole" in sys.argv[5:]:
    story("legacy", None)
