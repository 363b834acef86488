from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.event_list import EventList
from ...models.event_type import EventType
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    type_: EventType | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    since: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["cursor"] = cursor

    json_type_: str | Unset = UNSET
    if not isinstance(type_, Unset):
        json_type_ = type_.value

    params["type"] = json_type_

    params["reference"] = reference

    params["idempotency_key"] = idempotency_key

    params["connection_id"] = connection_id

    params["since"] = since

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/events",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> EventList:
    if response.status_code == 200:
        response_200 = EventList.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[EventList]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    type_: EventType | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    since: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[EventList]:
    """Lists events

     What happened in the last 30 days, newest first, or oldest first with `since`, whether or not an
    endpoint was told. Each event is as a webhook endpoint with the flat shape receives it. What happens
    on a platform without this service is not in it. Needs the scope `read`.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        type_ (EventType | Unset): A type of event.
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        since (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EventList]
    """

    kwargs = _get_kwargs(
        limit=limit,
        cursor=cursor,
        type_=type_,
        reference=reference,
        idempotency_key=idempotency_key,
        connection_id=connection_id,
        since=since,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    type_: EventType | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    since: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> EventList:
    """Lists events

     What happened in the last 30 days, newest first, or oldest first with `since`, whether or not an
    endpoint was told. Each event is as a webhook endpoint with the flat shape receives it. What happens
    on a platform without this service is not in it. Needs the scope `read`.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        type_ (EventType | Unset): A type of event.
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        since (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EventList
    """

    return sync_detailed(
        client=client,
        limit=limit,
        cursor=cursor,
        type_=type_,
        reference=reference,
        idempotency_key=idempotency_key,
        connection_id=connection_id,
        since=since,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    type_: EventType | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    since: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[EventList]:
    """Lists events

     What happened in the last 30 days, newest first, or oldest first with `since`, whether or not an
    endpoint was told. Each event is as a webhook endpoint with the flat shape receives it. What happens
    on a platform without this service is not in it. Needs the scope `read`.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        type_ (EventType | Unset): A type of event.
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        since (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EventList]
    """

    kwargs = _get_kwargs(
        limit=limit,
        cursor=cursor,
        type_=type_,
        reference=reference,
        idempotency_key=idempotency_key,
        connection_id=connection_id,
        since=since,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    type_: EventType | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    since: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> EventList:
    """Lists events

     What happened in the last 30 days, newest first, or oldest first with `since`, whether or not an
    endpoint was told. Each event is as a webhook endpoint with the flat shape receives it. What happens
    on a platform without this service is not in it. Needs the scope `read`.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        type_ (EventType | Unset): A type of event.
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        since (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EventList
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            cursor=cursor,
            type_=type_,
            reference=reference,
            idempotency_key=idempotency_key,
            connection_id=connection_id,
            since=since,
            external_ref=external_ref,
            x_external_ref=x_external_ref,
        )
    ).parsed
