"""Google Ads: google-auth signs in; the message classes of google-ads write and read every body.

google-ads itself speaks gRPC only, so its client cannot be pointed at a REST address. Its
protobuf messages are the definition of the REST bodies: a body with a field that they do not
have, or a value of the wrong JSON type, fails the script.
"""

import json
import os
from datetime import date, timedelta
from typing import Any, TypeVar

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # plain HTTP to 127.0.0.1

import requests
from google.ads.googleads.v26.errors.types.errors import GoogleAdsFailure
from google.ads.googleads.v26.services.types.campaign_budget_service import MutateCampaignBudgetsRequest
from google.ads.googleads.v26.services.types.campaign_budget_service import MutateCampaignBudgetsResponse
from google.ads.googleads.v26.services.types.campaign_service import MutateCampaignsRequest
from google.ads.googleads.v26.services.types.campaign_service import MutateCampaignsResponse
from google.ads.googleads.v26.services.types.customer_service import ListAccessibleCustomersResponse
from google.ads.googleads.v26.services.types.google_ads_service import MutateGoogleAdsRequest
from google.ads.googleads.v26.services.types.google_ads_service import MutateGoogleAdsResponse
from google.ads.googleads.v26.services.types.google_ads_service import SearchGoogleAdsRequest
from google.ads.googleads.v26.services.types.google_ads_service import SearchGoogleAdsResponse
from google.ads.googleads.v26.services.types.google_ads_service import SearchGoogleAdsStreamRequest
from google.ads.googleads.v26.services.types.google_ads_service import SearchGoogleAdsStreamResponse
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import AuthorizedSession, Request
from google.oauth2.credentials import Credentials
from google.protobuf import json_format
from google.rpc import code_pb2, error_details_pb2, status_pb2  # error_details: Any refers to it
from google_auth_oauthlib.flow import Flow

from sandbox import CLIENTS, REDIRECT, SANDBOX, approve, control, expect, expect_equal, fail

BASE = f"{SANDBOX}/alpha_ads"
API = f"{BASE}/v26"
SCOPE = "https://www.googleapis.com/auth/adwords"
M = TypeVar("M")


def connect() -> Credentials:
    client, secret = CLIENTS["alpha_ads"]
    web = {
        "client_id": client,
        "client_secret": secret,
        "auth_uri": f"{BASE}/o/oauth2/v2/auth",
        "token_uri": f"{BASE}/token",
    }
    flow = Flow.from_client_config({"web": web}, scopes=[SCOPE], redirect_uri=REDIRECT)
    address, _ = flow.authorization_url(access_type="offline", prompt="consent")
    landed, _ = approve(address)
    flow.fetch_token(authorization_response=landed)
    return flow.credentials


def read(kind: type[M], body: Any, name: str) -> M:
    """Parses a message from JSON; an unknown field is an error."""
    message = kind()
    try:
        json_format.ParseDict(body, kind.pb(message), ignore_unknown_fields=False)
    except json_format.ParseError as error:
        fail(f"{name} is not a {kind.__name__}: {error}: {json.dumps(body)}")
    return message


class Ads:
    def __init__(self, session: AuthorizedSession, customer: str) -> None:
        self.session, self.customer = session, customer

    def post(self, method: str, message: Any) -> tuple[int, Any]:
        body = json_format.MessageToDict(type(message).pb(message))
        response = self.session.post(f"{API}/{self.customer}/{method}", json=body, timeout=10)
        expect(response.headers.get("request-id"), f"the response to {method} has no request-id")
        return response.status_code, response.json()

    def call(self, method: str, message: Any, kind: type[M]) -> M:
        status, body = self.post(method, message)
        expect_equal(f"status of {method} ({json.dumps(body)})", status, 200)
        return read(kind, body, f"the response to {method}")

    def expect_refusal(self, method: str, message: Any) -> GoogleAdsFailure:
        status, body = self.post(method, message)
        return failure(status, body, method)

    def pages(self, query: str) -> list[SearchGoogleAdsResponse]:
        pages = [self.call("googleAds:search", SearchGoogleAdsRequest(query=query), SearchGoogleAdsResponse)]
        while token := pages[-1].next_page_token:
            expect(len(pages) < 9, "the search has no last page")
            request = SearchGoogleAdsRequest(query=query, page_token=token)
            pages.append(self.call("googleAds:search", request, SearchGoogleAdsResponse))
        return pages

    def one(self, query: str) -> Any:
        rows = [row for page in self.pages(query) for row in page.results]
        expect_equal(f"number of rows of {query}", len(rows), 1)
        return rows[0]


def failure(status: int, body: Any, name: str) -> GoogleAdsFailure:
    """The failure inside the error envelope of Google's REST API."""
    error = dict(body["error"])
    expect_equal(f"code in the error of {name}", error["code"], status)
    canonical = error.pop("status")
    expect(canonical in code_pb2.Code.keys(), f"{canonical} of {name} is not a google.rpc.Code")
    envelope = status_pb2.Status()
    try:
        json_format.ParseDict(error, envelope, ignore_unknown_fields=False)
    except json_format.ParseError as mismatch:
        fail(f"the error of {name} is not a google.rpc.Status: {mismatch}: {json.dumps(body)}")
    found = GoogleAdsFailure()
    expect(envelope.details, f"the error of {name} has no details: {json.dumps(body)}")
    expect(envelope.details[0].Unpack(GoogleAdsFailure.pb(found)), f"the error of {name} is not a GoogleAdsFailure")
    return found


def creation(customer: str, name: str, micros: int) -> MutateGoogleAdsRequest:
    temporary = f"{customer}/campaignBudgets/-1"
    return MutateGoogleAdsRequest(mutate_operations=[
        {"campaign_budget_operation": {"create": {
            "resource_name": temporary,
            "amount_micros": micros,
            "delivery_method": "STANDARD",
            "explicitly_shared": False,
        }}},
        {"campaign_operation": {"create": {
            "name": name,
            "status": "PAUSED",
            "advertising_channel_type": "SEARCH",
            "campaign_budget": temporary,
            "network_settings": {"target_google_search": True, "target_search_network": False,
                                 "target_content_network": False, "target_partner_search_network": False},
            "contains_eu_political_advertising": "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING",
            "target_spend": {},
        }}},
    ])


def check_report(ads: Ads, campaigns: list[str], currency: str) -> None:
    """Delivers three days of two campaigns, and reads them by day and in total."""
    start = date.today() - timedelta(days=9)
    ids = [name.rpartition("/")[2] for name in campaigns[1:]]
    delivered = {}
    for number, campaign in enumerate(ids):
        for offset in range(3):
            day = (start + timedelta(days=offset)).isoformat()
            numbers = (1_230_000 * (offset + 1) + 10_000 * number, 1000 + offset, 10 + number, 1.5 * offset, 7.25 * offset)
            delivered[campaign, day] = numbers
            control("delivery", platform="alpha_ads", campaign_id=campaign, date=day, impressions=numbers[1],
                    clicks=numbers[2], spend=f"{numbers[0] / 1e6:.2f}", conversions=str(numbers[3]),
                    conversion_value=str(numbers[4]))
    metrics = ("metrics.cost_micros, metrics.impressions, metrics.clicks, metrics.conversions, "
               "metrics.conversions_value")
    last = (start + timedelta(days=2)).isoformat()
    query = (f"SELECT campaign.id, segments.date, {metrics} FROM campaign "
             f"WHERE segments.date BETWEEN '{start.isoformat()}' AND '{last}' ORDER BY segments.date, campaign.id")

    def numbers_of(row: Any) -> tuple[float, ...]:
        read = row.metrics
        return read.cost_micros, read.impressions, read.clicks, read.conversions, read.conversions_value

    rows = [row for page in ads.pages(query) for row in page.results]
    found = {(str(row.campaign.id), row.segments.date): numbers_of(row) for row in rows}
    expect_equal("number of rows by day", len(rows), len(delivered))
    expect_equal(f"numbers by day in {currency}", found, delivered)
    total = query.replace("segments.date, metrics", "metrics").replace("ORDER BY segments.date,", "ORDER BY")
    found = {str(row.campaign.id): numbers_of(row) for page in ads.pages(total) for row in page.results}
    for campaign in ids:
        of_days = [numbers for (owner, _), numbers in delivered.items() if owner == campaign]
        expect_equal(f"total of {campaign}", found[campaign], tuple(map(sum, zip(*of_days))))
    unlimited = ads.expect_refusal("googleAds:search", SearchGoogleAdsRequest(
        query="SELECT campaign.id, segments.date, metrics.clicks FROM campaign")).errors[0]
    expect_equal("code of a report without a range", unlimited.error_code.query_error.name, "EXPECTED_FILTERS_ON_DATE_RANGE")
    old = ads.expect_refusal("googleAds:search", SearchGoogleAdsRequest(
        query="SELECT segments.date, metrics.clicks FROM campaign WHERE segments.date = '2019-01-01'")).errors[0]
    expect_equal("code of an old day", old.error_code.date_range_error.name, "REQUESTED_DATE_GRANULARITY_NOT_SUPPORTED")


def main() -> None:
    credentials = connect()
    first = credentials.token
    credentials.refresh(Request())
    expect(credentials.token != first, "the refresh returned the same access token")
    session = AuthorizedSession(credentials)
    found = session.get(f"{API}/customers:listAccessibleCustomers", timeout=10).json()
    customers = read(ListAccessibleCustomersResponse, found, "the list of customers").resource_names
    expect(customers, "no customer is accessible")
    ads = Ads(session, customers[0])
    customer = ads.one(
        "SELECT customer.id, customer.descriptive_name, customer.currency_code, customer.time_zone, "
        "customer.manager, customer.test_account, customer.status FROM customer"
    ).customer
    expect_equal("resource name of the customer", customer.resource_name, ads.customer)
    expect(customer.currency_code and customer.time_zone, f"the customer lacks a currency or a time zone: {customer}")

    empty = ads.pages("SELECT campaign.id FROM campaign")
    expect_equal("rows of an empty list", [len(page.results) for page in empty], [0])
    created = []
    for number in range(3):
        request = creation(ads.customer, f"Official {number}", 50_000_000)
        results = ads.call("googleAds:mutate", request, MutateGoogleAdsResponse).mutate_operation_responses
        expect_equal("number of results of a create", len(results), 2)
        created.append((results[1].campaign_result.resource_name, results[0].campaign_budget_result.resource_name))
    campaign, budget = created[0]

    control("settings", platform="alpha_ads", page_size=2)
    listing = (
        "SELECT campaign.id, campaign.name, campaign.status, campaign.serving_status, campaign.primary_status, "
        "campaign.advertising_channel_type, campaign.bidding_strategy_type, campaign.start_date_time, "
        "campaign.contains_eu_political_advertising, campaign.campaign_budget, campaign_budget.amount_micros, "
        "campaign_budget.period, campaign_budget.explicitly_shared, customer.currency_code, metrics.cost_micros "
        "FROM campaign WHERE campaign.status != 'REMOVED' ORDER BY campaign.id"
    )
    pages = ads.pages(listing)
    expect_equal("rows of the pages", [len(page.results) for page in pages], [2, 1])
    expect_equal("fields in the mask", len(pages[0].field_mask.paths), 15)
    names = [row.campaign.name for page in pages for row in page.results]
    expect_equal("names", names, ["Official 0", "Official 1", "Official 2"])
    body = json_format.MessageToDict(SearchGoogleAdsStreamRequest.pb(SearchGoogleAdsStreamRequest(query=listing)))
    chunks = session.post(f"{API}/{ads.customer}/googleAds:searchStream", json=body, timeout=10).json()
    chunks = [read(SearchGoogleAdsStreamResponse, chunk, "a chunk of the stream") for chunk in chunks]
    expect_equal("rows of the stream", sum(len(chunk.results) for chunk in chunks), 3)

    mask = {"paths": ["name", "status"]}
    update = {"resource_name": campaign, "name": "Renamed", "status": "ENABLED"}
    request = MutateCampaignsRequest(operations=[{"update": update, "update_mask": mask}],
                                     response_content_type="MUTABLE_RESOURCE")
    result = ads.call("campaigns:mutate", request, MutateCampaignsResponse).results[0]
    expect_equal("updated campaign", (result.resource_name, result.campaign.name), (campaign, "Renamed"))
    update = {"resource_name": budget, "amount_micros": 70_000_000}
    request = MutateCampaignBudgetsRequest(operations=[{"update": update, "update_mask": {"paths": ["amount_micros"]}}])
    ads.call("campaignBudgets:mutate", request, MutateCampaignBudgetsResponse)
    control("spend", platform="alpha_ads", campaign_id=campaign.rpartition("/")[2], amount="3.50")
    where = listing.replace("WHERE", f"WHERE campaign.resource_name = '{campaign}' AND")
    row = ads.one(where)
    expect_equal("status", row.campaign.status.name, "ENABLED")
    expect_equal("budget", (row.campaign_budget.amount_micros, row.campaign_budget.period.name), (70_000_000, "DAILY"))
    expect_equal("cost", row.metrics.cost_micros, 3_500_000)

    check_report(ads, [resource for resource, _ in created], row.customer.currency_code)
    checked = creation(ads.customer, "Checked", 50_000_000)
    checked.validate_only = True
    results = ads.call("googleAds:mutate", checked, MutateGoogleAdsResponse).mutate_operation_responses
    expect_equal("results of a check", len(results), 0)
    expect_equal("rows after a check", sum(len(page.results) for page in ads.pages(listing)), 3)
    checked = creation(ads.customer, "Checked", 10_000)
    checked.validate_only = True
    expect(ads.expect_refusal("googleAds:mutate", checked).errors, "a check does not refuse a small budget")

    duplicate = ads.expect_refusal("googleAds:mutate", creation(ads.customer, "Official 1", 50_000_000)).errors[0]
    expect_equal("code of a duplicate name", duplicate.error_code.campaign_error.name, "DUPLICATE_CAMPAIGN_NAME")
    location = [step.field_name for step in duplicate.location.field_path_elements]
    expect_equal("location of a duplicate name", location,
            ["mutate_operations", "campaign_operation", "create", "name"])
    small = ads.expect_refusal("googleAds:mutate", creation(ads.customer, "Small", 10_000)).errors[0]
    expect(small.error_code.campaign_budget_error and small.message, f"a small budget has another error: {small}")
    unknown = SearchGoogleAdsRequest(query="SELECT campaign.nothing FROM campaign")
    query = ads.expect_refusal("googleAds:search", unknown)
    expect(query.errors[0].error_code.query_error, f"an unknown field has another error: {query}")
    control("faults", platform="alpha_ads", operation="list", fault="throttle", times=1)
    busy = ads.expect_refusal("googleAds:search", SearchGoogleAdsRequest(query=listing)).errors[0]
    expect_equal("retry delay of a throttle", busy.details.quota_error_details.retry_delay.seconds, 30)

    ads.call("campaigns:mutate", MutateCampaignsRequest(operations=[{"remove": campaign}]), MutateCampaignsResponse)
    removed = where.replace("campaign.status != 'REMOVED'", "campaign.status = 'REMOVED'")
    expect_equal("status of the removed campaign", ads.one(removed).campaign.status.name, "REMOVED")
    expect_equal("rows after a removal", sum(len(page.results) for page in ads.pages(listing)), 2)

    never = {"Authorization": "Bearer ya29.never"}  # an AuthorizedSession would refresh it
    response = requests.get(f"{API}/customers:listAccessibleCustomers", headers=never, timeout=10)
    rejected = failure(response.status_code, response.json(), "an unknown token").errors[0]
    expect_equal("code of an unknown token", rejected.error_code.authentication_error.name, "OAUTH_TOKEN_INVALID")
    client, secret = CLIENTS["alpha_ads"]
    try:
        Credentials(None, "1//never", token_uri=f"{BASE}/token", client_id=client, client_secret=secret).refresh(Request())
        fail("an unknown refresh token was accepted")
    except RefreshError as error:
        expect_equal("code of an unknown refresh token", error.args[1]["error"], "invalid_grant")


main()
print("alpha (google-ads messages, google-auth): connected, refreshed, created, listed, updated, reported, checked, removed, errors parsed: ok")
