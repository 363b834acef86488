from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.change_requester_type import ChangeRequesterType

T = TypeVar("T", bound="ChangeApprover")


@_attrs_define(kw_only=True)
class ChangeApprover:
    """Who has approved a change: a person on the dashboard, or an API key that tells of a person in your own product.

    Attributes:
        id (str): Id of the API key or of the person.
        name (None | str): Name of the key at that time, or the person's e-mail address. Null without a verified one.
        person (None | str): `approved_by` of the request with the key: your own word for the person. Null if a person
            has approved it on the dashboard.
        type_ (ChangeRequesterType): `api_key`: a request with a key. `person`: someone in the dashboard.
    """

    id: str
    name: None | str
    person: None | str
    type_: ChangeRequesterType
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name: None | str
        name = self.name

        person: None | str
        person = self.person

        type_ = self.type_.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "person": person,
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

        def _parse_person(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        person = _parse_person(d.pop("person"))

        type_ = ChangeRequesterType(d.pop("type"))

        change_approver = cls(
            id=id,
            name=name,
            person=person,
            type_=type_,
        )

        change_approver.additional_properties = d
        return change_approver

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
