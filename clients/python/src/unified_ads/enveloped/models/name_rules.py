from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.forbidden_in_name import ForbiddenInName
from ..models.name_unit import NameUnit

T = TypeVar("T", bound="NameRules")


@_attrs_define(kw_only=True)
class NameRules:
    """Names of campaigns.

    Attributes:
        forbidden (list[ForbiddenInName]): What a name must not contain.
        maximum (int): Greatest length, counted in `maximum_counted_in`.
        maximum_counted_in (NameUnit): `characters`: Unicode characters (code points). `bytes`: bytes of UTF-8.
        minimum_characters (int): Fewest characters.
    """

    forbidden: list[ForbiddenInName]
    maximum: int
    maximum_counted_in: NameUnit
    minimum_characters: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        forbidden = []
        for forbidden_item_data in self.forbidden:
            forbidden_item = forbidden_item_data.value
            forbidden.append(forbidden_item)

        maximum = self.maximum

        maximum_counted_in = self.maximum_counted_in.value

        minimum_characters = self.minimum_characters

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "forbidden": forbidden,
                "maximum": maximum,
                "maximum_counted_in": maximum_counted_in,
                "minimum_characters": minimum_characters,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        forbidden = []
        _forbidden = d.pop("forbidden")
        for forbidden_item_data in _forbidden:
            forbidden_item = ForbiddenInName(forbidden_item_data)

            forbidden.append(forbidden_item)

        maximum = d.pop("maximum")

        maximum_counted_in = NameUnit(d.pop("maximum_counted_in"))

        minimum_characters = d.pop("minimum_characters")

        name_rules = cls(
            forbidden=forbidden,
            maximum=maximum,
            maximum_counted_in=maximum_counted_in,
            minimum_characters=minimum_characters,
        )

        name_rules.additional_properties = d
        return name_rules

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
