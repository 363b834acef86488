from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.enveloped_error_code import EnvelopedErrorCode
from ..models.error_reason import ErrorReason
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.platform_fault import PlatformFault


T = TypeVar("T", bound="ChangeError")


@_attrs_define(kw_only=True)
class ChangeError:
    """Why all or a part of a change was not applied.

    Attributes:
        code (EnvelopedErrorCode): Error code in the enveloped shape. Validation errors are `BAD_REQUEST`.
        message (str): For humans: what happened. Names the invalid fields.
        platform_error (PlatformFault | Unset): The platform's own error.
        reason (ErrorReason | Unset): Why, finer than the code. New reasons may come: treat one that you do not know
            like its code.
    """

    code: EnvelopedErrorCode
    message: str
    platform_error: PlatformFault | Unset = UNSET
    reason: ErrorReason | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code.value

        message = self.message

        platform_error: dict[str, Any] | Unset = UNSET
        if not isinstance(self.platform_error, Unset):
            platform_error = self.platform_error.to_dict()

        reason: str | Unset = UNSET
        if not isinstance(self.reason, Unset):
            reason = self.reason.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "code": code,
                "message": message,
            }
        )
        if platform_error is not UNSET:
            field_dict["platform_error"] = platform_error
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.platform_fault import PlatformFault

        d = dict(src_dict)
        code = EnvelopedErrorCode(d.pop("code"))

        message = d.pop("message")

        _platform_error = d.pop("platform_error", UNSET)
        platform_error: PlatformFault | Unset
        if isinstance(_platform_error, Unset):
            platform_error = UNSET
        else:
            platform_error = PlatformFault.from_dict(_platform_error)

        _reason = d.pop("reason", UNSET)
        reason: ErrorReason | Unset
        if isinstance(_reason, Unset):
            reason = UNSET
        else:
            reason = ErrorReason(_reason)

        change_error = cls(
            code=code,
            message=message,
            platform_error=platform_error,
            reason=reason,
        )

        change_error.additional_properties = d
        return change_error

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
