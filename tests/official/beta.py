"""Meta: facebook-business, pointed at the sandbox."""

import json
import warnings
from urllib.parse import urlencode

import requests
from facebook_business.adobjects.adaccount import AdAccount
from facebook_business.adobjects.campaign import Campaign
from facebook_business.adobjects.user import User
from facebook_business.api import FacebookAdsApi
from facebook_business.exceptions import FacebookRequestError
from facebook_business.session import FacebookSession

from sandbox import CLIENTS, REDIRECT, SANDBOX, approve, control, expect, expect_equal, fail

BASE = f"{SANDBOX}/beta_ads"
FIELDS = [
    "id", "account_id", "name", "status", "configured_status", "effective_status", "objective", "daily_budget",
    "lifetime_budget", "special_ad_categories", "created_time", "updated_time",
]


def connect() -> None:
    client, secret = CLIENTS["beta_ads"]
    query = {"client_id": client, "redirect_uri": REDIRECT, "state": "s", "response_type": "code",
             "scope": "ads_management,ads_read"}
    _, landed = approve(f"{BASE}/v26.0/dialog/oauth?{urlencode(query)}")
    expect_equal("state", landed["state"], "s")
    token = {"client_id": client, "client_secret": secret}
    # The SDK starts from a token; it has no call for the exchange.
    address = f"{BASE}/v26.0/oauth/access_token"
    exchange = {**token, "redirect_uri": REDIRECT, "code": landed["code"]}
    short = requests.get(address, params=exchange, timeout=10).json()
    exchange = {**token, "grant_type": "fb_exchange_token", "fb_exchange_token": short["access_token"]}
    long = requests.get(address, params=exchange, timeout=10).json()
    expect_equal("token type", long["token_type"], "bearer")
    FacebookSession.GRAPH = BASE
    # With the secret, the SDK signs every call with an appsecret_proof.
    FacebookAdsApi.init(client, secret, long["access_token"], crash_log=False)


def expect_refusal(name: str, call) -> FacebookRequestError:
    try:
        call()
    except FacebookRequestError as error:
        expect(error.api_error_message() and error.api_error_type(), f"{name} has no message or type: {error}")
        return error
    fail(f"{name} was not refused")


def main() -> None:
    warnings.simplefilter("error")  # the SDK warns of values that its enums lack
    connect()
    accounts = list(User("me").get_ad_accounts(fields=["id", "account_id", "name", "currency", "timezone_name",
                                                       "account_status", "min_daily_budget"]))
    expect(accounts and accounts[0]["id"] == f"act_{accounts[0]['account_id']}", f"unexpected accounts: {accounts}")
    account = AdAccount(accounts[0]["id"])
    params = {"objective": Campaign.Objective.outcome_leads, "status": Campaign.Status.paused,
              "special_ad_categories": [], "daily_budget": 1234}
    ids = [account.create_campaign(params={**params, "name": f"Official {number}"})["id"] for number in range(3)]
    campaign = Campaign(ids[0])
    read = campaign.api_get(fields=FIELDS)
    expect_equal("campaign", (read["name"], read["status"], read["daily_budget"]), ("Official 0", "PAUSED", "1234"))

    cursor = account.get_campaigns(fields=FIELDS, params={"limit": 2, "effective_status": ["PAUSED", "ACTIVE"]})
    expect_equal("rows of the first page", len(cursor), 2)
    found = [one["id"] for one in cursor]  # the cursor requests the further pages itself
    expect_equal("ids of both pages", sorted(found), sorted(ids))

    campaign.api_update(params={"status": Campaign.Status.active, "daily_budget": 2222, "name": "Renamed"})
    read = campaign.api_get(fields=FIELDS)
    expect_equal("updated campaign", (read["name"], read["status"], read["daily_budget"]),
            ("Renamed", "ACTIVE", "2222"))
    campaign.api_update(params={"status": Campaign.Status.paused})
    expect_equal("status", campaign.api_get(fields=["effective_status"])["effective_status"], "PAUSED")

    expect_equal("insights without spend",
            list(campaign.get_insights(fields=["spend"], params={"date_preset": "maximum"})), [])
    control("spend", platform="beta_ads", campaign_id=ids[0], amount="3.50")
    insight = campaign.get_insights(fields=["spend", "account_currency"], params={"date_preset": "maximum"})[0]
    expect_equal("spend", (insight["spend"], insight["account_currency"]), ("3.50", accounts[0]["currency"]))
    level = {"date_preset": "maximum", "level": "campaign"}
    rows = list(account.get_insights(fields=["campaign_id", "spend"], params=level))
    expect_equal("spend by campaign", [(row["campaign_id"], row["spend"]) for row in rows], [(ids[0], "3.50")])

    error = expect_refusal("a small budget",
            lambda: account.create_campaign(params={**params, "name": "x", "daily_budget": 1}))
    expect_equal("code of a small budget", (error.api_error_code(), error.api_error_subcode()), (100, 1885272))
    expect("daily_budget" in json.dumps(error.api_blame_field_specs()), f"the error does not name the budget: {error}")
    error = expect_refusal("an unknown id", lambda: Campaign("120299999999999").api_get(fields=["name"]))
    expect_equal("code of an unknown id", (error.api_error_code(), error.api_error_subcode()), (100, 33))
    control("faults", platform="beta_ads", operation="get", fault="throttle", times=1)
    error = expect_refusal("a throttle", lambda: campaign.api_get(fields=["name"]))
    expect_equal("code of a throttle", error.api_error_code(), 80004)
    expect("x-business-use-case-usage" in {name.lower() for name in error.http_headers()},
            "the throttle has no usage header")

    Campaign(ids[1]).api_update(params={"status": Campaign.Status.archived})
    expect_equal("archived campaigns",
            [one["id"] for one in account.get_campaigns(params={"effective_status": ["ARCHIVED"]})], [ids[1]])
    campaign.api_delete()
    expect_equal("status of the deleted campaign", campaign.api_get(fields=["effective_status"])["effective_status"],
            "DELETED")
    expect_equal("remaining ids", [one["id"] for one in account.get_campaigns(fields=["id"])], [ids[2]])
    User("me").delete_permissions()
    error = expect_refusal("a revoked token", lambda: campaign.api_get(fields=["name"]))
    expect_equal("code of a revoked token", error.api_error_code(), 190)


main()
print("beta (facebook-business): connected, created, listed, updated, archived, deleted, errors parsed: ok")
