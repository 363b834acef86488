from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount

from ..models.bound_setter import BoundSetter

T = TypeVar("T", bound="BudgetBound")


@_attrs_define(kw_only=True)
class BudgetBound:
    """A smallest or a largest budget of a period.

    Attributes:
        amount (Decimal):
        currency (None | str): Null if the number applies in every currency.
        set_by (BoundSetter): Who sets the bound: this service, or the platform by its documentation. A platform may
            have others, which it does not publish.
    """

    amount: Decimal = _attrs_field(converter=as_amount)
    currency: None | str
    set_by: BoundSetter
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        amount = self.amount

        currency: None | str
        currency = self.currency

        set_by = self.set_by.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "amount": amount,
                "currency": currency,
                "set_by": set_by,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        amount = d.pop("amount")

        def _parse_currency(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        currency = _parse_currency(d.pop("currency"))

        set_by = BoundSetter(d.pop("set_by"))

        budget_bound = cls(
            amount=amount,
            currency=currency,
            set_by=set_by,
        )

        budget_bound.additional_properties = d
        return budget_bound

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
