from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.change_error import ChangeError


T = TypeVar("T", bound="RefusedCampaign")


@_attrs_define(kw_only=True)
class RefusedCampaign:
    """A campaign without a change.

    Attributes:
        campaign_id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this API have one
            too.
        error (ChangeError): Why all or a part of a change was not applied.
    """

    campaign_id: str
    error: ChangeError
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        campaign_id = self.campaign_id

        error = self.error.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "campaign_id": campaign_id,
                "error": error,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.change_error import ChangeError

        d = dict(src_dict)
        campaign_id = d.pop("campaign_id")

        error = ChangeError.from_dict(d.pop("error"))

        refused_campaign = cls(
            campaign_id=campaign_id,
            error=error,
        )

        refused_campaign.additional_properties = d
        return refused_campaign

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
