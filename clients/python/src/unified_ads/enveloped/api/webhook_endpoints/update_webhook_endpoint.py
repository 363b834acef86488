from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.webhook_endpoint import WebhookEndpoint
from ...models.webhook_endpoint_changes import WebhookEndpointChanges
from ...types import Response


def _get_kwargs(
    id: str,
    *,
    body: WebhookEndpointChanges,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/webhook-endpoints/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> WebhookEndpoint:
    if response.status_code == 200:
        response_200 = WebhookEndpoint.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[WebhookEndpoint]:
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
    body: WebhookEndpointChanges,
) -> Response[WebhookEndpoint]:
    """Changes a webhook endpoint

     Fields that are absent stay. `status` may be set either way; `enabled` also removes
    `disabled_reason`. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.
        body (WebhookEndpointChanges): What to change of a webhook endpoint. A description of null
            removes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[WebhookEndpoint]
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
    body: WebhookEndpointChanges,
) -> WebhookEndpoint:
    """Changes a webhook endpoint

     Fields that are absent stay. `status` may be set either way; `enabled` also removes
    `disabled_reason`. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.
        body (WebhookEndpointChanges): What to change of a webhook endpoint. A description of null
            removes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        WebhookEndpoint
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
    body: WebhookEndpointChanges,
) -> Response[WebhookEndpoint]:
    """Changes a webhook endpoint

     Fields that are absent stay. `status` may be set either way; `enabled` also removes
    `disabled_reason`. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.
        body (WebhookEndpointChanges): What to change of a webhook endpoint. A description of null
            removes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[WebhookEndpoint]
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
    body: WebhookEndpointChanges,
) -> WebhookEndpoint:
    """Changes a webhook endpoint

     Fields that are absent stay. `status` may be set either way; `enabled` also removes
    `disabled_reason`. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.
        body (WebhookEndpointChanges): What to change of a webhook endpoint. A description of null
            removes it.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        WebhookEndpoint
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
        )
    ).parsed
