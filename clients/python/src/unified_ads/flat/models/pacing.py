from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount

T = TypeVar("T", bound="Pacing")


@_attrs_define(kw_only=True)
class Pacing:
    """How far the month of a MONTHLY budget is spent. Amounts are in `currency`. Only on a campaign with such a budget.

    Attributes:
        amount (Decimal): The amount of a month.
        daily_now (Decimal): The daily budget at the platform.
        month (str): The calendar month.
        remaining (Decimal): What is left of the amount.
        spent (Decimal): Spend of the month by the platform's report that was read last.
        stopped (bool): Whether the daily budget stands still: the API key that asked for the amount was stopped, and
            the campaign ran because of it. It goes on once somebody activates the campaign or sets the amount.
    """

    amount: Decimal = _attrs_field(converter=as_amount)
    daily_now: Decimal = _attrs_field(converter=as_amount)
    month: str
    remaining: Decimal = _attrs_field(converter=as_amount)
    spent: Decimal = _attrs_field(converter=as_amount)
    stopped: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        amount = self.amount

        daily_now = self.daily_now

        month = self.month

        remaining = self.remaining

        spent = self.spent

        stopped = self.stopped

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "amount": amount,
                "daily_now": daily_now,
                "month": month,
                "remaining": remaining,
                "spent": spent,
                "stopped": stopped,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        amount = d.pop("amount")

        daily_now = d.pop("daily_now")

        month = d.pop("month")

        remaining = d.pop("remaining")

        spent = d.pop("spent")

        stopped = d.pop("stopped")

        pacing = cls(
            amount=amount,
            daily_now=daily_now,
            month=month,
            remaining=remaining,
            spent=spent,
            stopped=stopped,
        )

        pacing.additional_properties = d
        return pacing

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
