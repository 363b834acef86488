from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.delivery_list import DeliveryList
from ...models.delivery_status import DeliveryStatus
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    status: DeliveryStatus | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["cursor"] = cursor

    json_status: str | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = status.value

    params["status"] = json_status

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/webhook-endpoints/{id}/deliveries".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> DeliveryList:
    if response.status_code == 200:
        response_200 = DeliveryList.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[DeliveryList]:
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
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    status: DeliveryStatus | Unset = UNSET,
) -> Response[DeliveryList]:
    """Lists the deliveries of a webhook endpoint

     What the endpoint was sent, or is to be sent, and what it answered. A delivery is kept for 35 days
    after its latest attempt. Needs the scope `read`.

    Args:
        id (str): Webhook endpoint id.
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        status (DeliveryStatus | Unset): `pending`: it is tried until the endpoint accepts it.
            `delivered`: the endpoint has accepted it. `failed`: it is not tried any more.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DeliveryList]
    """

    kwargs = _get_kwargs(
        id=id,
        limit=limit,
        cursor=cursor,
        status=status,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    status: DeliveryStatus | Unset = UNSET,
) -> DeliveryList:
    """Lists the deliveries of a webhook endpoint

     What the endpoint was sent, or is to be sent, and what it answered. A delivery is kept for 35 days
    after its latest attempt. Needs the scope `read`.

    Args:
        id (str): Webhook endpoint id.
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        status (DeliveryStatus | Unset): `pending`: it is tried until the endpoint accepts it.
            `delivered`: the endpoint has accepted it. `failed`: it is not tried any more.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DeliveryList
    """

    return sync_detailed(
        id=id,
        client=client,
        limit=limit,
        cursor=cursor,
        status=status,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    status: DeliveryStatus | Unset = UNSET,
) -> Response[DeliveryList]:
    """Lists the deliveries of a webhook endpoint

     What the endpoint was sent, or is to be sent, and what it answered. A delivery is kept for 35 days
    after its latest attempt. Needs the scope `read`.

    Args:
        id (str): Webhook endpoint id.
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        status (DeliveryStatus | Unset): `pending`: it is tried until the endpoint accepts it.
            `delivered`: the endpoint has accepted it. `failed`: it is not tried any more.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DeliveryList]
    """

    kwargs = _get_kwargs(
        id=id,
        limit=limit,
        cursor=cursor,
        status=status,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    status: DeliveryStatus | Unset = UNSET,
) -> DeliveryList:
    """Lists the deliveries of a webhook endpoint

     What the endpoint was sent, or is to be sent, and what it answered. A delivery is kept for 35 days
    after its latest attempt. Needs the scope `read`.

    Args:
        id (str): Webhook endpoint id.
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        status (DeliveryStatus | Unset): `pending`: it is tried until the endpoint accepts it.
            `delivered`: the endpoint has accepted it. `failed`: it is not tried any more.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DeliveryList
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            limit=limit,
            cursor=cursor,
            status=status,
        )
    ).parsed
