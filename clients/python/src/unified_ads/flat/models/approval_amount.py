from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount

T = TypeVar("T", bound="ApprovalAmount")


@_attrs_define(kw_only=True)
class ApprovalAmount:
    """An amount in the major unit of its currency.

    Attributes:
        amount (Decimal): A change that adds more waits for a person.
        currency (str): A code of ISO 4217.
    """

    amount: Decimal = _attrs_field(converter=as_amount)
    currency: str

    def to_dict(self) -> dict[str, Any]:
        amount = self.amount

        currency = self.currency

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "amount": amount,
                "currency": currency,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        amount = d.pop("amount")

        currency = d.pop("currency")

        approval_amount = cls(
            amount=amount,
            currency=currency,
        )

        return approval_amount
