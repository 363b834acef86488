"""How a program finds the sign-in and registers, by the clients of PyPI: `discovery.py AGENT`. A sign-in begins with it."""

import asyncio
import importlib.metadata
import json
import sys
from pathlib import Path
from urllib.parse import urlsplit

from mcp.client.auth import utils
from mcp.shared.auth import OAuthClientMetadata

VERSION = importlib.metadata.version("mcp")
if VERSION.startswith("1."):
    import httpx
else:
    import httpx2 as httpx

AGENT = json.loads(Path(sys.argv[1]).read_text())
URL = AGENT["url"]
BASE = "{0.scheme}://{0.netloc}".format(urlsplit(URL))
RESOURCE = f"{BASE}/.well-known/oauth-protected-resource/v1/mcp"


def expect_equal(name, actual, expected):
    if actual != expected:
        sys.exit(f"PyPI mcp {VERSION}: {name}: got {actual!r}, expected {expected!r}")


async def resource(http, challenge):
    """The metadata of the endpoint, read where the client looks first."""
    place = utils.build_protected_resource_metadata_discovery_urls(challenge, URL)[0]
    expect_equal("the place of the metadata", place, RESOURCE)
    request = utils.create_oauth_metadata_request(place)
    return await utils.handle_protected_resource_response(await http.send(request))


async def server(http, issuer):
    """The metadata of the sign-in: the first place that answers, as the client asks them."""
    for place in utils.build_oauth_authorization_server_metadata_discovery_urls(issuer, URL):
        response = await http.send(utils.create_oauth_metadata_request(place))
        goes_on, metadata = await utils.handle_auth_metadata_response(response)
        if metadata or not goes_on:
            return metadata
    return None


async def main():
    async with httpx.AsyncClient() as http:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        refused = await http.post(URL, json=message)
        expect_equal("the status", refused.status_code, 401)
        expect_equal("the scope", utils.extract_scope_from_www_auth(refused), "campaigns")
        challenge = utils.extract_resource_metadata_from_www_auth(refused)
        expect_equal("the challenge", challenge, RESOURCE)
        of_key = await http.post(URL, json=message, headers={"Authorization": f"Bearer {AGENT['api_key']}x"})
        expect_equal("the offer to an API key", utils.extract_resource_metadata_from_www_auth(of_key), None)

        # By the challenge, and without it, as behind a gateway that renames the header.
        for told in (challenge, None):
            described = await resource(http, told)
            expect_equal("the resource", str(described.resource), URL)
        issuer = str(described.authorization_servers[0])
        metadata = await server(http, issuer)
        utils.validate_metadata_issuer(metadata, issuer)
        expect_equal("the page of the consent", str(metadata.authorization_endpoint), f"{BASE}/dashboard/connect")

        redirect = "http://127.0.0.1:33418/"
        program = OAuthClientMetadata(client_name="Judge", redirect_uris=[redirect], token_endpoint_auth_method="none")
        request = utils.create_client_registration_request(metadata, program, BASE)
        registered = await utils.handle_registration_response(await http.send(request))
        expect_equal("its redirect URIs", [str(uri) for uri in registered.redirect_uris], [redirect])
        expect_equal("its secret", registered.client_secret, None)
    print(f"PyPI mcp {VERSION}: finds the sign-in and registers")


asyncio.run(main())
