from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.enveloped_platform import EnvelopedPlatform
from ..types import UNSET, Unset, as_amount_or_unset

T = TypeVar("T", bound="Target")


@_attrs_define(kw_only=True)
class Target:
    """An ad account, which may have a budget of its own.

    Attributes:
        organization_id (str): The ad account on the platform: the `remote_account_id` of an active connection.
        platform (EnvelopedPlatform): An ad platform in the enveloped shape.
        budget_amount (Decimal | Unset): The budget in this ad account instead of that beside `targets`. Ad accounts of
            several currencies need one each.
        currency (str | Unset): ISO 4217 code. Always the ad account's currency.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    organization_id: str
    platform: EnvelopedPlatform
    budget_amount: Decimal | Unset = _attrs_field(default=UNSET, converter=as_amount_or_unset)
    currency: str | Unset = UNSET
    reference: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        organization_id = self.organization_id

        platform = self.platform.value

        budget_amount = self.budget_amount

        currency = self.currency

        reference = self.reference

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "organization_id": organization_id,
                "platform": platform,
            }
        )
        if budget_amount is not UNSET:
            field_dict["budget_amount"] = budget_amount
        if currency is not UNSET:
            field_dict["currency"] = currency
        if reference is not UNSET:
            field_dict["reference"] = reference

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        organization_id = d.pop("organization_id")

        platform = EnvelopedPlatform(d.pop("platform"))

        budget_amount = d.pop("budget_amount", UNSET)

        currency = d.pop("currency", UNSET)

        reference = d.pop("reference", UNSET)

        target = cls(
            organization_id=organization_id,
            platform=platform,
            budget_amount=budget_amount,
            currency=currency,
            reference=reference,
        )

        return target
