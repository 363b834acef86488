from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.enveloped_change import EnvelopedChange
    from ..models.pagination import Pagination


T = TypeVar("T", bound="EnvelopedChangeList")


@_attrs_define(kw_only=True)
class EnvelopedChangeList:
    """A page of changes in the enveloped shape.

    Attributes:
        changes (list[EnvelopedChange]): Newest first.
        pagination (Pagination): Whether a list has a next page, and where.
    """

    changes: list[EnvelopedChange]
    pagination: Pagination
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        changes = []
        for changes_item_data in self.changes:
            changes_item = changes_item_data.to_dict()
            changes.append(changes_item)

        pagination = self.pagination.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "changes": changes,
                "pagination": pagination,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.enveloped_change import EnvelopedChange
        from ..models.pagination import Pagination

        d = dict(src_dict)
        changes = []
        _changes = d.pop("changes")
        for changes_item_data in _changes:
            changes_item = EnvelopedChange.from_dict(changes_item_data)

            changes.append(changes_item)

        pagination = Pagination.from_dict(d.pop("pagination"))

        enveloped_change_list = cls(
            changes=changes,
            pagination=pagination,
        )

        enveloped_change_list.additional_properties = d
        return enveloped_change_list

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
