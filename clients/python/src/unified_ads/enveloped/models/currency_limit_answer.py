from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount

from ..types import UNSET, Unset, as_amount_or_none_or_unset, as_amount_or_unset

T = TypeVar("T", bound="CurrencyLimitAnswer")


@_attrs_define(kw_only=True)
class CurrencyLimitAnswer:
    """The limit in a currency, in its major unit.

    Attributes:
        currency (str): A code of ISO 4217.
        daily (Decimal): Most that the daily budgets add up to which the key has activated or raised. With 0 it can only
            pause, lower and remove.
        lifetime (Decimal | Unset): The same for budgets that cover the whole run. They count at once, and only a person
            frees them, on the dashboard. Default: 0.0.
        per_change (Decimal | None | Unset): Most that one change may add. Null, or absent, for no bound of its own.
    """

    currency: str
    daily: Decimal = _attrs_field(converter=as_amount)
    lifetime: Decimal | Unset = _attrs_field(default=Decimal(0), converter=as_amount_or_unset)
    per_change: Decimal | None | Unset = _attrs_field(default=UNSET, converter=as_amount_or_none_or_unset)
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        currency = self.currency

        daily = self.daily

        lifetime = self.lifetime

        per_change: Decimal | None | Unset
        if isinstance(self.per_change, Unset):
            per_change = UNSET
        else:
            per_change = self.per_change

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "currency": currency,
                "daily": daily,
            }
        )
        if lifetime is not UNSET:
            field_dict["lifetime"] = lifetime
        if per_change is not UNSET:
            field_dict["per_change"] = per_change

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        currency = d.pop("currency")

        daily = d.pop("daily")

        lifetime = d.pop("lifetime", UNSET)

        def _parse_per_change(data: object) -> Decimal | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(Decimal | None | Unset, data)

        per_change = _parse_per_change(d.pop("per_change", UNSET))

        currency_limit_answer = cls(
            currency=currency,
            daily=daily,
            lifetime=lifetime,
            per_change=per_change,
        )

        currency_limit_answer.additional_properties = d
        return currency_limit_answer

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
