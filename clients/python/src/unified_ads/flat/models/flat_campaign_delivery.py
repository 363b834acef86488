from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.flat_status import FlatStatus
from ..models.platform import Platform

if TYPE_CHECKING:
    from ..models.ad import Ad
    from ..models.ad_delivery import AdDelivery


T = TypeVar("T", bound="FlatCampaignDelivery")


@_attrs_define(kw_only=True)
class FlatCampaignDelivery:
    """Whether a campaign is shown, with its ads, in the flat shape.

    Attributes:
        ads (list[Ad]): The ads: rejected ones first, then others that are not shown. Empty if they were not read.
        campaign_id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this API have one
            too.
        delivery (AdDelivery): Whether the ads of a campaign are shown, and what holds them back, as its platform says
            it now. It stands beside `status`, which is the advertiser's switch. It does not claim that the campaign spends:
            see insights.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        read_at (datetime.datetime): When the platform was asked.
        status (FlatStatus | None): Null if the platform's status has no equivalent.
    """

    ads: list[Ad]
    campaign_id: str
    delivery: AdDelivery
    platform: Platform
    read_at: datetime.datetime
    status: FlatStatus | None
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

        status: None | str
        if isinstance(self.status, FlatStatus):
            status = self.status.value
        else:
            status = self.status

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

        platform = Platform(d.pop("platform"))

        read_at = datetime.datetime.fromisoformat(d.pop("read_at"))

        def _parse_status(data: object) -> FlatStatus | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                status_type_0 = FlatStatus(data)

                return status_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(FlatStatus | None, data)

        status = _parse_status(d.pop("status"))

        flat_campaign_delivery = cls(
            ads=ads,
            campaign_id=campaign_id,
            delivery=delivery,
            platform=platform,
            read_at=read_at,
            status=status,
        )

        flat_campaign_delivery.additional_properties = d
        return flat_campaign_delivery

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
