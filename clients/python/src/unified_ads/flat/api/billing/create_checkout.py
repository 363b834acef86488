from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.checkout_request import CheckoutRequest
from ...models.checkout_session import CheckoutSession
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    body: CheckoutRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/billing/create-checkout-session",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> CheckoutSession:
    if response.status_code == 200:
        response_200 = CheckoutSession.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[CheckoutSession]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: CheckoutRequest,
    idempotency_key: str | Unset = UNSET,
) -> Response[CheckoutSession]:
    """Creates a checkout session

     The plan is effective right after the payment. With an active subscription this is 409: use the
    portal to change it.

    Args:
        idempotency_key (str | Unset):
        body (CheckoutRequest): Plan to buy.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[CheckoutSession]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    body: CheckoutRequest,
    idempotency_key: str | Unset = UNSET,
) -> CheckoutSession:
    """Creates a checkout session

     The plan is effective right after the payment. With an active subscription this is 409: use the
    portal to change it.

    Args:
        idempotency_key (str | Unset):
        body (CheckoutRequest): Plan to buy.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        CheckoutSession
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: CheckoutRequest,
    idempotency_key: str | Unset = UNSET,
) -> Response[CheckoutSession]:
    """Creates a checkout session

     The plan is effective right after the payment. With an active subscription this is 409: use the
    portal to change it.

    Args:
        idempotency_key (str | Unset):
        body (CheckoutRequest): Plan to buy.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[CheckoutSession]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    body: CheckoutRequest,
    idempotency_key: str | Unset = UNSET,
) -> CheckoutSession:
    """Creates a checkout session

     The plan is effective right after the payment. With an active subscription this is 409: use the
    portal to change it.

    Args:
        idempotency_key (str | Unset):
        body (CheckoutRequest): Plan to buy.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        CheckoutSession
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
