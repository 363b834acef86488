from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.flat_change_review import FlatChangeReview
from ...models.shape import Shape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
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
        "url": "/changes/{id}/review".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> FlatChangeReview:
    if response.status_code == 200:
        response_200 = FlatChangeReview.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[FlatChangeReview]:
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
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatChangeReview]:
    """Reads what a person decides on

     For a change that waits for a person, asked of its platform now. Show it to the person, and send
    `version` with their decision. 409 with `NOT_WAITING` for any other change. Needs the scope
    `approve`.

    Args:
        id (str): Change id. Ids sort by time.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatChangeReview]
    """

    kwargs = _get_kwargs(
        id=id,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> FlatChangeReview:
    """Reads what a person decides on

     For a change that waits for a person, asked of its platform now. Show it to the person, and send
    `version` with their decision. 409 with `NOT_WAITING` for any other change. Needs the scope
    `approve`.

    Args:
        id (str): Change id. Ids sort by time.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatChangeReview
    """

    return sync_detailed(
        id=id,
        client=client,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatChangeReview]:
    """Reads what a person decides on

     For a change that waits for a person, asked of its platform now. Show it to the person, and send
    `version` with their decision. 409 with `NOT_WAITING` for any other change. Needs the scope
    `approve`.

    Args:
        id (str): Change id. Ids sort by time.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatChangeReview]
    """

    kwargs = _get_kwargs(
        id=id,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> FlatChangeReview:
    """Reads what a person decides on

     For a change that waits for a person, asked of its platform now. Show it to the person, and send
    `version` with their decision. 409 with `NOT_WAITING` for any other change. Needs the scope
    `approve`.

    Args:
        id (str): Change id. Ids sort by time.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatChangeReview
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            x_external_ref=x_external_ref,
        )
    ).parsed
