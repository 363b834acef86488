import datetime
from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.change_kind import ChangeKind
from ...models.change_state import ChangeState
from ...models.enveloped_change_list import EnvelopedChangeList
from ...models.shape import Shape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    from_: datetime.datetime | Unset = UNSET,
    to: datetime.datetime | Unset = UNSET,
    campaign_id: str | Unset = UNSET,
    state: ChangeState | Unset = UNSET,
    kind: ChangeKind | Unset = UNSET,
    api_key_id: str | Unset = UNSET,
    person_id: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    since: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["X-API-Shape"] = str(x_api_shape)

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

    params["campaign_id"] = campaign_id

    json_state: str | Unset = UNSET
    if not isinstance(state, Unset):
        json_state = state.value

    params["state"] = json_state

    json_kind: str | Unset = UNSET
    if not isinstance(kind, Unset):
        json_kind = kind.value

    params["kind"] = json_kind

    params["api_key_id"] = api_key_id

    params["person_id"] = person_id

    params["reference"] = reference

    params["idempotency_key"] = idempotency_key

    params["connection_id"] = connection_id

    params["since"] = since

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/changes",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> EnvelopedChangeList:
    if response.status_code == 200:
        response_200 = EnvelopedChangeList.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[EnvelopedChangeList]:
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
    campaign_id: str | Unset = UNSET,
    state: ChangeState | Unset = UNSET,
    kind: ChangeKind | Unset = UNSET,
    api_key_id: str | Unset = UNSET,
    person_id: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    since: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    x_external_ref: str | Unset = UNSET,
) -> Response[EnvelopedChangeList]:
    """Lists changes of campaigns

     What this API has done to your campaigns, newest first, for the last 365 days; with `since` oldest
    first. Changes that someone makes on the platform itself are not in it.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        from_ (datetime.datetime | Unset):
        to (datetime.datetime | Unset):
        campaign_id (str | Unset): `{platform}_{account}_{remote id}`. Campaigns that were created
            outside of this API have one too.
        state (ChangeState | Unset): `scheduled`: it waits for its time. `awaiting_approval`: it
            waits for a person, as the spending limit of the key asks for. `canceled`: it was taken
            back before anything was sent. `rejected`: a person has rejected it. `expired`: nobody
            approved it within seven days, or before its time. `sending`: on its way to the platform.
            `unknown`: it may or may not have been applied; the platform is read until it is known.
            `applied`: the campaign has all of it. `partly_applied`: the campaign has a part of it.
            `failed`: the campaign has none of it.
        kind (ChangeKind | Unset): What a change does. An update to a removed status is an
            `update`.
        api_key_id (str | Unset): API key id.
        person_id (str | Unset):
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        since (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EnvelopedChangeList]
    """

    kwargs = _get_kwargs(
        limit=limit,
        cursor=cursor,
        from_=from_,
        to=to,
        campaign_id=campaign_id,
        state=state,
        kind=kind,
        api_key_id=api_key_id,
        person_id=person_id,
        reference=reference,
        idempotency_key=idempotency_key,
        connection_id=connection_id,
        since=since,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
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
    campaign_id: str | Unset = UNSET,
    state: ChangeState | Unset = UNSET,
    kind: ChangeKind | Unset = UNSET,
    api_key_id: str | Unset = UNSET,
    person_id: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    since: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    x_external_ref: str | Unset = UNSET,
) -> EnvelopedChangeList:
    """Lists changes of campaigns

     What this API has done to your campaigns, newest first, for the last 365 days; with `since` oldest
    first. Changes that someone makes on the platform itself are not in it.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        from_ (datetime.datetime | Unset):
        to (datetime.datetime | Unset):
        campaign_id (str | Unset): `{platform}_{account}_{remote id}`. Campaigns that were created
            outside of this API have one too.
        state (ChangeState | Unset): `scheduled`: it waits for its time. `awaiting_approval`: it
            waits for a person, as the spending limit of the key asks for. `canceled`: it was taken
            back before anything was sent. `rejected`: a person has rejected it. `expired`: nobody
            approved it within seven days, or before its time. `sending`: on its way to the platform.
            `unknown`: it may or may not have been applied; the platform is read until it is known.
            `applied`: the campaign has all of it. `partly_applied`: the campaign has a part of it.
            `failed`: the campaign has none of it.
        kind (ChangeKind | Unset): What a change does. An update to a removed status is an
            `update`.
        api_key_id (str | Unset): API key id.
        person_id (str | Unset):
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        since (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EnvelopedChangeList
    """

    return sync_detailed(
        client=client,
        limit=limit,
        cursor=cursor,
        from_=from_,
        to=to,
        campaign_id=campaign_id,
        state=state,
        kind=kind,
        api_key_id=api_key_id,
        person_id=person_id,
        reference=reference,
        idempotency_key=idempotency_key,
        connection_id=connection_id,
        since=since,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    limit: int | Unset = 25,
    cursor: str | Unset = UNSET,
    from_: datetime.datetime | Unset = UNSET,
    to: datetime.datetime | Unset = UNSET,
    campaign_id: str | Unset = UNSET,
    state: ChangeState | Unset = UNSET,
    kind: ChangeKind | Unset = UNSET,
    api_key_id: str | Unset = UNSET,
    person_id: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    since: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    x_external_ref: str | Unset = UNSET,
) -> Response[EnvelopedChangeList]:
    """Lists changes of campaigns

     What this API has done to your campaigns, newest first, for the last 365 days; with `since` oldest
    first. Changes that someone makes on the platform itself are not in it.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        from_ (datetime.datetime | Unset):
        to (datetime.datetime | Unset):
        campaign_id (str | Unset): `{platform}_{account}_{remote id}`. Campaigns that were created
            outside of this API have one too.
        state (ChangeState | Unset): `scheduled`: it waits for its time. `awaiting_approval`: it
            waits for a person, as the spending limit of the key asks for. `canceled`: it was taken
            back before anything was sent. `rejected`: a person has rejected it. `expired`: nobody
            approved it within seven days, or before its time. `sending`: on its way to the platform.
            `unknown`: it may or may not have been applied; the platform is read until it is known.
            `applied`: the campaign has all of it. `partly_applied`: the campaign has a part of it.
            `failed`: the campaign has none of it.
        kind (ChangeKind | Unset): What a change does. An update to a removed status is an
            `update`.
        api_key_id (str | Unset): API key id.
        person_id (str | Unset):
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        since (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EnvelopedChangeList]
    """

    kwargs = _get_kwargs(
        limit=limit,
        cursor=cursor,
        from_=from_,
        to=to,
        campaign_id=campaign_id,
        state=state,
        kind=kind,
        api_key_id=api_key_id,
        person_id=person_id,
        reference=reference,
        idempotency_key=idempotency_key,
        connection_id=connection_id,
        since=since,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
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
    campaign_id: str | Unset = UNSET,
    state: ChangeState | Unset = UNSET,
    kind: ChangeKind | Unset = UNSET,
    api_key_id: str | Unset = UNSET,
    person_id: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    since: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    x_external_ref: str | Unset = UNSET,
) -> EnvelopedChangeList:
    """Lists changes of campaigns

     What this API has done to your campaigns, newest first, for the last 365 days; with `since` oldest
    first. Changes that someone makes on the platform itself are not in it.

    Args:
        limit (int | Unset):  Default: 25.
        cursor (str | Unset):
        from_ (datetime.datetime | Unset):
        to (datetime.datetime | Unset):
        campaign_id (str | Unset): `{platform}_{account}_{remote id}`. Campaigns that were created
            outside of this API have one too.
        state (ChangeState | Unset): `scheduled`: it waits for its time. `awaiting_approval`: it
            waits for a person, as the spending limit of the key asks for. `canceled`: it was taken
            back before anything was sent. `rejected`: a person has rejected it. `expired`: nobody
            approved it within seven days, or before its time. `sending`: on its way to the platform.
            `unknown`: it may or may not have been applied; the platform is read until it is known.
            `applied`: the campaign has all of it. `partly_applied`: the campaign has a part of it.
            `failed`: the campaign has none of it.
        kind (ChangeKind | Unset): What a change does. An update to a removed status is an
            `update`.
        api_key_id (str | Unset): API key id.
        person_id (str | Unset):
        reference (str | Unset): Your own reference for a request, such as the number of an order.
            It is not unique, and two requests with one reference are two requests.
        idempotency_key (str | Unset):
        connection_id (str | Unset): Connection id. It stays the same when the account is
            authorized again.
        since (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EnvelopedChangeList
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            cursor=cursor,
            from_=from_,
            to=to,
            campaign_id=campaign_id,
            state=state,
            kind=kind,
            api_key_id=api_key_id,
            person_id=person_id,
            reference=reference,
            idempotency_key=idempotency_key,
            connection_id=connection_id,
            since=since,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            x_external_ref=x_external_ref,
        )
    ).parsed
