from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.received import Received
from ...models.webhook_event import WebhookEvent
from ...types import Response


def _get_kwargs(
    *,
    body: WebhookEvent,
    stripe_signature: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Stripe-Signature"] = stripe_signature

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/billing/webhook",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Received:
    if response.status_code == 200:
        response_200 = Received.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Received]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: WebhookEvent,
    stripe_signature: str,
) -> Response[Received]:
    """Webhook of the payment provider

     For the payment provider; do not call it. No API key: events are signed.

    Args:
        stripe_signature (str):
        body (WebhookEvent): An event of the payment provider, as its API describes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Received]
    """

    kwargs = _get_kwargs(
        body=body,
        stripe_signature=stripe_signature,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    body: WebhookEvent,
    stripe_signature: str,
) -> Received:
    """Webhook of the payment provider

     For the payment provider; do not call it. No API key: events are signed.

    Args:
        stripe_signature (str):
        body (WebhookEvent): An event of the payment provider, as its API describes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Received
    """

    return sync_detailed(
        client=client,
        body=body,
        stripe_signature=stripe_signature,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: WebhookEvent,
    stripe_signature: str,
) -> Response[Received]:
    """Webhook of the payment provider

     For the payment provider; do not call it. No API key: events are signed.

    Args:
        stripe_signature (str):
        body (WebhookEvent): An event of the payment provider, as its API describes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Received]
    """

    kwargs = _get_kwargs(
        body=body,
        stripe_signature=stripe_signature,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    body: WebhookEvent,
    stripe_signature: str,
) -> Received:
    """Webhook of the payment provider

     For the payment provider; do not call it. No API key: events are signed.

    Args:
        stripe_signature (str):
        body (WebhookEvent): An event of the payment provider, as its API describes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Received
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            stripe_signature=stripe_signature,
        )
    ).parsed
