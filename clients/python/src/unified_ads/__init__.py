"""A thin client of the Unified Ads API.

`unified_ads.flat` and `unified_ads.enveloped` are generated from the OpenAPI document of each shape. This package adds
retries, an `Idempotency-Key` for everything that takes one, pages, results for each target, and typed errors.
"""

from typing import Any, Self

import httpx
from attrs import evolve

from . import enveloped, flat
from .errors import ApiError
from .expected import expect
from .pages import pages
from .targets import create_in_targets
from .transport import RetryTransport
from .webhooks import SignatureError, verify_webhook

__all__ = [
    "ApiError",
    "EnvelopedClient",
    "FlatClient",
    "RetryTransport",
    "SignatureError",
    "create_in_targets",
    "enveloped_client",
    "expect",
    "flat_client",
    "pages",
    "verify_webhook",
]

# The service answers within 30 seconds.
TIMEOUT = httpx.Timeout(60)


def _arguments(api_key: str, base_url: str, transport: httpx.BaseTransport | None) -> dict[str, Any]:
    return {
        "base_url": base_url,
        "token": api_key,
        "prefix": "",
        "auth_header_name": "X-API-Key",
        "timeout": TIMEOUT,
        "httpx_args": {"transport": transport or RetryTransport()},
    }


class _ForUsers:
    """Clients that act for one user of yours."""

    _headers: dict[str, str]

    def for_user(self, external_ref: str) -> Self:
        """The same client, all of whose requests act for this user: they see what belongs to the user, and nothing else.

        It is another client, because `with_headers` would change the requests of this one, too.
        """
        # A checker of types sees an attrs class only in what inherits from this one.
        client: Any = self
        acting: Self = evolve(client, headers={**self._headers, "X-External-Ref": external_ref})
        return acting


class FlatClient(_ForUsers, flat.AuthenticatedClient):
    """A client for the functions of `unified_ads.flat.api`."""


class EnvelopedClient(_ForUsers, enveloped.AuthenticatedClient):
    """A client for the functions of `unified_ads.enveloped.api`."""


def flat_client(api_key: str, base_url: str, transport: httpx.BaseTransport | None = None) -> FlatClient:
    """A client for the functions of `unified_ads.flat.api`. `base_url` ends in `/v1`."""
    return FlatClient(**_arguments(api_key, base_url, transport))


def enveloped_client(api_key: str, base_url: str, transport: httpx.BaseTransport | None = None) -> EnvelopedClient:
    """A client for the functions of `unified_ads.enveloped.api`. `base_url` ends in `/v1`."""
    return EnvelopedClient(**_arguments(api_key, base_url, transport))
