from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.enveloped_platform import EnvelopedPlatform

if TYPE_CHECKING:
    from ..models.insights_row import InsightsRow


T = TypeVar("T", bound="EnvelopedAccountInsights")


@_attrs_define(kw_only=True)
class EnvelopedAccountInsights:
    """The insights of an ad account in the enveloped shape.

    Attributes:
        as_of (datetime.datetime): The time at which the platform was asked.
        attribution (str): How the platform assigns conversions to days, in its own words.
        connection_id (str): Connection id. It stays the same when the account is authorized again.
        currency (str): ISO 4217 code. Always the ad account's currency.
        final_after (datetime.date): After this day no number of these days changes any more. Until then the platform
            may restate them.
        organization_id (str): The ad account on the platform.
        platform (EnvelopedPlatform): An ad platform in the enveloped shape.
        rows (list[InsightsRow]): Rows. Their order depends on the platform.
        time_zone (str): IANA name of the time zone of the days: the ad account's, or UTC where the platform reports in
            UTC.
    """

    as_of: datetime.datetime
    attribution: str
    connection_id: str
    currency: str
    final_after: datetime.date
    organization_id: str
    platform: EnvelopedPlatform
    rows: list[InsightsRow]
    time_zone: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        as_of = self.as_of.isoformat()

        attribution = self.attribution

        connection_id = self.connection_id

        currency = self.currency

        final_after = self.final_after.isoformat()

        organization_id = self.organization_id

        platform = self.platform.value

        rows = []
        for rows_item_data in self.rows:
            rows_item = rows_item_data.to_dict()
            rows.append(rows_item)

        time_zone = self.time_zone

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "as_of": as_of,
                "attribution": attribution,
                "connection_id": connection_id,
                "currency": currency,
                "final_after": final_after,
                "organization_id": organization_id,
                "platform": platform,
                "rows": rows,
                "time_zone": time_zone,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.insights_row import InsightsRow

        d = dict(src_dict)
        as_of = datetime.datetime.fromisoformat(d.pop("as_of"))

        attribution = d.pop("attribution")

        connection_id = d.pop("connection_id")

        currency = d.pop("currency")

        final_after = datetime.date.fromisoformat(d.pop("final_after"))

        organization_id = d.pop("organization_id")

        platform = EnvelopedPlatform(d.pop("platform"))

        rows = []
        _rows = d.pop("rows")
        for rows_item_data in _rows:
            rows_item = InsightsRow.from_dict(rows_item_data)

            rows.append(rows_item)

        time_zone = d.pop("time_zone")

        enveloped_account_insights = cls(
            as_of=as_of,
            attribution=attribution,
            connection_id=connection_id,
            currency=currency,
            final_after=final_after,
            organization_id=organization_id,
            platform=platform,
            rows=rows,
            time_zone=time_zone,
        )

        enveloped_account_insights.additional_properties = d
        return enveloped_account_insights

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
