"""The client against a running service and its sandbox: `UNIFIED_ADS_READY=ready.json python -m unittest discover tests`.

`ready.json` is what `cargo local --json` prints. Without it, the tests are skipped.
"""

import json
import os
import re
import time
import unittest
import urllib.request
from decimal import Decimal
from pathlib import Path
from typing import Any

from unified_ads import (
    ApiError,
    AwaitingApproval,
    create_in_targets,
    enveloped_client,
    expect,
    flat_client,
    outcome,
    pages,
)
from unified_ads.enveloped import AuthenticatedClient as EnvelopedClient
from unified_ads.enveloped import models as enveloped
from unified_ads.flat import AuthenticatedClient
from unified_ads.flat import models as flat
from unified_ads.flat.api.api_keys import create_key
from unified_ads.flat.api.campaigns import (
    create_campaign,
    delete_campaign,
    get_campaign,
    get_delivery,
    list_campaigns,
    update_campaign,
)
from unified_ads.flat.api.connections import authorize, list_connections
from unified_ads.transport import KEYED

READY = os.environ.get("UNIFIED_ADS_READY")
# Google Ads refuses a second campaign of a name.
RUN = f"{time.time():.0f}"
GOOGLE, META = ("ALPHA", "1002003001"), ("BETA", "1203004005006001")


def draft(name: str, budget: Decimal | int = 50) -> flat.FlatCreate:
    return flat.FlatCreate(
        name=name,
        goal=flat.FlatGoal.TRAFFIC,
        budget_amount=budget,
        budget_period=flat.FlatBudgetPeriod.DAILY,
        platform=flat.Platform.ALPHA_ADS,
    )


def draft_for(name: str, *targets: tuple[str, str]) -> enveloped.MultiTargetCreate:
    return enveloped.MultiTargetCreate(
        name=name,
        goal=enveloped.CreateGoal.WEBSITE_TRAFFIC,
        budget_amount=50,
        budget_period=enveloped.EnvelopedBudgetPeriod.DAILY,
        targets=[
            enveloped.Target(platform=enveloped.EnvelopedPlatform(platform), organization_id=account)
            for platform, account in targets
        ],
    )


@unittest.skipUnless(READY, "no service is running")
class Gateway(unittest.TestCase):
    ready: dict[str, Any]
    ads: AuthenticatedClient
    enveloped_ads: EnvelopedClient

    @classmethod
    def setUpClass(cls) -> None:
        cls.ready = json.loads(Path(READY or "").read_text())
        url, key = f"{cls.ready['gateway']}/v1", cls.ready["api_key"]
        cls.ads, cls.enveloped_ads = flat_client(key, url), enveloped_client(key, url)
        listed = expect(flat.ConnectionList, list_connections.sync(client=cls.ads))
        active = {one.platform for one in listed.connections if one.status == flat.ConnectionStatus.ACTIVE}
        for platform in (flat.Platform.ALPHA_ADS, flat.Platform.BETA_ADS):
            if platform not in active:
                page = expect(flat.AuthorizeResult, authorize.sync(platform, client=cls.ads)).authorize_url
                urllib.request.urlopen(page, data=b"decision=approve", timeout=60).close()

    def fault(self, platform: str, name: str, **more: Any) -> None:
        fault = {"platform": platform, "operation": "create", "fault": name, "times": 1, **more}
        url = f"{self.ready['sandbox']}/_sandbox/faults"
        headers = {"Content-Type": "application/json"}
        urllib.request.urlopen(urllib.request.Request(url, json.dumps(fault).encode(), headers), timeout=60).close()

    def named(self, name: str) -> list[flat.FlatCampaign]:
        read = pages(flat.FlatCampaignList, list_campaigns.sync, client=self.ads, limit=1)
        return [campaign for page in read for campaign in page.unified if campaign.name == name]

    def test_a_campaign_lives_and_is_removed(self) -> None:
        created = expect(flat.FlatCampaign, create_campaign.sync(client=self.ads, body=draft(f"Python lives {RUN}")))
        self.assertEqual(created.status, flat.FlatStatus.PAUSED)
        active = flat.FlatUpdate(status=flat.FlatStatus.ACTIVE)
        changed = expect(flat.FlatCampaign, update_campaign.sync(created.id, client=self.ads, body=active))
        self.assertEqual(changed.status, flat.FlatStatus.ACTIVE)
        why = expect(flat.FlatCampaignDelivery, get_delivery.sync(created.id, client=self.ads))
        self.assertEqual(why.delivery.state, flat.DeliveryState.BLOCKED, "it has no ads")
        self.assertEqual([one.id for one in self.named(f"Python lives {RUN}")], [created.id])
        delete_campaign.sync(created.id, client=self.ads)
        with self.assertRaises(ApiError) as raised:
            update_campaign.sync(created.id, client=self.ads, body=active)
        self.assertIn(raised.exception.code, ("CONFLICT", "NOT_FOUND"))
        self.assertRegex(raised.exception.request_id or "", "^[0-9a-f-]{36}$")

    def test_a_create_whose_response_is_lost_buys_once(self) -> None:
        self.fault("alpha_ads", "drop_after")
        created = expect(flat.FlatCampaign, create_campaign.sync(client=self.ads, body=draft(f"Python lost {RUN}")))
        self.assertEqual([one.id for one in self.named(f"Python lost {RUN}")], [created.id])

    def test_an_amount_goes_to_the_platform_and_back_as_it_is(self) -> None:
        created = expect(
            flat.FlatCampaign,
            create_campaign.sync(client=self.ads, body=draft(f"Python exact {RUN}", Decimal("49.90"))),
        )
        self.assertEqual(created.budget_amount, Decimal("49.9"))
        raised = flat.FlatUpdate(budget_amount=Decimal("1234567890.01"))
        changed = expect(flat.FlatCampaign, update_campaign.sync(created.id, client=self.ads, body=raised))
        self.assertEqual(changed.budget_amount, Decimal("1234567890.01"))

    def test_a_change_that_waits_for_a_person_is_a_result(self) -> None:
        listed = expect(flat.ConnectionList, list_connections.sync(client=self.ads))
        [google] = [one for one in listed.connections if one.platform == flat.Platform.ALPHA_ADS]
        limit = flat.SpendingLimit(
            connections=[google.id],
            amounts=[flat.CurrencyLimit(currency="USD", daily=500)],
            approval=flat.ApprovalRule(amounts=[flat.ApprovalAmount(currency="USD", amount=Decimal("50.5"))]),
        )
        new = flat.NewApiKey(name=f"Asks {RUN}", scopes=[flat.Scope.CAMPAIGNS], spending_limit=limit)
        key = expect(flat.CreatedApiKey, create_key.sync(client=self.ads, body=new))
        agent = flat_client(key.api_key, f"{self.ready['gateway']}/v1")
        waiting = outcome(flat.FlatCampaign, create_campaign.sync(client=agent, body=draft(f"Python asks {RUN}", 51)))
        assert isinstance(waiting, AwaitingApproval), waiting
        self.assertEqual(self.named(f"Python asks {RUN}"), [], "nothing was sent")
        small = outcome(flat.FlatCampaign, create_campaign.sync(client=agent, body=draft(f"Python small {RUN}", 50)))
        self.assertIsInstance(small, flat.FlatCampaign)

    def test_an_error_has_code_fields_and_request_id(self) -> None:
        with self.assertRaises(ApiError) as raised:
            create_campaign.sync(client=self.ads, body=draft(f"Python small {RUN}", Decimal("0.01")))
        error = raised.exception
        self.assertEqual((error.status, error.code, error.retryable), (400, "VALIDATION_ERROR", False))
        self.assertEqual([detail["field"] for detail in error.details], ["budget_amount"])
        self.assertIn(error.details[0]["message"].rstrip("."), str(error))
        with self.assertRaises(ApiError) as raised:
            get_campaign.sync("alpha_1_1", client=self.ads)
        self.assertEqual(raised.exception.code, "NOT_FOUND")

    def test_each_target_has_its_result(self) -> None:
        self.fault("beta_ads", "front", status=400)
        google, meta = expect(
            list, create_in_targets(self.enveloped_ads, draft_for(f"Python both {RUN}", GOOGLE, META))
        )
        self.assertEqual((google.status, meta.status), (enveloped.TargetStatus.CREATED, enveloped.TargetStatus.FAILED))
        assert google.campaign and meta.error, (google, meta)
        self.assertEqual((google.campaign.name, meta.error.code), (f"Python both {RUN}", "PLATFORM_ERROR"))
        self.fault("beta_ads", "front", status=400)
        [meta] = expect(list, create_in_targets(self.enveloped_ads, draft_for(f"Python none {RUN}", META)))
        self.assertEqual(meta.status, enveloped.TargetStatus.FAILED)

    def test_the_keyed_endpoints_are_those_of_the_document(self) -> None:
        with urllib.request.urlopen(f"{self.ready['gateway']}/v1/openapi.json", timeout=60) as response:
            document = json.load(response)
        for path, item in document["paths"].items():
            for method, operation in item.items():
                takes = {"$ref": "#/components/parameters/IdempotencyKey"} in operation.get("parameters", [])
                example = re.sub("{.+?}", "a_1", f"{method.upper()} /v1{path}")
                self.assertEqual(KEYED.fullmatch(example) is not None, takes, example)


if __name__ == "__main__":
    unittest.main()
