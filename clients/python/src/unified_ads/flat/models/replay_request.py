from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ReplayRequest")


@_attrs_define(kw_only=True)
class ReplayRequest:
    """What to deliver once more: exactly one field.

    Attributes:
        event_id (str | Unset): Event id. `webhook-id` of each delivery of the event.
        since (datetime.datetime | Unset): The events at or after this time, which is at most 30 days ago.
    """

    event_id: str | Unset = UNSET
    since: datetime.datetime | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        event_id = self.event_id

        since: str | Unset = UNSET
        if not isinstance(self.since, Unset):
            since = self.since.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if event_id is not UNSET:
            field_dict["event_id"] = event_id
        if since is not UNSET:
            field_dict["since"] = since

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        event_id = d.pop("event_id", UNSET)

        _since = d.pop("since", UNSET)
        since: datetime.datetime | Unset
        if isinstance(_since, Unset):
            since = UNSET
        else:
            since = datetime.datetime.fromisoformat(_since)

        replay_request = cls(
            event_id=event_id,
            since=since,
        )

        return replay_request
