from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.error_reason import ErrorReason
from ..models.flat_error_code import FlatErrorCode
from ..models.platform import Platform
from ..types import UNSET, Unset

T = TypeVar("T", bound="FlatListFailure")


@_attrs_define(kw_only=True)
class FlatListFailure:
    """A connection that could not be read.

    Attributes:
        code (FlatErrorCode): Error code in the flat shape.
        connection_id (str): Connection id. It stays the same when the account is authorized again.
        message (str): What to do next.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        reason (ErrorReason): Why, finer than the code. New reasons may come: treat one that you do not know like its
            code.
        retryable (bool): Whether a retry may help.
        retry_after (int | Unset): Seconds to wait before the next attempt. Absent where the time is not known.
    """

    code: FlatErrorCode
    connection_id: str
    message: str
    platform: Platform
    reason: ErrorReason
    retryable: bool
    retry_after: int | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code.value

        connection_id = self.connection_id

        message = self.message

        platform = self.platform.value

        reason = self.reason.value

        retryable = self.retryable

        retry_after = self.retry_after

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "code": code,
                "connection_id": connection_id,
                "message": message,
                "platform": platform,
                "reason": reason,
                "retryable": retryable,
            }
        )
        if retry_after is not UNSET:
            field_dict["retry_after"] = retry_after

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        code = FlatErrorCode(d.pop("code"))

        connection_id = d.pop("connection_id")

        message = d.pop("message")

        platform = Platform(d.pop("platform"))

        reason = ErrorReason(d.pop("reason"))

        retryable = d.pop("retryable")

        retry_after = d.pop("retry_after", UNSET)

        flat_list_failure = cls(
            code=code,
            connection_id=connection_id,
            message=message,
            platform=platform,
            reason=reason,
            retryable=retryable,
            retry_after=retry_after,
        )

        flat_list_failure.additional_properties = d
        return flat_list_failure

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
