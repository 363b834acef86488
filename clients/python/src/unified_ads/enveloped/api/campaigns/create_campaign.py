from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.dry_run_results import DryRunResults
from ...models.enveloped_campaign_answer import EnvelopedCampaignAnswer
from ...models.enveloped_campaign_or_dry_run_answer import EnvelopedCampaignOrDryRunAnswer
from ...models.enveloped_change_answer import EnvelopedChangeAnswer
from ...models.enveloped_create import EnvelopedCreate
from ...models.multi_target_create import MultiTargetCreate
from ...models.shape import Shape
from ...models.target_results import TargetResults
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    body: EnvelopedCreate | MultiTargetCreate,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["X-API-Shape"] = str(x_api_shape)

    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["dry_run"] = dry_run

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/campaigns",
        "params": params,
    }

    if isinstance(body, EnvelopedCreate):
        _kwargs["json"] = body.to_dict()
    else:
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> DryRunResults | EnvelopedCampaignOrDryRunAnswer | TargetResults | EnvelopedCampaignAnswer | EnvelopedChangeAnswer:
    if response.status_code == 200:

        def _parse_response_200(data: object) -> DryRunResults | EnvelopedCampaignOrDryRunAnswer | TargetResults:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_create_or_dry_run_answer_type_0 = TargetResults.from_dict(data)

                return componentsschemas_create_or_dry_run_answer_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_create_or_dry_run_answer_type_1 = EnvelopedCampaignOrDryRunAnswer.from_dict(data)

                return componentsschemas_create_or_dry_run_answer_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_create_or_dry_run_answer_type_2 = DryRunResults.from_dict(data)

            return componentsschemas_create_or_dry_run_answer_type_2

        response_200 = _parse_response_200(read_json(response.content))

        return response_200

    if response.status_code == 201:

        def _parse_response_201(data: object) -> EnvelopedCampaignAnswer | TargetResults:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_create_answer_type_0 = EnvelopedCampaignAnswer.from_dict(data)

                return componentsschemas_create_answer_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_create_answer_type_1 = TargetResults.from_dict(data)

            return componentsschemas_create_answer_type_1

        response_201 = _parse_response_201(read_json(response.content))

        return response_201

    if response.status_code == 202:
        response_202 = EnvelopedChangeAnswer.from_dict(read_json(response.content))

        return response_202

    if response.status_code == 207:
        response_207 = TargetResults.from_dict(read_json(response.content))

        return response_207

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[
    DryRunResults | EnvelopedCampaignOrDryRunAnswer | TargetResults | EnvelopedCampaignAnswer | EnvelopedChangeAnswer
]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: EnvelopedCreate | MultiTargetCreate,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[
    DryRunResults | EnvelopedCampaignOrDryRunAnswer | TargetResults | EnvelopedCampaignAnswer | EnvelopedChangeAnswer
]:
    """Creates a campaign

     The new campaign is PAUSED and has its own budget, in the ad account's currency. The whole request
    is validated before anything is sent, including the platform's minimum budget. With `targets` the
    same campaign is created in several accounts concurrently.

    With an `Idempotency-Key` the request can be repeated safely: it is executed once. A create with an
    unknown outcome is 504; `GET /campaigns/intents/{request_id}` reports the outcome.

    Args:
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (EnvelopedCreate | MultiTargetCreate): A campaign to create.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DryRunResults | EnvelopedCampaignOrDryRunAnswer | TargetResults | EnvelopedCampaignAnswer | TargetResults | EnvelopedChangeAnswer | TargetResults]
    """

    kwargs = _get_kwargs(
        body=body,
        dry_run=dry_run,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
        x_external_ref=x_external_ref,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    body: EnvelopedCreate | MultiTargetCreate,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> DryRunResults | EnvelopedCampaignOrDryRunAnswer | TargetResults | EnvelopedCampaignAnswer | EnvelopedChangeAnswer:
    """Creates a campaign

     The new campaign is PAUSED and has its own budget, in the ad account's currency. The whole request
    is validated before anything is sent, including the platform's minimum budget. With `targets` the
    same campaign is created in several accounts concurrently.

    With an `Idempotency-Key` the request can be repeated safely: it is executed once. A create with an
    unknown outcome is 504; `GET /campaigns/intents/{request_id}` reports the outcome.

    Args:
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (EnvelopedCreate | MultiTargetCreate): A campaign to create.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DryRunResults | EnvelopedCampaignOrDryRunAnswer | TargetResults | EnvelopedCampaignAnswer | TargetResults | EnvelopedChangeAnswer | TargetResults
    """

    return sync_detailed(
        client=client,
        body=body,
        dry_run=dry_run,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: EnvelopedCreate | MultiTargetCreate,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[
    DryRunResults | EnvelopedCampaignOrDryRunAnswer | TargetResults | EnvelopedCampaignAnswer | EnvelopedChangeAnswer
]:
    """Creates a campaign

     The new campaign is PAUSED and has its own budget, in the ad account's currency. The whole request
    is validated before anything is sent, including the platform's minimum budget. With `targets` the
    same campaign is created in several accounts concurrently.

    With an `Idempotency-Key` the request can be repeated safely: it is executed once. A create with an
    unknown outcome is 504; `GET /campaigns/intents/{request_id}` reports the outcome.

    Args:
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (EnvelopedCreate | MultiTargetCreate): A campaign to create.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DryRunResults | EnvelopedCampaignOrDryRunAnswer | TargetResults | EnvelopedCampaignAnswer | TargetResults | EnvelopedChangeAnswer | TargetResults]
    """

    kwargs = _get_kwargs(
        body=body,
        dry_run=dry_run,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    body: EnvelopedCreate | MultiTargetCreate,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> DryRunResults | EnvelopedCampaignOrDryRunAnswer | TargetResults | EnvelopedCampaignAnswer | EnvelopedChangeAnswer:
    """Creates a campaign

     The new campaign is PAUSED and has its own budget, in the ad account's currency. The whole request
    is validated before anything is sent, including the platform's minimum budget. With `targets` the
    same campaign is created in several accounts concurrently.

    With an `Idempotency-Key` the request can be repeated safely: it is executed once. A create with an
    unknown outcome is 504; `GET /campaigns/intents/{request_id}` reports the outcome.

    Args:
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (EnvelopedCreate | MultiTargetCreate): A campaign to create.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DryRunResults | EnvelopedCampaignOrDryRunAnswer | TargetResults | EnvelopedCampaignAnswer | TargetResults | EnvelopedChangeAnswer | TargetResults
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            dry_run=dry_run,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            idempotency_key=idempotency_key,
            x_external_ref=x_external_ref,
        )
    ).parsed
