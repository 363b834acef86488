from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.enveloped_campaign import EnvelopedCampaign
    from ..models.enveloped_dry_run import EnvelopedDryRun


T = TypeVar("T", bound="EnvelopedCampaignOrDryRunAnswer")


@_attrs_define(kw_only=True)
class EnvelopedCampaignOrDryRunAnswer:
    """The campaign, or a dry run, inside `data`.

    Attributes:
        data (EnvelopedCampaign | EnvelopedDryRun): The campaign, or a dry run, in the enveloped shape.
    """

    data: EnvelopedCampaign | EnvelopedDryRun
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.enveloped_campaign import EnvelopedCampaign

        data: dict[str, Any]
        if isinstance(self.data, EnvelopedCampaign):
            data = self.data.to_dict()
        else:
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
        from ..models.enveloped_campaign import EnvelopedCampaign
        from ..models.enveloped_dry_run import EnvelopedDryRun

        d = dict(src_dict)

        def _parse_data(data: object) -> EnvelopedCampaign | EnvelopedDryRun:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_enveloped_campaign_or_dry_run_type_0 = EnvelopedCampaign.from_dict(data)

                return componentsschemas_enveloped_campaign_or_dry_run_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_enveloped_campaign_or_dry_run_type_1 = EnvelopedDryRun.from_dict(data)

            return componentsschemas_enveloped_campaign_or_dry_run_type_1

        data = _parse_data(d.pop("data"))

        enveloped_campaign_or_dry_run_answer = cls(
            data=data,
        )

        enveloped_campaign_or_dry_run_answer.additional_properties = d
        return enveloped_campaign_or_dry_run_answer

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
