from http import HTTPStatus
from typing import Any, cast

import httpx

from unified_ads.amounts import read_json, with_exact_body

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.json_object import JsonObject
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    body: JsonObject,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(x_external_ref, Unset):
        headers["X-External-Ref"] = x_external_ref

    params: dict[str, Any] = {}

    params["external_ref"] = external_ref

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/mcp",
        "params": params,
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return with_exact_body(_kwargs)


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Any | JsonObject:
    if response.status_code == 200:
        response_200 = JsonObject.from_dict(read_json(response.content))

        return response_200

    if response.status_code == 202:
        response_202 = cast(Any, None)
        return response_202

    raise errors.UnexpectedStatus(response.status_code, response.content)


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Any | JsonObject]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: JsonObject,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[Any | JsonObject]:
    """Answers a message of an agent

     The Model Context Protocol (MCP), versions 2026-07-28, 2025-11-25 and 2025-06-18, without sessions
    and streams: one JSON-RPC message in a request, one in the response. Programs use the other
    endpoints; this one is for MCP clients, which find its tools with `tools/list`. The key is sent in
    `X-API-Key` or in `Authorization: Bearer`, and its scopes decide which tools there are. An assistant
    that a person has connected by signing in sends its access token as `Authorization: Bearer`;
    `/.well-known/oauth-protected-resource/v1/mcp` says how it gets one. Only a call of a tool counts
    against rate and quota. Needs the scope `read`, `write` or `campaigns`.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (JsonObject): Any JSON object.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | JsonObject]
    """

    kwargs = _get_kwargs(
        body=body,
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
    body: JsonObject,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Any | JsonObject:
    """Answers a message of an agent

     The Model Context Protocol (MCP), versions 2026-07-28, 2025-11-25 and 2025-06-18, without sessions
    and streams: one JSON-RPC message in a request, one in the response. Programs use the other
    endpoints; this one is for MCP clients, which find its tools with `tools/list`. The key is sent in
    `X-API-Key` or in `Authorization: Bearer`, and its scopes decide which tools there are. An assistant
    that a person has connected by signing in sends its access token as `Authorization: Bearer`;
    `/.well-known/oauth-protected-resource/v1/mcp` says how it gets one. Only a call of a tool counts
    against rate and quota. Needs the scope `read`, `write` or `campaigns`.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (JsonObject): Any JSON object.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | JsonObject
    """

    return sync_detailed(
        client=client,
        body=body,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: JsonObject,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Response[Any | JsonObject]:
    """Answers a message of an agent

     The Model Context Protocol (MCP), versions 2026-07-28, 2025-11-25 and 2025-06-18, without sessions
    and streams: one JSON-RPC message in a request, one in the response. Programs use the other
    endpoints; this one is for MCP clients, which find its tools with `tools/list`. The key is sent in
    `X-API-Key` or in `Authorization: Bearer`, and its scopes decide which tools there are. An assistant
    that a person has connected by signing in sends its access token as `Authorization: Bearer`;
    `/.well-known/oauth-protected-resource/v1/mcp` says how it gets one. Only a call of a tool counts
    against rate and quota. Needs the scope `read`, `write` or `campaigns`.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (JsonObject): Any JSON object.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | JsonObject]
    """

    kwargs = _get_kwargs(
        body=body,
        external_ref=external_ref,
        x_external_ref=x_external_ref,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    body: JsonObject,
    external_ref: str | Unset = UNSET,
    x_external_ref: str | Unset = UNSET,
) -> Any | JsonObject:
    """Answers a message of an agent

     The Model Context Protocol (MCP), versions 2026-07-28, 2025-11-25 and 2025-06-18, without sessions
    and streams: one JSON-RPC message in a request, one in the response. Programs use the other
    endpoints; this one is for MCP clients, which find its tools with `tools/list`. The key is sent in
    `X-API-Key` or in `Authorization: Bearer`, and its scopes decide which tools there are. An assistant
    that a person has connected by signing in sends its access token as `Authorization: Bearer`;
    `/.well-known/oauth-protected-resource/v1/mcp` says how it gets one. Only a call of a tool counts
    against rate and quota. Needs the scope `read`, `write` or `campaigns`.

    Args:
        external_ref (str | Unset): Your own name for one of your users.
        x_external_ref (str | Unset): Your own name for one of your users.
        body (JsonObject): Any JSON object.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | JsonObject
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            external_ref=external_ref,
            x_external_ref=x_external_ref,
        )
    ).parsed
