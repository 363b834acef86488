from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.delivery_reason_name import DeliveryReasonName

T = TypeVar("T", bound="AdReason")


@_attrs_define(kw_only=True)
class AdReason:
    """One thing that holds an ad back.

    Attributes:
        message (None | str): The platform's text for people.
        reason (DeliveryReasonName): Why. New reasons may come: treat one that you do not know like `OTHER`, and read
            `words`.
        word (None | str): The platform's word.
    """

    message: None | str
    reason: DeliveryReasonName
    word: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        message: None | str
        message = self.message

        reason = self.reason.value

        word: None | str
        word = self.word

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "message": message,
                "reason": reason,
                "word": word,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_message(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        message = _parse_message(d.pop("message"))

        reason = DeliveryReasonName(d.pop("reason"))

        def _parse_word(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        word = _parse_word(d.pop("word"))

        ad_reason = cls(
            message=message,
            reason=reason,
            word=word,
        )

        ad_reason.additional_properties = d
        return ad_reason

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
