from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.authorize_result import AuthorizeResult
from ...models.platform import Platform
from ...types import UNSET, Response, Unset


def _get_kwargs(
    platform: Platform,
    *,
    redirect_uri: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    state: str | Unset = UNSET,
    confirm: bool | Unset = False,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["redirect_uri"] = redirect_uri

    params["external_ref"] = external_ref

    params["state"] = state

    params["confirm"] = confirm

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/connections/{platform}/authorize".format(
            platform=quote(str(platform), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> AuthorizeResult:
    if response.status_code == 200:
        response_200 = AuthorizeResult.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[AuthorizeResult]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    platform: Platform,
    *,
    client: AuthenticatedClient | Client,
    redirect_uri: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    state: str | Unset = UNSET,
    confirm: bool | Unset = False,
    x_external_ref: str | Unset = UNSET,
) -> Response[AuthorizeResult]:
    """Starts an authorization

     Creates a `PENDING` connection. It becomes the first account that the user chooses, or expires after
    30 minutes.

    Args:
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        redirect_uri (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        state (str | Unset):
        confirm (bool | Unset):  Default: False.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[AuthorizeResult]
    """

    kwargs = _get_kwargs(
        platform=platform,
        redirect_uri=redirect_uri,
        external_ref=external_ref,
        state=state,
        confirm=confirm,
        x_external_ref=x_external_ref,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    platform: Platform,
    *,
    client: AuthenticatedClient | Client,
    redirect_uri: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    state: str | Unset = UNSET,
    confirm: bool | Unset = False,
    x_external_ref: str | Unset = UNSET,
) -> AuthorizeResult:
    """Starts an authorization

     Creates a `PENDING` connection. It becomes the first account that the user chooses, or expires after
    30 minutes.

    Args:
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        redirect_uri (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        state (str | Unset):
        confirm (bool | Unset):  Default: False.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        AuthorizeResult
    """

    return sync_detailed(
        platform=platform,
        client=client,
        redirect_uri=redirect_uri,
        external_ref=external_ref,
        state=state,
        confirm=confirm,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    platform: Platform,
    *,
    client: AuthenticatedClient | Client,
    redirect_uri: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    state: str | Unset = UNSET,
    confirm: bool | Unset = False,
    x_external_ref: str | Unset = UNSET,
) -> Response[AuthorizeResult]:
    """Starts an authorization

     Creates a `PENDING` connection. It becomes the first account that the user chooses, or expires after
    30 minutes.

    Args:
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        redirect_uri (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        state (str | Unset):
        confirm (bool | Unset):  Default: False.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[AuthorizeResult]
    """

    kwargs = _get_kwargs(
        platform=platform,
        redirect_uri=redirect_uri,
        external_ref=external_ref,
        state=state,
        confirm=confirm,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    platform: Platform,
    *,
    client: AuthenticatedClient | Client,
    redirect_uri: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    state: str | Unset = UNSET,
    confirm: bool | Unset = False,
    x_external_ref: str | Unset = UNSET,
) -> AuthorizeResult:
    """Starts an authorization

     Creates a `PENDING` connection. It becomes the first account that the user chooses, or expires after
    30 minutes.

    Args:
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        redirect_uri (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        state (str | Unset):
        confirm (bool | Unset):  Default: False.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        AuthorizeResult
    """

    return (
        await asyncio_detailed(
            platform=platform,
            client=client,
            redirect_uri=redirect_uri,
            external_ref=external_ref,
            state=state,
            confirm=confirm,
            x_external_ref=x_external_ref,
        )
    ).parsed
