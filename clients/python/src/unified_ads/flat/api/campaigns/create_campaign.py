from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.flat_campaign import FlatCampaign
from ...models.flat_change import FlatChange
from ...models.flat_create import FlatCreate
from ...models.flat_dry_run import FlatDryRun
from ...models.shape import Shape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    body: FlatCreate,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
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

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> FlatCampaign | FlatDryRun | FlatChange:
    if response.status_code == 200:

        def _parse_response_200(data: object) -> FlatCampaign | FlatDryRun:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_create_or_dry_run_answer_type_0 = FlatCampaign.from_dict(data)

                return componentsschemas_create_or_dry_run_answer_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_create_or_dry_run_answer_type_1 = FlatDryRun.from_dict(data)

            return componentsschemas_create_or_dry_run_answer_type_1

        response_200 = _parse_response_200(read_json(response.content))

        return response_200

    if response.status_code == 201:
        response_201 = FlatCampaign.from_dict(read_json(response.content))

        return response_201

    if response.status_code == 202:
        response_202 = FlatChange.from_dict(read_json(response.content))

        return response_202

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[FlatCampaign | FlatDryRun | FlatChange]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: FlatCreate,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatCampaign | FlatDryRun | FlatChange]:
    """Creates a campaign

     The new campaign is PAUSED and has its own budget, in the ad account's currency. The whole request
    is validated before anything is sent, including the platform's minimum budget. With `targets` the
    same campaign is created in several accounts concurrently.

    With an `Idempotency-Key` the request can be repeated safely: it is executed once. A create with an
    unknown outcome is 504; `GET /campaigns/intents/{request_id}` reports the outcome.

    Args:
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (FlatCreate): A campaign to create, in the flat shape.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatCampaign | FlatCampaign | FlatDryRun | FlatChange]
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
    body: FlatCreate,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> FlatCampaign | FlatDryRun | FlatChange:
    """Creates a campaign

     The new campaign is PAUSED and has its own budget, in the ad account's currency. The whole request
    is validated before anything is sent, including the platform's minimum budget. With `targets` the
    same campaign is created in several accounts concurrently.

    With an `Idempotency-Key` the request can be repeated safely: it is executed once. A create with an
    unknown outcome is 504; `GET /campaigns/intents/{request_id}` reports the outcome.

    Args:
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (FlatCreate): A campaign to create, in the flat shape.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatCampaign | FlatCampaign | FlatDryRun | FlatChange
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
    body: FlatCreate,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatCampaign | FlatDryRun | FlatChange]:
    """Creates a campaign

     The new campaign is PAUSED and has its own budget, in the ad account's currency. The whole request
    is validated before anything is sent, including the platform's minimum budget. With `targets` the
    same campaign is created in several accounts concurrently.

    With an `Idempotency-Key` the request can be repeated safely: it is executed once. A create with an
    unknown outcome is 504; `GET /campaigns/intents/{request_id}` reports the outcome.

    Args:
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (FlatCreate): A campaign to create, in the flat shape.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatCampaign | FlatCampaign | FlatDryRun | FlatChange]
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
    body: FlatCreate,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> FlatCampaign | FlatDryRun | FlatChange:
    """Creates a campaign

     The new campaign is PAUSED and has its own budget, in the ad account's currency. The whole request
    is validated before anything is sent, including the platform's minimum budget. With `targets` the
    same campaign is created in several accounts concurrently.

    With an `Idempotency-Key` the request can be repeated safely: it is executed once. A create with an
    unknown outcome is 504; `GET /campaigns/intents/{request_id}` reports the outcome.

    Args:
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (FlatCreate): A campaign to create, in the flat shape.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatCampaign | FlatCampaign | FlatDryRun | FlatChange
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
