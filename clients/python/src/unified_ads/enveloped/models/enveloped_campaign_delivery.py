from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.enveloped_platform import EnvelopedPlatform
from ..models.enveloped_status import EnvelopedStatus

if TYPE_CHECKING:
    from ..models.ad import Ad
    from ..models.ad_delivery import AdDelivery


T = TypeVar("T", bound="EnvelopedCampaignDelivery")


@_attrs_define(kw_only=True)
class EnvelopedCampaignDelivery:
    """Whether a campaign is shown, with its ads, in the enveloped shape.

    Attributes:
        ads (list[Ad]): The ads: rejected ones first, then others that are not shown. Empty if they were not read.
        campaign_id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this API have one
            too.
        delivery (AdDelivery): Whether the ads of a campaign are shown, and what holds them back, as its platform says
            it now. It stands beside `status`, which is the advertiser's switch. It does not claim that the campaign spends:
            see insights.
        platform (EnvelopedPlatform): An ad platform in the enveloped shape.
        read_at (datetime.datetime): When the platform was asked.
        status (EnvelopedStatus): Campaign status in the enveloped shape. `UNSPECIFIED` and `DRAFT` are read-only;
            `ARCHIVED` and `SCHEDULED_FOR_DELETION` are final.
    """

    ads: list[Ad]
    campaign_id: str
    delivery: AdDelivery
    platform: EnvelopedPlatform
    read_at: datetime.datetime
    status: EnvelopedStatus
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        ads = []
        for ads_item_data in self.ads:
            ads_item = ads_item_data.to_dict()
            ads.append(ads_item)

        campaign_id = self.campaign_id

        delivery = self.delivery.to_dict()

        platform = self.platform.value

        read_at = self.read_at.isoformat()

        status = self.status.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "ads": ads,
                "campaign_id": campaign_id,
                "delivery": delivery,
                "platform": platform,
                "read_at": read_at,
                "status": status,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.ad import Ad
        from ..models.ad_delivery import AdDelivery

        d = dict(src_dict)
        ads = []
        _ads = d.pop("ads")
        for ads_item_data in _ads:
            ads_item = Ad.from_dict(ads_item_data)

            ads.append(ads_item)

        campaign_id = d.pop("campaign_id")

        delivery = AdDelivery.from_dict(d.pop("delivery"))

        platform = EnvelopedPlatform(d.pop("platform"))

        read_at = datetime.datetime.fromisoformat(d.pop("read_at"))

        status = EnvelopedStatus(d.pop("status"))

        enveloped_campaign_delivery = cls(
            ads=ads,
            campaign_id=campaign_id,
            delivery=delivery,
            platform=platform,
            read_at=read_at,
            status=status,
        )

        enveloped_campaign_delivery.additional_properties = d
        return enveloped_campaign_delivery

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
