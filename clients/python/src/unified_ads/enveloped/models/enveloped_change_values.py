from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount_or_none

from ..models.enveloped_budget_period import EnvelopedBudgetPeriod
from ..models.enveloped_status import EnvelopedStatus

T = TypeVar("T", bound="EnvelopedChangeValues")


@_attrs_define(kw_only=True)
class EnvelopedChangeValues:
    """What a change can change of a campaign, in the enveloped shape.

    Attributes:
        budget_amount (Decimal | None): In `currency`. Null if the campaign has no budget of its own.
        budget_period (EnvelopedBudgetPeriod | None): Null if the campaign has no budget of its own.
        currency (str): ISO 4217 code. Always the ad account's currency.
        end_at (datetime.datetime | None): End, where the platform has one.
        name (str): Name.
        start_at (datetime.datetime | None): Start, where the platform has one.
        status (EnvelopedStatus): Campaign status in the enveloped shape. `UNSPECIFIED` and `DRAFT` are read-only;
            `ARCHIVED` and `SCHEDULED_FOR_DELETION` are final.
    """

    budget_amount: Decimal | None = _attrs_field(converter=as_amount_or_none)
    budget_period: EnvelopedBudgetPeriod | None
    currency: str
    end_at: datetime.datetime | None
    name: str
    start_at: datetime.datetime | None
    status: EnvelopedStatus
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        budget_amount: Decimal | None
        budget_amount = self.budget_amount

        budget_period: None | str
        if isinstance(self.budget_period, EnvelopedBudgetPeriod):
            budget_period = self.budget_period.value
        else:
            budget_period = self.budget_period

        currency = self.currency

        end_at: None | str
        if isinstance(self.end_at, datetime.datetime):
            end_at = self.end_at.isoformat()
        else:
            end_at = self.end_at

        name = self.name

        start_at: None | str
        if isinstance(self.start_at, datetime.datetime):
            start_at = self.start_at.isoformat()
        else:
            start_at = self.start_at

        status = self.status.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "budget_amount": budget_amount,
                "budget_period": budget_period,
                "currency": currency,
                "end_at": end_at,
                "name": name,
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

        def _parse_budget_period(data: object) -> EnvelopedBudgetPeriod | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                budget_period_type_0 = EnvelopedBudgetPeriod(data)

                return budget_period_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(EnvelopedBudgetPeriod | None, data)

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

        name = d.pop("name")

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

        status = EnvelopedStatus(d.pop("status"))

        enveloped_change_values = cls(
            budget_amount=budget_amount,
            budget_period=budget_period,
            currency=currency,
            end_at=end_at,
            name=name,
            start_at=start_at,
            status=status,
        )

        enveloped_change_values.additional_properties = d
        return enveloped_change_values

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
