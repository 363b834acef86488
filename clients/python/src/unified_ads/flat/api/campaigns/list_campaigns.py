from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.delivery_state import DeliveryState
from ...models.flat_campaign_list import FlatCampaignList
from ...models.flat_status import FlatStatus
from ...models.platform import Platform
from ...models.shape import Shape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    platform: Platform | Unset = UNSET,
    organization_id: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    status: list[FlatStatus] | Unset = UNSET,
    name_contains: str | Unset = UNSET,
    delivery_state: list[DeliveryState] | Unset = UNSET,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["X-API-Shape"] = str(x_api_shape)

    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    json_platform: str | Unset = UNSET
    if not isinstance(platform, Unset):
        json_platform = platform.value

    params["platform"] = json_platform

    params["organization_id"] = organization_id

    params["connection_id"] = connection_id

    json_status: list[str] | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = []
        for status_item_data in status:
            status_item = status_item_data.value
            json_status.append(status_item)

    params["status"] = json_status

    params["name_contains"] = name_contains

    json_delivery_state: list[str] | Unset = UNSET
    if not isinstance(delivery_state, Unset):
        json_delivery_state = []
        for delivery_state_item_data in delivery_state:
            delivery_state_item = delivery_state_item_data.value
            json_delivery_state.append(delivery_state_item)

    params["delivery_state"] = json_delivery_state

    params["limit"] = limit

    params["cursor"] = cursor

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/campaigns",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> FlatCampaignList:
    if response.status_code == 200:
        response_200 = FlatCampaignList.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[FlatCampaignList]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    platform: Platform | Unset = UNSET,
    organization_id: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    status: list[FlatStatus] | Unset = UNSET,
    name_contains: str | Unset = UNSET,
    delivery_state: list[DeliveryState] | Unset = UNSET,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatCampaignList]:
    """Lists campaigns

     One list over all connected accounts, read live from the platforms. It includes campaigns that were
    created outside of this API. Sorted by platform, then account, then newest first. A failed
    connection is listed in `errors`; if all fail, the response is the first error.

    Args:
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        organization_id (str | Unset):
        connection_id (str | Unset):
        status (list[FlatStatus] | Unset):
        name_contains (str | Unset):
        delivery_state (list[DeliveryState] | Unset):
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatCampaignList]
    """

    kwargs = _get_kwargs(
        platform=platform,
        organization_id=organization_id,
        connection_id=connection_id,
        status=status,
        name_contains=name_contains,
        delivery_state=delivery_state,
        limit=limit,
        cursor=cursor,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    platform: Platform | Unset = UNSET,
    organization_id: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    status: list[FlatStatus] | Unset = UNSET,
    name_contains: str | Unset = UNSET,
    delivery_state: list[DeliveryState] | Unset = UNSET,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> FlatCampaignList:
    """Lists campaigns

     One list over all connected accounts, read live from the platforms. It includes campaigns that were
    created outside of this API. Sorted by platform, then account, then newest first. A failed
    connection is listed in `errors`; if all fail, the response is the first error.

    Args:
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        organization_id (str | Unset):
        connection_id (str | Unset):
        status (list[FlatStatus] | Unset):
        name_contains (str | Unset):
        delivery_state (list[DeliveryState] | Unset):
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatCampaignList
    """

    return sync_detailed(
        client=client,
        platform=platform,
        organization_id=organization_id,
        connection_id=connection_id,
        status=status,
        name_contains=name_contains,
        delivery_state=delivery_state,
        limit=limit,
        cursor=cursor,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    platform: Platform | Unset = UNSET,
    organization_id: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    status: list[FlatStatus] | Unset = UNSET,
    name_contains: str | Unset = UNSET,
    delivery_state: list[DeliveryState] | Unset = UNSET,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatCampaignList]:
    """Lists campaigns

     One list over all connected accounts, read live from the platforms. It includes campaigns that were
    created outside of this API. Sorted by platform, then account, then newest first. A failed
    connection is listed in `errors`; if all fail, the response is the first error.

    Args:
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        organization_id (str | Unset):
        connection_id (str | Unset):
        status (list[FlatStatus] | Unset):
        name_contains (str | Unset):
        delivery_state (list[DeliveryState] | Unset):
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatCampaignList]
    """

    kwargs = _get_kwargs(
        platform=platform,
        organization_id=organization_id,
        connection_id=connection_id,
        status=status,
        name_contains=name_contains,
        delivery_state=delivery_state,
        limit=limit,
        cursor=cursor,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    platform: Platform | Unset = UNSET,
    organization_id: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    status: list[FlatStatus] | Unset = UNSET,
    name_contains: str | Unset = UNSET,
    delivery_state: list[DeliveryState] | Unset = UNSET,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> FlatCampaignList:
    """Lists campaigns

     One list over all connected accounts, read live from the platforms. It includes campaigns that were
    created outside of this API. Sorted by platform, then account, then newest first. A failed
    connection is listed in `errors`; if all fail, the response is the first error.

    Args:
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        organization_id (str | Unset):
        connection_id (str | Unset):
        status (list[FlatStatus] | Unset):
        name_contains (str | Unset):
        delivery_state (list[DeliveryState] | Unset):
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatCampaignList
    """

    return (
        await asyncio_detailed(
            client=client,
            platform=platform,
            organization_id=organization_id,
            connection_id=connection_id,
            status=status,
            name_contains=name_contains,
            delivery_state=delivery_state,
            limit=limit,
            cursor=cursor,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            x_external_ref=x_external_ref,
        )
    ).parsed
