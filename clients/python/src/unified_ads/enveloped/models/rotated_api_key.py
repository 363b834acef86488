from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="RotatedApiKey")


@_attrs_define(kw_only=True)
class RotatedApiKey:
    """The new key.

    Attributes:
        api_key (str): The key. No later response contains it.
        created_at (datetime.datetime):
        last_four (None | str): The last four characters of the key, to tell keys apart. Null for a key that is older
            than this field.
        prefix (str): Prefix of the key that is safe to display. All keys of a customer have the same.
    """

    api_key: str
    created_at: datetime.datetime
    last_four: None | str
    prefix: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        api_key = self.api_key

        created_at = self.created_at.isoformat()

        last_four: None | str
        last_four = self.last_four

        prefix = self.prefix

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "api_key": api_key,
                "created_at": created_at,
                "last_four": last_four,
                "prefix": prefix,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        api_key = d.pop("api_key")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_last_four(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        last_four = _parse_last_four(d.pop("last_four"))

        prefix = d.pop("prefix")

        rotated_api_key = cls(
            api_key=api_key,
            created_at=created_at,
            last_four=last_four,
            prefix=prefix,
        )

        rotated_api_key.additional_properties = d
        return rotated_api_key

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
