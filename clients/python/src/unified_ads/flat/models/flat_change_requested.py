from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.change_budget_period import ChangeBudgetPeriod
from ..models.flat_goal import FlatGoal
from ..models.flat_status import FlatStatus
from ..types import UNSET, Unset, as_amount_or_unset

if TYPE_CHECKING:
    from ..models.campaign_defaults import CampaignDefaults


T = TypeVar("T", bound="FlatChangeRequested")


@_attrs_define(kw_only=True)
class FlatChangeRequested:
    """The requested fields, in the flat shape. Empty for a removal.

    Attributes:
        budget_amount (Decimal | Unset): In the ad account's currency.
        budget_period (ChangeBudgetPeriod | Unset): Budget period of a change in the flat shape. `MONTHLY` is a budget
            that this service holds.
        campaign_defaults (CampaignDefaults | Unset): What a platform asks of every new campaign and a create does not
            say. LinkedIn has `country` and `language`, Meta `special_ad_categories` and, with a category, `country`. On
            Google Ads and LinkedIn `special_ad_categories` takes only ISSUES_ELECTIONS_POLITICS; other platforms have
            nothing.
        end_at (None | str | Unset): End. Null takes it away.
        goal (FlatGoal | Unset): Campaign goal in the flat shape.
        name (str | Unset): Name.
        start_at (None | str | Unset): Start. Null takes it away.
        status (FlatStatus | Unset): Campaign status in the flat shape. `ENDED` is read-only; `REMOVED` is final.
    """

    budget_amount: Decimal | Unset = _attrs_field(default=UNSET, converter=as_amount_or_unset)
    budget_period: ChangeBudgetPeriod | Unset = UNSET
    campaign_defaults: CampaignDefaults | Unset = UNSET
    end_at: None | str | Unset = UNSET
    goal: FlatGoal | Unset = UNSET
    name: str | Unset = UNSET
    start_at: None | str | Unset = UNSET
    status: FlatStatus | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        budget_amount = self.budget_amount

        budget_period: str | Unset = UNSET
        if not isinstance(self.budget_period, Unset):
            budget_period = self.budget_period.value

        campaign_defaults: dict[str, Any] | Unset = UNSET
        if not isinstance(self.campaign_defaults, Unset):
            campaign_defaults = self.campaign_defaults.to_dict()

        end_at: None | str | Unset
        if isinstance(self.end_at, Unset):
            end_at = UNSET
        else:
            end_at = self.end_at

        goal: str | Unset = UNSET
        if not isinstance(self.goal, Unset):
            goal = self.goal.value

        name = self.name

        start_at: None | str | Unset
        if isinstance(self.start_at, Unset):
            start_at = UNSET
        else:
            start_at = self.start_at

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if budget_amount is not UNSET:
            field_dict["budget_amount"] = budget_amount
        if budget_period is not UNSET:
            field_dict["budget_period"] = budget_period
        if campaign_defaults is not UNSET:
            field_dict["campaign_defaults"] = campaign_defaults
        if end_at is not UNSET:
            field_dict["end_at"] = end_at
        if goal is not UNSET:
            field_dict["goal"] = goal
        if name is not UNSET:
            field_dict["name"] = name
        if start_at is not UNSET:
            field_dict["start_at"] = start_at
        if status is not UNSET:
            field_dict["status"] = status

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.campaign_defaults import CampaignDefaults

        d = dict(src_dict)
        budget_amount = d.pop("budget_amount", UNSET)

        _budget_period = d.pop("budget_period", UNSET)
        budget_period: ChangeBudgetPeriod | Unset
        if isinstance(_budget_period, Unset):
            budget_period = UNSET
        else:
            budget_period = ChangeBudgetPeriod(_budget_period)

        _campaign_defaults = d.pop("campaign_defaults", UNSET)
        campaign_defaults: CampaignDefaults | Unset
        if isinstance(_campaign_defaults, Unset):
            campaign_defaults = UNSET
        else:
            campaign_defaults = CampaignDefaults.from_dict(_campaign_defaults)

        def _parse_end_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        end_at = _parse_end_at(d.pop("end_at", UNSET))

        _goal = d.pop("goal", UNSET)
        goal: FlatGoal | Unset
        if isinstance(_goal, Unset):
            goal = UNSET
        else:
            goal = FlatGoal(_goal)

        name = d.pop("name", UNSET)

        def _parse_start_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        start_at = _parse_start_at(d.pop("start_at", UNSET))

        _status = d.pop("status", UNSET)
        status: FlatStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = FlatStatus(_status)

        flat_change_requested = cls(
            budget_amount=budget_amount,
            budget_period=budget_period,
            campaign_defaults=campaign_defaults,
            end_at=end_at,
            goal=goal,
            name=name,
            start_at=start_at,
            status=status,
        )

        flat_change_requested.additional_properties = d
        return flat_change_requested

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
