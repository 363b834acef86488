"""The story of docs/sam-local.md: `story.py ROOT WORK SAM`.

It runs the smoke test of the deployed service through `sam local start-api`, and then invokes each function once.
"""

import json
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT, WORK, SAM = (Path(argument) for argument in sys.argv[1:])


def ready():
    """The line that the local service prints when it is ready."""
    for _ in range(300):
        text = (WORK / "ready.json").read_text()
        if text.endswith("\n"):
            return json.loads(text)
        time.sleep(0.2)
    sys.exit("the local service does not start: " + (WORK / "gateway.log").read_text())


SERVICE = ready()
# The scripts of the deployed service send their requests to these addresses.
os.environ |= {"CLOUD": "http://127.0.0.1:8082", "SANDBOX": "http://127.0.0.1:8081"}
os.environ["WEBHOOK_SECRET"] = SERVICE["webhook_secret"]
sys.path.insert(0, str(ROOT / "tests/deployed"))

from smoke import account, billing, campaigns, documents, unknown_paths  # noqa: E402
from stack import Api, expect_equal, fail, oauth_clients, send  # noqa: E402

# As docs/sam-local.md has it for this data folder, apart from the template and the image, which no registry serves here.
OPTIONS = ["--config-file", ROOT / "samconfig.toml", "--template", WORK / "template.json", "--skip-pull-image"]
OPTIONS += ["--env-vars", WORK / "data/env.json"]
if platform.machine() == "x86_64":
    OPTIONS += ["--parameter-overrides", "Architecture=x86_64"]

# The status of the response to each event of infra/events.
EVENTS = {
    "ApiKeysFunction": ("api-keys", 200),
    # Its refresh token is made up.
    "AssistantsFunction": ("assistants", 400),
    "BillingFunction": ("billing", 200),
    "CampaignsFunction": ("campaigns", 200),
    "ConnectionsFunction": ("connections", 200),
    "DashboardFunction": ("dashboard", 303),
    "DeliveriesFunction": ("deliveries", {"batchItemFailures": []}),
    "DocsFunction": ("docs", 200),
    "MaintenanceFunction": ("maintenance", None),
    "McpFunction": ("mcp", 200),
    "RedirectUrisFunction": ("redirect-uris", 201),
    "UsageLogsFunction": ("usage-logs", 200),
    "WebhookEndpointsFunction": ("webhook-endpoints", 201),
    # The provider's signatures are valid for five minutes.
    "WebhooksFunction": ("webhooks", 400),
}


class LocalApi(Api):
    """The API of `sam local start-api`."""

    def __init__(self):
        self.host, self.key = "127.0.0.1:8082", None


def wait_for(url):
    for _ in range(300):
        try:
            return send(url, "GET", "/")
        except OSError:
            time.sleep(0.2)
    fail(f"{url} does not answer")


def through_the_api():
    log = open(WORK / "start-api.log", "wb")
    started = subprocess.Popen([SAM, "local", "start-api", *OPTIONS], cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
    try:
        wait_for(os.environ["CLOUD"])
        api = LocalApi()
        api.request(401, "GET", "/v1/connections")
        api.key = SERVICE["api_key"]
        platforms = [one["platform"] for one in api.request(200, "GET", "/v1/platforms").json()["platforms"]]
        expect_equal("platforms with an OAuth client", set(oauth_clients()), set(platforms))
        campaigns(api, platforms)
        account(api)
        documents(api)
        unknown_paths(api)
        billing(api)
        return api.key
    finally:
        started.terminate()
        started.wait()


def invoke(function, event):
    """Invokes one function; returns its response."""
    command = [SAM, "local", "invoke", function, "--event", "-", *OPTIONS]
    run = subprocess.run(command, cwd=ROOT, input=event, capture_output=True, text=True, timeout=300)
    if run.returncode:
        fail(f"sam local invoke {function}: {run.stdout}{run.stderr}")
    return json.loads(run.stdout.strip().splitlines()[-1])


def one_by_one(key):
    template = json.loads((WORK / "template.json").read_text())["Resources"]
    functions = {name for name in template if template[name]["Type"] == "AWS::Serverless::Function"}
    expect_equal("functions with an event", set(EVENTS), functions)
    # The event of the API keys replaces the key, so it comes last.
    for function, (name, status) in sorted(EVENTS.items(), key=lambda one: one[0] == "ApiKeysFunction"):
        event = (ROOT / "infra/events" / f"{name}.json").read_text()
        response = invoke(function, re.sub(r"\bAPI_KEY\b", key, event))
        if not isinstance(status, int):
            expect_equal(f"response of {function}", response, status)
        else:
            expect_equal(f"status of {function}: {response}", response.get("statusCode"), status)


def main():
    key = through_the_api()
    print("sam local: the story holds through start-api")
    one_by_one(key)
    print(f"sam local: invoke works for {len(EVENTS)} functions")


main()
