from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.date_timing import DateTiming

T = TypeVar("T", bound="DateRule")


@_attrs_define(kw_only=True)
class DateRule:
    """The times that a date can be set to.

    Attributes:
        create (DateTiming): `any`: this service does not compare it with the present; the platform may. `ahead`: a time
            that has not passed. `ahead_until_begun`: the same, and only until the campaign has begun.
        removable (bool): Whether an update can set it to null. An `end_at` that the budget period needs stays all the
            same.
        update (DateTiming): `any`: this service does not compare it with the present; the platform may. `ahead`: a time
            that has not passed. `ahead_until_begun`: the same, and only until the campaign has begun.
    """

    create: DateTiming
    removable: bool
    update: DateTiming
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        create = self.create.value

        removable = self.removable

        update = self.update.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "create": create,
                "removable": removable,
                "update": update,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        create = DateTiming(d.pop("create"))

        removable = d.pop("removable")

        update = DateTiming(d.pop("update"))

        date_rule = cls(
            create=create,
            removable=removable,
            update=update,
        )

        date_rule.additional_properties = d
        return date_rule

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
