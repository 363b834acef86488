"""The README's first five minutes, as a program of a user who has only installed the package: `five_minutes.py READY`."""

import json
import sys
import urllib.request
from decimal import Decimal
from pathlib import Path
from typing import Any

import unified_ads
from unified_ads import ApiError, AwaitingApproval, FlatClient, expect, flat_client, outcome, pages
from unified_ads.flat.api.campaigns import (
    create_campaign,
    delete_campaign,
    get_campaign,
    list_campaigns,
    update_campaign,
)
from unified_ads.flat.api.connections import authorize, list_connections
from unified_ads.flat.models import (
    ConnectionStatus,
    FlatBudgetPeriod,
    FlatCampaign,
    FlatCampaignList,
    FlatCreate,
    FlatGoal,
    FlatStatus,
    FlatUpdate,
    Platform,
)

PLATFORM = Platform.GAMMA_ADS


def new_campaign(budget: Decimal | int) -> FlatCreate:
    return FlatCreate(
        name="Spring sale",
        goal=FlatGoal.TRAFFIC,
        budget_amount=budget,
        budget_period=FlatBudgetPeriod.DAILY,
        platform=PLATFORM,
    )


def connect(ads: FlatClient) -> None:
    # The user approves the consent page.
    page = authorize.sync(PLATFORM, client=ads).authorize_url
    urllib.request.urlopen(page, data=b"decision=approve", timeout=60).close()
    listed = [one for one in list_connections.sync(client=ads).connections if one.platform == PLATFORM]
    assert [one.status for one in listed] == [ConnectionStatus.ACTIVE], listed


def refused(ads: FlatClient) -> None:
    try:
        create_campaign.sync(client=ads, body=new_campaign(Decimal("0.01")))
        sys.exit("a budget below the minimum was accepted")
    except ApiError as error:
        assert error.code == "VALIDATION_ERROR" and error.details[0]["field"] == "budget_amount", error
        assert "budget_amount" in str(error), error
    wrong: Any = 99.9
    try:
        new_campaign(wrong)
        sys.exit("a float was accepted as an amount")
    except TypeError as error:
        assert 'write Decimal("99.9")' in str(error), error


def run(ads: FlatClient) -> None:
    connect(ads)
    refused(ads)
    created = outcome(FlatCampaign, create_campaign.sync(client=ads, body=new_campaign(Decimal("99.90"))))
    assert not isinstance(created, AwaitingApproval), created
    budget: Decimal | None = created.budget_amount
    assert budget == Decimal("99.9") and created.status == FlatStatus.PAUSED, created
    listed = [one.id for page in pages(FlatCampaignList, list_campaigns.sync, client=ads) for one in page.unified]
    assert created.id in listed, listed
    for status in (FlatStatus.ACTIVE, FlatStatus.PAUSED):
        update_campaign.sync(created.id, client=ads, body=FlatUpdate(status=status))
        assert expect(FlatCampaign, get_campaign.sync(created.id, client=ads)).status == status
    delete_campaign.sync(created.id, client=ads)
    try:
        delete_campaign.sync(created.id, client=ads)
        sys.exit("a campaign was removed twice")
    except ApiError as error:
        assert error.code == "NOT_FOUND", error


assert Path(unified_ads.__file__).is_relative_to(sys.prefix), f"{unified_ads.__file__} is not the installed package"
ready = json.loads(Path(sys.argv[1]).read_text())
run(flat_client(ready["api_key"], f"{ready['gateway']}/v1", attempts=3, max_wait=10))
print("the first five minutes: as expected")
