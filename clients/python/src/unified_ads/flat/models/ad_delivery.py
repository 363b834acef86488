from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.ads_unread import AdsUnread
from ..models.delivery_state import DeliveryState

if TYPE_CHECKING:
    from ..models.ad_counts import AdCounts
    from ..models.delivery_reason import DeliveryReason


T = TypeVar("T", bound="AdDelivery")


@_attrs_define(kw_only=True)
class AdDelivery:
    """Whether the ads of a campaign are shown, and what holds them back, as its platform says it now. It stands beside
    `status`, which is the advertiser's switch. It does not claim that the campaign spends: see insights.

        Attributes:
            ads (AdCounts | None): Null if the ads were not read.
            ads_unread (AdsUnread | None): Why the ads were not read. Null if they were.
            reasons (list[DeliveryReason]): What holds it back, the gravest first. ELIGIBLE has none; WAITING and BLOCKED
                have at least one.
            state (DeliveryState): `ELIGIBLE`: may be shown, and nothing is held against it. `LIMITED`: a fault is named,
                but not that it is not shown. `WAITING`: not shown yet; it passes without a change. `BLOCKED`: not shown, and
                nothing says that it passes. `OFF`: the campaign is not active. `UNKNOWN`: the platform is silent, or says a
                word that is unknown here.
    """

    ads: AdCounts | None
    ads_unread: AdsUnread | None
    reasons: list[DeliveryReason]
    state: DeliveryState
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.ad_counts import AdCounts

        ads: dict[str, Any] | None
        if isinstance(self.ads, AdCounts):
            ads = self.ads.to_dict()
        else:
            ads = self.ads

        ads_unread: None | str
        if isinstance(self.ads_unread, AdsUnread):
            ads_unread = self.ads_unread.value
        else:
            ads_unread = self.ads_unread

        reasons = []
        for reasons_item_data in self.reasons:
            reasons_item = reasons_item_data.to_dict()
            reasons.append(reasons_item)

        state = self.state.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "ads": ads,
                "ads_unread": ads_unread,
                "reasons": reasons,
                "state": state,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.ad_counts import AdCounts
        from ..models.delivery_reason import DeliveryReason

        d = dict(src_dict)

        def _parse_ads(data: object) -> AdCounts | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                ads_type_0 = AdCounts.from_dict(data)

                return ads_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(AdCounts | None, data)

        ads = _parse_ads(d.pop("ads"))

        def _parse_ads_unread(data: object) -> AdsUnread | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                ads_unread_type_0 = AdsUnread(data)

                return ads_unread_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(AdsUnread | None, data)

        ads_unread = _parse_ads_unread(d.pop("ads_unread"))

        reasons = []
        _reasons = d.pop("reasons")
        for reasons_item_data in _reasons:
            reasons_item = DeliveryReason.from_dict(reasons_item_data)

            reasons.append(reasons_item)

        state = DeliveryState(d.pop("state"))

        ad_delivery = cls(
            ads=ads,
            ads_unread=ads_unread,
            reasons=reasons,
            state=state,
        )

        ad_delivery.additional_properties = d
        return ad_delivery

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
