"""The smoke story: a deployed stack, from its first secret to the schedule, through its API.

Every function works with the role that the template gives it, and the emulator holds it to that.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import subprocess
import time
from urllib.parse import urlsplit

from world import CLIENTS, CLOUD, PREFIX, WEBHOOK_SECRET, Api, aws, fail, resource, same, sandbox


def put_secrets():
    """What an operator does after the first deployment."""
    ring = {"active": "k1", "keys": {"k1": base64.b64encode(os.urandom(32)).decode()}}
    clients = {word: {"client_id": id, "client_secret": secret} for word, (id, secret) in CLIENTS.items()}
    provider = {
        "secret_key": os.environ["STRIPE_KEY"],
        "webhook_secrets": [WEBHOOK_SECRET],
        "prices": {plan: f"price_{plan}" for plan in ("starter", "pro", "enterprise")},
    }
    secrets = aws("secretsmanager")
    for name, value in (("token-keys", ring), ("platform-clients", clients), ("payment-provider", provider)):
        secrets.put_secret_value(SecretId=PREFIX + name, SecretString=json.dumps(value))


def create_customer():
    """The same on the command line: the key of a new customer."""
    environment = {**os.environ, "DYNAMODB_ENDPOINT": CLOUD, "AWS_REGION": "us-east-1"}
    command = [os.environ["GATEWAY"], "admin", "create-customer", "--table", resource("Table")]
    command += ["--email", "smoke@example.com", "--plan", "pro"]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    found = re.search(r"\buac_live_[0-9A-Za-z]{60}\b", said.stdout)
    return found.group() if found else fail(f"no key was made: {said.stdout}{said.stderr}")


def connect(api, platform):
    """Authorizes as a person does, with the callback brought to the API."""
    page = api.ask(200, "GET", f"/v1/connections/{platform}/authorize").json()["authorize_url"]
    page = urlsplit(page)
    consented = sandbox("POST", f"{page.path}?{page.query}", form="decision=approve")
    same("the status of the consent", consented.status, 302)
    back = urlsplit(consented.headers["location"])
    api.ask(200, "GET", f"{back.path}?{back.query}")


def campaigns(api):
    for platform in CLIENTS:
        connect(api, platform)
    connections = api.ask(200, "GET", "/v1/connections").json()["connections"]
    same("the states of the connections", {one["status"] for one in connections}, {"ACTIVE"})
    same("how many are in order", api.ask(200, "POST", "/v1/connections/sync").json()["synced"], len(CLIENTS))
    made = {}
    for platform in CLIENTS:
        body = {"name": "Smoke", "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY"}
        body["platform"] = platform
        headers = {"Idempotency_Key": platform}
        first = api.ask(201, "POST", "/v1/campaigns", body, **headers)
        again = api.ask(201, "POST", "/v1/campaigns", body, **headers)
        same("the second answer to a key", again.text, first.text)
        made[platform] = first.json()["id"]
    listed = api.ask(200, "GET", "/v1/campaigns?limit=100").json()
    same("the list", {one["id"] for one in listed["unified"]} >= set(made.values()), True)
    one = f"/v1/campaigns/{made['beta_ads']}"
    same("the status", api.ask(200, "PATCH", one, {"status": "ACTIVE"}).json()["status"], "ACTIVE")
    same("what is read", api.ask(200, "GET", one).json()["status"], "ACTIVE")
    api.ask(204, "DELETE", one)
    api.ask(404, "DELETE", one)
    label = api.ask(200, "PATCH", f"/v1/connections/{connections[0]['id']}", {"label": "Spring"}).json()["label"]
    same("the label", label, "Spring")
    api.ask(204, "DELETE", f"/v1/connections/{connections[0]['id']}")


def account(api):
    made = api.ask(201, "POST", "/v1/redirect-uris", {"uri": "https://example.com/cb"}).json()["data"]
    same("the URIs", api.ask(200, "GET", "/v1/redirect-uris").json()["data"], [made])
    api.ask(204, "DELETE", f"/v1/redirect-uris/{made['id']}")
    rotated = api.ask(200, "POST", "/v1/api-keys/rotate").json()["api_key"]
    api.ask(401, "GET", "/v1/connections")
    api.key = rotated
    entries = api.ask(200, "GET", "/v1/usage-logs?limit=100").json()["usage_logs"]
    same("what is logged", {one["path"] for one in entries} >= {"/v1/campaigns", "/v1/redirect-uris"}, True)
    lost = api.ask(404, "GET", "/v1/nothing").json()
    same("the code of an unknown path", lost["code"], "NOT_FOUND")
    api.ask(405, "PUT", "/v1/campaigns")


def billing(api):
    session = api.ask(200, "POST", "/v1/billing/create-checkout-session", {"plan": "enterprise"}).json()
    page = urlsplit(session["checkout_url"])
    same("the status of the payment", sandbox("POST", page.path, form="decision=pay").status, 303)
    for event in sandbox("GET", "/_sandbox/stripe/events").json()["events"]:
        deliver(api, json.dumps(event["event"]))
    same("the plan", api.ask(200, "GET", "/v1/billing/status").json()["plan"], "enterprise")
    api.ask(200, "GET", f"/v1/billing/return?session_id={session['session_id']}")
    api.ask(200, "POST", "/v1/billing/portal")
    same("the plan of the customer", api.ask(200, "GET", "/v1/customer/me").json()["plan"], "enterprise")


def deliver(api, body):
    """A webhook, signed as the payment provider signs."""
    at = int(time.time())
    digest = hmac.new(WEBHOOK_SECRET.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()
    api.ask(200, "POST", "/v1/billing/webhook", body, Stripe_Signature=f"t={at},v1={digest}")


def maintenance():
    schedule = aws("scheduler").get_schedule(Name=resource("MaintenanceFunctionEveryMinute"))
    same("the schedule", schedule["ScheduleExpression"], "rate(1 minute)")
    ran = aws("lambda").invoke(FunctionName=resource("MaintenanceFunction"), Payload=b"{}")
    if ran.get("FunctionError"):
        fail(f"maintenance: {ran['Payload'].read().decode()}")


def roles(api):
    """That roles count here: without a permission the function that needs it fails, and with it works again."""
    iam, role = aws("iam"), resource("UsageLogsRole")
    policy = iam.get_role_policy(RoleName=role, PolicyName="usage-logs")["PolicyDocument"]
    less = json.loads(json.dumps(policy).replace('"dynamodb:Query", ', "").replace('"dynamodb:Query",', ""))
    if less == policy:
        fail(f"the policy has another form than was thought: {policy}")
    for document, status in ((less, 500), (policy, 200)):
        iam.put_role_policy(RoleName=role, PolicyName="usage-logs", PolicyDocument=json.dumps(document))
        api.ask(status, "GET", "/v1/usage-logs")


def main():
    put_secrets()
    api = Api()
    platforms = api.ask(200, "GET", "/v1/platforms").json()["platforms"]
    same("the platforms", len(platforms), len(CLIENTS))
    api.ask(401, "GET", "/v1/connections")
    api.key = create_customer()
    campaigns(api)
    account(api)
    billing(api)
    maintenance()
    roles(api)
    print("smoke: the story went as it should, on six functions and the schedule's")


main()
