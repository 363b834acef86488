from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.flat_list_failure import FlatListFailure
    from ..models.refused_campaign import RefusedCampaign


T = TypeVar("T", bound="FlatBulkReport")


@_attrs_define(kw_only=True)
class FlatBulkReport:
    """A bulk change, in the flat shape.

    Attributes:
        bulk_id (str): Id of a bulk change.
        canceled (list[str]): Waiting changes that it has canceled: a pause activations, and a later end of a campaign
            that has ended; an undo what it undoes.
        changes (list[str]): A change for each campaign that it fits.
        errors (list[FlatListFailure]): Connections whose campaigns could not be read. They are tried again for a day.
        refused (list[RefusedCampaign]): Campaigns for which it is not made, and why: their currency cannot hold the new
            budget, they have none of their own or another one than `from`, or their change has no inverse.
        unchanged (list[str]): Campaigns that it does not fit: most have what is asked for already.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    bulk_id: str
    canceled: list[str]
    changes: list[str]
    errors: list[FlatListFailure]
    refused: list[RefusedCampaign]
    unchanged: list[str]
    reference: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        bulk_id = self.bulk_id

        canceled = self.canceled

        changes = self.changes

        errors = []
        for errors_item_data in self.errors:
            errors_item = errors_item_data.to_dict()
            errors.append(errors_item)

        refused = []
        for refused_item_data in self.refused:
            refused_item = refused_item_data.to_dict()
            refused.append(refused_item)

        unchanged = self.unchanged

        reference = self.reference

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "bulk_id": bulk_id,
                "canceled": canceled,
                "changes": changes,
                "errors": errors,
                "refused": refused,
                "unchanged": unchanged,
            }
        )
        if reference is not UNSET:
            field_dict["reference"] = reference

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.flat_list_failure import FlatListFailure
        from ..models.refused_campaign import RefusedCampaign

        d = dict(src_dict)
        bulk_id = d.pop("bulk_id")

        canceled = cast(list[str], d.pop("canceled"))

        changes = cast(list[str], d.pop("changes"))

        errors = []
        _errors = d.pop("errors")
        for errors_item_data in _errors:
            errors_item = FlatListFailure.from_dict(errors_item_data)

            errors.append(errors_item)

        refused = []
        _refused = d.pop("refused")
        for refused_item_data in _refused:
            refused_item = RefusedCampaign.from_dict(refused_item_data)

            refused.append(refused_item)

        unchanged = cast(list[str], d.pop("unchanged"))

        reference = d.pop("reference", UNSET)

        flat_bulk_report = cls(
            bulk_id=bulk_id,
            canceled=canceled,
            changes=changes,
            errors=errors,
            refused=refused,
            unchanged=unchanged,
            reference=reference,
        )

        flat_bulk_report.additional_properties = d
        return flat_bulk_report

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
