from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.replay_request import ReplayRequest
from ...models.replay_result import ReplayResult
from ...types import Response


def _get_kwargs(
    id: str,
    *,
    body: ReplayRequest,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhook-endpoints/{id}/replay".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ReplayResult:
    if response.status_code == 202:
        response_202 = ReplayResult.from_dict(read_json(response.content))

        return response_202

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[ReplayResult]:
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
    body: ReplayRequest,
) -> Response[ReplayResult]:
    """Delivers events once more

     The events from a time on, that time included, or one event; of the types that the endpoint has now.
    Each is delivered as if it were new, under the same `webhook-id`. Sent again, it delivers them
    again. If time ends first, the error names the `since` with which to send the request again: the
    oldest events are replayed first. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.
        body (ReplayRequest): What to deliver once more: exactly one field.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ReplayResult]
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
    body: ReplayRequest,
) -> ReplayResult:
    """Delivers events once more

     The events from a time on, that time included, or one event; of the types that the endpoint has now.
    Each is delivered as if it were new, under the same `webhook-id`. Sent again, it delivers them
    again. If time ends first, the error names the `since` with which to send the request again: the
    oldest events are replayed first. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.
        body (ReplayRequest): What to deliver once more: exactly one field.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ReplayResult
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
    body: ReplayRequest,
) -> Response[ReplayResult]:
    """Delivers events once more

     The events from a time on, that time included, or one event; of the types that the endpoint has now.
    Each is delivered as if it were new, under the same `webhook-id`. Sent again, it delivers them
    again. If time ends first, the error names the `since` with which to send the request again: the
    oldest events are replayed first. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.
        body (ReplayRequest): What to deliver once more: exactly one field.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ReplayResult]
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
    body: ReplayRequest,
) -> ReplayResult:
    """Delivers events once more

     The events from a time on, that time included, or one event; of the types that the endpoint has now.
    Each is delivered as if it were new, under the same `webhook-id`. Sent again, it delivers them
    again. If time ends first, the error names the `since` with which to send the request again: the
    oldest events are replayed first. Needs the scope `write`.

    Args:
        id (str): Webhook endpoint id.
        body (ReplayRequest): What to deliver once more: exactly one field.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ReplayResult
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
        )
    ).parsed
