import datetime
from http import HTTPStatus
from typing import Any

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.flat_insights_list import FlatInsightsList
from ...models.granularity import Granularity
from ...models.platform import Platform
from ...models.shape import Shape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    granularity: Granularity | Unset = UNSET,
    platform: Platform | Unset = UNSET,
    organization_id: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    limit: int | Unset = 500,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["X-API-Shape"] = str(x_api_shape)

    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    json_from_: str | Unset = UNSET
    if not isinstance(from_, Unset):
        json_from_ = from_.isoformat()
    params["from"] = json_from_

    json_to: str | Unset = UNSET
    if not isinstance(to, Unset):
        json_to = to.isoformat()
    params["to"] = json_to

    json_granularity: str | Unset = UNSET
    if not isinstance(granularity, Unset):
        json_granularity = granularity.value

    params["granularity"] = json_granularity

    json_platform: str | Unset = UNSET
    if not isinstance(platform, Unset):
        json_platform = platform.value

    params["platform"] = json_platform

    params["organization_id"] = organization_id

    params["connection_id"] = connection_id

    params["limit"] = limit

    params["cursor"] = cursor

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/insights",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> FlatInsightsList:
    if response.status_code == 200:
        response_200 = FlatInsightsList.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[FlatInsightsList]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    granularity: Granularity | Unset = UNSET,
    platform: Platform | Unset = UNSET,
    organization_id: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    limit: int | Unset = 500,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatInsightsList]:
    """Lists insights of all campaigns

     Spend, impressions, clicks and conversions of all connected accounts, by day or in total, read live
    from the platforms' reports. Nothing is stored. A row exists for each campaign and day that the
    platform reports; most platforms report only days on which a campaign was shown. The rows stand
    under their account, because currency, time zone and attribution differ: sum up within one currency
    only. A failed connection is listed in `errors`, and its rows are absent; if all fail, the response
    is the first error.

    Args:
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        granularity (Granularity | Unset): A row for each day, or one for the whole range.
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        organization_id (str | Unset):
        connection_id (str | Unset):
        limit (int | Unset):  Default: 500.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatInsightsList]
    """

    kwargs = _get_kwargs(
        from_=from_,
        to=to,
        granularity=granularity,
        platform=platform,
        organization_id=organization_id,
        connection_id=connection_id,
        limit=limit,
        cursor=cursor,
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
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    granularity: Granularity | Unset = UNSET,
    platform: Platform | Unset = UNSET,
    organization_id: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    limit: int | Unset = 500,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> FlatInsightsList:
    """Lists insights of all campaigns

     Spend, impressions, clicks and conversions of all connected accounts, by day or in total, read live
    from the platforms' reports. Nothing is stored. A row exists for each campaign and day that the
    platform reports; most platforms report only days on which a campaign was shown. The rows stand
    under their account, because currency, time zone and attribution differ: sum up within one currency
    only. A failed connection is listed in `errors`, and its rows are absent; if all fail, the response
    is the first error.

    Args:
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        granularity (Granularity | Unset): A row for each day, or one for the whole range.
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        organization_id (str | Unset):
        connection_id (str | Unset):
        limit (int | Unset):  Default: 500.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatInsightsList
    """

    return sync_detailed(
        client=client,
        from_=from_,
        to=to,
        granularity=granularity,
        platform=platform,
        organization_id=organization_id,
        connection_id=connection_id,
        limit=limit,
        cursor=cursor,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    granularity: Granularity | Unset = UNSET,
    platform: Platform | Unset = UNSET,
    organization_id: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    limit: int | Unset = 500,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatInsightsList]:
    """Lists insights of all campaigns

     Spend, impressions, clicks and conversions of all connected accounts, by day or in total, read live
    from the platforms' reports. Nothing is stored. A row exists for each campaign and day that the
    platform reports; most platforms report only days on which a campaign was shown. The rows stand
    under their account, because currency, time zone and attribution differ: sum up within one currency
    only. A failed connection is listed in `errors`, and its rows are absent; if all fail, the response
    is the first error.

    Args:
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        granularity (Granularity | Unset): A row for each day, or one for the whole range.
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        organization_id (str | Unset):
        connection_id (str | Unset):
        limit (int | Unset):  Default: 500.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatInsightsList]
    """

    kwargs = _get_kwargs(
        from_=from_,
        to=to,
        granularity=granularity,
        platform=platform,
        organization_id=organization_id,
        connection_id=connection_id,
        limit=limit,
        cursor=cursor,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    granularity: Granularity | Unset = UNSET,
    platform: Platform | Unset = UNSET,
    organization_id: str | Unset = UNSET,
    connection_id: str | Unset = UNSET,
    limit: int | Unset = 500,
    cursor: str | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> FlatInsightsList:
    """Lists insights of all campaigns

     Spend, impressions, clicks and conversions of all connected accounts, by day or in total, read live
    from the platforms' reports. Nothing is stored. A row exists for each campaign and day that the
    platform reports; most platforms report only days on which a campaign was shown. The rows stand
    under their account, because currency, time zone and attribution differ: sum up within one currency
    only. A failed connection is listed in `errors`, and its rows are absent; if all fail, the response
    is the first error.

    Args:
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        granularity (Granularity | Unset): A row for each day, or one for the whole range.
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in
            connections.
        organization_id (str | Unset):
        connection_id (str | Unset):
        limit (int | Unset):  Default: 500.
        cursor (str | Unset):
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatInsightsList
    """

    return (
        await asyncio_detailed(
            client=client,
            from_=from_,
            to=to,
            granularity=granularity,
            platform=platform,
            organization_id=organization_id,
            connection_id=connection_id,
            limit=limit,
            cursor=cursor,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            x_external_ref=x_external_ref,
        )
    ).parsed
