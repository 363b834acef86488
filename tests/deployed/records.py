"""Records of every kind that one version writes and another one reads."""

import json
import time
from urllib.parse import urlsplit

from smoke import NOT_RESOLVED, UNRESOLVABLE, deliver
from stack import expect_equal, fail, invoke, sandbox

# The platforms of creates with an unknown outcome, and whether they have a key; the platform of an open authorization.
UNKNOWN, PENDING = {"beta_ads": True, "gamma_ads": False}, "delta_ads"
# Their access tokens live so briefly that each version refreshes those of the other. Pinterest's refresh tokens rotate.
SHORT_LIVED = {"alpha_ads": 20, "epsilon_ads": 40}
RECONCILE_TIMEOUT_S = 180


def fault(platform, operation, kind, times):
    body = {"platform": platform, "operation": operation, "fault": kind, "times": times}
    expect_equal("status of the fault", sandbox("POST", "/_sandbox/faults", body).status, 200)


def campaign(platform, name):
    body = {"name": name, "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY"}
    return {**body, "platform": platform}


class Records:
    """The records of one version, and what it answered about them."""

    def __init__(self, label, api, other, platforms):
        self.label, self.api, self.other = label, api, other
        self.write_campaigns(platforms)
        self.write_unknown_creates()
        self.write_account()
        self.read()

    def write_campaigns(self, platforms):
        self.created = {}
        # Two at one platform, so that its list has a second page.
        for number, platform in enumerate(["alpha_ads", *platforms]):
            key = f"{self.label}-{number}"
            body = campaign(platform, key)
            response = self.api.request(201, "POST", "/v1/campaigns", body, Idempotency_Key=key)
            self.created[key] = (body, response.text)

    def write_unknown_creates(self):
        """The platforms create campaigns; their responses are lost, and so are those of the searches."""
        self.unknown = {}
        for platform, has_key in UNKNOWN.items():
            fault(platform, "list", "error", 100_000)
            fault(platform, "create", "drop_after", 1)
            body = campaign(platform, f"{self.label}-unknown")
            headers = {"Idempotency_Key": body["name"]} if has_key else {}
            response = self.api.request(504, "POST", "/v1/campaigns", body, **headers)
            self.unknown[response.headers["x-request-id"]] = (body, headers)

    def write_account(self):
        uri = {"uri": f"https://example.com/{self.label}"}
        self.uri = self.api.request(201, "POST", "/v1/redirect-uris", uri).json()["data"]
        first = self.api.request(200, "GET", "/v1/connections").json()["connections"][0]
        self.labelled = first["id"]
        self.api.request(200, "PATCH", f"/v1/connections/{self.labelled}", {"label": self.label})
        endpoint = {"url": UNRESOLVABLE, "types": ["change.applied"], "description": self.label}
        self.endpoint = self.api.request(201, "POST", "/v1/webhook-endpoints", endpoint).json()
        del self.endpoint["secret"]
        path = f"/v1/connections/{PENDING}/authorize"
        self.authorize_url = self.api.request(200, "GET", path).json()["authorize_url"]
        self.checkout = self.request_checkout()
        self.other.key = self.other.request(200, "POST", "/v1/api-keys/rotate").json()["api_key"]

    def request_checkout(self):
        """A keyed request for a checkout page, by a customer without a subscription."""
        path, key = "/v1/billing/create-checkout-session", f"{self.label}-checkout"
        return self.other.request(200, "POST", path, {"plan": "pro"}, Idempotency_Key=key).text

    def read(self):
        listed = self.api.request(200, "GET", "/v1/campaigns?platform=alpha_ads&limit=1").json()
        self.campaign_cursor = listed["pagination"]["next_cursor"]
        self.campaign_rest = self.campaigns_after(self.campaign_cursor)
        logged = self.api.request(200, "GET", "/v1/usage-logs?limit=2").json()
        self.log_cursor, self.logged = logged["pagination"]["next_cursor"], logged["usage_logs"][0]
        self.log_rest = self.log_after(self.log_cursor)
        told = self.api.request(200, "GET", "/v1/events?limit=2").json()
        self.event_cursor = told["pagination"]["next_cursor"]
        self.event_rest = self.events_after(self.event_cursor)
        self.billing = self.plan()

    def campaigns_after(self, cursor):
        path = f"/v1/campaigns?platform=alpha_ads&limit=1&cursor={cursor}"
        return [one["id"] for one in self.api.request(200, "GET", path).json()["unified"]]

    def log_after(self, cursor):
        return self.api.request(200, "GET", f"/v1/usage-logs?limit=2&cursor={cursor}").json()["usage_logs"]

    def events_after(self, cursor):
        return self.api.request(200, "GET", f"/v1/events?limit=2&cursor={cursor}").json()["events"]

    def plan(self):
        status = self.api.request(200, "GET", "/v1/billing/status").json()
        return {name: value for name, value in status.items() if name in ("plan", "status", "subscription")}

    # The other version reads.

    def check(self, events):
        for platform in UNKNOWN:
            fault(platform, "list", "error", 0)
        self.check_replays()
        self.check_account()
        self.check_lists()
        for event in events:
            deliver(self.api, event)
        expect_equal("plan after repeated webhooks", self.plan(), self.billing)

    def check_replays(self):
        for key, (body, text) in self.created.items():
            replayed = self.api.request(201, "POST", "/v1/campaigns", body, Idempotency_Key=key)
            expect_equal(f"replay of {key}", replayed.text, text)
            expect_equal("Idempotent-Replayed", replayed.headers["idempotent-replayed"], "true")
            one = f"/v1/campaigns/{json.loads(text)['id']}"
            expect_equal("goal", self.api.request(200, "GET", one).json()["goal"], body["goal"])
        expect_equal("replay of a checkout", self.request_checkout(), self.checkout)

    def check_unknown_creates(self):
        """Maintenance of this version reconciles the creates of the other one, and their keys replay the campaigns."""
        deadline = time.time() + RECONCILE_TIMEOUT_S
        for request, (body, headers) in self.unknown.items():
            platform, name = body["platform"], body["name"]
            path = f"/v1/campaigns/intents/{request}"
            while (found := self.api.request(200, "GET", path).json()["targets"][0])["state"] == "unknown":
                if time.time() > deadline:
                    fail(f"the create of {name} at {platform} stays unknown")
                invoke("MaintenanceFunction")
                time.sleep(5)
            expect_equal("state of the intent", found["state"], "created")
            if headers:
                created = self.api.request(201, "POST", "/v1/campaigns", body, **headers).json()
                expect_equal("campaign of the key", created["id"], found["campaign_id"])
            held = json.dumps(sandbox("GET", f"/_sandbox/campaigns?platform={platform}").json())
            expect_equal(f"campaigns {name} at {platform}", held.count(json.dumps(name)), 1)

    def check_account(self):
        uris = self.api.request(200, "GET", "/v1/redirect-uris").json()["data"]
        expect_equal("the redirect URI is listed", self.uri in uris, True)
        self.api.request(204, "DELETE", f"/v1/redirect-uris/{self.uri['id']}")
        self.check_endpoint()
        page = urlsplit(self.authorize_url)
        callback = sandbox("POST", f"{page.path}?{page.query}", form="decision=approve").headers["location"]
        callback = urlsplit(callback)
        self.api.request(200, "GET", f"{callback.path}?{callback.query}")
        self.other.request(200, "GET", "/v1/customer/me")

    def check_endpoint(self):
        one = f"/v1/webhook-endpoints/{self.endpoint['id']}"
        expect_equal("webhook endpoint", self.api.request(200, "GET", one).json(), self.endpoint)
        # It signs with the secret of the other version before it looks for the name.
        attempt = self.api.request(200, "POST", f"{one}/test").json()["attempts"][0]
        expect_equal("error of a test event", attempt["error"], NOT_RESOLVED)
        self.api.request(204, "DELETE", one)

    def check_lists(self):
        expect_equal("campaigns after the cursor", self.campaigns_after(self.campaign_cursor), self.campaign_rest)
        expect_equal("usage log after the cursor", self.log_after(self.log_cursor), self.log_rest)
        expect_equal("events after the cursor", self.events_after(self.event_cursor), self.event_rest)
        path = f"/v1/usage-logs?request_id={self.logged['request_id']}"
        expect_equal("entry of the usage log", self.api.request(200, "GET", path).json()["usage_logs"], [self.logged])

    def check_connections(self):
        """Every connection works: tokens of the other version open, and those that have expired are refreshed."""
        time.sleep(max(SHORT_LIVED.values()))
        listed = self.api.request(200, "GET", "/v1/campaigns?limit=100").json()
        expect_equal("connections that fail", listed.get("errors", []), [])
        connections = self.api.request(200, "GET", "/v1/connections").json()["connections"]
        expect_equal("states of the connections", {one["status"] for one in connections}, {"ACTIVE"})
        labels = {one["id"]: one["label"] for one in connections}
        expect_equal("label", labels[self.labelled], self.label)
