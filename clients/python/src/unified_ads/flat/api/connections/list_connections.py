from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.connection_list import ConnectionList
from ...models.connection_status import ConnectionStatus
from ...models.platform import Platform
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    platform: Platform | Unset = UNSET,
    status: list[ConnectionStatus] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    json_platform: str | Unset = UNSET
    if not isinstance(platform, Unset):
        json_platform = platform.value

    params["platform"] = json_platform

    json_status: list[str] | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = []
        for status_item_data in status:
            status_item = status_item_data.value
            json_status.append(status_item)

    params["status"] = json_status

    params["limit"] = limit

    params["cursor"] = cursor

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/connections",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ConnectionList:
    if response.status_code == 200:
        response_200 = ConnectionList.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[ConnectionList]:
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
    status: list[ConnectionStatus] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[ConnectionList]:
    """Lists connections

     Without `limit`, all that the filters admit. A key with a spending limit sees those that the limit
    names. Needs the scope `read` or `campaigns`.

    Args:
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        status (list[ConnectionStatus] | Unset):
        limit (int | Unset):
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ConnectionList]
    """

    kwargs = _get_kwargs(
        platform=platform,
        status=status,
        limit=limit,
        cursor=cursor,
        external_ref=external_ref,
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
    status: list[ConnectionStatus] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> ConnectionList:
    """Lists connections

     Without `limit`, all that the filters admit. A key with a spending limit sees those that the limit
    names. Needs the scope `read` or `campaigns`.

    Args:
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        status (list[ConnectionStatus] | Unset):
        limit (int | Unset):
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ConnectionList
    """

    return sync_detailed(
        client=client,
        platform=platform,
        status=status,
        limit=limit,
        cursor=cursor,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    platform: Platform | Unset = UNSET,
    status: list[ConnectionStatus] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[ConnectionList]:
    """Lists connections

     Without `limit`, all that the filters admit. A key with a spending limit sees those that the limit
    names. Needs the scope `read` or `campaigns`.

    Args:
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        status (list[ConnectionStatus] | Unset):
        limit (int | Unset):
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ConnectionList]
    """

    kwargs = _get_kwargs(
        platform=platform,
        status=status,
        limit=limit,
        cursor=cursor,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    platform: Platform | Unset = UNSET,
    status: list[ConnectionStatus] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> ConnectionList:
    """Lists connections

     Without `limit`, all that the filters admit. A key with a spending limit sees those that the limit
    names. Needs the scope `read` or `campaigns`.

    Args:
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        status (list[ConnectionStatus] | Unset):
        limit (int | Unset):
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ConnectionList
    """

    return (
        await asyncio_detailed(
            client=client,
            platform=platform,
            status=status,
            limit=limit,
            cursor=cursor,
            external_ref=external_ref,
            x_external_ref=x_external_ref,
        )
    ).parsed
