from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount_or_none

from ..models.change_budget_period import ChangeBudgetPeriod
from ..models.flat_status import FlatStatus
from ..models.platform import Platform

T = TypeVar("T", bound="CampaignAtEvent")


@_attrs_define(kw_only=True)
class CampaignAtEvent:
    """A campaign as it was read for the event.

    Attributes:
        budget_amount (Decimal | None): In `currency`. Null if the campaign has no budget of its own.
        budget_period (ChangeBudgetPeriod | None): Null if the campaign has no budget of its own.
        currency (str): ISO 4217 code. Always the ad account's currency.
        end_at (datetime.datetime | None): End, where the platform has one.
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this API have one too.
        name (str): Name.
        organization_id (str): The ad account.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        read_at (datetime.datetime): The campaign was read then. Of several events the one with the latest tells what is
            newest of it.
        start_at (datetime.datetime | None): Start, where the platform has one.
        status (FlatStatus | None): Null if the platform's status has no equivalent.
    """

    budget_amount: Decimal | None = _attrs_field(converter=as_amount_or_none)
    budget_period: ChangeBudgetPeriod | None
    currency: str
    end_at: datetime.datetime | None
    id: str
    name: str
    organization_id: str
    platform: Platform
    read_at: datetime.datetime
    start_at: datetime.datetime | None
    status: FlatStatus | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        budget_amount: Decimal | None
        budget_amount = self.budget_amount

        budget_period: None | str
        if isinstance(self.budget_period, ChangeBudgetPeriod):
            budget_period = self.budget_period.value
        else:
            budget_period = self.budget_period

        currency = self.currency

        end_at: None | str
        if isinstance(self.end_at, datetime.datetime):
            end_at = self.end_at.isoformat()
        else:
            end_at = self.end_at

        id = self.id

        name = self.name

        organization_id = self.organization_id

        platform = self.platform.value

        read_at = self.read_at.isoformat()

        start_at: None | str
        if isinstance(self.start_at, datetime.datetime):
            start_at = self.start_at.isoformat()
        else:
            start_at = self.start_at

        status: None | str
        if isinstance(self.status, FlatStatus):
            status = self.status.value
        else:
            status = self.status

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "budget_amount": budget_amount,
                "budget_period": budget_period,
                "currency": currency,
                "end_at": end_at,
                "id": id,
                "name": name,
                "organization_id": organization_id,
                "platform": platform,
                "read_at": read_at,
                "start_at": start_at,
                "status": status,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_budget_amount(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        budget_amount = _parse_budget_amount(d.pop("budget_amount"))

        def _parse_budget_period(data: object) -> ChangeBudgetPeriod | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                budget_period_type_0 = ChangeBudgetPeriod(data)

                return budget_period_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ChangeBudgetPeriod | None, data)

        budget_period = _parse_budget_period(d.pop("budget_period"))

        currency = d.pop("currency")

        def _parse_end_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                end_at_type_0 = datetime.datetime.fromisoformat(data)

                return end_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        end_at = _parse_end_at(d.pop("end_at"))

        id = d.pop("id")

        name = d.pop("name")

        organization_id = d.pop("organization_id")

        platform = Platform(d.pop("platform"))

        read_at = datetime.datetime.fromisoformat(d.pop("read_at"))

        def _parse_start_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                start_at_type_0 = datetime.datetime.fromisoformat(data)

                return start_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        start_at = _parse_start_at(d.pop("start_at"))

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

        campaign_at_event = cls(
            budget_amount=budget_amount,
            budget_period=budget_period,
            currency=currency,
            end_at=end_at,
            id=id,
            name=name,
            organization_id=organization_id,
            platform=platform,
            read_at=read_at,
            start_at=start_at,
            status=status,
        )

        campaign_at_event.additional_properties = d
        return campaign_at_event

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
