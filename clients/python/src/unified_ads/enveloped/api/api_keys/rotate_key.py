from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.rotated_api_key import RotatedApiKey
from ...types import Response


def _get_kwargs() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api-keys/rotate",
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> RotatedApiKey:
    if response.status_code == 200:
        response_200 = RotatedApiKey.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[RotatedApiKey]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
) -> Response[RotatedApiKey]:
    """Replaces the API key of the request

     Name, scopes, expiry and spending limit stay; other keys do, too. The old key is invalid
    immediately. Of several concurrent requests one succeeds; the others are 401. No body. Needs the
    scope `write`.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[RotatedApiKey]
    """

    kwargs = _get_kwargs()

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
) -> RotatedApiKey:
    """Replaces the API key of the request

     Name, scopes, expiry and spending limit stay; other keys do, too. The old key is invalid
    immediately. Of several concurrent requests one succeeds; the others are 401. No body. Needs the
    scope `write`.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        RotatedApiKey
    """

    return sync_detailed(
        client=client,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
) -> Response[RotatedApiKey]:
    """Replaces the API key of the request

     Name, scopes, expiry and spending limit stay; other keys do, too. The old key is invalid
    immediately. Of several concurrent requests one succeeds; the others are 401. No body. Needs the
    scope `write`.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[RotatedApiKey]
    """

    kwargs = _get_kwargs()

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
) -> RotatedApiKey:
    """Replaces the API key of the request

     Name, scopes, expiry and spending limit stay; other keys do, too. The old key is invalid
    immediately. Of several concurrent requests one succeeds; the others are 401. No body. Needs the
    scope `write`.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        RotatedApiKey
    """

    return (
        await asyncio_detailed(
            client=client,
        )
    ).parsed
