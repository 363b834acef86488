from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.removal_preview import RemovalPreview
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["dry_run"] = dry_run

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/connections/{id}".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Any | RemovalPreview:
    if response.status_code == 200:
        response_200 = RemovalPreview.from_dict(read_json(response.content))

        return response_200

    if response.status_code == 204:
        response_204 = cast(Any, None)
        return response_204

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Any | RemovalPreview]:
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
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[Any | RemovalPreview]:
    """Removes a connection

     Revokes the tokens if no other connection uses their consent. Campaigns on the platform do not
    change: what runs goes on spending, nobody ends it at a date or within a month that this service
    holds, and what waits is canceled. A dry run tells the numbers before.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | RemovalPreview]
    """

    kwargs = _get_kwargs(
        id=id,
        dry_run=dry_run,
        external_ref=external_ref,
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
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Any | RemovalPreview:
    """Removes a connection

     Revokes the tokens if no other connection uses their consent. Campaigns on the platform do not
    change: what runs goes on spending, nobody ends it at a date or within a month that this service
    holds, and what waits is canceled. A dry run tells the numbers before.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | RemovalPreview
    """

    return sync_detailed(
        id=id,
        client=client,
        dry_run=dry_run,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[Any | RemovalPreview]:
    """Removes a connection

     Revokes the tokens if no other connection uses their consent. Campaigns on the platform do not
    change: what runs goes on spending, nobody ends it at a date or within a month that this service
    holds, and what waits is canceled. A dry run tells the numbers before.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | RemovalPreview]
    """

    kwargs = _get_kwargs(
        id=id,
        dry_run=dry_run,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    dry_run: bool | Unset = False,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Any | RemovalPreview:
    """Removes a connection

     Revokes the tokens if no other connection uses their consent. Campaigns on the platform do not
    change: what runs goes on spending, nobody ends it at a date or within a month that this service
    holds, and what waits is canceled. A dry run tells the numbers before.

    Args:
        id (str): Connection id. It stays the same when the account is authorized again.
        dry_run (bool | Unset):  Default: False.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | RemovalPreview
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            dry_run=dry_run,
            external_ref=external_ref,
            x_external_ref=x_external_ref,
        )
    ).parsed
