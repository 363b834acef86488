from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.change_state import ChangeState

T = TypeVar("T", bound="PreviousChange")


@_attrs_define(kw_only=True)
class PreviousChange:
    """A change before the event.

    Attributes:
        state (ChangeState): `scheduled`: it waits for its time. `awaiting_approval`: it waits for a person, as the
            spending limit of the key asks for. `canceled`: it was taken back before anything was sent. `rejected`: a person
            has rejected it. `expired`: nobody approved it within seven days, or before its time. `sending`: on its way to
            the platform. `unknown`: it may or may not have been applied; the platform is read until it is known. `applied`:
            the campaign has all of it. `partly_applied`: the campaign has a part of it. `failed`: the campaign has none of
            it.
    """

    state: ChangeState
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        state = self.state.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "state": state,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        state = ChangeState(d.pop("state"))

        previous_change = cls(
            state=state,
        )

        previous_change.additional_properties = d
        return previous_change

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
