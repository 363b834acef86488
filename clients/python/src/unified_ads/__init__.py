"""A thin client of the Unified Ads API.

`unified_ads.flat` and `unified_ads.enveloped` are generated from the OpenAPI document of each shape. This package adds
retries, an `Idempotency-Key` for everything that takes one, pages, results for each target, and typed errors.
"""

from typing import TypeVar

import httpx

from . import enveloped, flat
from .errors import ApiError
from .pages import pages
from .targets import create_in_targets
from .transport import RetryTransport
from .webhooks import SignatureError, verify_webhook

__all__ = [
    "ApiError",
    "RetryTransport",
    "SignatureError",
    "create_in_targets",
    "enveloped_client",
    "expect",
    "flat_client",
    "pages",
    "verify_webhook",
]

T = TypeVar("T")
# The service answers within 30 seconds.
TIMEOUT = httpx.Timeout(60)


def flat_client(
    api_key: str, base_url: str, transport: httpx.BaseTransport | None = None
) -> flat.AuthenticatedClient:
    """A client for the functions of `unified_ads.flat.api`. `base_url` ends in `/v1`."""
    return flat.AuthenticatedClient(
        base_url=base_url,
        token=api_key,
        prefix="",
        auth_header_name="X-API-Key",
        timeout=TIMEOUT,
        httpx_args={"transport": transport or RetryTransport()},
    )


def enveloped_client(
    api_key: str, base_url: str, transport: httpx.BaseTransport | None = None
) -> enveloped.AuthenticatedClient:
    """A client for the functions of `unified_ads.enveloped.api`. `base_url` ends in `/v1`."""
    return enveloped.AuthenticatedClient(
        base_url=base_url,
        token=api_key,
        prefix="",
        auth_header_name="X-API-Key",
        timeout=TIMEOUT,
        httpx_args={"transport": transport or RetryTransport()},
    )


def expect(kind: type[T], answer: object) -> T:
    """The answer, if it is of this kind: a create answers with a campaign, a dry run, or a change that waits."""
    if not isinstance(answer, kind):
        raise TypeError(f"the answer is no {kind.__name__}: {answer!r}")
    return answer
