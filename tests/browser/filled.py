"""A customer with a large account: 46 ad accounts, 60 campaigns that have delivered, and two platforms that fail."""

import json
import re
import urllib.error
import urllib.request

# What each platform has beside its first ad account.
MORE = {
    "alpha_ads": 7,
    "beta_ads": 8,
    "gamma_ads": 7,
    "delta_ads": 6,
    "epsilon_ads": 6,
    "zeta_ads": 6,
}
CURRENCIES = ("USD", "EUR", "USD", "GBP")
NAMES = ("Spring sale", "Autumn coats", "Brand", "Retargeting", "Newsletter", "Harbour launch", "Weekend", "Lookalikes")
CAMPAIGNS = 60


def post(url, body, headers=(), method="POST"):
    headers = {"Content-Type": "application/json", **dict(headers)}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method=method)
    try:
        return json.load(urllib.request.urlopen(request, timeout=60))
    except urllib.error.HTTPError as error:
        raise SystemExit("%s %s: %s" % (method, url, error.read().decode())) from error


def get(url, key):
    return json.load(urllib.request.urlopen(urllib.request.Request(url, headers={"X-API-Key": key}), timeout=60))


def fill(page, service, sandbox, key):
    """Connects all ad accounts in the browser, creates the campaigns by the API, and lets them deliver for 40 days."""
    for platform, more in MORE.items():
        for number in range(more):
            post(sandbox + "/_sandbox/accounts", {"platform": platform, "currency": CURRENCIES[number % len(CURRENCIES)]})
    page.goto(service + "/dashboard/connections")
    for number in range(len(MORE)):
        page.get_by_role("button", name=re.compile("^Connect ")).nth(number).click()
        for box in page.locator("input[name=account]").all():
            box.check()
        page.get_by_role("button", name="Approve").click()
        page.wait_for_url("**/dashboard/connections**")
    connections = get(service + "/v1/connections", key)["connections"]
    # Some of the imitated accounts refuse campaigns, which their marks tell.
    plain = {one["id"].removeprefix("act_") for one in get(sandbox + "/_sandbox/accounts", key)["accounts"] if not one["marks"]}
    usable = [one for one in connections if one["status"] == "ACTIVE" and one["remote_account_id"] in plain]
    for number in range(CAMPAIGNS):
        create(service, key, usable[number % len(usable)], number)
    for platform in MORE:
        post(sandbox + "/_sandbox/delivery", {"platform": platform, "seed": 7, "days": 40})
    return connections


def create(service, key, connection, number):
    """Creates a campaign, and activates two of three."""
    body = {
        "name": "%s %d" % (NAMES[number % len(NAMES)], number + 1),
        "goal": "TRAFFIC",
        "platform": connection["platform"],
        "connection_id": connection["id"],
        "budget_amount": (50 + number) * (100 if connection["currency"] == "JPY" else 1),
        "budget_period": "DAILY",
    }
    headers = {"X-API-Key": key, "Idempotency-Key": "filled-%d" % number}
    campaign = post(service + "/v1/campaigns", body, headers)
    if number % 3:
        url = "%s/v1/campaigns/%s" % (service, campaign["id"])
        post(url, {"status": "ACTIVE"}, {"X-API-Key": key}, "PATCH")


# Why a campaign of each platform stands still: ads, a hold and whether it is of the account, and what a person reads.
CAUSES = {
    "alpha_ads": (["rejected", "rejected"], None, "2 ads rejected", "A review has rejected ads."),
    "beta_ads": (["approved"], ("account", "billing"), "the ad account cannot pay", "Mend its payment method"),
    "gamma_ads": (["approved"], ("campaign_id", "budget_spent"), "budget used up", "Its budget is used up."),
    "delta_ads": (["approved"], ("campaign_id", "audience"), "it reaches too few people", "Widen them at the platform."),
    "epsilon_ads": (["in_review"], None, "1 ad in review", "The platform reviews its ads."),
    "zeta_ads": (["paused"], None, "1 ad switched off", "Its ads, or the groups that hold them, are switched off."),
}


def stop(sandbox, on=True):
    """Stops an active campaign of each platform, or lets all run again. Returns what a person reads of each, by name."""
    stopped = {}
    for platform, (ads, hold, line, advice) in CAUSES.items():
        url = "%s/_sandbox/campaigns?platform=%s" % (sandbox, platform)
        campaigns = json.load(urllib.request.urlopen(url, timeout=60))["campaigns"]
        one = next(campaign for campaign in campaigns if campaign["status"] in ("ACTIVE", "ENABLED", "ENABLE"))
        post(sandbox + "/_sandbox/ads", {
            "platform": platform, "campaign_id": one["id"], "ads": ads if on else ["approved"],
        })
        if hold:
            of, word = hold
            held = one["account"] if of == "account" else one["id"]
            post(sandbox + "/_sandbox/hold", {"platform": platform, of: held, "hold": word if on else None})
        stopped[one["name"]] = (line, advice)
    return stopped


def fail(sandbox, on=True):
    """Lets one platform answer late and another one throttle, or both answer again."""
    times = 100_000 if on else 0
    late = {"platform": "gamma_ads", "operation": "any", "fault": "slow", "times": times, "ms": 30_000}
    throttled = {"platform": "epsilon_ads", "operation": "any", "fault": "throttle", "times": times}
    for fault in (late, throttled):
        post(sandbox + "/_sandbox/faults", fault)
