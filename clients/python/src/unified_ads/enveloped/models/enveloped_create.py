from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount

from ..models.create_goal import CreateGoal
from ..models.enveloped_budget_period import EnvelopedBudgetPeriod
from ..models.enveloped_platform import EnvelopedPlatform
from ..types import UNSET, Unset

T = TypeVar("T", bound="EnvelopedCreate")


@_attrs_define(kw_only=True)
class EnvelopedCreate:
    """A campaign to create in one ad account, in the enveloped shape.

    Attributes:
        budget_amount (Decimal): Greater than 0, at least the platform's minimum, with no more decimals than the currency
            has.
        budget_period (EnvelopedBudgetPeriod): Budget period in the enveloped shape. `TOTAL` and `LIFETIME` both cover
            the whole run of the campaign.
        goal (CreateGoal): Goal of a new campaign, in the enveloped shape.
        name (str): 1 to 255 characters; no control characters, no space at either end.
        organization_id (str): The ad account on the platform: the `remote_account_id` of an active connection.
        platform (EnvelopedPlatform): An ad platform in the enveloped shape.
        currency (str | Unset): ISO 4217 code. Always the ad account's currency.
        end_at (None | str | Unset): End, after `start_at`. A date is inclusive. Some platforms require it for a
            lifetime budget.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
        start_at (None | str | Unset): Start.
    """

    budget_amount: Decimal = _attrs_field(converter=as_amount)
    budget_period: EnvelopedBudgetPeriod
    goal: CreateGoal
    name: str
    organization_id: str
    platform: EnvelopedPlatform
    currency: str | Unset = UNSET
    end_at: None | str | Unset = UNSET
    reference: str | Unset = UNSET
    start_at: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        budget_amount = self.budget_amount

        budget_period = self.budget_period.value

        goal = self.goal.value

        name = self.name

        organization_id = self.organization_id

        platform = self.platform.value

        currency = self.currency

        end_at: None | str | Unset
        if isinstance(self.end_at, Unset):
            end_at = UNSET
        else:
            end_at = self.end_at

        reference = self.reference

        start_at: None | str | Unset
        if isinstance(self.start_at, Unset):
            start_at = UNSET
        else:
            start_at = self.start_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "budget_amount": budget_amount,
                "budget_period": budget_period,
                "goal": goal,
                "name": name,
                "organization_id": organization_id,
                "platform": platform,
            }
        )
        if currency is not UNSET:
            field_dict["currency"] = currency
        if end_at is not UNSET:
            field_dict["end_at"] = end_at
        if reference is not UNSET:
            field_dict["reference"] = reference
        if start_at is not UNSET:
            field_dict["start_at"] = start_at

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        budget_amount = d.pop("budget_amount")

        budget_period = EnvelopedBudgetPeriod(d.pop("budget_period"))

        goal = CreateGoal(d.pop("goal"))

        name = d.pop("name")

        organization_id = d.pop("organization_id")

        platform = EnvelopedPlatform(d.pop("platform"))

        currency = d.pop("currency", UNSET)

        def _parse_end_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        end_at = _parse_end_at(d.pop("end_at", UNSET))

        reference = d.pop("reference", UNSET)

        def _parse_start_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        start_at = _parse_start_at(d.pop("start_at", UNSET))

        enveloped_create = cls(
            budget_amount=budget_amount,
            budget_period=budget_period,
            goal=goal,
            name=name,
            organization_id=organization_id,
            platform=platform,
            currency=currency,
            end_at=end_at,
            reference=reference,
            start_at=start_at,
        )

        return enveloped_create
