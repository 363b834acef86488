from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...types import UNSET, Response, Unset


def _get_kwargs(
    external_ref_path: str,
    *,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["cursor"] = cursor

    params["external_ref"] = external_ref_query

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/users/{external_ref_path}/export".format(
            external_ref_path=quote(str(external_ref_path), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> str:
    if response.status_code == 200:
        response_200 = response.text
        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[str]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    external_ref_path: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[str]:
    """Exports a user

     Everything that is stored of a user, as JSON lines in pages: the user and its connections, then its
    changes, its events and its requests, each newest first. Read on with `next_cursor` of the last line
    until it is null. A page may be short. An API key with a spending limit exports nothing (403). Needs
    the scope `read`.

    Args:
        external_ref_path (str): Your own name for a user.
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref_query (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[str]
    """

    kwargs = _get_kwargs(
        external_ref_path=external_ref_path,
        limit=limit,
        cursor=cursor,
        external_ref_query=external_ref_query,
        x_external_ref=x_external_ref,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    external_ref_path: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> str:
    """Exports a user

     Everything that is stored of a user, as JSON lines in pages: the user and its connections, then its
    changes, its events and its requests, each newest first. Read on with `next_cursor` of the last line
    until it is null. A page may be short. An API key with a spending limit exports nothing (403). Needs
    the scope `read`.

    Args:
        external_ref_path (str): Your own name for a user.
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref_query (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        str
    """

    return sync_detailed(
        external_ref_path=external_ref_path,
        client=client,
        limit=limit,
        cursor=cursor,
        external_ref_query=external_ref_query,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    external_ref_path: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[str]:
    """Exports a user

     Everything that is stored of a user, as JSON lines in pages: the user and its connections, then its
    changes, its events and its requests, each newest first. Read on with `next_cursor` of the last line
    until it is null. A page may be short. An API key with a spending limit exports nothing (403). Needs
    the scope `read`.

    Args:
        external_ref_path (str): Your own name for a user.
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref_query (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[str]
    """

    kwargs = _get_kwargs(
        external_ref_path=external_ref_path,
        limit=limit,
        cursor=cursor,
        external_ref_query=external_ref_query,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    external_ref_path: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> str:
    """Exports a user

     Everything that is stored of a user, as JSON lines in pages: the user and its connections, then its
    changes, its events and its requests, each newest first. Read on with `next_cursor` of the last line
    until it is null. A page may be short. An API key with a spending limit exports nothing (403). Needs
    the scope `read`.

    Args:
        external_ref_path (str): Your own name for a user.
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        external_ref_query (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        str
    """

    return (
        await asyncio_detailed(
            external_ref_path=external_ref_path,
            client=client,
            limit=limit,
            cursor=cursor,
            external_ref_query=external_ref_query,
            x_external_ref=x_external_ref,
        )
    ).parsed
