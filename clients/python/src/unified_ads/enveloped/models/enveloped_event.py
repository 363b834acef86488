from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.event_type import EventType
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.enveloped_event_data import EnvelopedEventData
    from ..models.event_previous import EventPrevious


T = TypeVar("T", bound="EnvelopedEvent")


@_attrs_define(kw_only=True)
class EnvelopedEvent:
    """Something that happened, as it was then, for an endpoint with the enveloped shape: the fields of `Event`, with its
    spelling of platforms, goals, statuses and budget periods.

        Attributes:
            data (EnvelopedEventData): What the event is about, in the enveloped shape. The first part of the type says
                which members it has.
            id (str): Event id. `webhook-id` of each delivery of the event.
            request_id (None | UUID): `X-Request-Id` of the request that led to it. Null if none did.
            timestamp (datetime.datetime): Time at which it happened.
            type_ (EventType): A type of event.
            previous (EventPrevious | Unset): The old values of the record that the type is named after. Of a change that is
                its `state`; what it made of its campaign is in `before` and `after` of the change itself.
            truncated (bool | Unset): True if texts from a platform are cut, so that the event is not too long. Absent
                otherwise.
    """

    data: EnvelopedEventData
    id: str
    request_id: None | UUID
    timestamp: datetime.datetime
    type_: EventType
    previous: EventPrevious | Unset = UNSET
    truncated: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        data = self.data.to_dict()

        id = self.id

        request_id: None | str
        if isinstance(self.request_id, UUID):
            request_id = str(self.request_id)
        else:
            request_id = self.request_id

        timestamp = self.timestamp.isoformat()

        type_ = self.type_.value

        previous: dict[str, Any] | Unset = UNSET
        if not isinstance(self.previous, Unset):
            previous = self.previous.to_dict()

        truncated = self.truncated

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "data": data,
                "id": id,
                "request_id": request_id,
                "timestamp": timestamp,
                "type": type_,
            }
        )
        if previous is not UNSET:
            field_dict["previous"] = previous
        if truncated is not UNSET:
            field_dict["truncated"] = truncated

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.enveloped_event_data import EnvelopedEventData
        from ..models.event_previous import EventPrevious

        d = dict(src_dict)
        data = EnvelopedEventData.from_dict(d.pop("data"))

        id = d.pop("id")

        def _parse_request_id(data: object) -> None | UUID:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                request_id_type_0 = UUID(data)

                return request_id_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UUID, data)

        request_id = _parse_request_id(d.pop("request_id"))

        timestamp = datetime.datetime.fromisoformat(d.pop("timestamp"))

        type_ = EventType(d.pop("type"))

        _previous = d.pop("previous", UNSET)
        previous: EventPrevious | Unset
        if isinstance(_previous, Unset):
            previous = UNSET
        else:
            previous = EventPrevious.from_dict(_previous)

        truncated = d.pop("truncated", UNSET)

        enveloped_event = cls(
            data=data,
            id=id,
            request_id=request_id,
            timestamp=timestamp,
            type_=type_,
            previous=previous,
            truncated=truncated,
        )

        enveloped_event.additional_properties = d
        return enveloped_event

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
