"""Pinterest: pinterest-api-sdk and the generated client under it, pointed at the sandbox."""

from base64 import b64encode
from datetime import date, datetime, timedelta, timezone
from urllib.parse import urlencode

import requests
from openapi_generated.pinterest_client.api.ad_accounts_api import AdAccountsApi
from openapi_generated.pinterest_client.api.campaigns_api import CampaignsApi
from openapi_generated.pinterest_client.configuration import Configuration
from openapi_generated.pinterest_client.exceptions import ApiException
from openapi_generated.pinterest_client.model.oauth_access_token_response_code import OauthAccessTokenResponseCode
from pinterest.ads.ad_accounts import AdAccount
from pinterest.ads.campaigns import Campaign
from pinterest.client import PinterestSDKClient
from pinterest.utils.refresh_access_token import get_new_access_token
from pinterest.utils.sdk_exceptions import SdkException

from sandbox import CLIENTS, REDIRECT, SANDBOX, approve, control, expect, expect_equal, fail

BASE = f"{SANDBOX}/epsilon_ads"
API = f"{BASE}/v5"


def connect() -> PinterestSDKClient:
    app, secret = CLIENTS["epsilon_ads"]
    query = {"client_id": app, "redirect_uri": REDIRECT, "response_type": "code", "scope": "ads:read,ads:write",
             "state": "s"}
    _, landed = approve(f"{BASE}/oauth/?{urlencode(query)}")
    expect_equal("state", landed["state"], "s")
    # The SDK lacks a call for the code exchange; its model parses the response.
    basic = b64encode(f"{app}:{secret}".encode()).decode()
    form = {"grant_type": "authorization_code", "code": landed["code"], "redirect_uri": REDIRECT}
    response = requests.post(f"{API}/oauth/token", data=form, headers={"Authorization": f"Basic {basic}"}, timeout=10)
    tokens = OauthAccessTokenResponseCode(**response.json(), _check_type=True)
    expect_equal("response type of the tokens", tokens.response_type, "authorization_code")
    access = get_new_access_token(app, secret, tokens.refresh_token, API)
    expect(access != tokens.access_token, "the refresh returned the same access token")
    try:
        get_new_access_token(app, secret, tokens.refresh_token, API)
        fail("a refresh token was accepted twice")
    except SdkException as error:
        expect_equal("status of a used refresh token", error.status, 401)
    return PinterestSDKClient(configuration=Configuration(access_token=access, host=API))


def expect_refusal(name: str, call, status: int, code: int) -> None:
    try:
        call()
    except ApiException as error:
        expect_equal(f"status of {name}", error.status, status)
        expect(f'"code":{code}' in str(error.body).replace(" ", ""), f"{name} is not {code}: {error.body}")
        return
    fail(f"{name} was not refused")


def compare_reports(client: PinterestSDKClient, account: str, campaign: str, today: date) -> None:
    """Delivers two days, the later one twice, and reads them by day and in total. Today has spent 3.50."""
    first, last = today - timedelta(days=3), today - timedelta(days=1)

    def deliver(day: date, **numbers: object) -> None:
        control("delivery", platform="epsilon_ads", campaign_id=campaign, date=day.isoformat(), **numbers)

    deliver(first, spend="12.34", impressions=4321, clicks=56, conversions="7", conversion_value="89.10")
    deliver(last, spend="99", impressions=1, clicks=1)
    deliver(last, spend="0.000001", impressions=100, clicks=0)
    columns = ["SPEND_IN_MICRO_DOLLAR", "IMPRESSION_1", "CLICKTHROUGH_1", "TOTAL_CONVERSIONS",
               "TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR"]
    windows = {"click_window_days": 30, "engagement_window_days": 30, "view_window_days": 1,
               "conversion_report_time": "TIME_OF_AD_ACTION"}

    def report(granularity: str, end: date) -> list[tuple[object, ...]]:
        ask = CampaignsApi(client).campaigns_analytics
        answer = ask(account, first, end, [campaign], columns, granularity, **windows)
        rows = [row.to_dict() if hasattr(row, "to_dict") else dict(row) for row in answer.value]
        expect(all(str(row["CAMPAIGN_ID"]) == campaign for row in rows), f"a row of another campaign: {rows}")
        return [(str(row.get("DATE", ""))[:10], *(row.get(column) for column in columns)) for row in rows]

    days = [(first.isoformat(), 12_340_000, 4321, 56, 7, 89_100_000), (last.isoformat(), 1, 100, 0, None, None),
            (today.isoformat(), 3_500_000, 0, 0, None, None)]
    expect_equal("report by day", report("DAY", today), days)
    expect_equal("report by day, without today", report("DAY", last), days[:2])
    expect_equal("report in total", report("TOTAL", today), [("", 15_840_001, 4421, 56, 7, 89_100_000)])


def main() -> None:
    client = connect()
    listed = AdAccountsApi(client).ad_accounts_list(page_size=2)
    account = AdAccount(listed["items"][0]["id"], client=client)
    expect(account.currency and account.name and account.permissions, f"unexpected account: {account}")

    def create(number: int, **more: int) -> Campaign:
        return Campaign.create(account.id, f"Official {number}", "AWARENESS", status="PAUSED", client=client,
                               daily_spend_cap=50_000_000, is_campaign_budget_optimization=True, **more)

    created = [create(number) for number in range(3)]
    campaign = created[0]
    expect_equal("campaign", (campaign.name, campaign.status, campaign.get_daily_budget()),
            ("Official 0", "PAUSED", 50_000_000))
    expect_equal("objective", str(campaign.objective_type.value), "AWARENESS")

    first, bookmark = Campaign.get_all(account.id, page_size=2, client=client)
    expect(bookmark, "there is no second page")
    second, end = bookmark.get_next()
    expect_equal("names of both pages", [one.name for one in first + second],
            ["Official 0", "Official 1", "Official 2"])
    expect(end is None, "there is a third page")
    found, _ = Campaign.get_all(account.id, campaign_ids=[created[1].id], entity_statuses=["PAUSED"], client=client)
    expect_equal("campaigns with one id", [one.id for one in found], [created[1].id])

    expect(campaign.update_fields(name="Renamed", client=client), "the name was not changed")
    expect(campaign.set_daily_budget(70_000_000), "the budget was not changed")
    expect(campaign.activate(), "the campaign was not activated")
    expect(campaign.pause(), "the campaign was not paused")
    read = Campaign(account.id, campaign.id, client=client)
    expect_equal("updated campaign", (read.name, read.status, read.get_daily_budget()),
            ("Renamed", "PAUSED", 70_000_000))

    control("spend", platform="epsilon_ads", campaign_id=campaign.id, amount="3.50")
    today = datetime.now(timezone.utc).date()
    columns = ["SPEND_IN_MICRO_DOLLAR"]
    rows = CampaignsApi(client).campaigns_analytics(account.id, today, today, [campaign.id], columns, "TOTAL").value
    expect_equal("rows of the report", len(rows), 1)
    expect_equal("report", (str(rows[0]["CAMPAIGN_ID"]), rows[0]["SPEND_IN_MICRO_DOLLAR"]), (campaign.id, 3_500_000))
    compare_reports(client, account.id, campaign.id, today)

    try:
        create(4, lifetime_spend_cap=90_000_000)
        fail("two budgets were not refused")
    except SdkException as error:
        expect(error.status.startswith("Failed with code ") and error.reason, f"unexpected refusal: {error}")
    expect_refusal("an unknown campaign", lambda: Campaign(account.id, "626700000000", client=client), 404, 30)
    expect_refusal("an unknown account", lambda: AdAccount("549700000000", client=client), 404, 2)
    unauthorized = PinterestSDKClient(configuration=Configuration(access_token="pina_never", host=API))
    expect_refusal("an unknown token", lambda: AdAccount(account.id, client=unauthorized), 401, 2)
    control("faults", platform="epsilon_ads", operation="list", fault="throttle", times=1)
    expect_refusal("a throttle", lambda: Campaign.get_all(account.id, client=client), 429, 8)

    expect(campaign.archive(), "the campaign was not archived")
    remaining, _ = Campaign.get_all(account.id, client=client)
    expect_equal("remaining campaigns", [one.name for one in remaining], ["Official 1", "Official 2"])
    archived, _ = Campaign.get_all(account.id, entity_statuses=["ARCHIVED"], client=client)
    expect_equal("archived campaigns", [one.id for one in archived], [campaign.id])


main()
print("epsilon (pinterest-api-sdk): connected, refreshed, created, listed, updated, reported, archived, errors: ok")
