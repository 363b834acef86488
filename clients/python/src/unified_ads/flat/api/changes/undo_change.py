from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.flat_bulk_report import FlatBulkReport
from ...models.flat_change import FlatChange
from ...models.shape import Shape
from ...models.undo_request import UndoRequest
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    body: UndoRequest | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["X-API-Shape"] = str(x_api_shape)

    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/changes/{id}/undo".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> FlatBulkReport | FlatChange:
    if response.status_code == 200:
        response_200 = FlatChange.from_dict(read_json(response.content))

        return response_200

    if response.status_code == 202:
        response_202 = FlatBulkReport.from_dict(read_json(response.content))

        return response_202

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[FlatBulkReport | FlatChange]:
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
    body: UndoRequest | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatBulkReport | FlatChange]:
    """Undoes a change, a bulk change, or a set of changes

     A change that waits is canceled. Of one that is applied the former values are set again, if the
    campaign still has those which the change has set: 409 with `CHANGED_MEANWHILE` if somebody has
    changed it since, and 409 with `STATE_CONFLICT` if the change has no inverse, as a create, a
    removal, dates and another budget period have none. What is undone already stays so, and is a
    success. With the id of a bulk change (`blk_`) it does this for each of them, as another bulk
    change: what has no outcome yet is undone once it has one, and `getStatuses` tells how far it is.
    With `changes` it undoes a set of changes, such as all that a key has made, also as another bulk
    change: those of one campaign are undone together, so that it gets the values from before the first
    of them, if it still has those which they have set. A campaign that somebody else has changed
    between them, or of which one change has no inverse, is in `refused`; that a change has created it
    does not count. The name, the status and the budget are set again, each only if the change has
    changed it.

    Args:
        id (str): Id of a change, or of a bulk change.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (UndoRequest | Unset): What is undone of a bulk change, or together with a change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatBulkReport | FlatChange]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
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
    body: UndoRequest | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> FlatBulkReport | FlatChange:
    """Undoes a change, a bulk change, or a set of changes

     A change that waits is canceled. Of one that is applied the former values are set again, if the
    campaign still has those which the change has set: 409 with `CHANGED_MEANWHILE` if somebody has
    changed it since, and 409 with `STATE_CONFLICT` if the change has no inverse, as a create, a
    removal, dates and another budget period have none. What is undone already stays so, and is a
    success. With the id of a bulk change (`blk_`) it does this for each of them, as another bulk
    change: what has no outcome yet is undone once it has one, and `getStatuses` tells how far it is.
    With `changes` it undoes a set of changes, such as all that a key has made, also as another bulk
    change: those of one campaign are undone together, so that it gets the values from before the first
    of them, if it still has those which they have set. A campaign that somebody else has changed
    between them, or of which one change has no inverse, is in `refused`; that a change has created it
    does not count. The name, the status and the budget are set again, each only if the change has
    changed it.

    Args:
        id (str): Id of a change, or of a bulk change.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (UndoRequest | Unset): What is undone of a bulk change, or together with a change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatBulkReport | FlatChange
    """

    return sync_detailed(
        id=id,
        client=client,
        body=body,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: UndoRequest | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[FlatBulkReport | FlatChange]:
    """Undoes a change, a bulk change, or a set of changes

     A change that waits is canceled. Of one that is applied the former values are set again, if the
    campaign still has those which the change has set: 409 with `CHANGED_MEANWHILE` if somebody has
    changed it since, and 409 with `STATE_CONFLICT` if the change has no inverse, as a create, a
    removal, dates and another budget period have none. What is undone already stays so, and is a
    success. With the id of a bulk change (`blk_`) it does this for each of them, as another bulk
    change: what has no outcome yet is undone once it has one, and `getStatuses` tells how far it is.
    With `changes` it undoes a set of changes, such as all that a key has made, also as another bulk
    change: those of one campaign are undone together, so that it gets the values from before the first
    of them, if it still has those which they have set. A campaign that somebody else has changed
    between them, or of which one change has no inverse, is in `refused`; that a change has created it
    does not count. The name, the status and the budget are set again, each only if the change has
    changed it.

    Args:
        id (str): Id of a change, or of a bulk change.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (UndoRequest | Unset): What is undone of a bulk change, or together with a change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FlatBulkReport | FlatChange]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        idempotency_key=idempotency_key,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: UndoRequest | Unset = UNSET,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.FLAT,
    idempotency_key: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> FlatBulkReport | FlatChange:
    """Undoes a change, a bulk change, or a set of changes

     A change that waits is canceled. Of one that is applied the former values are set again, if the
    campaign still has those which the change has set: 409 with `CHANGED_MEANWHILE` if somebody has
    changed it since, and 409 with `STATE_CONFLICT` if the change has no inverse, as a create, a
    removal, dates and another budget period have none. What is undone already stays so, and is a
    success. With the id of a bulk change (`blk_`) it does this for each of them, as another bulk
    change: what has no outcome yet is undone once it has one, and `getStatuses` tells how far it is.
    With `changes` it undoes a set of changes, such as all that a key has made, also as another bulk
    change: those of one campaign are undone together, so that it gets the values from before the first
    of them, if it still has those which they have set. A campaign that somebody else has changed
    between them, or of which one change has no inverse, is in `refused`; that a change has created it
    does not count. The name, the status and the budget are set again, each only if the change has
    changed it.

    Args:
        id (str): Id of a change, or of a bulk change.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.FLAT.
        idempotency_key (str | Unset):
        x_external_ref (str | Unset): Your own name for one of your users.
        body (UndoRequest | Unset): What is undone of a bulk change, or together with a change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FlatBulkReport | FlatChange
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            idempotency_key=idempotency_key,
            x_external_ref=x_external_ref,
        )
    ).parsed
