from http import HTTPStatus
from typing import Any, cast

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.description import Description
from ...models.document_shape import DocumentShape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    shape: DocumentShape | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_shape: str | Unset = UNSET
    if not isinstance(shape, Unset):
        json_shape = shape.value

    params["shape"] = json_shape

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/openapi.json",
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Any | Description:
    if response.status_code == 200:
        response_200 = Description.from_dict(read_json(response.content))

        return response_200

    if response.status_code == 304:
        response_304 = cast(Any, None)
        return response_304

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Any | Description]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    shape: DocumentShape | Unset = UNSET,
) -> Response[Any | Description]:
    """Reads this document as JSON

     With `shape`, the document of one shape: the requests and responses of the other are not in it, and
    `X-API-Shape` is required and has one value. Clients that are generated from it do not compile with
    a body of the other shape.

    Args:
        shape (DocumentShape | Unset): A shape of the OpenAPI document.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Description]
    """

    kwargs = _get_kwargs(
        shape=shape,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    shape: DocumentShape | Unset = UNSET,
) -> Any | Description:
    """Reads this document as JSON

     With `shape`, the document of one shape: the requests and responses of the other are not in it, and
    `X-API-Shape` is required and has one value. Clients that are generated from it do not compile with
    a body of the other shape.

    Args:
        shape (DocumentShape | Unset): A shape of the OpenAPI document.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Description
    """

    return sync_detailed(
        client=client,
        shape=shape,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    shape: DocumentShape | Unset = UNSET,
) -> Response[Any | Description]:
    """Reads this document as JSON

     With `shape`, the document of one shape: the requests and responses of the other are not in it, and
    `X-API-Shape` is required and has one value. Clients that are generated from it do not compile with
    a body of the other shape.

    Args:
        shape (DocumentShape | Unset): A shape of the OpenAPI document.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Description]
    """

    kwargs = _get_kwargs(
        shape=shape,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    shape: DocumentShape | Unset = UNSET,
) -> Any | Description:
    """Reads this document as JSON

     With `shape`, the document of one shape: the requests and responses of the other are not in it, and
    `X-API-Shape` is required and has one value. Clients that are generated from it do not compile with
    a body of the other shape.

    Args:
        shape (DocumentShape | Unset): A shape of the OpenAPI document.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Description
    """

    return (
        await asyncio_detailed(
            client=client,
            shape=shape,
        )
    ).parsed
