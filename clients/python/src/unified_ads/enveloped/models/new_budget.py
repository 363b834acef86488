from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount

from ..types import UNSET, Unset, as_amount_or_unset

T = TypeVar("T", bound="NewBudget")


@_attrs_define(kw_only=True)
class NewBudget:
    """The new budget of a campaign.

    Attributes:
        budget_amount (Decimal): Greater than 0, with no more decimals than the currency has. For a MONTHLY budget the
            amount of a month, in the enveloped shape alone.
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this API have one too.
        from_ (Decimal | Unset): The amount that the caller has seen. A campaign that has neither this amount nor the new
            one is not changed, and is in `refused`.
    """

    budget_amount: Decimal = _attrs_field(converter=as_amount)
    id: str
    from_: Decimal | Unset = _attrs_field(default=UNSET, converter=as_amount_or_unset)

    def to_dict(self) -> dict[str, Any]:
        budget_amount = self.budget_amount

        id = self.id

        from_ = self.from_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "budget_amount": budget_amount,
                "id": id,
            }
        )
        if from_ is not UNSET:
            field_dict["from"] = from_

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        budget_amount = d.pop("budget_amount")

        id = d.pop("id")

        from_ = d.pop("from", UNSET)

        new_budget = cls(
            budget_amount=budget_amount,
            id=id,
            from_=from_,
        )

        return new_budget
