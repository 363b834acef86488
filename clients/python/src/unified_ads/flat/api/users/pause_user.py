from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.user_details import UserDetails
from ...types import UNSET, Response, Unset


def _get_kwargs(
    external_ref_path: str,
    *,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["external_ref"] = external_ref_query

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/users/{external_ref_path}/pause".format(
            external_ref_path=quote(str(external_ref_path), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> UserDetails:
    if response.status_code == 200:
        response_200 = UserDetails.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[UserDetails]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    external_ref_path: str,
    *,
    client: AuthenticatedClient | Client,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[UserDetails]:
    """Pauses what runs for a user

     From then on nothing is activated or raised in the connections of the user (403 `USER_PAUSED`),
    whoever asks for it; pausing, lowering and removing go on. What is scheduled to start a campaign is
    canceled. Every campaign that runs there is paused within a minute or two, each as a change, and
    once more 95 seconds later, for what was on its way. Sending it again tells how far the same pause
    is. No body. Needs the scope `write`.

    Args:
        external_ref_path (str): Your own name for a user.
        external_ref_query (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[UserDetails]
    """

    kwargs = _get_kwargs(
        external_ref_path=external_ref_path,
        external_ref_query=external_ref_query,
        x_external_ref=x_external_ref,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    external_ref_path: str,
    *,
    client: AuthenticatedClient | Client,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> UserDetails:
    """Pauses what runs for a user

     From then on nothing is activated or raised in the connections of the user (403 `USER_PAUSED`),
    whoever asks for it; pausing, lowering and removing go on. What is scheduled to start a campaign is
    canceled. Every campaign that runs there is paused within a minute or two, each as a change, and
    once more 95 seconds later, for what was on its way. Sending it again tells how far the same pause
    is. No body. Needs the scope `write`.

    Args:
        external_ref_path (str): Your own name for a user.
        external_ref_query (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        UserDetails
    """

    return sync_detailed(
        external_ref_path=external_ref_path,
        client=client,
        external_ref_query=external_ref_query,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    external_ref_path: str,
    *,
    client: AuthenticatedClient | Client,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[UserDetails]:
    """Pauses what runs for a user

     From then on nothing is activated or raised in the connections of the user (403 `USER_PAUSED`),
    whoever asks for it; pausing, lowering and removing go on. What is scheduled to start a campaign is
    canceled. Every campaign that runs there is paused within a minute or two, each as a change, and
    once more 95 seconds later, for what was on its way. Sending it again tells how far the same pause
    is. No body. Needs the scope `write`.

    Args:
        external_ref_path (str): Your own name for a user.
        external_ref_query (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[UserDetails]
    """

    kwargs = _get_kwargs(
        external_ref_path=external_ref_path,
        external_ref_query=external_ref_query,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    external_ref_path: str,
    *,
    client: AuthenticatedClient | Client,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> UserDetails:
    """Pauses what runs for a user

     From then on nothing is activated or raised in the connections of the user (403 `USER_PAUSED`),
    whoever asks for it; pausing, lowering and removing go on. What is scheduled to start a campaign is
    canceled. Every campaign that runs there is paused within a minute or two, each as a change, and
    once more 95 seconds later, for what was on its way. Sending it again tells how far the same pause
    is. No body. Needs the scope `write`.

    Args:
        external_ref_path (str): Your own name for a user.
        external_ref_query (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        UserDetails
    """

    return (
        await asyncio_detailed(
            external_ref_path=external_ref_path,
            client=client,
            external_ref_query=external_ref_query,
            x_external_ref=x_external_ref,
        )
    ).parsed
