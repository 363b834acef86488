from http import HTTPStatus
from typing import Any
from urllib.parse import quote
from uuid import UUID

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.flat_intents import FlatIntents
from ...models.shape import Shape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    request_id: UUID,
    *,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["X-API-Shape"] = str(x_api_shape)

    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/campaigns/intents/{request_id}".format(
            request_id=quote(str(request_id), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> FlatIntents:
    if response.status_code == 200:
        response_200 = FlatIntents.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[FlatIntents]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    request_id: UUID,
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatIntents]:
    """Reads the outcome of a create

     Available for 365 days after the create.

    Args:
        request_id (UUID):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatIntents]
    """

    kwargs = _get_kwargs(
        request_id=request_id,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    request_id: UUID,
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> FlatIntents:
    """Reads the outcome of a create

     Available for 365 days after the create.

    Args:
        request_id (UUID):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatIntents
    """

    return sync_detailed(
        request_id=request_id,
        client=client,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    request_id: UUID,
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatIntents]:
    """Reads the outcome of a create

     Available for 365 days after the create.

    Args:
        request_id (UUID):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatIntents]
    """

    kwargs = _get_kwargs(
        request_id=request_id,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    request_id: UUID,
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> FlatIntents:
    """Reads the outcome of a create

     Available for 365 days after the create.

    Args:
        request_id (UUID):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatIntents
    """

    return (
        await asyncio_detailed(
            request_id=request_id,
            client=client,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            x_external_ref=x_external_ref,
        )
    ).parsed
