from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.enveloped_bulk_report_answer import EnvelopedBulkReportAnswer
from ...models.enveloped_bulk_request import EnvelopedBulkRequest
from ...models.shape import Shape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    body: EnvelopedBulkRequest,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["X-API-Shape"] = str(x_api_shape)

    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/campaigns/status",
        "params": params,
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> EnvelopedBulkReportAnswer:
    if response.status_code == 202:
        response_202 = EnvelopedBulkReportAnswer.from_dict(read_json(response.content))

        return response_202

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[EnvelopedBulkReportAnswer]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: EnvelopedBulkRequest,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[EnvelopedBulkReportAnswer]:
    """Activates or pauses many campaigns

     Makes a change for each campaign that the status fits. The request applies as many as it has time
    for; the others follow within a minute or two, and each is tried until its outcome is known. Pausing
    cancels scheduled activations of the same campaigns, and a scheduled later end of one that has
    ended. `{"status": "PAUSED", "all": true}` pauses everything.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (EnvelopedBulkRequest): The new status, and the campaigns: `ids`, or one of the
            others.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EnvelopedBulkReportAnswer]
    """

    kwargs = _get_kwargs(
        body=body,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
        x_external_ref=x_external_ref,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    body: EnvelopedBulkRequest,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> EnvelopedBulkReportAnswer:
    """Activates or pauses many campaigns

     Makes a change for each campaign that the status fits. The request applies as many as it has time
    for; the others follow within a minute or two, and each is tried until its outcome is known. Pausing
    cancels scheduled activations of the same campaigns, and a scheduled later end of one that has
    ended. `{"status": "PAUSED", "all": true}` pauses everything.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (EnvelopedBulkRequest): The new status, and the campaigns: `ids`, or one of the
            others.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EnvelopedBulkReportAnswer
    """

    return sync_detailed(
        client=client,
        body=body,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: EnvelopedBulkRequest,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[EnvelopedBulkReportAnswer]:
    """Activates or pauses many campaigns

     Makes a change for each campaign that the status fits. The request applies as many as it has time
    for; the others follow within a minute or two, and each is tried until its outcome is known. Pausing
    cancels scheduled activations of the same campaigns, and a scheduled later end of one that has
    ended. `{"status": "PAUSED", "all": true}` pauses everything.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (EnvelopedBulkRequest): The new status, and the campaigns: `ids`, or one of the
            others.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EnvelopedBulkReportAnswer]
    """

    kwargs = _get_kwargs(
        body=body,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    body: EnvelopedBulkRequest,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> EnvelopedBulkReportAnswer:
    """Activates or pauses many campaigns

     Makes a change for each campaign that the status fits. The request applies as many as it has time
    for; the others follow within a minute or two, and each is tried until its outcome is known. Pausing
    cancels scheduled activations of the same campaigns, and a scheduled later end of one that has
    ended. `{"status": "PAUSED", "all": true}` pauses everything.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (EnvelopedBulkRequest): The new status, and the campaigns: `ids`, or one of the
            others.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EnvelopedBulkReportAnswer
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            idempotency_key=idempotency_key,
            x_external_ref=x_external_ref,
        )
    ).parsed
