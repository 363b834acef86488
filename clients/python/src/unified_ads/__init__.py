"""A thin client of the Unified Ads API.

`unified_ads.flat` and `unified_ads.enveloped` are generated from the OpenAPI document of each shape. This package adds
retries, an `Idempotency-Key` for everything that takes one, pages, results for each target, and typed errors.
"""

from typing import Any, Self, TypedDict, Unpack

import httpx
from attrs import evolve

from . import enveloped, flat
from .amounts import read_json
from .errors import ApiError
from .expected import AwaitingApproval, awaiting_approval, expect, outcome
from .pages import pages
from .targets import create_in_targets
from .transport import Patience, RetryTransport
from .webhooks import SignatureError, verify_webhook

__all__ = [
    "ApiError",
    "AwaitingApproval",
    "EnvelopedClient",
    "FlatClient",
    "Patience",
    "RetryTransport",
    "Settings",
    "SignatureError",
    "awaiting_approval",
    "create_in_targets",
    "enveloped_client",
    "expect",
    "flat_client",
    "outcome",
    "pages",
    "read_json",
    "verify_webhook",
]


class Settings(TypedDict, total=False):
    """What a client can be told besides its key and URL. All times are in seconds."""

    # How often a request is sent at most: 4, and with 1 never again.
    attempts: int
    # About how long the first wait before a retry is: 1. Each next one is twice as long.
    first_wait: float
    # The longest wait: 30. An error that asks for a longer one is raised at once.
    max_wait: float
    # How long one attempt may take: 60. The service answers within 30.
    timeout: float
    # What sends each attempt, instead of a transport of httpx: for proxies, certificates and tests.
    transport: httpx.BaseTransport
    async_transport: httpx.AsyncBaseTransport


def _arguments(api_key: str, base_url: str, settings: Settings) -> dict[str, Any]:
    known = Patience()
    patience = Patience(
        attempts=settings.get("attempts", known.attempts),
        first_wait=settings.get("first_wait", known.first_wait),
        max_wait=settings.get("max_wait", known.max_wait),
    )
    transport = RetryTransport(settings.get("transport"), settings.get("async_transport"), patience=patience)
    return {
        "base_url": base_url,
        "token": api_key,
        "prefix": "",
        "auth_header_name": "X-API-Key",
        "timeout": httpx.Timeout(settings.get("timeout", 60.0)),
        "httpx_args": {"transport": transport},
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


def flat_client(api_key: str, base_url: str, **settings: Unpack[Settings]) -> FlatClient:
    """A client for the functions of `unified_ads.flat.api`. `base_url` ends in `/v1`."""
    return FlatClient(**_arguments(api_key, base_url, settings))


def enveloped_client(api_key: str, base_url: str, **settings: Unpack[Settings]) -> EnvelopedClient:
    """A client for the functions of `unified_ads.enveloped.api`. `base_url` ends in `/v1`."""
    return EnvelopedClient(**_arguments(api_key, base_url, settings))
