from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.date_holder import DateHolder
from ..models.flat_budget_period import FlatBudgetPeriod
from ..models.flat_goal import FlatGoal
from ..models.flat_status import FlatStatus
from ..models.platform import Platform

if TYPE_CHECKING:
    from ..models.date_rules import DateRules
    from ..models.decimal_rules import DecimalRules
    from ..models.enveloped_terms import EnvelopedTerms
    from ..models.flat_terms import FlatTerms
    from ..models.minimum_budget import MinimumBudget
    from ..models.name_rules import NameRules
    from ..models.platform_api_version import PlatformApiVersion
    from ..models.platform_o_auth import PlatformOAuth


T = TypeVar("T", bound="PlatformTable")


@_attrs_define(kw_only=True)
class PlatformTable:
    """Capabilities of one platform. Requests and dry runs are checked against the same table. `goals`, `budget_periods`,
    `statuses` and `minimum_budgets` are in the names of the flat shape; `flat` and `enveloped` have the names of
    either.

        Attributes:
            api_version (PlatformApiVersion): The version of the platform's API that this service calls.
            budget_period_changes (bool): Whether an update can change the budget period. If not, it is a 501.
            budget_periods (list[FlatBudgetPeriod]): Budget periods of new campaigns.
            dates (DateRules): Start and end of campaigns.
            dates_held_by (DateHolder): `platform`: the platform itself. `service`: this service, because the platform's
                campaigns have no dates: an activation waits for the start, and the campaign is paused at its end.
            decimals (DecimalRules): Decimals of amounts. An amount never has more of them than its currency has by ISO
                4217.
            display_name (str): Display name.
            enveloped (EnvelopedTerms): What a platform supports, as the enveloped shape spells it.
            flat (FlatTerms): What a platform supports, as the flat shape spells it.
            goals (list[FlatGoal]): Goals of new campaigns.
            minimum_budgets (list[MinimumBudget]): Minimum budgets. A lower budget is rejected before anything is sent.
            names (NameRules): Names of campaigns.
            notes (list[str]): Notes for callers.
            oauth (PlatformOAuth): How the service asks for consent.
            platform (Platform): An ad platform in the flat shape, in paths and in connections.
            statuses (list[FlatStatus]): Statuses that an update can set.
    """

    api_version: PlatformApiVersion
    budget_period_changes: bool
    budget_periods: list[FlatBudgetPeriod]
    dates: DateRules
    dates_held_by: DateHolder
    decimals: DecimalRules
    display_name: str
    enveloped: EnvelopedTerms
    flat: FlatTerms
    goals: list[FlatGoal]
    minimum_budgets: list[MinimumBudget]
    names: NameRules
    notes: list[str]
    oauth: PlatformOAuth
    platform: Platform
    statuses: list[FlatStatus]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        api_version = self.api_version.to_dict()

        budget_period_changes = self.budget_period_changes

        budget_periods = []
        for budget_periods_item_data in self.budget_periods:
            budget_periods_item = budget_periods_item_data.value
            budget_periods.append(budget_periods_item)

        dates = self.dates.to_dict()

        dates_held_by = self.dates_held_by.value

        decimals = self.decimals.to_dict()

        display_name = self.display_name

        enveloped = self.enveloped.to_dict()

        flat = self.flat.to_dict()

        goals = []
        for goals_item_data in self.goals:
            goals_item = goals_item_data.value
            goals.append(goals_item)

        minimum_budgets = []
        for minimum_budgets_item_data in self.minimum_budgets:
            minimum_budgets_item = minimum_budgets_item_data.to_dict()
            minimum_budgets.append(minimum_budgets_item)

        names = self.names.to_dict()

        notes = self.notes

        oauth = self.oauth.to_dict()

        platform = self.platform.value

        statuses = []
        for statuses_item_data in self.statuses:
            statuses_item = statuses_item_data.value
            statuses.append(statuses_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "api_version": api_version,
                "budget_period_changes": budget_period_changes,
                "budget_periods": budget_periods,
                "dates": dates,
                "dates_held_by": dates_held_by,
                "decimals": decimals,
                "display_name": display_name,
                "enveloped": enveloped,
                "flat": flat,
                "goals": goals,
                "minimum_budgets": minimum_budgets,
                "names": names,
                "notes": notes,
                "oauth": oauth,
                "platform": platform,
                "statuses": statuses,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.date_rules import DateRules
        from ..models.decimal_rules import DecimalRules
        from ..models.enveloped_terms import EnvelopedTerms
        from ..models.flat_terms import FlatTerms
        from ..models.minimum_budget import MinimumBudget
        from ..models.name_rules import NameRules
        from ..models.platform_api_version import PlatformApiVersion
        from ..models.platform_o_auth import PlatformOAuth

        d = dict(src_dict)
        api_version = PlatformApiVersion.from_dict(d.pop("api_version"))

        budget_period_changes = d.pop("budget_period_changes")

        budget_periods = []
        _budget_periods = d.pop("budget_periods")
        for budget_periods_item_data in _budget_periods:
            budget_periods_item = FlatBudgetPeriod(budget_periods_item_data)

            budget_periods.append(budget_periods_item)

        dates = DateRules.from_dict(d.pop("dates"))

        dates_held_by = DateHolder(d.pop("dates_held_by"))

        decimals = DecimalRules.from_dict(d.pop("decimals"))

        display_name = d.pop("display_name")

        enveloped = EnvelopedTerms.from_dict(d.pop("enveloped"))

        flat = FlatTerms.from_dict(d.pop("flat"))

        goals = []
        _goals = d.pop("goals")
        for goals_item_data in _goals:
            goals_item = FlatGoal(goals_item_data)

            goals.append(goals_item)

        minimum_budgets = []
        _minimum_budgets = d.pop("minimum_budgets")
        for minimum_budgets_item_data in _minimum_budgets:
            minimum_budgets_item = MinimumBudget.from_dict(minimum_budgets_item_data)

            minimum_budgets.append(minimum_budgets_item)

        names = NameRules.from_dict(d.pop("names"))

        notes = cast(list[str], d.pop("notes"))

        oauth = PlatformOAuth.from_dict(d.pop("oauth"))

        platform = Platform(d.pop("platform"))

        statuses = []
        _statuses = d.pop("statuses")
        for statuses_item_data in _statuses:
            statuses_item = FlatStatus(statuses_item_data)

            statuses.append(statuses_item)

        platform_table = cls(
            api_version=api_version,
            budget_period_changes=budget_period_changes,
            budget_periods=budget_periods,
            dates=dates,
            dates_held_by=dates_held_by,
            decimals=decimals,
            display_name=display_name,
            enveloped=enveloped,
            flat=flat,
            goals=goals,
            minimum_budgets=minimum_budgets,
            names=names,
            notes=notes,
            oauth=oauth,
            platform=platform,
            statuses=statuses,
        )

        platform_table.additional_properties = d
        return platform_table

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
