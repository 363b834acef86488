from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.delivery_level import DeliveryLevel
from ..models.delivery_reason_name import DeliveryReasonName

T = TypeVar("T", bound="DeliveryReason")


@_attrs_define(kw_only=True)
class DeliveryReason:
    """One reason, at one level.

    Attributes:
        count (int | None): How many ads have it. Null above the ads.
        level (DeliveryLevel): Where a reason lies: in this service, the ad account, the group above the campaign, the
            campaign, or its ads.
        message (None | str): A text for people, mostly the platform's. Null if it has none.
        reason (DeliveryReasonName): Why. New reasons may come: treat one that you do not know like `OTHER`, and read
            `words`.
        words (list[str]): The platform's own words, at most five.
    """

    count: int | None
    level: DeliveryLevel
    message: None | str
    reason: DeliveryReasonName
    words: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        count: int | None
        count = self.count

        level = self.level.value

        message: None | str
        message = self.message

        reason = self.reason.value

        words = self.words

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "count": count,
                "level": level,
                "message": message,
                "reason": reason,
                "words": words,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_count(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        count = _parse_count(d.pop("count"))

        level = DeliveryLevel(d.pop("level"))

        def _parse_message(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        message = _parse_message(d.pop("message"))

        reason = DeliveryReasonName(d.pop("reason"))

        words = cast(list[str], d.pop("words"))

        delivery_reason = cls(
            count=count,
            level=level,
            message=message,
            reason=reason,
            words=words,
        )

        delivery_reason.additional_properties = d
        return delivery_reason

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
