from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="UserWaiting")


@_attrs_define(kw_only=True)
class UserWaiting:
    """Changes in its ad accounts that wait. They come from an index, so one of a moment ago may be missing.

    Attributes:
        awaiting_approval (int): For a person.
        scheduled (int): For their time, also if that is over. Dates and monthly budgets that the service holds, and
            bulk changes, are not among them.
    """

    awaiting_approval: int
    scheduled: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        awaiting_approval = self.awaiting_approval

        scheduled = self.scheduled

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "awaiting_approval": awaiting_approval,
                "scheduled": scheduled,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        awaiting_approval = d.pop("awaiting_approval")

        scheduled = d.pop("scheduled")

        user_waiting = cls(
            awaiting_approval=awaiting_approval,
            scheduled=scheduled,
        )

        user_waiting.additional_properties = d
        return user_waiting

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
