from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.user_list import UserList
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["cursor"] = cursor

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/users",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> UserList:
    if response.status_code == 200:
        response_200 = UserList.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[UserList]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[UserList]:
    """Lists your users

     Every user that a connection or a PUT has named, by name. A request for one user lists only this
    one. Needs the scope `read`.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[UserList]
    """

    kwargs = _get_kwargs(
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
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> UserList:
    """Lists your users

     Every user that a connection or a PUT has named, by name. A request for one user lists only this
    one. Needs the scope `read`.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        UserList
    """

    return sync_detailed(
        client=client,
        limit=limit,
        cursor=cursor,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[UserList]:
    """Lists your users

     Every user that a connection or a PUT has named, by name. A request for one user lists only this
    one. Needs the scope `read`.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[UserList]
    """

    kwargs = _get_kwargs(
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
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> UserList:
    """Lists your users

     Every user that a connection or a PUT has named, by name. A request for one user lists only this
    one. Needs the scope `read`.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        UserList
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            cursor=cursor,
            external_ref=external_ref,
            x_external_ref=x_external_ref,
        )
    ).parsed
