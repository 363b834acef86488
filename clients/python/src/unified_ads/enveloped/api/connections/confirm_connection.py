from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.confirmed_connections import ConfirmedConnections
from ...models.connection_confirmation import ConnectionConfirmation
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    body: ConnectionConfirmation,
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
        "url": "/connections/{id}/confirm".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ConfirmedConnections:
    if response.status_code == 200:
        response_200 = ConfirmedConnections.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ConfirmedConnections]:
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
    body: ConnectionConfirmation,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[ConfirmedConnections]:
    """Connects the accounts of a consent

     Of an authorization with `confirm=true`, within ten minutes of the consent. Send it once you know
    that the browser that came back is that of your own user. The code works once.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (ConnectionConfirmation): The code with which the redirect has come back.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ConfirmedConnections]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
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
    body: ConnectionConfirmation,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> ConfirmedConnections:
    """Connects the accounts of a consent

     Of an authorization with `confirm=true`, within ten minutes of the consent. Send it once you know
    that the browser that came back is that of your own user. The code works once.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (ConnectionConfirmation): The code with which the redirect has come back.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ConfirmedConnections
    """

    return sync_detailed(
        id=id,
        client=client,
        body=body,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: ConnectionConfirmation,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[ConfirmedConnections]:
    """Connects the accounts of a consent

     Of an authorization with `confirm=true`, within ten minutes of the consent. Send it once you know
    that the browser that came back is that of your own user. The code works once.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (ConnectionConfirmation): The code with which the redirect has come back.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ConfirmedConnections]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: ConnectionConfirmation,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> ConfirmedConnections:
    """Connects the accounts of a consent

     Of an authorization with `confirm=true`, within ten minutes of the consent. Send it once you know
    that the browser that came back is that of your own user. The code works once.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (ConnectionConfirmation): The code with which the redirect has come back.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ConfirmedConnections
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
            external_ref=external_ref,
            x_external_ref=x_external_ref,
        )
    ).parsed
