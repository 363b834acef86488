from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.delivery_status import DeliveryStatus
from ..models.delivery_type import DeliveryType

if TYPE_CHECKING:
    from ..models.delivery_attempt import DeliveryAttempt


T = TypeVar("T", bound="Delivery")


@_attrs_define(kw_only=True)
class Delivery:
    """An event for one webhook endpoint.

    Attributes:
        attempts (list[DeliveryAttempt]): The latest attempts, oldest first.
        event_id (str): Event id. `webhook-id` of each delivery of the event.
        id (str): Delivery id. It has the digits of the event id.
        next_attempt_at (datetime.datetime | None): Time of the next attempt. Null if there is none.
        status (DeliveryStatus): `pending`: it is tried until the endpoint accepts it. `delivered`: the endpoint has
            accepted it. `failed`: it is not tried any more.
        type_ (DeliveryType): The type of the event; `ping` for a test send.
    """

    attempts: list[DeliveryAttempt]
    event_id: str
    id: str
    next_attempt_at: datetime.datetime | None
    status: DeliveryStatus
    type_: DeliveryType
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        attempts = []
        for attempts_item_data in self.attempts:
            attempts_item = attempts_item_data.to_dict()
            attempts.append(attempts_item)

        event_id = self.event_id

        id = self.id

        next_attempt_at: None | str
        if isinstance(self.next_attempt_at, datetime.datetime):
            next_attempt_at = self.next_attempt_at.isoformat()
        else:
            next_attempt_at = self.next_attempt_at

        status = self.status.value

        type_ = self.type_.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "attempts": attempts,
                "event_id": event_id,
                "id": id,
                "next_attempt_at": next_attempt_at,
                "status": status,
                "type": type_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.delivery_attempt import DeliveryAttempt

        d = dict(src_dict)
        attempts = []
        _attempts = d.pop("attempts")
        for attempts_item_data in _attempts:
            attempts_item = DeliveryAttempt.from_dict(attempts_item_data)

            attempts.append(attempts_item)

        event_id = d.pop("event_id")

        id = d.pop("id")

        def _parse_next_attempt_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                next_attempt_at_type_0 = datetime.datetime.fromisoformat(data)

                return next_attempt_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        next_attempt_at = _parse_next_attempt_at(d.pop("next_attempt_at"))

        status = DeliveryStatus(d.pop("status"))

        type_ = DeliveryType(d.pop("type"))

        delivery = cls(
            attempts=attempts,
            event_id=event_id,
            id=id,
            next_attempt_at=next_attempt_at,
            status=status,
            type_=type_,
        )

        delivery.additional_properties = d
        return delivery

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
