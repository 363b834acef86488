from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="StoppedApiKey")


@_attrs_define(kw_only=True)
class StoppedApiKey:
    """How far the stop of a key is.

    Attributes:
        changes (list[str]): The changes that pause its campaigns: `GET /v1/changes/{id}` tells the outcome of each. A
            campaign in which a change of the key was in flight has two.
        done (bool): Nothing runs because of the key: all its campaigns are found, a minute has passed for what was in
            flight, and each is paused or gone, or somebody has activated it since or has canceled its pause. If a pause has
            failed, send the request again: the key gets a new stop with another `stopped_at`.
        stopped_at (datetime.datetime): The key is refused from then on.
    """

    changes: list[str]
    done: bool
    stopped_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        changes = self.changes

        done = self.done

        stopped_at = self.stopped_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "changes": changes,
                "done": done,
                "stopped_at": stopped_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        changes = cast(list[str], d.pop("changes"))

        done = d.pop("done")

        stopped_at = datetime.datetime.fromisoformat(d.pop("stopped_at"))

        stopped_api_key = cls(
            changes=changes,
            done=done,
            stopped_at=stopped_at,
        )

        stopped_api_key.additional_properties = d
        return stopped_api_key

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
