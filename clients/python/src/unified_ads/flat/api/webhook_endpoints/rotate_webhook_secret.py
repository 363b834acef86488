from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.webhook_endpoint_with_secret import WebhookEndpointWithSecret
from ...types import Response


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhook-endpoints/{id}/rotate-secret".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> WebhookEndpointWithSecret:
    if response.status_code == 200:
        response_200 = WebhookEndpointWithSecret.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[WebhookEndpointWithSecret]:
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
) -> Response[WebhookEndpointWithSecret]:
    """Replaces the secret of a webhook endpoint

     For 24 hours the old secret signs too, so every delivery has two signatures. After two rotations
    within a day the two newest secrets sign. No body. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[WebhookEndpointWithSecret]
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
) -> WebhookEndpointWithSecret:
    """Replaces the secret of a webhook endpoint

     For 24 hours the old secret signs too, so every delivery has two signatures. After two rotations
    within a day the two newest secrets sign. No body. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        WebhookEndpointWithSecret
    """

    return sync_detailed(
        id=id,
        client=client,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[WebhookEndpointWithSecret]:
    """Replaces the secret of a webhook endpoint

     For 24 hours the old secret signs too, so every delivery has two signatures. After two rotations
    within a day the two newest secrets sign. No body. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[WebhookEndpointWithSecret]
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
) -> WebhookEndpointWithSecret:
    """Replaces the secret of a webhook endpoint

     For 24 hours the old secret signs too, so every delivery has two signatures. After two rotations
    within a day the two newest secrets sign. No body. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        WebhookEndpointWithSecret
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
        )
    ).parsed
