"""Assistants that sign in through a client of PyPI: `sign_in.py SIGNED_IN`. The installed version of `mcp` decides the era."""

import asyncio
import importlib.metadata
import json
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import mcp
from mcp.client import streamable_http
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientMetadata

HERE = Path(__file__).parent
PEOPLE = json.loads(Path(sys.argv[1]).read_text())
VERSION = importlib.metadata.version("mcp")
IS_NEW = not VERSION.startswith("1.")
URL = PEOPLE["service"] + "/v1/mcp"
CALLBACK = "http://127.0.0.1:45871/callback"
# Its document is known here, so that no machine of another company is asked.
CLAUDE_CODE = "https://claude.ai/oauth/claude-code-client-metadata"
CHANGES = ["create_campaign", "delete_campaign", "pause_campaign", "update_campaign"]


class Storage:
    """Keeps what the client is given, in memory."""

    def __init__(self):
        self.tokens, self.client = None, None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def person(address, what):
    """The person signs in and says what the assistant may do. Returns where the answer goes."""
    command = [sys.executable, HERE / "person.py", address, PEOPLE["service"], PEOPLE["sandbox"], PEOPLE["email"], what]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def provider(storage, what, document):
    answer = {}

    async def redirect(address):
        answer["to"] = await asyncio.to_thread(person, address, what)

    async def callback():
        values = {name: value[0] for name, value in parse_qs(urlsplit(answer["to"]).query).items()}
        assert values.get("iss") == PEOPLE["service"], values
        if not IS_NEW:
            return values["code"], values.get("state")
        from mcp.client.auth import AuthorizationCodeResult

        return AuthorizationCodeResult(code=values["code"], state=values.get("state"), iss=values["iss"])

    metadata = OAuthClientMetadata(
        client_name=f"Judge {VERSION}",
        redirect_uris=[CALLBACK],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        token_endpoint_auth_method="none",
    )
    return OAuthClientProvider(URL, metadata, storage, redirect, callback, client_metadata_url=document)


async def connect(stack, auth):
    if IS_NEW:
        import httpx2

        http = await stack.enter_async_context(httpx2.AsyncClient(auth=auth, timeout=60))
        transport = streamable_http.streamable_http_client(URL, http_client=http)
        return await stack.enter_async_context(mcp.Client(transport))
    streams = await stack.enter_async_context(streamable_http.streamablehttp_client(URL, auth=auth))
    client = await stack.enter_async_context(mcp.ClientSession(*streams[:2]))
    await client.initialize()
    return client


def plain(result):
    return result.model_dump(mode="json", by_alias=True)


async def story(document, what):
    storage = Storage()
    auth = provider(storage, what, document)
    async with AsyncExitStack() as stack:
        client = await connect(stack, auth)
        tools = [tool["name"] for tool in plain(await client.list_tools())["tools"]]
        assert [tool for tool in sorted(tools) if tool in CHANGES] == (CHANGES if what == "change" else []), tools
        accounts = await done(client, "list_accounts")
        assert accounts["accounts"], accounts
        if document is None:
            assert storage.client.client_id.startswith("dcr."), storage.client
        # Hours later: the client refreshes before it sends its token, and asks nobody.
        first, auth.context.redirect_handler = storage.tokens, nobody
        auth.context.token_expiry_time = 1
        assert (await done(client, "list_accounts")) == accounts
    assert storage.tokens.access_token != first.access_token and storage.tokens.refresh_token != first.refresh_token
    way = "registration" if document is None else "document"
    print(f"PyPI mcp {VERSION}: signs in by its {way} to {what}, and refreshes")


async def done(client, tool):
    result = plain(await client.call_tool(tool, {}))
    assert not result["isError"], result
    return result["structuredContent"]


async def nobody(address):
    raise AssertionError("the client has asked a person although it has a refresh token")


async def main():
    for document in (None, CLAUDE_CODE):
        for what in ("change", "look"):
            await story(document, what)


asyncio.run(main())
