from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.enveloped_platform import EnvelopedPlatform

T = TypeVar("T", bound="TargetAccount")


@_attrs_define(kw_only=True)
class TargetAccount:
    """An ad account.

    Attributes:
        organization_id (str): The ad account on the platform: the `remote_account_id` of an active connection.
        platform (EnvelopedPlatform): An ad platform in the enveloped shape.
    """

    organization_id: str
    platform: EnvelopedPlatform
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        organization_id = self.organization_id

        platform = self.platform.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "organization_id": organization_id,
                "platform": platform,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        organization_id = d.pop("organization_id")

        platform = EnvelopedPlatform(d.pop("platform"))

        target_account = cls(
            organization_id=organization_id,
            platform=platform,
        )

        target_account.additional_properties = d
        return target_account

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
