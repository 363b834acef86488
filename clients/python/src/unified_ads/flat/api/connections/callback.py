from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.platform import Platform
from ...types import UNSET, Response, Unset


def _get_kwargs(
    platform: Platform,
    *,
    state: str,
    code: str | Unset = UNSET,
    auth_code: str | Unset = UNSET,
    error: str | Unset = UNSET,
    error_description: str | Unset = UNSET,
    error_code: str | Unset = UNSET,
    error_message: str | Unset = UNSET,
    iss: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["state"] = state

    params["code"] = code

    params["auth_code"] = auth_code

    params["error"] = error

    params["error_description"] = error_description

    params["error_code"] = error_code

    params["error_message"] = error_message

    params["iss"] = iss

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/oauth/callback/{platform}".format(
            platform=quote(str(platform), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Any | str:
    if response.status_code == 200:
        response_200 = response.text
        return response_200

    if response.status_code == 302:
        response_302 = cast(Any, None)
        return response_302

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Any | str]:
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
    state: str,
    code: str | Unset = UNSET,
    auth_code: str | Unset = UNSET,
    error: str | Unset = UNSET,
    error_description: str | Unset = UNSET,
    error_code: str | Unset = UNSET,
    error_message: str | Unset = UNSET,
    iss: str | Unset = UNSET,
) -> Response[Any | str]:
    """OAuth callback of the platform

     For browsers; do not call it. No API key: the single-use `state` identifies the authorization. Other
    parameters of platforms are ignored.

    Args:
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        state (str):
        code (str | Unset):
        auth_code (str | Unset):
        error (str | Unset):
        error_description (str | Unset):
        error_code (str | Unset):
        error_message (str | Unset):
        iss (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | str]
    """

    kwargs = _get_kwargs(
        platform=platform,
        state=state,
        code=code,
        auth_code=auth_code,
        error=error,
        error_description=error_description,
        error_code=error_code,
        error_message=error_message,
        iss=iss,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    platform: Platform,
    *,
    client: AuthenticatedClient | Client,
    state: str,
    code: str | Unset = UNSET,
    auth_code: str | Unset = UNSET,
    error: str | Unset = UNSET,
    error_description: str | Unset = UNSET,
    error_code: str | Unset = UNSET,
    error_message: str | Unset = UNSET,
    iss: str | Unset = UNSET,
) -> Any | str:
    """OAuth callback of the platform

     For browsers; do not call it. No API key: the single-use `state` identifies the authorization. Other
    parameters of platforms are ignored.

    Args:
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        state (str):
        code (str | Unset):
        auth_code (str | Unset):
        error (str | Unset):
        error_description (str | Unset):
        error_code (str | Unset):
        error_message (str | Unset):
        iss (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | str
    """

    return sync_detailed(
        platform=platform,
        client=client,
        state=state,
        code=code,
        auth_code=auth_code,
        error=error,
        error_description=error_description,
        error_code=error_code,
        error_message=error_message,
        iss=iss,
    ).parsed


async def asyncio_detailed(
    platform: Platform,
    *,
    client: AuthenticatedClient | Client,
    state: str,
    code: str | Unset = UNSET,
    auth_code: str | Unset = UNSET,
    error: str | Unset = UNSET,
    error_description: str | Unset = UNSET,
    error_code: str | Unset = UNSET,
    error_message: str | Unset = UNSET,
    iss: str | Unset = UNSET,
) -> Response[Any | str]:
    """OAuth callback of the platform

     For browsers; do not call it. No API key: the single-use `state` identifies the authorization. Other
    parameters of platforms are ignored.

    Args:
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        state (str):
        code (str | Unset):
        auth_code (str | Unset):
        error (str | Unset):
        error_description (str | Unset):
        error_code (str | Unset):
        error_message (str | Unset):
        iss (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | str]
    """

    kwargs = _get_kwargs(
        platform=platform,
        state=state,
        code=code,
        auth_code=auth_code,
        error=error,
        error_description=error_description,
        error_code=error_code,
        error_message=error_message,
        iss=iss,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    platform: Platform,
    *,
    client: AuthenticatedClient | Client,
    state: str,
    code: str | Unset = UNSET,
    auth_code: str | Unset = UNSET,
    error: str | Unset = UNSET,
    error_description: str | Unset = UNSET,
    error_code: str | Unset = UNSET,
    error_message: str | Unset = UNSET,
    iss: str | Unset = UNSET,
) -> Any | str:
    """OAuth callback of the platform

     For browsers; do not call it. No API key: the single-use `state` identifies the authorization. Other
    parameters of platforms are ignored.

    Args:
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        state (str):
        code (str | Unset):
        auth_code (str | Unset):
        error (str | Unset):
        error_description (str | Unset):
        error_code (str | Unset):
        error_message (str | Unset):
        iss (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | str
    """

    return (
        await asyncio_detailed(
            platform=platform,
            client=client,
            state=state,
            code=code,
            auth_code=auth_code,
            error=error,
            error_description=error_description,
            error_code=error_code,
            error_message=error_message,
            iss=iss,
        )
    ).parsed
