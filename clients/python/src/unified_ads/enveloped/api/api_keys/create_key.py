from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.created_api_key import CreatedApiKey
from ...models.new_api_key import NewApiKey
from ...types import Response


def _get_kwargs(
    *,
    body: NewApiKey,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api-keys",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> CreatedApiKey:
    if response.status_code == 201:
        response_201 = CreatedApiKey.from_dict(read_json(response.content))

        return response_201

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[CreatedApiKey]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: NewApiKey,
) -> Response[CreatedApiKey]:
    """Creates an API key

     A customer has at most five keys, expired ones included, and twenty more with a spending limit; one
    more is 409. A scope that the key of the request lacks is 403. A key with `external_ref` acts for
    this user of yours alone, and makes no keys. Needs the scope `write`.

    Args:
        body (NewApiKey): Key to create.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[CreatedApiKey]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    body: NewApiKey,
) -> CreatedApiKey:
    """Creates an API key

     A customer has at most five keys, expired ones included, and twenty more with a spending limit; one
    more is 409. A scope that the key of the request lacks is 403. A key with `external_ref` acts for
    this user of yours alone, and makes no keys. Needs the scope `write`.

    Args:
        body (NewApiKey): Key to create.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        CreatedApiKey
    """

    return sync_detailed(
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: NewApiKey,
) -> Response[CreatedApiKey]:
    """Creates an API key

     A customer has at most five keys, expired ones included, and twenty more with a spending limit; one
    more is 409. A scope that the key of the request lacks is 403. A key with `external_ref` acts for
    this user of yours alone, and makes no keys. Needs the scope `write`.

    Args:
        body (NewApiKey): Key to create.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[CreatedApiKey]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    body: NewApiKey,
) -> CreatedApiKey:
    """Creates an API key

     A customer has at most five keys, expired ones included, and twenty more with a spending limit; one
    more is 409. A scope that the key of the request lacks is 403. A key with `external_ref` acts for
    this user of yours alone, and makes no keys. Needs the scope `write`.

    Args:
        body (NewApiKey): Key to create.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        CreatedApiKey
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
        )
    ).parsed
