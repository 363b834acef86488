"""The hand-written part, without a service: `python -m unittest discover tests`."""

import asyncio
import base64
import hashlib
import hmac
import json
import unittest
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx

from unified_ads import (
    ApiError,
    AwaitingApproval,
    Patience,
    RetryTransport,
    SignatureError,
    expect,
    flat_client,
    outcome,
    pages,
    read_json,
    verify_webhook,
)
from unified_ads.amounts import write_json
from unified_ads.flat.api.campaigns import create_campaign, list_campaigns, update_campaign
from unified_ads.flat.models import (
    CurrencyLimit,
    FlatBudgetPeriod,
    FlatCampaign,
    FlatCampaignList,
    FlatCreate,
    FlatGoal,
    FlatUpdate,
    Platform,
)
from unified_ads.transport import rate_wait, takes_key

MAX_WAIT = Patience().max_wait

CAMPAIGNS = "http://ads.test/v1/campaigns"


def error(status: int, code: str, retryable: bool, **headers: str) -> httpx.Response:
    body = {"error": "No.", "code": code, "timestamp": 1, "request_id": "r", "retryable": retryable}
    return httpx.Response(status, json=body, headers={"x-request-id": "r", **headers})


class Played:
    """Answers with these responses in turn, and remembers the requests and the waits."""

    def __init__(self, answers: Iterable[httpx.Response | Exception]) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def transport(self, **patience: Any) -> RetryTransport:
        mock = httpx.MockTransport(self)
        return RetryTransport(mock, mock, patience=Patience(**patience), sleep=self.waits.append)

    def send(self, method: str, url: str, **more: str) -> httpx.Response:
        with httpx.Client(transport=self.transport()) as client:
            return client.request(method, url, headers=more)

    def keys(self) -> set[str | None]:
        return {request.headers.get("idempotency-key") for request in self.requests}


class Retries(unittest.TestCase):
    def test_a_create_is_sent_again_under_the_same_key(self) -> None:
        played = Played([httpx.ReadTimeout("lost"), error(504, "PLATFORM_ERROR", True), httpx.Response(201, json={})])
        self.assertEqual(played.send("POST", CAMPAIGNS).status_code, 201)
        self.assertEqual(len(played.requests), 3)
        self.assertEqual(len(played.keys()), 1)
        self.assertNotIn(None, played.keys())

    def test_the_key_of_the_caller_stays(self) -> None:
        played = Played([httpx.Response(201, json={})])
        played.send("POST", CAMPAIGNS, **{"Idempotency-Key": "mine"})
        self.assertEqual(played.keys(), {"mine"})

    def test_a_post_without_a_key_is_not_sent_again_after_a_lost_response(self) -> None:
        for lost in (httpx.ReadTimeout("lost"), httpx.Response(503, json={"message": "Service Unavailable"})):
            played = Played([lost])
            with self.assertRaises((httpx.ReadTimeout, ApiError)):
                played.send("POST", "http://ads.test/v1/api-keys")
            self.assertEqual(played.keys(), {None})

    def test_retry_after_is_obeyed_and_a_long_one_is_raised(self) -> None:
        limited = {"retry-after": "7"}
        played = Played([error(429, "RATE_LIMITED", True, **limited), httpx.Response(200, json={})])
        played.send("GET", CAMPAIGNS)
        self.assertIn(7.0, played.waits)
        played = Played([error(429, "RATE_LIMIT_EXCEEDED", True, **{"retry-after": str(int(MAX_WAIT) + 1)})])
        with self.assertRaises(ApiError) as raised:
            played.send("GET", CAMPAIGNS)
        self.assertEqual(
            (raised.exception.code, raised.exception.retry_after), ("RATE_LIMIT_EXCEEDED", int(MAX_WAIT) + 1)
        )

    def test_an_error_that_a_retry_cannot_help_is_raised_at_once(self) -> None:
        played = Played([error(422, "PLATFORM_ERROR", False)])
        with self.assertRaises(ApiError):
            played.send("POST", CAMPAIGNS)

    def test_it_gives_up_after_four_attempts(self) -> None:
        played = Played([httpx.ConnectError("refused")] * 4)
        with self.assertRaises(httpx.ConnectError):
            played.send("GET", CAMPAIGNS)
        self.assertEqual(played.answers, [])

    def test_attempts_and_waits_are_those_of_the_client(self) -> None:
        played = Played([httpx.ConnectError("refused")] * 2)
        with self.assertRaises(httpx.ConnectError), httpx.Client(transport=played.transport(attempts=2)) as http:
            http.get(CAMPAIGNS)
        self.assertEqual(played.answers, [])
        played = Played([httpx.ConnectError("refused"), httpx.Response(200)])
        with httpx.Client(transport=played.transport(first_wait=8.0)) as http:
            http.get(CAMPAIGNS)
        self.assertTrue(4.0 <= max(played.waits) <= 8.0, played.waits)
        once = Played([httpx.ConnectError("refused")])
        client = flat_client("uac_test_x", "http://ads.test/v1", attempts=1, transport=httpx.MockTransport(once))
        with self.assertRaises(httpx.ConnectError):
            list_campaigns.sync(client=client)
        patient = Played([error(429, "RATE_LIMITED", True, **{"retry-after": "1"})])
        client = flat_client("uac_test_x", "http://ads.test/v1", max_wait=0.5, transport=httpx.MockTransport(patient))
        with self.assertRaises(ApiError):
            list_campaigns.sync(client=client)
        with self.assertRaises(ValueError):
            flat_client("uac_test_x", "http://ads.test/v1", attempts=0)

    def test_it_does_the_same_with_asyncio(self) -> None:
        played = Played([error(502, "PLATFORM_ERROR", True, **{"retry-after": "0"}), httpx.Response(201, json={})])

        async def create() -> int:
            async with httpx.AsyncClient(transport=played.transport()) as client:
                return (await client.post(CAMPAIGNS)).status_code

        self.assertEqual(asyncio.run(create()), 201)
        self.assertEqual(len(played.keys()), 1)


class Headers(unittest.TestCase):
    def test_a_used_up_rate_waits_for_one_request(self) -> None:
        policy = {"ratelimit-policy": '"rate";q=6;w=6, "quota";q=9;w=9'}
        used_up = httpx.Response(200, headers={"ratelimit": '"rate";r=0;t=6, "quota";r=1;t=9', **policy})
        self.assertEqual(rate_wait(used_up), 1.0)
        self.assertEqual(rate_wait(httpx.Response(200, headers={"ratelimit": '"rate";r=1;t=5', **policy})), 0.0)
        played = Played([used_up, httpx.Response(200)])
        transport = played.transport()
        with httpx.Client(transport=transport) as client:
            client.get(CAMPAIGNS)
            client.get(CAMPAIGNS)
        self.assertTrue(0.5 < max(played.waits) <= 1.0, played.waits)

    def test_only_what_takes_a_key_gets_one(self) -> None:
        for method, path in [("POST", ""), ("PATCH", "/a_1"), ("DELETE", "/a_1"), ("POST", "/status")]:
            self.assertTrue(takes_key(httpx.Request(method, CAMPAIGNS + path)), (method, path))
        for method, path in [("GET", ""), ("POST", "?dry_run=true"), ("GET", "/a_1"), ("GET", "/status/blk_1")]:
            self.assertFalse(takes_key(httpx.Request(method, CAMPAIGNS + path)), (method, path))


def draft(budget: Decimal | int) -> FlatCreate:
    return FlatCreate(
        name="A",
        goal=FlatGoal.TRAFFIC,
        budget_amount=budget,
        budget_period=FlatBudgetPeriod.DAILY,
        platform=Platform.ALPHA_ADS,
    )


def example(name: str) -> Any:
    """An answer of the document in the repository."""
    document = Path(__file__).parents[3] / "docs" / "openapi.flat.json"
    return json.loads(document.read_text())["components"]["examples"][name]["value"]


class Amounts(unittest.TestCase):
    def sent(self, budget: Decimal | int) -> str:
        played = Played([httpx.Response(202, json=example("AwaitingFlatCreate"))])
        client = flat_client("uac_test_x", "http://ads.test/v1", transport=httpx.MockTransport(played))
        create_campaign.sync(client=client, body=draft(budget))
        return played.requests[0].content.decode()

    def test_an_amount_is_sent_with_its_digits(self) -> None:
        written: list[tuple[Decimal | int, str]] = [
            (Decimal("9007199254740993.1"), "9007199254740993.1"),
            (Decimal("0.000001"), "0.000001"),
            (Decimal("1E+2"), "100"),
            (50, "50"),
        ]
        for budget, text in written:
            self.assertIn(f'"budget_amount":{text},', self.sent(budget))

    def test_a_float_is_refused_with_what_to_write(self) -> None:
        wrong: Any = 49.9
        for refused in (
            lambda: draft(wrong),
            lambda: FlatUpdate(budget_amount=wrong),
            lambda: CurrencyLimit(currency="USD", daily=1, per_change=wrong),
            lambda: setattr(draft(50), "budget_amount", wrong),
            lambda: write_json({"budget_amount": wrong}),
        ):
            with self.assertRaises(TypeError) as raised:
                refused()
            self.assertIn('write Decimal("49.9") or an int', str(raised.exception))
        for other in ("50", True, None):
            with self.assertRaises(TypeError):
                draft(other)  # type: ignore[arg-type]
        with self.assertRaises(ValueError):
            draft(Decimal("NaN"))

    def test_an_amount_is_read_with_its_digits(self) -> None:
        body = json.dumps({**example("FlatCampaign"), "budget_amount": 0}).replace(
            '"budget_amount": 0', '"budget_amount": 9007199254740993.1'
        )
        played = Played([httpx.Response(201, text=body)])
        client = flat_client("uac_test_x", "http://ads.test/v1", transport=httpx.MockTransport(played))
        created = expect(FlatCampaign, create_campaign.sync(client=client, body=draft(50)))
        self.assertEqual(created.budget_amount, Decimal("9007199254740993.1"))
        again = FlatCampaign.from_dict(read_json(write_json(created.to_dict())))
        self.assertEqual(again.budget_amount, created.budget_amount)

    def test_all_json_is_written_as_by_the_standard_library(self) -> None:
        value = {"a": [1, True, None, 'é"\n'], "b": {}, "c": [], "d": -7}
        self.assertEqual(json.loads(write_json(value)), value)


class Approval(unittest.TestCase):
    def test_a_change_that_waits_is_a_result(self) -> None:
        answer = example("AwaitingFlatCreate")
        played = Played([httpx.Response(202, json=answer) for _ in range(2)])
        client = flat_client("uac_test_x", "http://ads.test/v1", transport=httpx.MockTransport(played))
        found = outcome(FlatCampaign, create_campaign.sync(client=client, body=draft(90)))
        assert isinstance(found, AwaitingApproval), found
        self.assertEqual((found.change_id, found.approval_url), (answer["id"], answer["approval_url"]))
        with self.assertRaisesRegex(TypeError, "it waits for a person, which `outcome` returns"):
            expect(FlatCampaign, create_campaign.sync(client=client, body=draft(90)))

    def test_a_scheduled_change_does_not_wait_for_a_person(self) -> None:
        played = Played([httpx.Response(202, json=example("ScheduledFlatChange"))])
        client = flat_client("uac_test_x", "http://ads.test/v1", transport=httpx.MockTransport(played))
        with self.assertRaises(TypeError):
            outcome(FlatCampaign, update_campaign.sync("alpha_1_1", client=client, body=FlatUpdate(budget_amount=1)))


class Errors(unittest.TestCase):
    def test_an_error_tells_its_first_detail_once(self) -> None:
        details = [{"field": "budget_amount", "message": "must be a number."}, {"field": "name", "message": "No."}]
        short = {"error": "Two fields.", "code": "VALIDATION_ERROR", "details": details}
        self.assertEqual(
            str(ApiError(httpx.Response(400, json=short, headers={"x-request-id": "r"}))),
            "400 VALIDATION_ERROR: Two fields. budget_amount: must be a number. (request r)",
        )
        told = {**short, "error": "budget_amount must be a number. One more is in details."}
        self.assertEqual(str(ApiError(httpx.Response(400, json=told))).count("must be a number"), 1)

    def test_both_shapes_and_a_gateway_are_read(self) -> None:
        nested = {
            "code": "CONFLICT",
            "reason": "R",
            "message": "No.",
            "retryable": True,
            "requestId": "r",
            "platform": "ALPHA",
        }
        found = ApiError(httpx.Response(409, json={"error": nested}, headers={"x-request-id": "r"}))
        self.assertEqual((found.code, found.reason, found.message), ("CONFLICT", "R", "No."))
        self.assertEqual((found.retryable, found.platform, found.request_id), (True, "ALPHA", "r"))
        found = ApiError(error(400, "VALIDATION_ERROR", False))
        self.assertEqual(
            (found.status, found.code, found.message, found.is_ours), (400, "VALIDATION_ERROR", "No.", True)
        )
        found = ApiError(httpx.Response(503, text="<html>", headers={"apigw-requestid": "g"}))
        self.assertEqual((found.code, found.request_id, found.is_ours), (None, "g", False))


class Pages(unittest.TestCase):
    def test_pages_are_read_to_the_end_also_behind_an_empty_one(self) -> None:
        def page(cursor: str | None) -> httpx.Response:
            pagination = {"next_cursor": cursor, "has_more": cursor is not None}
            return httpx.Response(200, json={"unified": [], "pagination": pagination})

        played = Played([page("a"), page("b"), page(None)])
        client = flat_client("uac_test_x", "http://ads.test/v1", transport=httpx.MockTransport(played))
        self.assertEqual(len(list(pages(FlatCampaignList, list_campaigns.sync, client=client, limit=1))), 3)
        self.assertEqual([request.url.params.get("cursor") for request in played.requests], [None, "a", "b"])
        self.assertEqual({request.headers["x-api-shape"] for request in played.requests}, {"flat"})
        self.assertEqual({request.headers["x-api-key"] for request in played.requests}, {"uac_test_x"})


class Users(unittest.TestCase):
    def test_a_client_for_a_user_names_it_and_leaves_the_other_client_alone(self) -> None:
        page = {"unified": [], "pagination": {"next_cursor": None, "has_more": False}}
        played = Played([httpx.Response(200, json=page) for _ in range(4)])
        client = flat_client("uac_test_x", "http://ads.test/v1", transport=httpx.MockTransport(played))
        # Before the clients for users are made, and after.
        list_campaigns.sync(client=client)
        for one in [client.for_user("shop42"), client.for_user("shop42").for_user("shop43"), client]:
            list_campaigns.sync(client=one)
        sent = [request.headers.get("x-external-ref") for request in played.requests]
        self.assertEqual(sent, [None, "shop42", "shop43", None])
        self.assertEqual({request.headers["x-api-key"] for request in played.requests}, {"uac_test_x"})


class Webhooks(unittest.TestCase):
    def test_a_signature_holds_for_its_body_secret_and_time(self) -> None:
        key, body = b"0123456789abcdef01234567", b'{"id":"evt_1"}'
        secret = "whsec_" + base64.b64encode(key).decode()
        signature = base64.b64encode(hmac.new(key, b"evt_1.1000." + body, hashlib.sha256).digest()).decode()
        headers = {"Webhook-Id": "evt_1", "webhook-timestamp": "1000", "webhook-signature": f"v1,AAAA v1,{signature}"}
        verify_webhook(secret, headers, body, now=1299)
        other = "whsec_" + base64.b64encode(b"other").decode()
        for given, text, now in [(secret, body + b" ", 1000), (other, body, 1000), (secret, body, 1301)]:
            with self.assertRaises(SignatureError):
                verify_webhook(given, headers, text, now=now)
        with self.assertRaises(SignatureError):
            verify_webhook(secret, {}, body)


if __name__ == "__main__":
    unittest.main()
