from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.erasure_state import ErasureState

T = TypeVar("T", bound="UserErasure")


@_attrs_define(kw_only=True)
class UserErasure:
    """The erasure of a user. Once nothing is left, the user is 404.

    Attributes:
        leave_running (bool): Whether it pauses nothing, and goes on without outcomes that nobody can read any more.
        requested_at (datetime.datetime):
        state (ErasureState): `pausing`: its campaigns are paused. `closing`: nothing is changed in its connections any
            more, and each outcome becomes known. `disconnecting`: its connections are removed. `erasing`: its records are
            erased.
        waits_for (list[str]): Changes whose outcome it waits for, the first 100 of them.
    """

    leave_running: bool
    requested_at: datetime.datetime
    state: ErasureState
    waits_for: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        leave_running = self.leave_running

        requested_at = self.requested_at.isoformat()

        state = self.state.value

        waits_for = self.waits_for

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "leave_running": leave_running,
                "requested_at": requested_at,
                "state": state,
                "waits_for": waits_for,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        leave_running = d.pop("leave_running")

        requested_at = datetime.datetime.fromisoformat(d.pop("requested_at"))

        state = ErasureState(d.pop("state"))

        waits_for = cast(list[str], d.pop("waits_for"))

        user_erasure = cls(
            leave_running=leave_running,
            requested_at=requested_at,
            state=state,
            waits_for=waits_for,
        )

        user_erasure.additional_properties = d
        return user_erasure

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
