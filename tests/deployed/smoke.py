"""The smoke test: uses a deployed stack through its API, from the first secret to the schedule.

Every function has the role that the template gives it, and the emulator enforces the role.
"""

import base64
import datetime
import hashlib
import hmac
import json
import os
import re
import subprocess
import time
from urllib.parse import urlsplit

from stack import CLOUD, PREFIX, WEBHOOK_SECRET, Api, aws, expect_equal, fail, invoke, oauth_clients, resource, sandbox

# A name that no resolver knows (RFC 6761), and what an attempt there says.
UNRESOLVABLE, NOT_RESOLVED = "https://endpoint.invalid/", "the host name does not resolve"


def put_secrets():
    """Sets the secrets, as an operator does after the first deployment."""
    ring = {"active": "k1", "keys": {"k1": base64.b64encode(os.urandom(32)).decode()}}
    provider = {
        "secret_key": os.environ["STRIPE_KEY"],
        "webhook_secrets": [WEBHOOK_SECRET],
        "prices": {plan: f"price_{plan}" for plan in ("starter", "pro", "enterprise")},
    }
    secrets = aws("secretsmanager")
    for name, value in (("token-keys", ring), ("platform-clients", oauth_clients()), ("payment-provider", provider)):
        secrets.put_secret_value(SecretId=PREFIX + name, SecretString=json.dumps(value))


def admin(*arguments):
    """Runs `gateway admin` on the deployed table; returns what it prints."""
    environment = {**os.environ, "DYNAMODB_ENDPOINT": CLOUD, "AWS_REGION": "us-east-1"}
    command = [os.environ["GATEWAY"], "admin", *arguments, "--table", resource("Table")]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    return output.stdout if output.returncode == 0 else fail(f"{arguments}: {output.stdout}{output.stderr}")


def created_key(output):
    """The API key that a command printed."""
    found = re.search(r"\buac_live_[0-9A-Za-z]{60}\b", output)
    return found.group() if found else fail(f"no key was printed: {output}")


def create_customer(email="smoke@example.com", plan="pro"):
    """Creates a customer on the command line; returns the API key."""
    return created_key(admin("create-customer", "--email", email, "--plan", plan))


def people_and_rotation(api):
    """The operator's commands for people, invitations and stolen keys."""
    owner = ("--owner", "smoke", "--issuer", "https://id.example.com")
    created = admin("create-customer", "--email", "owner@example.com", *owner)
    customer = ("--customer", re.search(r"^customer  (\S+)$", created, re.MULTILINE).group(1))
    person = admin("list-people", *customer).split()
    expect_equal("address of the person", person[-1], "owner@example.com")
    admin("invite", "--url", "https://ads.example.com", *customer)
    invitation = admin("list-invitations", *customer).split()[0]
    admin("withdraw-invitation", "--invitation", invitation, *customer)
    admin("end-sessions", *customer)
    admin("remove-person", "--person", person[0], *customer)
    expect_equal("people are left", "No people" in admin("list-people", *customer), True)
    known, api.key = api.key, created_key(created)
    admin("disable-customer", *customer)
    api.request(403, "GET", "/v1/connections")
    admin("enable-customer", *customer)
    api.request(200, "GET", "/v1/connections")
    rotated = created_key(admin("rotate-key", *customer))
    api.request(401, "GET", "/v1/connections")
    api.key = rotated
    api.request(200, "GET", "/v1/connections")
    api.key = known


def connect(api, platform):
    """Authorizes as a user does; sends the callback to the API."""
    page = api.request(200, "GET", f"/v1/connections/{platform}/authorize").json()["authorize_url"]
    page = urlsplit(page)
    consented = sandbox("POST", f"{page.path}?{page.query}", form="decision=approve")
    expect_equal("status of the consent", consented.status, 302)
    callback = urlsplit(consented.headers["location"])
    api.request(200, "GET", f"{callback.path}?{callback.query}")


def campaigns(api, platforms):
    for platform in platforms:
        connect(api, platform)
    connections = api.request(200, "GET", "/v1/connections").json()["connections"]
    expect_equal("states of the connections", {one["status"] for one in connections}, {"ACTIVE"})
    synced = api.request(200, "POST", "/v1/connections/sync").json()["synced"]
    expect_equal("number of working connections", synced, len(platforms))
    created = {}
    for platform in platforms:
        body = {"name": "Smoke", "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY"}
        body["platform"] = platform
        headers = {"Idempotency_Key": platform}
        first = api.request(201, "POST", "/v1/campaigns", body, **headers)
        again = api.request(201, "POST", "/v1/campaigns", body, **headers)
        expect_equal("response to the repeated key", again.text, first.text)
        created[platform] = first.json()["id"]
    dated_on_all(api, connections)
    listed = api.request(200, "GET", "/v1/campaigns?limit=100").json()
    expect_equal("all campaigns are listed", {one["id"] for one in listed["unified"]} >= set(created.values()), True)
    one = f"/v1/campaigns/{created['beta_ads']}"
    updated = api.request(200, "PATCH", one, {"status": "ACTIVE"}).json()
    expect_equal("status after the update", updated["status"], "ACTIVE")
    expect_equal("status after a read", api.request(200, "GET", one).json()["status"], "ACTIVE")
    api.request(204, "DELETE", one)
    api.request(404, "DELETE", one)
    label = api.request(200, "PATCH", f"/v1/connections/{connections[0]['id']}", {"label": "Spring"}).json()["label"]
    expect_equal("label", label, "Spring")
    api.request(204, "DELETE", f"/v1/connections/{connections[0]['id']}")


def dated_on_all(api, connections):
    """One create with both dates works on every platform. The service holds those of Meta and TikTok."""
    day = datetime.date.today()
    body = {"name": "Dated", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY"}
    body["start_at"] = (day + datetime.timedelta(days=2)).isoformat()
    body["end_at"] = (day + datetime.timedelta(days=9)).isoformat()
    body["targets"] = [
        {"platform": one["platform"].removesuffix("_ads").upper(), "organization_id": one["remote_account_id"]}
        for one in connections
    ]
    created = api.request(201, "POST", "/v1/campaigns", body, Idempotency_Key="dated").json()
    expect_equal("created on every platform", created["summary"]["created"], len(connections))
    listed = api.request(200, "GET", "/v1/campaigns?limit=100").json()["unified"]
    dated = [one for one in listed if one["name"] == "Dated"]
    expect_equal("campaigns without a date", [one for one in dated if None in (one["start_at"], one["end_at"])], [])
    service = {"beta_ads", "gamma_ads"}
    holders = {one["platform"]: one["end_held_by"] for one in dated}
    expected = {one["platform"]: "service" if one["platform"] in service else "platform" for one in connections}
    expect_equal("holders of the end", holders, expected)
    waiting = api.request(200, "GET", "/v1/changes?state=scheduled").json()["changes"]
    expect_equal("platforms of waiting pauses", {one["platform"] for one in waiting}, service)


def account(api):
    created = api.request(201, "POST", "/v1/redirect-uris", {"uri": "https://example.com/cb"}).json()["data"]
    expect_equal("redirect URIs", api.request(200, "GET", "/v1/redirect-uris").json()["data"], [created])
    api.request(204, "DELETE", f"/v1/redirect-uris/{created['id']}")
    endpoint = {"url": "https://example.com/webhooks", "types": ["*"]}
    made = api.request(201, "POST", "/v1/webhook-endpoints", endpoint).json()
    one = f"/v1/webhook-endpoints/{made['id']}"
    rotated = api.request(200, "POST", f"{one}/rotate-secret").json()
    expect_equal("the secret is another one", rotated.pop("secret") != made.pop("secret"), True)
    listed = api.request(200, "GET", "/v1/webhook-endpoints").json()["webhook_endpoints"]
    expect_equal("webhook endpoints", listed, [made])
    disabled = api.request(200, "PATCH", one, {"status": "disabled"}).json()
    expect_equal("webhook endpoint", api.request(200, "GET", one).json(), disabled)
    api.request(204, "DELETE", one)
    reader = api.request(201, "POST", "/v1/api-keys", {"name": "Reader", "scopes": ["read"]}).json()
    names = [one["name"] for one in api.request(200, "GET", "/v1/api-keys").json()["api_keys"]]
    expect_equal("API keys", names, ["Reader", "default"])
    api.request(204, "DELETE", f"/v1/api-keys/{reader['id']}")
    rotated = api.request(200, "POST", "/v1/api-keys/rotate").json()["api_key"]
    api.request(401, "GET", "/v1/connections")
    api.key = rotated
    entries = api.request(200, "GET", "/v1/usage-logs?limit=100").json()["usage_logs"]
    logged = {one["path"] for one in entries}
    expect_equal("paths are in the usage log", logged >= {"/v1/campaigns", "/v1/redirect-uris"}, True)


def tool(api, called, /, **arguments):
    """The answer of a tool of an agent, which must be a success."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": called, "arguments": arguments}}
    result = api.request(200, "POST", "/v1/mcp", message).json()["result"]
    expect_equal(f"{called} is refused, {result['content']}", result["isError"], False)
    return result["structuredContent"]


def agent(api):
    """An agent creates a campaign and removes it, each after a preview."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    tools = api.request(200, "POST", "/v1/mcp", message).json()["result"]["tools"]
    expect_equal("tools that are offered", {"create_campaign", "pause_campaign"} <= {tool["name"] for tool in tools}, True)
    account = next(one for one in tool(api, "list_accounts")["accounts"] if one["platform"] == "epsilon_ads")
    draft = {"connection_id": account["id"], "name": "Of an agent", "goal": "TRAFFIC", "budget_amount": 50}
    draft |= {"currency": account["currency"], "budget_period": "DAILY"}
    token = tool(api, "preview_change", kind="create", arguments=draft)["confirm_token"]
    created = tool(api, "create_campaign", **draft, confirm_token=token)
    again = tool(api, "create_campaign", **draft, confirm_token=token)
    expect_equal("the campaign of the repeated call", again["campaign"], created["campaign"])
    one = {"campaign_id": created["campaign"]["id"]}
    expect_equal("a pause of a paused campaign", tool(api, "pause_campaign", **one)["state"], "unchanged")
    token = tool(api, "preview_change", kind="delete", arguments=one)["confirm_token"]
    expect_equal("the removal", tool(api, "delete_campaign", **one, confirm_token=token)["state"], "applied")
    entries = api.request(200, "GET", "/v1/usage-logs?path=/v1/mcp").json()["usage_logs"]
    expect_equal("tools in the usage log", {"create_campaign", "pause_campaign"} <= {one["tool"] for one in entries}, True)


def documents(api):
    api.request(200, "GET", "/v1/openapi.json")
    api.request(200, "GET", "/v1/docs")
    api.request(200, "GET", "/v1/docs/campaigns")
    plain = api.request(200, "GET", "/v1/openapi.json")
    packed = api.request(200, "GET", "/v1/openapi.json", Accept_Encoding="gzip")
    expect_equal("the packed document", packed.text, plain.text)
    expect_equal("its encoding", packed.headers["content-encoding"], "gzip")
    known = api.request(304, "GET", "/v1/openapi.json", If_None_Match=plain.headers["etag"])
    expect_equal("the body of 304", known.text, "")


def monitors(api):
    """What a monitor or a client library asks: health, HEAD, and a key as a bearer token."""
    expect_equal("health", api.request(200, "GET", "/v1/health").json()["status"], "ok")
    for path in ("/v1/health", "/v1/campaigns", "/v1/usage-logs", "/v1/customer/me"):
        expect_equal(f"body of HEAD {path}", api.request(200, "HEAD", path).text, "")
    key, api.key = api.key, None
    api.request(200, "GET", "/v1/customer/me", Authorization=f"Bearer {key}")
    refused = api.request(401, "GET", "/v1/customer/me")
    expect_equal("the challenge of an endpoint", refused.headers["www-authenticate"], "Bearer")
    api.key = key


def sign_in(api):
    """What the program of an agents' host meets before a person signs in: the challenge, the metadata, its registration.

    The name of the challenge's header is measured: some gateways of AWS rename it. Then hosts begin with the metadata,
    which is at both of its well-known places.
    """
    base, resource = "https://ads.example.com", "/.well-known/oauth-protected-resource"
    key, api.key = api.key, None
    refused = api.request(401, "POST", "/v1/mcp", {})
    names = sorted(name.lower() for name in refused.headers.keys() if "authenticate" in name.lower())
    expect_equal("the header of the challenge", names, ["www-authenticate"])
    challenge = f'Bearer resource_metadata="{base}{resource}/v1/mcp", scope="campaigns"'
    expect_equal("the challenge", refused.headers["www-authenticate"], challenge)
    refused = api.request(401, "POST", "/v1/mcp", {}, Authorization="Bearer garbage")
    expect_equal("the challenge of a token", 'error="invalid_token"' in refused.headers["www-authenticate"], True)
    for path in (resource, f"{resource}/v1/mcp"):
        document = api.request(200, "GET", path)
        expect_equal(f"the resource of {path}", document.json()["resource"], f"{base}/v1/mcp")
        expect_equal(f"the pages that may read {path}", document.headers["access-control-allow-origin"], "*")
    server = api.request(200, "GET", "/.well-known/oauth-authorization-server").json()
    expect_equal("the issuer", server["issuer"], base)
    api.request(404, "GET", "/.well-known/oauth-authorization-server/v1/mcp")
    program = {"client_name": "Smoke", "redirect_uris": ["http://127.0.0.1/callback"]}
    registered = api.request(201, "POST", urlsplit(server["registration_endpoint"]).path, program)
    expect_equal("the registered program", registered.json()["redirect_uris"], program["redirect_uris"])
    for origin, status in (("https://claude.ai", 401), (base, 401), ("https://evil.example", 403)):
        api.request(status, "POST", "/v1/mcp", {}, Origin=origin)
    api.key = key
    print("smoke: the challenge of a sign-in has the header", *names)


def unknown_paths(api):
    """A request below /v1 is in the usage log; one elsewhere ends in a function that cannot write it."""
    logged = {}
    for status, method, path in ((404, "GET", "/nothing"), (404, "GET", "/v1/nothing"), (405, "PUT", "/v1/campaigns")):
        response = api.request(status, method, path)
        code = {404: "NOT_FOUND", 405: "BAD_REQUEST"}[status]
        expect_equal(f"code of {method} {path}", response.json()["code"], code)
        logged[path] = response.headers["x-request-id"]
    for path, count in (("/v1/campaigns", 1), ("/v1/nothing", 1), ("/nothing", 0)):
        expect_equal(f"entries of {path}", entries(api, logged[path], count), count)


def entries(api, request_id, wanted):
    """The number of entries of a request. They are written after the response."""
    for _ in range(50):
        found = len(api.request(200, "GET", f"/v1/usage-logs?request_id={request_id}").json()["usage_logs"])
        if found >= wanted:
            break
        time.sleep(0.1)
    return found


def access_log(api):
    stage = aws("apigatewayv2").get_stage(ApiId=api.id, StageName="$default")
    settings = stage["AccessLogSettings"]
    expect_equal("log group of the API", resource("AccessLogs") in settings["DestinationArn"], True)
    line = json.loads(settings["Format"])
    expect_equal("request id in the access log", line["request_id"], "$context.integration.requestId")


def billing(api):
    session = api.request(200, "POST", "/v1/billing/create-checkout-session", {"plan": "enterprise"}).json()
    page = urlsplit(session["checkout_url"])
    expect_equal("status of the payment", sandbox("POST", page.path, form="decision=pay").status, 303)
    for event in sandbox("GET", "/_sandbox/stripe/events").json()["events"]:
        deliver(api, json.dumps(event["event"]))
    status = api.request(200, "GET", "/v1/billing/status").json()
    expect_equal("plan in the billing status", status["plan"], "enterprise")
    api.request(200, "GET", f"/v1/billing/return?session_id={session['session_id']}")
    api.request(200, "POST", "/v1/billing/portal")
    expect_equal("plan of the customer", api.request(200, "GET", "/v1/customer/me").json()["plan"], "enterprise")


def sign(body):
    """Signs a webhook as the payment provider does."""
    timestamp = int(time.time())
    digest = hmac.new(WEBHOOK_SECRET.encode(), f"{timestamp}.{body}".encode(), hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest}"


def deliver(api, body):
    api.request(200, "POST", "/v1/billing/webhook", body, Stripe_Signature=sign(body))


def maintenance():
    schedule = aws("scheduler").get_schedule(Name=resource("MaintenanceFunctionEveryMinute"))
    expect_equal("schedule", schedule["ScheduleExpression"], "rate(1 minute)")
    invoke("MaintenanceFunction")


def deliveries(api):
    """An event starts deliveries. Their endpoint has no address, so the attempt fails, and says how."""
    schedule = aws("scheduler").get_schedule(Name=resource("DeliveriesFunctionEveryMinute"))
    expect_equal("schedule of deliveries", schedule["ScheduleExpression"], "rate(1 minute)")
    endpoint = {"url": UNRESOLVABLE, "types": ["api_key.created"]}
    endpoint = api.request(201, "POST", "/v1/webhook-endpoints", endpoint).json()["id"]
    key = api.request(201, "POST", "/v1/api-keys", {"name": "Event", "scopes": ["read"]}).json()["id"]
    starter, delivery = "the table's stream", attempted(api, endpoint)
    if delivery is None:
        starter = "an invocation, because the emulator's stream starts none"
        invoke("DeliveriesFunction")
        delivery = attempted(api, endpoint) or fail("an event was not delivered")
    expect_equal("type of the delivery", delivery["type"], "api_key.created")
    expect_equal("status of the delivery", delivery["status"], "pending")
    expect_equal("error of the attempt", delivery["attempts"][0]["error"], NOT_RESOLVED)
    event = api.request(200, "GET", "/v1/events?limit=1").json()["events"][0]
    expect_equal("event of the delivery", (event["id"], event["data"]["api_key"]["id"]), (delivery["event_id"], key))
    api.request(204, "DELETE", f"/v1/api-keys/{key}")
    api.request(204, "DELETE", f"/v1/webhook-endpoints/{endpoint}")
    print(f"smoke: deliveries were started by {starter}")


def attempted(api, endpoint):
    """The newest delivery of an endpoint, once it has an attempt; None after 20 seconds."""
    for _ in range(100):
        listed = api.request(200, "GET", f"/v1/webhook-endpoints/{endpoint}/deliveries").json()["deliveries"]
        if listed and listed[0]["attempts"]:
            return listed[0]
        time.sleep(0.2)
    return None


def roles(api):
    """Checks that the emulator enforces roles: a function fails without a permission and recovers with it."""
    iam, policy = aws("iam"), resource("UsageLogsPolicy")
    active = iam.get_policy(PolicyArn=policy)["Policy"]["DefaultVersionId"]
    document = iam.get_policy_version(PolicyArn=policy, VersionId=active)["PolicyVersion"]["Document"]
    reduced = {**document, "Statement": [one for one in document["Statement"] if "dynamodb:Query" not in one["Action"]]}
    if reduced == document:
        fail(f"the policy does not allow dynamodb:Query: {document}")
    for permissions, status in ((reduced, 500), (document, 200)):
        iam.create_policy_version(PolicyArn=policy, PolicyDocument=json.dumps(permissions), SetAsDefault=True)
        api.request(status, "GET", "/v1/usage-logs")


def main():
    put_secrets()
    api = Api()
    api.hsts = "max-age=31536000"
    platforms = [one["platform"] for one in api.request(200, "GET", "/v1/platforms").json()["platforms"]]
    expect_equal("platforms with an OAuth client", set(oauth_clients()), set(platforms))
    api.request(401, "GET", "/v1/connections")
    api.key = create_customer()
    campaigns(api, platforms)
    agent(api)
    account(api)
    people_and_rotation(api)
    documents(api)
    monitors(api)
    sign_in(api)
    unknown_paths(api)
    access_log(api)
    billing(api)
    maintenance()
    deliveries(api)
    roles(api)
    print("smoke: every function works as deployed")


if __name__ == "__main__":
    main()
