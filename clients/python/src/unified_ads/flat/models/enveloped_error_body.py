from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.enveloped_error_code import EnvelopedErrorCode
from ..models.enveloped_platform import EnvelopedPlatform
from ..models.error_reason import ErrorReason
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.limit_refusal import LimitRefusal
    from ..models.platform_fault import PlatformFault
    from ..models.target_verdict import TargetVerdict


T = TypeVar("T", bound="EnvelopedErrorBody")


@_attrs_define(kw_only=True)
class EnvelopedErrorBody:
    """The `error` member of an error in the enveloped shape.

    Attributes:
        code (EnvelopedErrorCode): Error code in the enveloped shape. Validation errors are `BAD_REQUEST`.
        message (str): For humans: what happened, and what to do next. Names the invalid fields.
        reason (ErrorReason): Why, finer than the code. New reasons may come: treat one that you do not know like its
            code.
        request_id (UUID): The request's id, also in `X-Request-Id`.
        retryable (bool): Whether repeating the request is safe and may help.
        applied (list[str] | Unset): Of an update that was applied in part, or whose outcome is unknown: the fields that
            have the requested value.
        not_applied (list[str] | Unset): Its fields that do not have the requested value.
        platform (EnvelopedPlatform | Unset): An ad platform in the enveloped shape.
        platform_error (PlatformFault | Unset): The platform's own error.
        results (list[TargetVerdict] | Unset): Results of all targets in request order, if a create with several targets
            created none.
        retry_after (int | Unset): Seconds to wait before the next attempt. Absent where the time is not known.
        spending_limit (LimitRefusal | Unset): The spending limit that refuses the request. Nothing was sent.
        unknown (list[str] | Unset): Its fields that may have the requested value, or get it in a moment. To repeat the
            request is safe.
    """

    code: EnvelopedErrorCode
    message: str
    reason: ErrorReason
    request_id: UUID
    retryable: bool
    applied: list[str] | Unset = UNSET
    not_applied: list[str] | Unset = UNSET
    platform: EnvelopedPlatform | Unset = UNSET
    platform_error: PlatformFault | Unset = UNSET
    results: list[TargetVerdict] | Unset = UNSET
    retry_after: int | Unset = UNSET
    spending_limit: LimitRefusal | Unset = UNSET
    unknown: list[str] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code.value

        message = self.message

        reason = self.reason.value

        request_id = str(self.request_id)

        retryable = self.retryable

        applied: list[str] | Unset = UNSET
        if not isinstance(self.applied, Unset):
            applied = self.applied

        not_applied: list[str] | Unset = UNSET
        if not isinstance(self.not_applied, Unset):
            not_applied = self.not_applied

        platform: str | Unset = UNSET
        if not isinstance(self.platform, Unset):
            platform = self.platform.value

        platform_error: dict[str, Any] | Unset = UNSET
        if not isinstance(self.platform_error, Unset):
            platform_error = self.platform_error.to_dict()

        results: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.results, Unset):
            results = []
            for results_item_data in self.results:
                results_item = results_item_data.to_dict()
                results.append(results_item)

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
                "message": message,
                "reason": reason,
                "requestId": request_id,
                "retryable": retryable,
            }
        )
        if applied is not UNSET:
            field_dict["applied"] = applied
        if not_applied is not UNSET:
            field_dict["notApplied"] = not_applied
        if platform is not UNSET:
            field_dict["platform"] = platform
        if platform_error is not UNSET:
            field_dict["platformError"] = platform_error
        if results is not UNSET:
            field_dict["results"] = results
        if retry_after is not UNSET:
            field_dict["retryAfter"] = retry_after
        if spending_limit is not UNSET:
            field_dict["spendingLimit"] = spending_limit
        if unknown is not UNSET:
            field_dict["unknown"] = unknown

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.limit_refusal import LimitRefusal
        from ..models.platform_fault import PlatformFault
        from ..models.target_verdict import TargetVerdict

        d = dict(src_dict)
        code = EnvelopedErrorCode(d.pop("code"))

        message = d.pop("message")

        reason = ErrorReason(d.pop("reason"))

        request_id = UUID(d.pop("requestId"))

        retryable = d.pop("retryable")

        applied = cast(list[str], d.pop("applied", UNSET))

        not_applied = cast(list[str], d.pop("notApplied", UNSET))

        _platform = d.pop("platform", UNSET)
        platform: EnvelopedPlatform | Unset
        if isinstance(_platform, Unset):
            platform = UNSET
        else:
            platform = EnvelopedPlatform(_platform)

        _platform_error = d.pop("platformError", UNSET)
        platform_error: PlatformFault | Unset
        if isinstance(_platform_error, Unset):
            platform_error = UNSET
        else:
            platform_error = PlatformFault.from_dict(_platform_error)

        _results = d.pop("results", UNSET)
        results: list[TargetVerdict] | Unset = UNSET
        if _results is not UNSET:
            results = []
            for results_item_data in _results:
                results_item = TargetVerdict.from_dict(results_item_data)

                results.append(results_item)

        retry_after = d.pop("retryAfter", UNSET)

        _spending_limit = d.pop("spendingLimit", UNSET)
        spending_limit: LimitRefusal | Unset
        if isinstance(_spending_limit, Unset):
            spending_limit = UNSET
        else:
            spending_limit = LimitRefusal.from_dict(_spending_limit)

        unknown = cast(list[str], d.pop("unknown", UNSET))

        enveloped_error_body = cls(
            code=code,
            message=message,
            reason=reason,
            request_id=request_id,
            retryable=retryable,
            applied=applied,
            not_applied=not_applied,
            platform=platform,
            platform_error=platform_error,
            results=results,
            retry_after=retry_after,
            spending_limit=spending_limit,
            unknown=unknown,
        )

        enveloped_error_body.additional_properties = d
        return enveloped_error_body

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
