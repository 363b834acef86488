from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.connection import Connection
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
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
        "method": "get",
        "url": "/connections/{id}".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Connection:
    if response.status_code == 200:
        response_200 = Connection.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Connection]:
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
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[Connection]:
    """Reads one connection

     Needs the scope `read` or `campaigns`.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Connection]
    """

    kwargs = _get_kwargs(
        id=id,
        external_ref=external_ref,
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
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Connection:
    """Reads one connection

     Needs the scope `read` or `campaigns`.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Connection
    """

    return sync_detailed(
        id=id,
        client=client,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[Connection]:
    """Reads one connection

     Needs the scope `read` or `campaigns`.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Connection]
    """

    kwargs = _get_kwargs(
        id=id,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Connection:
    """Reads one connection

     Needs the scope `read` or `campaigns`.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Connection
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            external_ref=external_ref,
            x_external_ref=x_external_ref,
        )
    ).parsed
