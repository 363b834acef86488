from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount

from ..models.create_goal import CreateGoal
from ..models.enveloped_budget_period import EnvelopedBudgetPeriod
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.target import Target


T = TypeVar("T", bound="MultiTargetCreate")


@_attrs_define(kw_only=True)
class MultiTargetCreate:
    """The same campaign in several ad accounts, in the enveloped shape.

    Attributes:
        budget_amount (Decimal): The budget of each target that has none of its own. Greater than 0, at least the
            platform's minimum, with no more decimals than the currency has. It is refused for ad accounts of several
            currencies: nothing is converted.
        budget_period (EnvelopedBudgetPeriod): Budget period in the enveloped shape. `TOTAL` and `LIFETIME` both cover
            the whole run of the campaign.
        goal (CreateGoal): Goal of a new campaign, in the enveloped shape.
        name (str): 1 to 255 characters; no control characters, no space at either end.
        targets (list[Target]): Ad accounts, without duplicates. Plan starter does not include `targets`.
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
    targets: list[Target]
    currency: str | Unset = UNSET
    end_at: None | str | Unset = UNSET
    reference: str | Unset = UNSET
    start_at: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        budget_amount = self.budget_amount

        budget_period = self.budget_period.value

        goal = self.goal.value

        name = self.name

        targets = []
        for targets_item_data in self.targets:
            targets_item = targets_item_data.to_dict()
            targets.append(targets_item)

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
                "targets": targets,
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
        from ..models.target import Target

        d = dict(src_dict)
        budget_amount = d.pop("budget_amount")

        budget_period = EnvelopedBudgetPeriod(d.pop("budget_period"))

        goal = CreateGoal(d.pop("goal"))

        name = d.pop("name")

        targets = []
        _targets = d.pop("targets")
        for targets_item_data in _targets:
            targets_item = Target.from_dict(targets_item_data)

            targets.append(targets_item)

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

        multi_target_create = cls(
            budget_amount=budget_amount,
            budget_period=budget_period,
            goal=goal,
            name=name,
            targets=targets,
            currency=currency,
            end_at=end_at,
            reference=reference,
            start_at=start_at,
        )

        return multi_target_create
