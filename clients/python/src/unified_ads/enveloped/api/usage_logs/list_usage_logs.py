import datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.usage_log_list import UsageLogList
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    from_: datetime.datetime | Unset = UNSET,
    to: datetime.datetime | Unset = UNSET,
    method: str | Unset = UNSET,
    status_code: str | Unset = UNSET,
    path: str | Unset = UNSET,
    request_id: UUID | Unset = UNSET,
    api_key_id: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["cursor"] = cursor

    json_from_: str | Unset = UNSET
    if not isinstance(from_, Unset):
        json_from_ = from_.isoformat()
    params["from"] = json_from_

    json_to: str | Unset = UNSET
    if not isinstance(to, Unset):
        json_to = to.isoformat()
    params["to"] = json_to

    params["method"] = method

    params["status_code"] = status_code

    params["path"] = path

    json_request_id: str | Unset = UNSET
    if not isinstance(request_id, Unset):
        json_request_id = str(request_id)
    params["request_id"] = json_request_id

    params["api_key_id"] = api_key_id

    params["reference"] = reference

    params["idempotency_key"] = idempotency_key

    params["connection_id"] = connection_id

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/usage-logs",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> UsageLogList:
    if response.status_code == 200:
        response_200 = UsageLogList.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[UsageLogList]:
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
    from_: datetime.datetime | Unset = UNSET,
    to: datetime.datetime | Unset = UNSET,
    method: str | Unset = UNSET,
    status_code: str | Unset = UNSET,
    path: str | Unset = UNSET,
    request_id: UUID | Unset = UNSET,
    api_key_id: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[UsageLogList]:
    """Lists your requests

     Newest first, for the last 30 days. A request appears shortly after its response.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        from_ (datetime.datetime | Unset):
        to (datetime.datetime | Unset):
        method (str | Unset):
        status_code (str | Unset):
        path (str | Unset):
        request_id (UUID | Unset):
        api_key_id (str | Unset): API key id.
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[UsageLogList]
    """

    kwargs = _get_kwargs(
        limit=limit,
        cursor=cursor,
        from_=from_,
        to=to,
        method=method,
        status_code=status_code,
        path=path,
        request_id=request_id,
        api_key_id=api_key_id,
        reference=reference,
        idempotency_key=idempotency_key,
        connection_id=connection_id,
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
    from_: datetime.datetime | Unset = UNSET,
    to: datetime.datetime | Unset = UNSET,
    method: str | Unset = UNSET,
    status_code: str | Unset = UNSET,
    path: str | Unset = UNSET,
    request_id: UUID | Unset = UNSET,
    api_key_id: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> UsageLogList:
    """Lists your requests

     Newest first, for the last 30 days. A request appears shortly after its response.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        from_ (datetime.datetime | Unset):
        to (datetime.datetime | Unset):
        method (str | Unset):
        status_code (str | Unset):
        path (str | Unset):
        request_id (UUID | Unset):
        api_key_id (str | Unset): API key id.
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        UsageLogList
    """

    return sync_detailed(
        client=client,
        limit=limit,
        cursor=cursor,
        from_=from_,
        to=to,
        method=method,
        status_code=status_code,
        path=path,
        request_id=request_id,
        api_key_id=api_key_id,
        reference=reference,
        idempotency_key=idempotency_key,
        connection_id=connection_id,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    from_: datetime.datetime | Unset = UNSET,
    to: datetime.datetime | Unset = UNSET,
    method: str | Unset = UNSET,
    status_code: str | Unset = UNSET,
    path: str | Unset = UNSET,
    request_id: UUID | Unset = UNSET,
    api_key_id: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[UsageLogList]:
    """Lists your requests

     Newest first, for the last 30 days. A request appears shortly after its response.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        from_ (datetime.datetime | Unset):
        to (datetime.datetime | Unset):
        method (str | Unset):
        status_code (str | Unset):
        path (str | Unset):
        request_id (UUID | Unset):
        api_key_id (str | Unset): API key id.
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[UsageLogList]
    """

    kwargs = _get_kwargs(
        limit=limit,
        cursor=cursor,
        from_=from_,
        to=to,
        method=method,
        status_code=status_code,
        path=path,
        request_id=request_id,
        api_key_id=api_key_id,
        reference=reference,
        idempotency_key=idempotency_key,
        connection_id=connection_id,
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
    from_: datetime.datetime | Unset = UNSET,
    to: datetime.datetime | Unset = UNSET,
    method: str | Unset = UNSET,
    status_code: str | Unset = UNSET,
    path: str | Unset = UNSET,
    request_id: UUID | Unset = UNSET,
    api_key_id: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> UsageLogList:
    """Lists your requests

     Newest first, for the last 30 days. A request appears shortly after its response.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        from_ (datetime.datetime | Unset):
        to (datetime.datetime | Unset):
        method (str | Unset):
        status_code (str | Unset):
        path (str | Unset):
        request_id (UUID | Unset):
        api_key_id (str | Unset): API key id.
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        UsageLogList
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            cursor=cursor,
            from_=from_,
            to=to,
            method=method,
            status_code=status_code,
            path=path,
            request_id=request_id,
            api_key_id=api_key_id,
            reference=reference,
            idempotency_key=idempotency_key,
            connection_id=connection_id,
            external_ref=external_ref,
            x_external_ref=x_external_ref,
        )
    ).parsed
