from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.limits import Limits
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
        "method": "get",
        "url": "/limits",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Limits:
    if response.status_code == 200:
        response_200 = Limits.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Limits]:
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
) -> Response[Limits]:
    """Tells what the API key of the request may still add

     What counts: the whole daily budget of a campaign that the key has activated, what it has added to
    one that ran, what it has paused or lowered until the day of the ad account is over, and what is
    under way. A request for a user (`X-External-Ref`) also gets what the user has left, in `user`.
    Needs the scope `read` or `campaigns`.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Limits]
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
) -> Limits:
    """Tells what the API key of the request may still add

     What counts: the whole daily budget of a campaign that the key has activated, what it has added to
    one that ran, what it has paused or lowered until the day of the ad account is over, and what is
    under way. A request for a user (`X-External-Ref`) also gets what the user has left, in `user`.
    Needs the scope `read` or `campaigns`.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Limits
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
) -> Response[Limits]:
    """Tells what the API key of the request may still add

     What counts: the whole daily budget of a campaign that the key has activated, what it has added to
    one that ran, what it has paused or lowered until the day of the ad account is over, and what is
    under way. A request for a user (`X-External-Ref`) also gets what the user has left, in `user`.
    Needs the scope `read` or `campaigns`.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Limits]
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
) -> Limits:
    """Tells what the API key of the request may still add

     What counts: the whole daily budget of a campaign that the key has activated, what it has added to
    one that ran, what it has paused or lowered until the day of the ad account is over, and what is
    under way. A request for a user (`X-External-Ref`) also gets what the user has left, in `user`.
    Needs the scope `read` or `campaigns`.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Limits
    """

    return (
        await asyncio_detailed(
            client=client,
            external_ref=external_ref,
            x_external_ref=x_external_ref,
        )
    ).parsed
