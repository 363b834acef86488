from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="Pagination")


@_attrs_define(kw_only=True)
class Pagination:
    """Whether a list has a next page, and where.

    Attributes:
        has_more (bool): False on the last page.
        next_cursor (None | str): Opaque. Send it as `cursor` with the same filters. Null on the last page.
        next_since (str | Unset): Only in a list with `since`: the `since` with which another list continues after this
            page, whenever you ask. Keep that of the last page. It need not be the id of anything.
    """

    has_more: bool
    next_cursor: None | str
    next_since: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        has_more = self.has_more

        next_cursor: None | str
        next_cursor = self.next_cursor

        next_since = self.next_since

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "has_more": has_more,
                "next_cursor": next_cursor,
            }
        )
        if next_since is not UNSET:
            field_dict["next_since"] = next_since

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        has_more = d.pop("has_more")

        def _parse_next_cursor(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        next_cursor = _parse_next_cursor(d.pop("next_cursor"))

        next_since = d.pop("next_since", UNSET)

        pagination = cls(
            has_more=has_more,
            next_cursor=next_cursor,
            next_since=next_since,
        )

        pagination.additional_properties = d
        return pagination

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
