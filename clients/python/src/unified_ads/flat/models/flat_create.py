from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount

from ..models.flat_budget_period import FlatBudgetPeriod
from ..models.flat_goal import FlatGoal
from ..models.platform import Platform
from ..types import UNSET, Unset

T = TypeVar("T", bound="FlatCreate")


@_attrs_define(kw_only=True)
class FlatCreate:
    """A campaign to create, in the flat shape.

    Attributes:
        budget_amount (Decimal): Greater than 0, at least the platform's minimum, with no more decimals than the currency
            has.
        budget_period (FlatBudgetPeriod): Budget period in the flat shape.
        goal (FlatGoal): Campaign goal in the flat shape.
        name (str): 1 to 255 characters; no control characters, no space at either end.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        connection_id (str | Unset): Connection id. Required if several connections of the platform are active.
        currency (str | Unset): ISO 4217 code. Always the ad account's currency.
        end_at (None | str | Unset): End, after `start_at`. A date is inclusive. Some platforms require it for a
            lifetime budget.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
        start_at (None | str | Unset): Start.
    """

    budget_amount: Decimal = _attrs_field(converter=as_amount)
    budget_period: FlatBudgetPeriod
    goal: FlatGoal
    name: str
    platform: Platform
    connection_id: str | Unset = UNSET
    currency: str | Unset = UNSET
    end_at: None | str | Unset = UNSET
    reference: str | Unset = UNSET
    start_at: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        budget_amount = self.budget_amount

        budget_period = self.budget_period.value

        goal = self.goal.value

        name = self.name

        platform = self.platform.value

        connection_id = self.connection_id

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
                "platform": platform,
            }
        )
        if connection_id is not UNSET:
            field_dict["connection_id"] = connection_id
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

        budget_period = FlatBudgetPeriod(d.pop("budget_period"))

        goal = FlatGoal(d.pop("goal"))

        name = d.pop("name")

        platform = Platform(d.pop("platform"))

        connection_id = d.pop("connection_id", UNSET)

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

        flat_create = cls(
            budget_amount=budget_amount,
            budget_period=budget_period,
            goal=goal,
            name=name,
            platform=platform,
            connection_id=connection_id,
            currency=currency,
            end_at=end_at,
            reference=reference,
            start_at=start_at,
        )

        return flat_create
