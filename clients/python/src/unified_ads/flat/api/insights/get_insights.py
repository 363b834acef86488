import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.flat_campaign_insights import FlatCampaignInsights
from ...models.granularity import Granularity
from ...models.shape import Shape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    granularity: Granularity | Unset = UNSET,
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

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/campaigns/{id}/insights".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> FlatCampaignInsights:
    if response.status_code == 200:
        response_200 = FlatCampaignInsights.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[FlatCampaignInsights]:
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
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    granularity: Granularity | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatCampaignInsights]:
    """Reads insights of a campaign

     Spend, impressions, clicks and conversions of one campaign, by day or in total, read live from the
    platform's report.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        granularity (Granularity | Unset): A row for each day, or one for the whole range.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatCampaignInsights]
    """

    kwargs = _get_kwargs(
        id=id,
        from_=from_,
        to=to,
        granularity=granularity,
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
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    granularity: Granularity | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> FlatCampaignInsights:
    """Reads insights of a campaign

     Spend, impressions, clicks and conversions of one campaign, by day or in total, read live from the
    platform's report.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        granularity (Granularity | Unset): A row for each day, or one for the whole range.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatCampaignInsights
    """

    return sync_detailed(
        id=id,
        client=client,
        from_=from_,
        to=to,
        granularity=granularity,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    granularity: Granularity | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatCampaignInsights]:
    """Reads insights of a campaign

     Spend, impressions, clicks and conversions of one campaign, by day or in total, read live from the
    platform's report.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        granularity (Granularity | Unset): A row for each day, or one for the whole range.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatCampaignInsights]
    """

    kwargs = _get_kwargs(
        id=id,
        from_=from_,
        to=to,
        granularity=granularity,
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
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    granularity: Granularity | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    x_external_ref: str | Unset = UNSET,
) -> FlatCampaignInsights:
    """Reads insights of a campaign

     Spend, impressions, clicks and conversions of one campaign, by day or in total, read live from the
    platform's report.

    Args:
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this
            API have one too.
        from_ (datetime.date | Unset):
        to (datetime.date | Unset):
        granularity (Granularity | Unset): A row for each day, or one for the whole range.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        x_external_ref (str | Unset): Your own name for one of your users.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatCampaignInsights
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            from_=from_,
            to=to,
            granularity=granularity,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            x_external_ref=x_external_ref,
        )
    ).parsed
