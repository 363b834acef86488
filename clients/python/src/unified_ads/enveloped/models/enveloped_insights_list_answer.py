from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.enveloped_insights_list import EnvelopedInsightsList


T = TypeVar("T", bound="EnvelopedInsightsListAnswer")


@_attrs_define(kw_only=True)
class EnvelopedInsightsListAnswer:
    """A page of insights in the enveloped shape.

    Attributes:
        data (EnvelopedInsightsList): A page of insights in the enveloped shape.
    """

    data: EnvelopedInsightsList
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        data = self.data.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.enveloped_insights_list import EnvelopedInsightsList

        d = dict(src_dict)
        data = EnvelopedInsightsList.from_dict(d.pop("data"))

        enveloped_insights_list_answer = cls(
            data=data,
        )

        enveloped_insights_list_answer.additional_properties = d
        return enveloped_insights_list_answer

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
