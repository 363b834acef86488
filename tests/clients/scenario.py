"""The README's first five minutes, through the Python client of openapi-generator: `scenario.py READY`."""

import json
import sys
import urllib.request
from pathlib import Path

import ads
from ads import (
    CampaignCreate,
    CampaignUpdate,
    FlatBudgetPeriod,
    FlatCampaign,
    FlatCampaignList,
    FlatCreate,
    FlatError,
    FlatErrorCode,
    FlatGoal,
    FlatStatus,
    FlatUpdate,
    Platform,
)

PLATFORM = Platform.ALPHA_ADS


def new_campaign(budget: float) -> CampaignCreate:
    return CampaignCreate(
        FlatCreate(
            name="Spring sale",
            goal=FlatGoal.TRAFFIC,
            budget_amount=budget,
            budget_period=FlatBudgetPeriod.DAILY,
            platform=PLATFORM,
        )
    )


def flat_error(error: ads.ApiException) -> FlatError:
    assert error.data and isinstance(error.data.actual_instance, FlatError), error
    return error.data.actual_instance


def expect_status(campaigns: ads.CampaignsApi, campaign_id: str, status: FlatStatus) -> None:
    found = campaigns.get_campaign(campaign_id).actual_instance
    assert isinstance(found, FlatCampaign) and found.status == status, found


ready = json.loads(Path(sys.argv[1]).read_text())
with ads.ApiClient(ads.Configuration(host=ready["gateway"], api_key={"ApiKey": ready["api_key"]})) as client:
    connections, campaigns = ads.ConnectionsApi(client), ads.CampaignsApi(client)

    # The user approves the consent page.
    urllib.request.urlopen(connections.authorize(PLATFORM).authorize_url, data=b"decision=approve", timeout=60).close()
    [connection] = [one for one in connections.list_connections().connections if one.platform == PLATFORM]
    assert connection.status == "ACTIVE", connection

    try:
        campaigns.create_campaign(new_campaign(0.01))
        sys.exit("a budget below the minimum was accepted")
    except ads.ApiException as error:
        refused = flat_error(error)
        assert refused.code == FlatErrorCode.VALIDATION_ERROR and refused.details, refused
        assert refused.details[0].var_field == "budget_amount", refused

    created = campaigns.create_campaign(new_campaign(50), idempotency_key="python-scenario").actual_instance
    assert isinstance(created, FlatCampaign) and created.status == FlatStatus.PAUSED, created
    listed = campaigns.list_campaigns(limit=100).actual_instance
    assert isinstance(listed, FlatCampaignList) and created.id in [one.id for one in listed.unified], listed
    expect_status(campaigns, created.id, FlatStatus.PAUSED)

    for status in [FlatStatus.ACTIVE, FlatStatus.PAUSED]:
        campaigns.update_campaign(created.id, CampaignUpdate(FlatUpdate(status=status)))
        expect_status(campaigns, created.id, status)

    campaigns.delete_campaign(created.id)
    try:
        campaigns.delete_campaign(created.id)
        sys.exit("a campaign was removed twice")
    except ads.ApiException as error:
        assert flat_error(error).code == FlatErrorCode.NOT_FOUND, error
print("the first five minutes: as expected")
