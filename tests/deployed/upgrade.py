"""Updates a deployment with records to another version and back: `upgrade.py OLD_TEMPLATE NEW_TEMPLATE`."""

import json
import sys
import time
from urllib.parse import urlsplit

from deployment import Version, deploy, restart_functions, switches
from load import Load
from records import SHORT_LIVED, Records
from smoke import connect, create_customer, deliver, put_secrets
from stack import Api, expect_equal, invoke, sandbox

LOADED = "zeta_ads"


def buy_plan(api):
    """Buys a plan, and returns the events of the payment provider."""
    session = api.request(200, "POST", "/v1/billing/create-checkout-session", {"plan": "enterprise"}).json()
    page = urlsplit(session["checkout_url"])
    expect_equal("status of the payment", sandbox("POST", page.path, form="decision=pay").status, 303)
    events = [json.dumps(event["event"]) for event in sandbox("GET", "/_sandbox/stripe/events").json()["events"]]
    for event in events:
        deliver(api, event)
    return events


class Service:
    """The deployed service with its customers."""

    def __init__(self):
        self.api, self.loaded, self.other = Api(), Api(), Api()
        self.platforms = [one["platform"] for one in self.api.request(200, "GET", "/v1/platforms").json()["platforms"]]
        self.api.key = create_customer("records@example.com")
        self.loaded.key = create_customer("load@example.com", "enterprise")
        self.other.key = create_customer("other@example.com")
        for platform, seconds in SHORT_LIVED.items():
            sandbox("POST", "/_sandbox/settings", {"platform": platform, "access_token_ttl_s": seconds})
        for platform in self.platforms:
            connect(self.api, platform)
        connect(self.loaded, LOADED)
        # Slow enough that every switch of the functions meets requests in flight.
        sandbox("POST", "/_sandbox/settings", {"platform": LOADED, "latency_ms": 400})
        self.events = buy_plan(self.api)

    def check_permissions(self, load):
        """Starts every function anew and calls it, with the permissions of this moment of an update."""
        with load.paused():
            restart_functions()
            for path in ("campaigns", "connections", "billing/status", "redirect-uris", "usage-logs"):
                self.api.request(200, "GET", f"/v1/{path}")
            uri = self.api.request(201, "POST", "/v1/redirect-uris", {"uri": "https://example.com/held"}).json()["data"]
            self.api.request(204, "DELETE", f"/v1/redirect-uris/{uri['id']}")
            self.other.key = self.other.request(200, "POST", "/v1/api-keys/rotate").json()["api_key"]
            deliver(self.api, self.events[-1])
            invoke("MaintenanceFunction")


def update(service, source, target):
    """Updates under load, and checks that the target reads the records of the source."""
    print(f"upgrade: {source.name} writes records", flush=True)
    records = Records(source.name, service.api, service.other, service.platforms)
    begun = time.time()
    with Load(service.loaded.key, LOADED, service.events[-1]) as load:
        time.sleep(5)
        deploy(target, lambda: service.check_permissions(load))
        time.sleep(5)
    moments = switches(begun)
    print(f"upgrade: {target.name} replaced {source.name}: {load.sent} requests, {len(load.failed)} failed", flush=True)
    load.check_failures(moments)
    load.settle()
    records.check(service.events)
    records.check_connections()
    print(f"upgrade: {target.name} reads the records of {source.name}", flush=True)
    return records


def main():
    old, new = Version("previous", sys.argv[1]), Version("current", sys.argv[2])
    deploy(old)
    put_secrets()
    service = Service()
    update(service, old, new).check_unknown_creates()
    update(service, new, old).check_unknown_creates()


main()
