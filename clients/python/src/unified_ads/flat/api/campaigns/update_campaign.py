import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.flat_campaign import FlatCampaign
from ...models.flat_change import FlatChange
from ...models.flat_dry_run import FlatDryRun
from ...models.flat_update import FlatUpdate
from ...models.shape import Shape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    body: FlatUpdate,
    dry_run: bool | Unset = False,
    apply_at: datetime.datetime | Unset = UNSET,
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

    json_apply_at: str | Unset = UNSET
    if not isinstance(apply_at, Unset):
        json_apply_at = apply_at.isoformat()
    params["apply_at"] = json_apply_at

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/campaigns/{id}".format(
            id=quote(str(id), safe=""),
        ),
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
                componentsschemas_update_answer_type_0 = FlatCampaign.from_dict(data)

                return componentsschemas_update_answer_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_update_answer_type_1 = FlatDryRun.from_dict(data)

            return componentsschemas_update_answer_type_1

        response_200 = _parse_response_200(read_json(response.content))

        return response_200

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
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: FlatUpdate,
    dry_run: bool | Unset = False,
    apply_at: datetime.datetime | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatCampaign | FlatDryRun | FlatChange]:
    """Changes name, status, budget or dates

     Idempotent: fields that already have the requested value are not written again. After an unclear
    platform response the campaign is read back, and the error names the fields that were applied and
    those that were not. A removed campaign cannot be changed: 409.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        dry_run (bool | Unset):  Default: False.
        apply_at (datetime.datetime | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (FlatUpdate): Changes to a campaign, in the flat shape. Absent fields do not change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatCampaign | FlatDryRun | FlatChange]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
        dry_run=dry_run,
        apply_at=apply_at,
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
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: FlatUpdate,
    dry_run: bool | Unset = False,
    apply_at: datetime.datetime | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> FlatCampaign | FlatDryRun | FlatChange:
    """Changes name, status, budget or dates

     Idempotent: fields that already have the requested value are not written again. After an unclear
    platform response the campaign is read back, and the error names the fields that were applied and
    those that were not. A removed campaign cannot be changed: 409.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        dry_run (bool | Unset):  Default: False.
        apply_at (datetime.datetime | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (FlatUpdate): Changes to a campaign, in the flat shape. Absent fields do not change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatCampaign | FlatDryRun | FlatChange
    """

    return sync_detailed(
        id=id,
        client=client,
        body=body,
        dry_run=dry_run,
        apply_at=apply_at,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: FlatUpdate,
    dry_run: bool | Unset = False,
    apply_at: datetime.datetime | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatCampaign | FlatDryRun | FlatChange]:
    """Changes name, status, budget or dates

     Idempotent: fields that already have the requested value are not written again. After an unclear
    platform response the campaign is read back, and the error names the fields that were applied and
    those that were not. A removed campaign cannot be changed: 409.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        dry_run (bool | Unset):  Default: False.
        apply_at (datetime.datetime | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (FlatUpdate): Changes to a campaign, in the flat shape. Absent fields do not change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatCampaign | FlatDryRun | FlatChange]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
        dry_run=dry_run,
        apply_at=apply_at,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: FlatUpdate,
    dry_run: bool | Unset = False,
    apply_at: datetime.datetime | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> FlatCampaign | FlatDryRun | FlatChange:
    """Changes name, status, budget or dates

     Idempotent: fields that already have the requested value are not written again. After an unclear
    platform response the campaign is read back, and the error names the fields that were applied and
    those that were not. A removed campaign cannot be changed: 409.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        dry_run (bool | Unset):  Default: False.
        apply_at (datetime.datetime | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (FlatUpdate): Changes to a campaign, in the flat shape. Absent fields do not change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatCampaign | FlatDryRun | FlatChange
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
            dry_run=dry_run,
            apply_at=apply_at,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            idempotency_key=idempotency_key,
            x_external_ref=x_external_ref,
        )
    ).parsed
