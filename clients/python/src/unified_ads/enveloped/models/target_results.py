from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.target_summary import TargetSummary
    from ..models.target_verdict import TargetVerdict


T = TypeVar("T", bound="TargetResults")


@_attrs_define(kw_only=True)
class TargetResults:
    """Response to a create with several targets.

    Attributes:
        data (list[TargetVerdict]): In the order of `targets`.
        summary (TargetSummary): How many targets have which result.
    """

    data: list[TargetVerdict]
    summary: TargetSummary
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

        summary = self.summary.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "data": data,
                "summary": summary,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.target_summary import TargetSummary
        from ..models.target_verdict import TargetVerdict

        d = dict(src_dict)
        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = TargetVerdict.from_dict(data_item_data)

            data.append(data_item)

        summary = TargetSummary.from_dict(d.pop("summary"))

        target_results = cls(
            data=data,
            summary=summary,
        )

        target_results.additional_properties = d
        return target_results

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
