from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount_or_none

from ..models.insights_number import InsightsNumber
from ..types import UNSET, Unset

T = TypeVar("T", bound="InsightsRow")


@_attrs_define(kw_only=True)
class InsightsRow:
    """A campaign on a day, or in the whole range. Null is a number that is not known; it never means 0. A number below 0
    is a correction of the platform's.

        Attributes:
            campaign_id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this API have one
                too.
            clicks (int | None): Number of clicks, as the platform counts them.
            conversion_value (Decimal | None): Value of the conversions, in `currency`.
            conversions (Decimal | None): Number of conversions. A fraction where the platform divides them.
            impressions (int | None): Number of times an ad was shown.
            is_final (bool): True if the platform does not change the numbers any more.
            spend (Decimal | None): Amount spent, in `currency`.
            date (datetime.date | Unset): Day in the account's `time_zone`. Absent in a total.
            unreadable (list[InsightsNumber] | Unset): The numbers of this row that are null because the platform sent them
                in a form that cannot be read. Absent if there are none.
    """

    campaign_id: str
    clicks: int | None
    conversion_value: Decimal | None = _attrs_field(converter=as_amount_or_none)
    conversions: Decimal | None = _attrs_field(converter=as_amount_or_none)
    impressions: int | None
    is_final: bool
    spend: Decimal | None = _attrs_field(converter=as_amount_or_none)
    date: datetime.date | Unset = UNSET
    unreadable: list[InsightsNumber] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        campaign_id = self.campaign_id

        clicks: int | None
        clicks = self.clicks

        conversion_value: Decimal | None
        conversion_value = self.conversion_value

        conversions: Decimal | None
        conversions = self.conversions

        impressions: int | None
        impressions = self.impressions

        is_final = self.is_final

        spend: Decimal | None
        spend = self.spend

        date: str | Unset = UNSET
        if not isinstance(self.date, Unset):
            date = self.date.isoformat()

        unreadable: list[str] | Unset = UNSET
        if not isinstance(self.unreadable, Unset):
            unreadable = []
            for unreadable_item_data in self.unreadable:
                unreadable_item = unreadable_item_data.value
                unreadable.append(unreadable_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "campaign_id": campaign_id,
                "clicks": clicks,
                "conversion_value": conversion_value,
                "conversions": conversions,
                "impressions": impressions,
                "is_final": is_final,
                "spend": spend,
            }
        )
        if date is not UNSET:
            field_dict["date"] = date
        if unreadable is not UNSET:
            field_dict["unreadable"] = unreadable

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        campaign_id = d.pop("campaign_id")

        def _parse_clicks(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        clicks = _parse_clicks(d.pop("clicks"))

        def _parse_conversion_value(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        conversion_value = _parse_conversion_value(d.pop("conversion_value"))

        def _parse_conversions(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        conversions = _parse_conversions(d.pop("conversions"))

        def _parse_impressions(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        impressions = _parse_impressions(d.pop("impressions"))

        is_final = d.pop("is_final")

        def _parse_spend(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        spend = _parse_spend(d.pop("spend"))

        _date = d.pop("date", UNSET)
        date: datetime.date | Unset
        if isinstance(_date, Unset):
            date = UNSET
        else:
            date = datetime.date.fromisoformat(_date)

        _unreadable = d.pop("unreadable", UNSET)
        unreadable: list[InsightsNumber] | Unset = UNSET
        if _unreadable is not UNSET:
            unreadable = []
            for unreadable_item_data in _unreadable:
                unreadable_item = InsightsNumber(unreadable_item_data)

                unreadable.append(unreadable_item)

        insights_row = cls(
            campaign_id=campaign_id,
            clicks=clicks,
            conversion_value=conversion_value,
            conversions=conversions,
            impressions=impressions,
            is_final=is_final,
            spend=spend,
            date=date,
            unreadable=unreadable,
        )

        insights_row.additional_properties = d
        return insights_row

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
