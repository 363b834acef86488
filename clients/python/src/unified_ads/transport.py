"""What a request does on its way: an `Idempotency-Key`, the rate limit, and retries."""

import asyncio
import random
import re
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from .errors import ApiError

# Requests that take an `Idempotency-Key`, and so take effect once, however often they are sent. Others refuse the header.
KEYED = re.compile(
    r"POST .*/campaigns"
    r"|POST .*/campaigns/(status|budgets)"
    r"|POST .*/changes/[^/]+/undo"
    r"|(PATCH|DELETE) .*/campaigns/[^/]+"
    r"|POST .*/billing/(portal|create-checkout-session)"
)


@dataclass(frozen=True)
class Patience:
    """How often and how long a request is tried."""

    # With 1 nothing is sent again.
    attempts: int = 4
    # About how long the first wait is, in seconds. Each next one is twice as long.
    first_wait: float = 1.0
    # The longest wait. An error whose `Retry-After` is longer, such as a used up quota, is raised at once.
    max_wait: float = 30.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.first_wait < 0 or self.max_wait < 0:
            raise ValueError(f"at least one attempt, and no wait below 0 seconds: {self}")


def takes_key(request: httpx.Request) -> bool:
    """Whether the endpoint takes an `Idempotency-Key`. A dry run takes none."""
    is_dry_run = request.url.params.get("dry_run") == "true"
    return not is_dry_run and KEYED.fullmatch(f"{request.method} {request.url.path}") is not None


def add_key(request: httpx.Request) -> None:
    """Adds a new key, unless the caller has chosen one. All attempts send the same."""
    if takes_key(request) and "Idempotency-Key" not in request.headers:
        request.headers["Idempotency-Key"] = str(uuid.uuid4())


def wait_after(
    request: httpx.Request, error: ApiError | httpx.TransportError, attempt: int, patience: Patience
) -> float | None:
    """The seconds before the next attempt; `None` if there is none, because it could do something twice or would not help."""
    is_safe = request.method == "GET" or "Idempotency-Key" in request.headers
    if isinstance(error, ApiError):
        refused_by_gateway = not error.is_ours and (error.status == 429 or (error.status >= 500 and is_safe))
        may_help = error.retryable if error.is_ours else refused_by_gateway
    else:
        may_help = is_safe or isinstance(error, httpx.ConnectError)
    if not may_help or attempt >= patience.attempts:
        return None
    asked = error.retry_after if isinstance(error, ApiError) else None
    wait = float(asked) if asked is not None else random.uniform(0.5, 1) * patience.first_wait * 2 ** (attempt - 1)
    return wait if wait <= patience.max_wait else None


def rate_wait(response: httpx.Response) -> float:
    """The seconds until the rate limit lets one more request in, by the headers `RateLimit` and `RateLimit-Policy`."""
    left = re.search(r'"rate";r=(\d+)', response.headers.get("ratelimit", ""))
    policy = re.search(r'"rate";q=(\d+);w=(\d+)', response.headers.get("ratelimit-policy", ""))
    if not left or not policy or int(left[1]) > 0:
        return 0.0
    return int(policy[2]) / max(int(policy[1]), 1)


class RetryTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends requests with a key and retries, and raises `ApiError`. For clients with and without asyncio."""

    def __init__(
        self,
        inner: httpx.BaseTransport | None = None,
        inner_async: httpx.AsyncBaseTransport | None = None,
        *,
        patience: Patience | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._patience = patience or Patience()
        self._inner = inner or httpx.HTTPTransport()
        self._inner_async = inner_async or httpx.AsyncHTTPTransport()
        self._sleep = sleep
        self._free_at = 0.0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        add_key(request)
        attempt = 1
        while True:
            self._sleep(self._until_free())
            try:
                response = self._inner.handle_request(request)
                response.read()
                return self._accepted(response)
            except (ApiError, httpx.TransportError) as error:
                wait = wait_after(request, error, attempt, self._patience)
                if wait is None:
                    raise
            self._sleep(wait)
            attempt += 1

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        add_key(request)
        attempt = 1
        while True:
            await asyncio.sleep(self._until_free())
            try:
                response = await self._inner_async.handle_async_request(request)
                await response.aread()
                return self._accepted(response)
            except (ApiError, httpx.TransportError) as error:
                wait = wait_after(request, error, attempt, self._patience)
                if wait is None:
                    raise
            await asyncio.sleep(wait)
            attempt += 1

    def _until_free(self) -> float:
        return min(max(self._free_at - time.monotonic(), 0.0), self._patience.max_wait)

    def _accepted(self, response: httpx.Response) -> httpx.Response:
        self._free_at = time.monotonic() + rate_wait(response)
        if response.status_code >= 400:
            raise ApiError(response)
        return response

    def close(self) -> None:
        self._inner.close()

    async def aclose(self) -> None:
        await self._inner_async.aclose()
