"""Creates in several ad accounts."""

from .enveloped import AuthenticatedClient
from .enveloped.api.campaigns import create_campaign
from .enveloped.models import MultiTargetCreate, TargetResults, TargetVerdict
from .enveloped.types import UNSET
from .errors import ApiError
from .expected import AwaitingApproval, outcome


def create_in_targets(
    client: AuthenticatedClient, body: MultiTargetCreate, *, idempotency_key: str | None = None
) -> list[TargetVerdict] | AwaitingApproval:
    """Creates the campaign in each target, and returns the result of each in the order of `targets`.

    `status` is `created` with `campaign`, or `failed` or `unknown` with `error`, also where none was created. The same call
    with the same key creates only what is missing. An error before anything was sent is raised.
    """
    try:
        answer = create_campaign.sync(client=client, body=body, idempotency_key=idempotency_key or UNSET)
    except ApiError as error:
        if not error.results:
            raise
        return [TargetVerdict.from_dict(result) for result in error.results]
    results = outcome(TargetResults, answer)
    return results if isinstance(results, AwaitingApproval) else results.data
