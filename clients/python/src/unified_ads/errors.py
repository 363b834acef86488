"""Errors of the service."""

import json
from typing import Any

import httpx

from .amounts import read_json


class ApiError(Exception):
    """A response with a status of 400 or more, in either shape. Branch on `code` and `reason`, never on the message."""

    def __init__(self, response: httpx.Response) -> None:
        self.status: int = response.status_code
        self.body: dict[str, Any] = _object(response)
        # Enveloped errors are inside of `error`, where flat ones have their message.
        inner = self.body.get("error")
        error: dict[str, Any] = inner if isinstance(inner, dict) else self.body
        message = error.get("message") or (inner if isinstance(inner, str) else None)
        self.message: str = message or f"HTTP {self.status}"
        # Absent in an answer of API Gateway, which has only a message.
        self.code: str | None = error.get("code")
        self.reason: str | None = error.get("reason")
        self.retryable: bool = error.get("retryable") is True
        self.platform: str | None = error.get("platform")
        # The fields at fault; the enveloped shape names them in the message alone.
        self.details: list[dict[str, str]] = error.get("details") or []
        # The results of all targets, if a create with several targets created none.
        self.results: list[dict[str, Any]] = error.get("results") or []
        self.request_id: str | None = response.headers.get("x-request-id") or response.headers.get("apigw-requestid")
        self.retry_after: int | None = _seconds(response.headers.get("retry-after"))
        super().__init__(f"{self.status} {self.code or ''}: {self._told()} (request {self.request_id})")

    def _told(self) -> str:
        """The message with the first detail, which most messages have already."""
        if not self.details:
            return self.message
        field, detail = self.details[0].get("field", ""), self.details[0].get("message", "")
        return self.message if detail.rstrip(".") in self.message else f"{self.message} {field}: {detail}"

    @property
    def is_ours(self) -> bool:
        """Whether the service has answered, and not a gateway before it."""
        return self.code is not None


def _object(response: httpx.Response) -> dict[str, Any]:
    try:
        body = read_json(response.content)
    except (json.JSONDecodeError, UnicodeDecodeError):
        return {}
    return body if isinstance(body, dict) else {}


def _seconds(value: str | None) -> int | None:
    return int(value) if value and value.isdecimal() else None
