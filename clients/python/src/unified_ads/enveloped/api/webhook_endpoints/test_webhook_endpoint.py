from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.delivery import Delivery
from ...types import Response


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhook-endpoints/{id}/test".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Delivery:
    if response.status_code == 200:
        response_200 = Delivery.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Delivery]:
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
) -> Response[Delivery]:
    """Sends a ping to a webhook endpoint

     One attempt, at once, with an event of type `ping`; a disabled endpoint gets it too. An endpoint
    that fails is no error of this request: `status` is `failed` then, and the attempt says why. It does
    not count towards disabling the endpoint. No body. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Delivery]
    """

    kwargs = _get_kwargs(
        id=id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient | Client,
) -> Delivery:
    """Sends a ping to a webhook endpoint

     One attempt, at once, with an event of type `ping`; a disabled endpoint gets it too. An endpoint
    that fails is no error of this request: `status` is `failed` then, and the attempt says why. It does
    not count towards disabling the endpoint. No body. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Delivery
    """

    return sync_detailed(
        id=id,
        client=client,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Delivery]:
    """Sends a ping to a webhook endpoint

     One attempt, at once, with an event of type `ping`; a disabled endpoint gets it too. An endpoint
    that fails is no error of this request: `status` is `failed` then, and the attempt says why. It does
    not count towards disabling the endpoint. No body. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Delivery]
    """

    kwargs = _get_kwargs(
        id=id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
) -> Delivery:
    """Sends a ping to a webhook endpoint

     One attempt, at once, with an event of type `ping`; a disabled endpoint gets it too. An endpoint
    that fails is no error of this request: `status` is `failed` then, and the attempt says why. It does
    not count towards disabling the endpoint. No body. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Delivery
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
        )
    ).parsed
