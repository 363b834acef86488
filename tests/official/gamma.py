"""TikTok: tiktok-business-api-sdk-official, pointed at the sandbox."""

import json
import re
from typing import Any
from urllib.parse import urlencode

import business_api_client as sdk
from business_api_client.models.filtering_report_integrated_get import FilteringReportIntegratedGet
from business_api_client.tiktok_business.tiktok_code import NumericErrorCodes
from business_api_client.tiktok_business.tiktok_exceptions import TiktokSDKError

from sandbox import CLIENTS, REDIRECT, SANDBOX, approve, control, expect, expect_equal, fail

BASE = f"{SANDBOX}/gamma_ads"


def expect_refusal(name: str, code: int, call) -> None:
    try:
        call()
    except TiktokSDKError as error:
        # The exception has the code only in its text.
        found = re.match(r"Error Code: (\d+), message: .+, request_id: .+", str(error))
        expect(found, f"{name}: no code, message and request_id in {error}")
        expect_equal(f"code of {name}", int(found[1]), code)
        return
    fail(f"{name} was not refused")


def main() -> None:
    configuration = sdk.Configuration()
    configuration.host = BASE
    client = sdk.ApiClient(configuration)
    signing, accounts = sdk.AuthenticationApi(client), sdk.AccountManagementApi(client)
    campaigns, reports = sdk.CampaignCreationApi(client), sdk.ReportingApi(client)

    app, secret = CLIENTS["gamma_ads"]
    query = {"app_id": app, "state": "s", "redirect_uri": REDIRECT}
    _, landed = approve(f"{BASE}/portal/auth?{urlencode(query)}")
    expect_equal("state", landed["state"], "s")
    body = sdk.Oauth2AccessTokenBody(app_id=app, secret=secret, auth_code="never")
    expect_refusal("an unknown code", NumericErrorCodes.ERROR_CODE_AUTH_CODE_ERROR,
            lambda: signing.oauth2_access_token(body=body))
    body = sdk.Oauth2AccessTokenBody(app_id=app, secret=secret, auth_code=landed["auth_code"])
    data = signing.oauth2_access_token(body=body)["data"]
    token, account = data["access_token"], data["advertiser_ids"][0]
    listed = signing.oauth2_advertiser_get(app, secret, token)["data"]["list"]
    expect_equal("advertisers", [one["advertiser_id"] for one in listed], [account])
    fields = ["advertiser_id", "name", "currency", "timezone", "status"]
    info = accounts.advertiser_info([account], token, fields=fields)["data"]["list"]
    expect_equal("advertiser", (info[0]["advertiser_id"], sorted(info[0])), (account, sorted(fields)))

    # The model sets rta_bid_enabled to false by default; the sandbox rejects the field.
    def create(name: str, **more: Any) -> dict[str, Any]:
        body = {"advertiser_id": account, "campaign_name": name, "objective_type": "TRAFFIC", "budget": 60.5,
                "budget_mode": "BUDGET_MODE_DAY", "budget_optimize_on": False, "operation_status": "DISABLE",
                "rta_bid_enabled": None, **more}
        return campaigns.campaign_create(token, body=sdk.CampaignCreateBody(**body))["data"]

    ids = [create(f"Official {number}")["campaign_id"] for number in range(3)]
    ids.append(create("Official 3", request_id="9007199254740993")["campaign_id"])
    expect_refusal("a repeated request_id", NumericErrorCodes.ERROR_CODE_DUPLICATED_REQUEST,
            lambda: create("Official 3", request_id="9007199254740993"))

    def get(**more: Any) -> dict[str, Any]:
        return campaigns.campaign_get(account, token, **more)["data"]

    def one(campaign: str) -> dict[str, Any]:
        fields = ["campaign_id", "campaign_name", "operation_status", "secondary_status", "budget", "budget_mode",
                  "objective_type", "create_time", "modify_time"]
        found = get(filtering=sdk.FilteringCampaignGet(campaign_ids=[campaign]), fields=fields)["list"]
        expect_equal("number of campaigns with one id", len(found), 1)
        return found[0]

    read = one(ids[0])
    expect_equal("campaign", (read["campaign_name"], read["budget"]), ("Official 0", 60.5))
    pages = [get(page=page, page_size=3) for page in (1, 2)]
    expect_equal("ids of both pages", [row["campaign_id"] for page in pages for row in page["list"]], ids[::-1])
    expect_equal("page info", pages[1]["page_info"], {"page": 2, "page_size": 3, "total_number": 4, "total_page": 2})

    body = {"advertiser_id": account, "campaign_id": ids[0], "campaign_name": "Renamed", "budget": 75}
    campaigns.campaign_update(token, body=sdk.CampaignUpdateBody(**body))

    def set_status(status: str) -> None:
        body = sdk.CampaignStatusUpdateBody(advertiser_id=account, campaign_ids=[ids[0]], operation_status=status)
        data = campaigns.campaign_status_update(token, body=body)["data"]
        expect_equal("campaigns with a new status", data["campaign_ids"], [ids[0]])

    for status in ("ENABLE", "DISABLE", "ENABLE"):
        set_status(status)
        expect_equal("status", one(ids[0])["operation_status"], status)
    expect_equal("updated campaign", (one(ids[0])["campaign_name"], one(ids[0])["budget"]), ("Renamed", 75))

    control("spend", platform="gamma_ads", campaign_id=ids[0], amount="3.50")
    # The SDK sends a bool as "True"; the sandbox takes only "true".
    wanted = [FilteringReportIntegratedGet("campaign_ids", "IN", json.dumps(ids[:1]))]
    report = reports.report_integrated_get(
        "BASIC", token, advertiser_id=account, data_level="AUCTION_CAMPAIGN", dimensions=["campaign_id"],
        metrics=["spend"], query_lifetime="true", filtering=wanted, page=1, page_size=10,
    )["data"]["list"]
    expect_equal("report", report, [{"dimensions": {"campaign_id": ids[0]}, "metrics": {"spend": "3.50"}}])

    days = {"2026-10-01": ("12.34", 1500, 31, 2), "2026-10-02": ("0.66", 20, 0, 0), "2026-10-03": ("7.00", 9, 1, 1)}
    # The third day is set twice: the second time in place of the first.
    for date, (spend, impressions, clicks, conversions) in [("2026-10-03", ("1", 1, 1, 1)), *days.items()]:
        control("delivery", platform="gamma_ads", campaign_id=ids[1], date=date, spend=spend, impressions=impressions,
                clicks=clicks, conversions=str(conversions))

    def delivered(dimensions: list[str], first: str, last: str, **more: Any) -> dict[str, Any]:
        return reports.report_integrated_get(
            "BASIC", token, advertiser_id=account, data_level="AUCTION_CAMPAIGN", dimensions=dimensions,
            metrics=["spend", "impressions", "clicks", "conversion"], start_date=first, end_date=last, **more)["data"]

    def row(numbers: tuple[str, int, int, int], **day: str) -> dict[str, Any]:
        spend, impressions, clicks, conversions = numbers
        metrics = {"spend": spend, "impressions": str(impressions), "clicks": str(clicks), "conversion": str(conversions)}
        return {"dimensions": {"campaign_id": ids[1], **day}, "metrics": metrics}

    by_day = ["campaign_id", "stat_time_day"]
    expected = [row(numbers, stat_time_day=f"{date} 00:00:00") for date, numbers in days.items()]
    expect_equal("days", delivered(by_day, "2026-09-30", "2026-10-04")["list"], expected)
    paged = [delivered(by_day, "2026-09-30", "2026-10-04", page=page, page_size=2) for page in (1, 2)]
    expect_equal("days of both pages", [one for page in paged for one in page["list"]], expected)
    expect_equal("pages of days", paged[1]["page_info"]["total_page"], 2)
    totals = delivered(["campaign_id"], "2026-09-30", "2026-10-04")["list"]
    expect_equal("sum of the days", totals, [row(("20.00", 1529, 32, 3))])
    expect_refusal("a report of 31 days", NumericErrorCodes.ERROR_CODE_PARAM_ERROR,
            lambda: delivered(by_day, "2026-10-01", "2026-10-31"))

    expect_refusal("a small budget", NumericErrorCodes.ERROR_CODE_PARAM_ERROR, lambda: create("Small", budget=1))
    expect_refusal("an unknown advertiser", NumericErrorCodes.ERROR_CODE_ADVERTISER_NOT_EXIST,
            lambda: campaigns.campaign_get("7301002003004999999", token))
    expect_refusal("an unknown token", NumericErrorCodes.ERROR_CODE_INVALID_ACCESS_TOKEN,
            lambda: campaigns.campaign_get(account, "never"))
    control("faults", platform="gamma_ads", operation="list", fault="throttle", times=1)
    expect_refusal("a throttle", NumericErrorCodes.ERROR_CODE_REQUEST_TOO_FREQUENT, get)

    set_status("DELETE")
    expect_equal("number of remaining campaigns", get()["page_info"]["total_number"], 3)
    deleted = get(filtering=sdk.FilteringCampaignGet(primary_status="STATUS_DELETE"))["list"]
    expect_equal("deleted campaigns", [row["campaign_id"] for row in deleted], [ids[0]])


main()
print("gamma (tiktok-business-api-sdk-official): connected, created, listed, updated, reported, deleted, errors parsed: ok")
