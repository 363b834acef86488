from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.error_reason import ErrorReason
from ..models.flat_error_code import FlatErrorCode
from ..models.platform import Platform
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.field_error import FieldError
    from ..models.limit_refusal import LimitRefusal
    from ..models.platform_fault import PlatformFault


T = TypeVar("T", bound="FlatError")


@_attrs_define(kw_only=True)
class FlatError:
    """An error in the flat shape.

    Attributes:
        code (FlatErrorCode): Error code in the flat shape.
        error (str): For humans: what happened, and what to do next. A VALIDATION_ERROR begins with the first of its
            `details`.
        reason (ErrorReason): Why, finer than the code. New reasons may come: treat one that you do not know like its
            code.
        request_id (UUID): The request's id, also in `X-Request-Id`.
        retryable (bool): Whether repeating the request is safe and may help.
        timestamp (int): Unix time in seconds.
        applied (list[str] | Unset): Of an update that was applied in part, or whose outcome is unknown: the fields that
            have the requested value.
        details (list[FieldError] | Unset): Invalid fields, or fields that the platform does not support
            (NOT_SUPPORTED).
        not_applied (list[str] | Unset): Its fields that do not have the requested value.
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in connections.
        platform_error (PlatformFault | Unset): The platform's own error.
        retry_after (int | Unset): Seconds to wait before the next attempt. Absent where the time is not known.
        spending_limit (LimitRefusal | Unset): The spending limit that refuses the request. Nothing was sent.
        unknown (list[str] | Unset): Its fields that may have the requested value, or get it in a moment. To repeat the
            request is safe.
    """

    code: FlatErrorCode
    error: str
    reason: ErrorReason
    request_id: UUID
    retryable: bool
    timestamp: int
    applied: list[str] | Unset = UNSET
    details: list[FieldError] | Unset = UNSET
    not_applied: list[str] | Unset = UNSET
    platform: Platform | Unset = UNSET
    platform_error: PlatformFault | Unset = UNSET
    retry_after: int | Unset = UNSET
    spending_limit: LimitRefusal | Unset = UNSET
    unknown: list[str] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code.value

        error = self.error

        reason = self.reason.value

        request_id = str(self.request_id)

        retryable = self.retryable

        timestamp = self.timestamp

        applied: list[str] | Unset = UNSET
        if not isinstance(self.applied, Unset):
            applied = self.applied

        details: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.details, Unset):
            details = []
            for details_item_data in self.details:
                details_item = details_item_data.to_dict()
                details.append(details_item)

        not_applied: list[str] | Unset = UNSET
        if not isinstance(self.not_applied, Unset):
            not_applied = self.not_applied

        platform: str | Unset = UNSET
        if not isinstance(self.platform, Unset):
            platform = self.platform.value

        platform_error: dict[str, Any] | Unset = UNSET
        if not isinstance(self.platform_error, Unset):
            platform_error = self.platform_error.to_dict()

        retry_after = self.retry_after

        spending_limit: dict[str, Any] | Unset = UNSET
        if not isinstance(self.spending_limit, Unset):
            spending_limit = self.spending_limit.to_dict()

        unknown: list[str] | Unset = UNSET
        if not isinstance(self.unknown, Unset):
            unknown = self.unknown

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "code": code,
                "error": error,
                "reason": reason,
                "request_id": request_id,
                "retryable": retryable,
                "timestamp": timestamp,
            }
        )
        if applied is not UNSET:
            field_dict["applied"] = applied
        if details is not UNSET:
            field_dict["details"] = details
        if not_applied is not UNSET:
            field_dict["not_applied"] = not_applied
        if platform is not UNSET:
            field_dict["platform"] = platform
        if platform_error is not UNSET:
            field_dict["platform_error"] = platform_error
        if retry_after is not UNSET:
            field_dict["retry_after"] = retry_after
        if spending_limit is not UNSET:
            field_dict["spending_limit"] = spending_limit
        if unknown is not UNSET:
            field_dict["unknown"] = unknown

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.field_error import FieldError
        from ..models.limit_refusal import LimitRefusal
        from ..models.platform_fault import PlatformFault

        d = dict(src_dict)
        code = FlatErrorCode(d.pop("code"))

        error = d.pop("error")

        reason = ErrorReason(d.pop("reason"))

        request_id = UUID(d.pop("request_id"))

        retryable = d.pop("retryable")

        timestamp = d.pop("timestamp")

        applied = cast(list[str], d.pop("applied", UNSET))

        _details = d.pop("details", UNSET)
        details: list[FieldError] | Unset = UNSET
        if _details is not UNSET:
            details = []
            for details_item_data in _details:
                details_item = FieldError.from_dict(details_item_data)

                details.append(details_item)

        not_applied = cast(list[str], d.pop("not_applied", UNSET))

        _platform = d.pop("platform", UNSET)
        platform: Platform | Unset
        if isinstance(_platform, Unset):
            platform = UNSET
        else:
            platform = Platform(_platform)

        _platform_error = d.pop("platform_error", UNSET)
        platform_error: PlatformFault | Unset
        if isinstance(_platform_error, Unset):
            platform_error = UNSET
        else:
            platform_error = PlatformFault.from_dict(_platform_error)

        retry_after = d.pop("retry_after", UNSET)

        _spending_limit = d.pop("spending_limit", UNSET)
        spending_limit: LimitRefusal | Unset
        if isinstance(_spending_limit, Unset):
            spending_limit = UNSET
        else:
            spending_limit = LimitRefusal.from_dict(_spending_limit)

        unknown = cast(list[str], d.pop("unknown", UNSET))

        flat_error = cls(
            code=code,
            error=error,
            reason=reason,
            request_id=request_id,
            retryable=retryable,
            timestamp=timestamp,
            applied=applied,
            details=details,
            not_applied=not_applied,
            platform=platform,
            platform_error=platform_error,
            retry_after=retry_after,
            spending_limit=spending_limit,
            unknown=unknown,
        )

        flat_error.additional_properties = d
        return flat_error

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
