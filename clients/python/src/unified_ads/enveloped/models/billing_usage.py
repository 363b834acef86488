from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="BillingUsage")


@_attrs_define(kw_only=True)
class BillingUsage:
    """Requests of the billing period.

    Attributes:
        requests_limit (int): Quota of the plan.
        requests_used (int): Requests counted in this period.
    """

    requests_limit: int
    requests_used: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        requests_limit = self.requests_limit

        requests_used = self.requests_used

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "requests_limit": requests_limit,
                "requests_used": requests_used,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        requests_limit = d.pop("requests_limit")

        requests_used = d.pop("requests_used")

        billing_usage = cls(
            requests_limit=requests_limit,
            requests_used=requests_used,
        )

        billing_usage.additional_properties = d
        return billing_usage

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
