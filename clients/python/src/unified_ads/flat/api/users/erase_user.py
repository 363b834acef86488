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
    erase: bool,
    leave_running: bool | Unset = False,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["erase"] = erase

    params["leave_running"] = leave_running

    params["external_ref"] = external_ref_query

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/users/{external_ref_path}".format(
            external_ref_path=quote(str(external_ref_path), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> UserDetails:
    if response.status_code == 202:
        response_202 = UserDetails.from_dict(read_json(response.content))

        return response_202

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
    erase: bool,
    leave_running: bool | Unset = False,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[UserDetails]:
    """Erases a user

     For a user who leaves you. It goes on for some time after the response, and `erasure` of the user
    tells how far it is; the user is 404 once nothing is left. First everything that runs is paused,
    each campaign as a change. Then nothing is changed in the connections of the user any more (409
    `USER_ERASED`), and each change gets its outcome: nothing is erased while one is missing. Then the
    connections are removed, with grants that nobody else uses, and the API keys that are bound to the
    user are deleted. Then its records are erased: changes, events, entries of the usage log, kept
    readings, its label and its limit. Of each change a record without names stays for your books. Sent
    again, it tells how far the same erasure is, and with `leave_running=true` it lets it go on. An API
    key that is bound to the user does not erase that user (403). No body. Needs the scope `write`.

    Args:
        external_ref_path (str): Your own name for a user.
        erase (bool):
        leave_running (bool | Unset):  Default: False.
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
        erase=erase,
        leave_running=leave_running,
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
    erase: bool,
    leave_running: bool | Unset = False,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> UserDetails:
    """Erases a user

     For a user who leaves you. It goes on for some time after the response, and `erasure` of the user
    tells how far it is; the user is 404 once nothing is left. First everything that runs is paused,
    each campaign as a change. Then nothing is changed in the connections of the user any more (409
    `USER_ERASED`), and each change gets its outcome: nothing is erased while one is missing. Then the
    connections are removed, with grants that nobody else uses, and the API keys that are bound to the
    user are deleted. Then its records are erased: changes, events, entries of the usage log, kept
    readings, its label and its limit. Of each change a record without names stays for your books. Sent
    again, it tells how far the same erasure is, and with `leave_running=true` it lets it go on. An API
    key that is bound to the user does not erase that user (403). No body. Needs the scope `write`.

    Args:
        external_ref_path (str): Your own name for a user.
        erase (bool):
        leave_running (bool | Unset):  Default: False.
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
        erase=erase,
        leave_running=leave_running,
        external_ref_query=external_ref_query,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    external_ref_path: str,
    *,
    client: AuthenticatedClient | Client,
    erase: bool,
    leave_running: bool | Unset = False,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[UserDetails]:
    """Erases a user

     For a user who leaves you. It goes on for some time after the response, and `erasure` of the user
    tells how far it is; the user is 404 once nothing is left. First everything that runs is paused,
    each campaign as a change. Then nothing is changed in the connections of the user any more (409
    `USER_ERASED`), and each change gets its outcome: nothing is erased while one is missing. Then the
    connections are removed, with grants that nobody else uses, and the API keys that are bound to the
    user are deleted. Then its records are erased: changes, events, entries of the usage log, kept
    readings, its label and its limit. Of each change a record without names stays for your books. Sent
    again, it tells how far the same erasure is, and with `leave_running=true` it lets it go on. An API
    key that is bound to the user does not erase that user (403). No body. Needs the scope `write`.

    Args:
        external_ref_path (str): Your own name for a user.
        erase (bool):
        leave_running (bool | Unset):  Default: False.
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
        erase=erase,
        leave_running=leave_running,
        external_ref_query=external_ref_query,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    external_ref_path: str,
    *,
    client: AuthenticatedClient | Client,
    erase: bool,
    leave_running: bool | Unset = False,
    external_ref_query: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> UserDetails:
    """Erases a user

     For a user who leaves you. It goes on for some time after the response, and `erasure` of the user
    tells how far it is; the user is 404 once nothing is left. First everything that runs is paused,
    each campaign as a change. Then nothing is changed in the connections of the user any more (409
    `USER_ERASED`), and each change gets its outcome: nothing is erased while one is missing. Then the
    connections are removed, with grants that nobody else uses, and the API keys that are bound to the
    user are deleted. Then its records are erased: changes, events, entries of the usage log, kept
    readings, its label and its limit. Of each change a record without names stays for your books. Sent
    again, it tells how far the same erasure is, and with `leave_running=true` it lets it go on. An API
    key that is bound to the user does not erase that user (403). No body. Needs the scope `write`.

    Args:
        external_ref_path (str): Your own name for a user.
        erase (bool):
        leave_running (bool | Unset):  Default: False.
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
            erase=erase,
            leave_running=leave_running,
            external_ref_query=external_ref_query,
            x_external_ref=x_external_ref,
        )
    ).parsed
