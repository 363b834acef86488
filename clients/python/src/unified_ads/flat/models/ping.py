from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.ping_type import PingType

if TYPE_CHECKING:
    from ..models.json_object import JsonObject


T = TypeVar("T", bound="Ping")


@_attrs_define(kw_only=True)
class Ping:
    """A test send. It is no event.

    Attributes:
        data (JsonObject): Any JSON object.
        id (str): Event id. `webhook-id` of each delivery of the event.
        request_id (UUID): `X-Request-Id` of the request that sent it.
        timestamp (datetime.datetime): Time of the request.
        type_ (PingType): The type of a test send.
    """

    data: JsonObject
    id: str
    request_id: UUID
    timestamp: datetime.datetime
    type_: PingType
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        data = self.data.to_dict()

        id = self.id

        request_id = str(self.request_id)

        timestamp = self.timestamp.isoformat()

        type_ = self.type_.value

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

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.json_object import JsonObject

        d = dict(src_dict)
        data = JsonObject.from_dict(d.pop("data"))

        id = d.pop("id")

        request_id = UUID(d.pop("request_id"))

        timestamp = datetime.datetime.fromisoformat(d.pop("timestamp"))

        type_ = PingType(d.pop("type"))

        ping = cls(
            data=data,
            id=id,
            request_id=request_id,
            timestamp=timestamp,
            type_=type_,
        )

        ping.additional_properties = d
        return ping

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
