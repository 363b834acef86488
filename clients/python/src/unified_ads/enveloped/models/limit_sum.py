from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount

T = TypeVar("T", bound="LimitSum")


@_attrs_define(kw_only=True)
class LimitSum:
    """A limit, and what counts against it, in the currency's major unit.

    Attributes:
        left (Decimal): What is left; 0 if a lowered limit is below what counts.
        limit (Decimal): The limit.
        reserved (Decimal): What counts against it: what runs, what was paused or lowered today, and what is under way.
    """

    left: Decimal = _attrs_field(converter=as_amount)
    limit: Decimal = _attrs_field(converter=as_amount)
    reserved: Decimal = _attrs_field(converter=as_amount)
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        left = self.left

        limit = self.limit

        reserved = self.reserved

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "left": left,
                "limit": limit,
                "reserved": reserved,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        left = d.pop("left")

        limit = d.pop("limit")

        reserved = d.pop("reserved")

        limit_sum = cls(
            left=left,
            limit=limit,
            reserved=reserved,
        )

        limit_sum.additional_properties = d
        return limit_sum

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
