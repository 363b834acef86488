from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount

from ..models.flat_budget_period import FlatBudgetPeriod

T = TypeVar("T", bound="MinimumBudget")


@_attrs_define(kw_only=True)
class MinimumBudget:
    """A minimum budget.

    Attributes:
        amount (Decimal):
        budget_period (FlatBudgetPeriod): Budget period in the flat shape.
        currency (None | str): Null if the amount applies to every currency.
    """

    amount: Decimal = _attrs_field(converter=as_amount)
    budget_period: FlatBudgetPeriod
    currency: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        amount = self.amount

        budget_period = self.budget_period.value

        currency: None | str
        currency = self.currency

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "amount": amount,
                "budget_period": budget_period,
                "currency": currency,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        amount = d.pop("amount")

        budget_period = FlatBudgetPeriod(d.pop("budget_period"))

        def _parse_currency(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        currency = _parse_currency(d.pop("currency"))

        minimum_budget = cls(
            amount=amount,
            budget_period=budget_period,
            currency=currency,
        )

        minimum_budget.additional_properties = d
        return minimum_budget

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
