from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.flat_goal import FlatGoal
from ..models.flat_status import FlatStatus
from ..models.platform import Platform

if TYPE_CHECKING:
    from ..models.flat_period_rules import FlatPeriodRules


T = TypeVar("T", bound="FlatTerms")


@_attrs_define(kw_only=True)
class FlatTerms:
    """What a platform supports, as the flat shape spells it.

    Attributes:
        budget_periods (list[FlatPeriodRules]): Budget periods of new campaigns.
        goals (list[FlatGoal]): Goals of new campaigns.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        statuses (list[FlatStatus]): Statuses that an update can set.
    """

    budget_periods: list[FlatPeriodRules]
    goals: list[FlatGoal]
    platform: Platform
    statuses: list[FlatStatus]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        budget_periods = []
        for budget_periods_item_data in self.budget_periods:
            budget_periods_item = budget_periods_item_data.to_dict()
            budget_periods.append(budget_periods_item)

        goals = []
        for goals_item_data in self.goals:
            goals_item = goals_item_data.value
            goals.append(goals_item)

        platform = self.platform.value

        statuses = []
        for statuses_item_data in self.statuses:
            statuses_item = statuses_item_data.value
            statuses.append(statuses_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "budget_periods": budget_periods,
                "goals": goals,
                "platform": platform,
                "statuses": statuses,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.flat_period_rules import FlatPeriodRules

        d = dict(src_dict)
        budget_periods = []
        _budget_periods = d.pop("budget_periods")
        for budget_periods_item_data in _budget_periods:
            budget_periods_item = FlatPeriodRules.from_dict(budget_periods_item_data)

            budget_periods.append(budget_periods_item)

        goals = []
        _goals = d.pop("goals")
        for goals_item_data in _goals:
            goals_item = FlatGoal(goals_item_data)

            goals.append(goals_item)

        platform = Platform(d.pop("platform"))

        statuses = []
        _statuses = d.pop("statuses")
        for statuses_item_data in _statuses:
            statuses_item = FlatStatus(statuses_item_data)

            statuses.append(statuses_item)

        flat_terms = cls(
            budget_periods=budget_periods,
            goals=goals,
            platform=platform,
            statuses=statuses,
        )

        flat_terms.additional_properties = d
        return flat_terms

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
