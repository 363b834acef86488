from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.new_webhook_endpoint import NewWebhookEndpoint
from ...models.webhook_endpoint_with_secret import WebhookEndpointWithSecret
from ...types import Response


def _get_kwargs(
    *,
    body: NewWebhookEndpoint,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhook-endpoints",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> WebhookEndpointWithSecret:
    if response.status_code == 201:
        response_201 = WebhookEndpointWithSecret.from_dict(read_json(response.content))

        return response_201

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
    *,
    client: AuthenticatedClient | Client,
    body: NewWebhookEndpoint,
) -> Response[WebhookEndpointWithSecret]:
    """Creates a webhook endpoint

     A customer has at most five; the sixth is 409. The signature follows [Standard
    Webhooks](https://www.standardwebhooks.com). A request without a response may have created an
    endpoint: list them, and delete the one whose secret you do not have. Needs the scope `write`.

    Args:
        body (NewWebhookEndpoint): A webhook endpoint. Without `shape` it is flat.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[WebhookEndpointWithSecret]
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
    body: NewWebhookEndpoint,
) -> WebhookEndpointWithSecret:
    """Creates a webhook endpoint

     A customer has at most five; the sixth is 409. The signature follows [Standard
    Webhooks](https://www.standardwebhooks.com). A request without a response may have created an
    endpoint: list them, and delete the one whose secret you do not have. Needs the scope `write`.

    Args:
        body (NewWebhookEndpoint): A webhook endpoint. Without `shape` it is flat.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        WebhookEndpointWithSecret
    """

    return sync_detailed(
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: NewWebhookEndpoint,
) -> Response[WebhookEndpointWithSecret]:
    """Creates a webhook endpoint

     A customer has at most five; the sixth is 409. The signature follows [Standard
    Webhooks](https://www.standardwebhooks.com). A request without a response may have created an
    endpoint: list them, and delete the one whose secret you do not have. Needs the scope `write`.

    Args:
        body (NewWebhookEndpoint): A webhook endpoint. Without `shape` it is flat.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[WebhookEndpointWithSecret]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    body: NewWebhookEndpoint,
) -> WebhookEndpointWithSecret:
    """Creates a webhook endpoint

     A customer has at most five; the sixth is 409. The signature follows [Standard
    Webhooks](https://www.standardwebhooks.com). A request without a response may have created an
    endpoint: list them, and delete the one whose secret you do not have. Needs the scope `write`.

    Args:
        body (NewWebhookEndpoint): A webhook endpoint. Without `shape` it is flat.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        WebhookEndpointWithSecret
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
        )
    ).parsed
