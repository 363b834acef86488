"""Signatures of webhooks, by Standard Webhooks."""

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping

# The most that a timestamp may differ from the own clock, in seconds.
TOLERANCE = 300


class SignatureError(Exception):
    """A webhook that the service has not sent, or not now."""


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes, *, now: float | None = None) -> None:
    """Raises `SignatureError` unless the raw body was signed with the endpoint's secret (`whsec_…`) within five minutes."""
    lower = {name.lower(): value for name, value in headers.items()}
    event, sent, signatures = (lower.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not sent.isdecimal() or abs((time.time() if now is None else now) - int(sent)) > TOLERANCE:
        raise SignatureError("the timestamp is missing, or more than five minutes away")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{event}.{sent}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    if not any(hmac.compare_digest(expected, given.encode()) for given in signatures.split(" ")):
        raise SignatureError("no signature is that of this secret")
