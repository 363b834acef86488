"""A body of one shape is no body of the other, and a float no amount: mypy reports an ignored line that has no error."""

from unified_ads import create_in_targets, enveloped_client, flat_client
from unified_ads.enveloped import models as enveloped
from unified_ads.enveloped.api.campaigns import create_campaign as create_enveloped
from unified_ads.flat import models as flat
from unified_ads.flat.api.campaigns import create_campaign as create_flat

flat_ads, enveloped_ads = flat_client("", ""), enveloped_client("", "")


def check(
    of_flat: flat.FlatCreate, of_enveloped: enveloped.EnvelopedCreate, targets: enveloped.MultiTargetCreate
) -> None:
    create_flat.sync(client=flat_ads, body=of_flat)
    create_enveloped.sync(client=enveloped_ads, body=of_enveloped)
    create_enveloped.sync(client=enveloped_ads, body=targets)
    create_in_targets(enveloped_ads, targets)
    create_flat.sync(client=flat_ads, body=of_enveloped)  # type: ignore[arg-type]
    create_enveloped.sync(client=enveloped_ads, body=of_flat)  # type: ignore[arg-type]
    create_enveloped.sync(client=flat_ads, body=of_enveloped)  # type: ignore[arg-type]
    create_in_targets(flat_ads, targets)  # type: ignore[arg-type]
    flat.FlatUpdate(budget_amount=50)
    flat.FlatUpdate(budget_amount=49.9)  # type: ignore[arg-type]
    flat.NewBudget(id="alpha_1_1", budget_amount="50")  # type: ignore[arg-type]
