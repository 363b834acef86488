from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.budget_holder import BudgetHolder
from ..models.flat_budget_period import FlatBudgetPeriod
from ..models.flat_goal import FlatGoal

if TYPE_CHECKING:
    from ..models.budget_bound import BudgetBound


T = TypeVar("T", bound="FlatPeriodRules")


@_attrs_define(kw_only=True)
class FlatPeriodRules:
    """A budget period on a platform.

    Attributes:
        goals (list[FlatGoal]): Goals that have this period.
        held_by (BudgetHolder): Who keeps a campaign within its budget: the platform, or this service.
        maximums (list[BudgetBound]): A budget above the lowest of those that apply is rejected before anything is sent.
        minimums (list[BudgetBound]): A budget below the highest of those that apply is rejected before anything is
            sent.
        needs (list[str]): Fields that a campaign with this period must have, such as `end_at`.
        period (FlatBudgetPeriod): Budget period in the flat shape.
    """

    goals: list[FlatGoal]
    held_by: BudgetHolder
    maximums: list[BudgetBound]
    minimums: list[BudgetBound]
    needs: list[str]
    period: FlatBudgetPeriod
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        goals = []
        for goals_item_data in self.goals:
            goals_item = goals_item_data.value
            goals.append(goals_item)

        held_by = self.held_by.value

        maximums = []
        for maximums_item_data in self.maximums:
            maximums_item = maximums_item_data.to_dict()
            maximums.append(maximums_item)

        minimums = []
        for minimums_item_data in self.minimums:
            minimums_item = minimums_item_data.to_dict()
            minimums.append(minimums_item)

        needs = self.needs

        period = self.period.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "goals": goals,
                "held_by": held_by,
                "maximums": maximums,
                "minimums": minimums,
                "needs": needs,
                "period": period,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.budget_bound import BudgetBound

        d = dict(src_dict)
        goals = []
        _goals = d.pop("goals")
        for goals_item_data in _goals:
            goals_item = FlatGoal(goals_item_data)

            goals.append(goals_item)

        held_by = BudgetHolder(d.pop("held_by"))

        maximums = []
        _maximums = d.pop("maximums")
        for maximums_item_data in _maximums:
            maximums_item = BudgetBound.from_dict(maximums_item_data)

            maximums.append(maximums_item)

        minimums = []
        _minimums = d.pop("minimums")
        for minimums_item_data in _minimums:
            minimums_item = BudgetBound.from_dict(minimums_item_data)

            minimums.append(minimums_item)

        needs = cast(list[str], d.pop("needs"))

        period = FlatBudgetPeriod(d.pop("period"))

        flat_period_rules = cls(
            goals=goals,
            held_by=held_by,
            maximums=maximums,
            minimums=minimums,
            needs=needs,
            period=period,
        )

        flat_period_rules.additional_properties = d
        return flat_period_rules

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
