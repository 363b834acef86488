from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.api_key import ApiKey
from ...models.api_key_changes import ApiKeyChanges
from ...types import Response


def _get_kwargs(
    id: str,
    *,
    body: ApiKeyChanges,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/api-keys/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ApiKey:
    if response.status_code == 200:
        response_200 = ApiKey.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[ApiKey]:
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
    body: ApiKeyChanges,
) -> Response[ApiKey]:
    """Changes the name, the scopes or the spending limit of an API key

     It holds from the key's next request on; requests in flight keep to the lower limit. A key does not
    change its own limit (403), and a scope that the key of the request lacks is 403. The last valid key
    with the scope `write` is 409. Needs the scope `write`.

    Args:
        id (str): API key id.
        body (ApiKeyChanges): What to change of a key.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ApiKey]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: ApiKeyChanges,
) -> ApiKey:
    """Changes the name, the scopes or the spending limit of an API key

     It holds from the key's next request on; requests in flight keep to the lower limit. A key does not
    change its own limit (403), and a scope that the key of the request lacks is 403. The last valid key
    with the scope `write` is 409. Needs the scope `write`.

    Args:
        id (str): API key id.
        body (ApiKeyChanges): What to change of a key.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ApiKey
    """

    return sync_detailed(
        id=id,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: ApiKeyChanges,
) -> Response[ApiKey]:
    """Changes the name, the scopes or the spending limit of an API key

     It holds from the key's next request on; requests in flight keep to the lower limit. A key does not
    change its own limit (403), and a scope that the key of the request lacks is 403. The last valid key
    with the scope `write` is 409. Needs the scope `write`.

    Args:
        id (str): API key id.
        body (ApiKeyChanges): What to change of a key.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ApiKey]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: ApiKeyChanges,
) -> ApiKey:
    """Changes the name, the scopes or the spending limit of an API key

     It holds from the key's next request on; requests in flight keep to the lower limit. A key does not
    change its own limit (403), and a scope that the key of the request lacks is 403. The last valid key
    with the scope `write` is 409. Needs the scope `write`.

    Args:
        id (str): API key id.
        body (ApiKeyChanges): What to change of a key.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ApiKey
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
        )
    ).parsed
