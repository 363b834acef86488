import datetime
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.flat_change import FlatChange
from ...models.shape import Shape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    apply_at: datetime.datetime | Unset = UNSET,
    reference: str | Unset = UNSET,
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

    json_apply_at: str | Unset = UNSET
    if not isinstance(apply_at, Unset):
        json_apply_at = apply_at.isoformat()
    params["apply_at"] = json_apply_at

    params["reference"] = reference

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/campaigns/{id}".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Any | FlatChange:
    if response.status_code == 202:
        response_202 = FlatChange.from_dict(read_json(response.content))

        return response_202

    if response.status_code == 204:
        response_204 = cast(Any, None)
        return response_204

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Any | FlatChange]:
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
    apply_at: datetime.datetime | Unset = UNSET,
    reference: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[Any | FlatChange]:
    """Removes a campaign on its platform

     Platforms without removal archive it. Lists omit removed campaigns, unless the status filter selects
    them.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        apply_at (datetime.datetime | Unset):
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | FlatChange]
    """

    kwargs = _get_kwargs(
        id=id,
        apply_at=apply_at,
        reference=reference,
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
    apply_at: datetime.datetime | Unset = UNSET,
    reference: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Any | FlatChange:
    """Removes a campaign on its platform

     Platforms without removal archive it. Lists omit removed campaigns, unless the status filter selects
    them.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        apply_at (datetime.datetime | Unset):
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | FlatChange
    """

    return sync_detailed(
        id=id,
        client=client,
        apply_at=apply_at,
        reference=reference,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    apply_at: datetime.datetime | Unset = UNSET,
    reference: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[Any | FlatChange]:
    """Removes a campaign on its platform

     Platforms without removal archive it. Lists omit removed campaigns, unless the status filter selects
    them.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        apply_at (datetime.datetime | Unset):
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | FlatChange]
    """

    kwargs = _get_kwargs(
        id=id,
        apply_at=apply_at,
        reference=reference,
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
    apply_at: datetime.datetime | Unset = UNSET,
    reference: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Any | FlatChange:
    """Removes a campaign on its platform

     Platforms without removal archive it. Lists omit removed campaigns, unless the status filter selects
    them.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        apply_at (datetime.datetime | Unset):
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | FlatChange
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            apply_at=apply_at,
            reference=reference,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            idempotency_key=idempotency_key,
            x_external_ref=x_external_ref,
        )
    ).parsed
