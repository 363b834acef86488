from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.change_requester_type import ChangeRequesterType

T = TypeVar("T", bound="ChangeRequester")


@_attrs_define(kw_only=True)
class ChangeRequester:
    """Who asked for a change.

    Attributes:
        id (str): Id of the API key or of the person.
        name (None | str): Name of the key at that time, or the person's e-mail address. Null without a verified one.
        type_ (ChangeRequesterType): `api_key`: a request with a key. `person`: someone in the dashboard.
    """

    id: str
    name: None | str
    type_: ChangeRequesterType
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name: None | str
        name = self.name

        type_ = self.type_.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "type": type_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        type_ = ChangeRequesterType(d.pop("type"))

        change_requester = cls(
            id=id,
            name=name,
            type_=type_,
        )

        change_requester.additional_properties = d
        return change_requester

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
