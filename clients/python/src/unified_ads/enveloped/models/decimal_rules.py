from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="DecimalRules")


@_attrs_define(kw_only=True)
class DecimalRules:
    """Decimals of amounts. An amount never has more of them than its currency has by ISO 4217.

    Attributes:
        maximum (int | None): Most decimals on the platform in any currency. Null if only the currency limits them.
        none_in (list[str]): Currencies whose amounts have no decimals on the platform.
    """

    maximum: int | None
    none_in: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        maximum: int | None
        maximum = self.maximum

        none_in = self.none_in

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "maximum": maximum,
                "none_in": none_in,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_maximum(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        maximum = _parse_maximum(d.pop("maximum"))

        none_in = cast(list[str], d.pop("none_in"))

        decimal_rules = cls(
            maximum=maximum,
            none_in=none_in,
        )

        decimal_rules.additional_properties = d
        return decimal_rules

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
