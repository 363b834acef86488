from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.flat_campaign import FlatCampaign
    from ..models.flat_list_failure import FlatListFailure
    from ..models.pagination import Pagination


T = TypeVar("T", bound="FlatCampaignList")


@_attrs_define(kw_only=True)
class FlatCampaignList:
    """A page of campaigns in the flat shape.

    Attributes:
        pagination (Pagination): Whether a list has a next page, and where.
        unified (list[FlatCampaign]): Sorted by platform, then account, then newest first.
        errors (list[FlatListFailure] | Unset): Connections that could not be read. Absent if there are none.
    """

    pagination: Pagination
    unified: list[FlatCampaign]
    errors: list[FlatListFailure] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        pagination = self.pagination.to_dict()

        unified = []
        for unified_item_data in self.unified:
            unified_item = unified_item_data.to_dict()
            unified.append(unified_item)

        errors: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.errors, Unset):
            errors = []
            for errors_item_data in self.errors:
                errors_item = errors_item_data.to_dict()
                errors.append(errors_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "pagination": pagination,
                "unified": unified,
            }
        )
        if errors is not UNSET:
            field_dict["errors"] = errors

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.flat_campaign import FlatCampaign
        from ..models.flat_list_failure import FlatListFailure
        from ..models.pagination import Pagination

        d = dict(src_dict)
        pagination = Pagination.from_dict(d.pop("pagination"))

        unified = []
        _unified = d.pop("unified")
        for unified_item_data in _unified:
            unified_item = FlatCampaign.from_dict(unified_item_data)

            unified.append(unified_item)

        _errors = d.pop("errors", UNSET)
        errors: list[FlatListFailure] | Unset = UNSET
        if _errors is not UNSET:
            errors = []
            for errors_item_data in _errors:
                errors_item = FlatListFailure.from_dict(errors_item_data)

                errors.append(errors_item)

        flat_campaign_list = cls(
            pagination=pagination,
            unified=unified,
            errors=errors,
        )

        flat_campaign_list.additional_properties = d
        return flat_campaign_list

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
