from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.change_approval import ChangeApproval
from ...models.enveloped_change_answer import EnvelopedChangeAnswer
from ...models.shape import Shape
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    body: ChangeApproval,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["X-API-Shape"] = str(x_api_shape)

    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/changes/{id}/approve".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> EnvelopedChangeAnswer:
    if response.status_code == 200:
        response_200 = EnvelopedChangeAnswer.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[EnvelopedChangeAnswer]:
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
    body: ChangeApproval,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    x_external_ref: str | Unset = UNSET,
) -> Response[EnvelopedChangeAnswer]:
    """Approves a change that waits for a person

     The change is checked again and made at once, or at its `apply_at`. 409 with `CHANGED_MEANWHILE` if
    the campaign is another one than `version` stands for: read the review again, and show it to the
    person. 403 for a key that has asked for the change itself. Sending the same decision again answers
    with the change as it is then, and makes nothing twice. Needs the scope `approve`.

    Args:
        id (str): Change id. Ids sort by time.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (ChangeApproval): The decision of a person to make a change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EnvelopedChangeAnswer]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
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
    body: ChangeApproval,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    x_external_ref: str | Unset = UNSET,
) -> EnvelopedChangeAnswer:
    """Approves a change that waits for a person

     The change is checked again and made at once, or at its `apply_at`. 409 with `CHANGED_MEANWHILE` if
    the campaign is another one than `version` stands for: read the review again, and show it to the
    person. 403 for a key that has asked for the change itself. Sending the same decision again answers
    with the change as it is then, and makes nothing twice. Needs the scope `approve`.

    Args:
        id (str): Change id. Ids sort by time.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (ChangeApproval): The decision of a person to make a change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EnvelopedChangeAnswer
    """

    return sync_detailed(
        id=id,
        client=client,
        body=body,
        external_ref=external_ref,
        x_api_shape=x_api_shape,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: ChangeApproval,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    x_external_ref: str | Unset = UNSET,
) -> Response[EnvelopedChangeAnswer]:
    """Approves a change that waits for a person

     The change is checked again and made at once, or at its `apply_at`. 409 with `CHANGED_MEANWHILE` if
    the campaign is another one than `version` stands for: read the review again, and show it to the
    person. 403 for a key that has asked for the change itself. Sending the same decision again answers
    with the change as it is then, and makes nothing twice. Needs the scope `approve`.

    Args:
        id (str): Change id. Ids sort by time.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (ChangeApproval): The decision of a person to make a change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EnvelopedChangeAnswer]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
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
    body: ChangeApproval,
    external_ref: str | Unset = UNSET,
    x_api_shape: Shape = Shape.ENVELOPED,
    x_external_ref: str | Unset = UNSET,
) -> EnvelopedChangeAnswer:
    """Approves a change that waits for a person

     The change is checked again and made at once, or at its `apply_at`. 409 with `CHANGED_MEANWHILE` if
    the campaign is another one than `version` stands for: read the review again, and show it to the
    person. 403 for a key that has asked for the change itself. Sending the same decision again answers
    with the change as it is then, and makes nothing twice. Needs the scope `approve`.

    Args:
        id (str): Change id. Ids sort by time.
        external_ref (str | Unset): Your own name for one of your users.
        x_api_shape (Shape): A shape of requests and responses. Default: Shape.ENVELOPED.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (ChangeApproval): The decision of a person to make a change.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EnvelopedChangeAnswer
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
            external_ref=external_ref,
            x_api_shape=x_api_shape,
            x_external_ref=x_external_ref,
        )
    ).parsed
