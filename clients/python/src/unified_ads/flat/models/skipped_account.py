from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.skip_reason import SkipReason

T = TypeVar("T", bound="SkippedAccount")


@_attrs_define(kw_only=True)
class SkippedAccount:
    """An ad account of a consent that stayed as it was.

    Attributes:
        account_name (str): Its name on the platform.
        reason (SkipReason): Why an ad account was not connected: it belongs to another user of yours, or the plan
            allows no more connections.
        remote_account_id (str): The ad account on the platform.
    """

    account_name: str
    reason: SkipReason
    remote_account_id: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        account_name = self.account_name

        reason = self.reason.value

        remote_account_id = self.remote_account_id

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "account_name": account_name,
                "reason": reason,
                "remote_account_id": remote_account_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        account_name = d.pop("account_name")

        reason = SkipReason(d.pop("reason"))

        remote_account_id = d.pop("remote_account_id")

        skipped_account = cls(
            account_name=account_name,
            reason=reason,
            remote_account_id=remote_account_id,
        )

        skipped_account.additional_properties = d
        return skipped_account

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
