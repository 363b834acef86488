from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from unified_ads.amounts import read_json

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.stopped_api_key import StoppedApiKey
from ...types import Response


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api-keys/{id}/stop".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> StoppedApiKey:
    if response.status_code == 200:
        response_200 = StoppedApiKey.from_dict(read_json(response.content))

        return response_200

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[StoppedApiKey]:
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
) -> Response[StoppedApiKey]:
    """Stops an API key and pauses what it runs

     The key is refused at once (401). What it has scheduled is canceled, and every campaign that it has
    activated or raised is paused after the answer, within a minute or two, each as a change; one that
    somebody else has activated since is not. The dashboard makes the pauses at once. It works on every
    key, also on the key of the request and the last one with the scope `write`. Sending it again tells
    how far the same stop is. Only a person resumes the key, on the dashboard. No body. Needs the scope
    `write`.

    Args:
        id (str): API key id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[StoppedApiKey]
    """

    kwargs = _get_kwargs(
        id=id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient | Client,
) -> StoppedApiKey:
    """Stops an API key and pauses what it runs

     The key is refused at once (401). What it has scheduled is canceled, and every campaign that it has
    activated or raised is paused after the answer, within a minute or two, each as a change; one that
    somebody else has activated since is not. The dashboard makes the pauses at once. It works on every
    key, also on the key of the request and the last one with the scope `write`. Sending it again tells
    how far the same stop is. Only a person resumes the key, on the dashboard. No body. Needs the scope
    `write`.

    Args:
        id (str): API key id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        StoppedApiKey
    """

    return sync_detailed(
        id=id,
        client=client,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[StoppedApiKey]:
    """Stops an API key and pauses what it runs

     The key is refused at once (401). What it has scheduled is canceled, and every campaign that it has
    activated or raised is paused after the answer, within a minute or two, each as a change; one that
    somebody else has activated since is not. The dashboard makes the pauses at once. It works on every
    key, also on the key of the request and the last one with the scope `write`. Sending it again tells
    how far the same stop is. Only a person resumes the key, on the dashboard. No body. Needs the scope
    `write`.

    Args:
        id (str): API key id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[StoppedApiKey]
    """

    kwargs = _get_kwargs(
        id=id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
) -> StoppedApiKey:
    """Stops an API key and pauses what it runs

     The key is refused at once (401). What it has scheduled is canceled, and every campaign that it has
    activated or raised is paused after the answer, within a minute or two, each as a change; one that
    somebody else has activated since is not. The dashboard makes the pauses at once. It works on every
    key, also on the key of the request and the last one with the scope `write`. Sending it again tells
    how far the same stop is. Only a person resumes the key, on the dashboard. No body. Needs the scope
    `write`.

    Args:
        id (str): API key id.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        StoppedApiKey
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
        )
    ).parsed
