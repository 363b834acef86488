from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="UserPause")


@_attrs_define(kw_only=True)
class UserPause:
    """The pause of a user.

    Attributes:
        changes (list[str]): The pauses of its campaigns, as changes.
        done (bool): All ad accounts were looked at twice, and no campaign runs any more. A pause that its platform
            refuses, or an ad account that cannot be read, keeps it false.
        paused_at (datetime.datetime):
    """

    changes: list[str]
    done: bool
    paused_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        changes = self.changes

        done = self.done

        paused_at = self.paused_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "changes": changes,
                "done": done,
                "paused_at": paused_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        changes = cast(list[str], d.pop("changes"))

        done = d.pop("done")

        paused_at = datetime.datetime.fromisoformat(d.pop("paused_at"))

        user_pause = cls(
            changes=changes,
            done=done,
            paused_at=paused_at,
        )

        user_pause.additional_properties = d
        return user_pause

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
