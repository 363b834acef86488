"""Meta: facebook-business, pointed at the sandbox."""

import json
import warnings
from datetime import date, timedelta
from decimal import Decimal
from urllib.parse import urlencode

import requests
from facebook_business.adobjects.adaccount import AdAccount
from facebook_business.adobjects.adsinsights import AdsInsights
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


def check_report(account: AdAccount, ids: list[str]) -> None:
    """Delivers three days of two campaigns, and reads them by day and in total."""
    start = date.today() - timedelta(days=9)
    delivered = {}
    for number, campaign in enumerate(ids[1:]):
        for offset in range(3):
            day = (start + timedelta(days=offset)).isoformat()
            # In hundredths: spend and the value of the leads.
            numbers = (123 * (offset + 1) + number, 1000 + offset, 10 + number, offset, 725 * offset)
            delivered[campaign, day] = numbers
            control("delivery", platform="beta_ads", campaign_id=campaign, date=day, impressions=numbers[1],
                    clicks=numbers[2], spend=f"{numbers[0] // 100}.{numbers[0] % 100:02}", conversions=str(numbers[3]),
                    conversion_value=f"{numbers[4] // 100}.{numbers[4] % 100:02}")
    fields = [AdsInsights.Field.account_id, AdsInsights.Field.campaign_id, AdsInsights.Field.spend,
              AdsInsights.Field.impressions, AdsInsights.Field.clicks, AdsInsights.Field.actions,
              AdsInsights.Field.action_values]
    reach = {"since": start.isoformat(), "until": (start + timedelta(days=2)).isoformat()}
    params = {"time_range": reach, "level": AdsInsights.Level.campaign, "limit": 2}

    def leads(row: AdsInsights, field: str) -> Decimal:
        values = [action["value"] for action in row.get(field, []) if action["action_type"] == "lead"]
        return Decimal(values[0]) if values else Decimal(0)

    def numbers_of(row: AdsInsights) -> tuple[Decimal, ...]:
        return (Decimal(row["spend"]) * 100, int(row["impressions"]), int(row["clicks"]), leads(row, "actions"),
                leads(row, "action_values") * 100)

    rows = list(account.get_insights(fields=fields, params={**params, "time_increment": 1}))
    expect(all(row["account_id"] == account["id"].removeprefix("act_") for row in rows), f"foreign rows: {rows}")
    expect_equal("number of rows by day", len(rows), len(delivered))
    expect_equal("numbers by day", {(row["campaign_id"], row["date_start"]): numbers_of(row) for row in rows}, delivered)
    totals = {row["campaign_id"]: numbers_of(row) for row in account.get_insights(fields=fields, params=params)}
    for campaign in ids[1:]:
        of_days = [numbers for (owner, _), numbers in delivered.items() if owner == campaign]
        expect_equal(f"total of {campaign}", totals[campaign], tuple(map(sum, zip(*of_days))))
        one = Campaign(campaign).get_insights(fields=fields, params={"time_range": reach})[0]
        expect_equal(f"total of {campaign} by its id", numbers_of(one), totals[campaign])
        expect_equal("range", (one["date_start"], one["date_stop"]), (reach["since"], reach["until"]))
    old = {"time_range": {"since": "2019-01-01", "until": "2019-01-02"}}
    error = expect_refusal("an old range", lambda: list(account.get_insights(params=old)))
    expect_equal("code of an old range", error.api_error_code(), 3018)


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

    check_report(account, ids)
    checked = {**params, "name": "Checked", "execution_options": [Campaign.ExecutionOptions.validate_only]}
    # The library's own create reads only an id from the answer.
    answer = account.get_api_assured().call("POST", (account["id"], "campaigns"), params=checked)
    expect_equal("result of a check", answer.json(), {"success": True})
    expect_equal("campaigns after a check", len(list(account.get_campaigns())), 3)
    expect_refusal("a check of a small budget", lambda: account.create_campaign(params={**checked, "daily_budget": 1}))

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
print("beta (facebook-business): connected, created, listed, updated, reported, checked, archived, deleted, errors parsed: ok")
