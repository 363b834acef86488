from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.sync_result import SyncResult
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/connections/sync",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> SyncResult:
    if response.status_code == 200:
        response_200 = SyncResult.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[SyncResult]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[SyncResult]:
    """Checks all connections with their platforms

     Refreshes tokens if needed. Connections with revoked access become `REVOKED`. Connections for which
    a request has no time are counted in `remaining` and checked within minutes. No body.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[SyncResult]
    """

    kwargs = _get_kwargs(
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
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> SyncResult:
    """Checks all connections with their platforms

     Refreshes tokens if needed. Connections with revoked access become `REVOKED`. Connections for which
    a request has no time are counted in `remaining` and checked within minutes. No body.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        SyncResult
    """

    return sync_detailed(
        client=client,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[SyncResult]:
    """Checks all connections with their platforms

     Refreshes tokens if needed. Connections with revoked access become `REVOKED`. Connections for which
    a request has no time are counted in `remaining` and checked within minutes. No body.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[SyncResult]
    """

    kwargs = _get_kwargs(
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> SyncResult:
    """Checks all connections with their platforms

     Refreshes tokens if needed. Connections with revoked access become `REVOKED`. Connections for which
    a request has no time are counted in `remaining` and checked within minutes. No body.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        SyncResult
    """

    return (
        await asyncio_detailed(
            client=client,
            external_ref=external_ref,
            x_external_ref=x_external_ref,
        )
    ).parsed
