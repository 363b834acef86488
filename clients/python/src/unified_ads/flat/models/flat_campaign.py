from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount_or_none

from ..models.budget_holder import BudgetHolder
from ..models.date_holder import DateHolder
from ..models.flat_budget_period import FlatBudgetPeriod
from ..models.flat_goal import FlatGoal
from ..models.flat_status import FlatStatus
from ..models.platform import Platform
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.ad_delivery import AdDelivery
    from ..models.pacing import Pacing


T = TypeVar("T", bound="FlatCampaign")


@_attrs_define(kw_only=True)
class FlatCampaign:
    """A campaign in the flat shape.

    Attributes:
        budget_amount (Decimal | None): In `currency`. Null if the campaign has no budget of its own.
        budget_period (FlatBudgetPeriod | None):
        connection_id (str): Connection id. It stays the same when the account is authorized again.
        created_at (datetime.datetime | None): Null if unknown to the platform and to this service.
        currency (str): ISO 4217 code. Always the ad account's currency.
        delivery (AdDelivery | None): Whether its ads are shown. Null in answers to writes: a platform's words lag
            behind them.
        end_at (datetime.datetime | None): End time. Null if the campaign has no end.
        end_held_by (DateHolder | None): Who ends it. Null without an end.
        goal (FlatGoal | None): Null if this shape has no equivalent.
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this API have one too.
        name (str): Name.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        remote_account_id (str): The ad account on the platform.
        remote_id (str): Campaign id on the platform.
        start_at (datetime.datetime | None): Start time.
        start_held_by (DateHolder | None): Who starts it. Null without a start.
        status (FlatStatus | None): Null if the platform's status has no equivalent.
        updated_at (datetime.datetime | None): Null if unknown to the platform and to this service.
        budget_held_by (BudgetHolder | Unset): Who keeps a campaign within its budget: the platform, or this service.
        pacing (Pacing | Unset): How far the month of a MONTHLY budget is spent. Amounts are in `currency`. Only on a
            campaign with such a budget.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    budget_amount: Decimal | None = _attrs_field(converter=as_amount_or_none)
    budget_period: FlatBudgetPeriod | None
    connection_id: str
    created_at: datetime.datetime | None
    currency: str
    delivery: AdDelivery | None
    end_at: datetime.datetime | None
    end_held_by: DateHolder | None
    goal: FlatGoal | None
    id: str
    name: str
    platform: Platform
    remote_account_id: str
    remote_id: str
    start_at: datetime.datetime | None
    start_held_by: DateHolder | None
    status: FlatStatus | None
    updated_at: datetime.datetime | None
    budget_held_by: BudgetHolder | Unset = UNSET
    pacing: Pacing | Unset = UNSET
    reference: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.ad_delivery import AdDelivery

        budget_amount: Decimal | None
        budget_amount = self.budget_amount

        budget_period: None | str
        if isinstance(self.budget_period, FlatBudgetPeriod):
            budget_period = self.budget_period.value
        else:
            budget_period = self.budget_period

        connection_id = self.connection_id

        created_at: None | str
        if isinstance(self.created_at, datetime.datetime):
            created_at = self.created_at.isoformat()
        else:
            created_at = self.created_at

        currency = self.currency

        delivery: dict[str, Any] | None
        if isinstance(self.delivery, AdDelivery):
            delivery = self.delivery.to_dict()
        else:
            delivery = self.delivery

        end_at: None | str
        if isinstance(self.end_at, datetime.datetime):
            end_at = self.end_at.isoformat()
        else:
            end_at = self.end_at

        end_held_by: None | str
        if isinstance(self.end_held_by, DateHolder):
            end_held_by = self.end_held_by.value
        else:
            end_held_by = self.end_held_by

        goal: None | str
        if isinstance(self.goal, FlatGoal):
            goal = self.goal.value
        else:
            goal = self.goal

        id = self.id

        name = self.name

        platform = self.platform.value

        remote_account_id = self.remote_account_id

        remote_id = self.remote_id

        start_at: None | str
        if isinstance(self.start_at, datetime.datetime):
            start_at = self.start_at.isoformat()
        else:
            start_at = self.start_at

        start_held_by: None | str
        if isinstance(self.start_held_by, DateHolder):
            start_held_by = self.start_held_by.value
        else:
            start_held_by = self.start_held_by

        status: None | str
        if isinstance(self.status, FlatStatus):
            status = self.status.value
        else:
            status = self.status

        updated_at: None | str
        if isinstance(self.updated_at, datetime.datetime):
            updated_at = self.updated_at.isoformat()
        else:
            updated_at = self.updated_at

        budget_held_by: str | Unset = UNSET
        if not isinstance(self.budget_held_by, Unset):
            budget_held_by = self.budget_held_by.value

        pacing: dict[str, Any] | Unset = UNSET
        if not isinstance(self.pacing, Unset):
            pacing = self.pacing.to_dict()

        reference = self.reference

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "budget_amount": budget_amount,
                "budget_period": budget_period,
                "connection_id": connection_id,
                "created_at": created_at,
                "currency": currency,
                "delivery": delivery,
                "end_at": end_at,
                "end_held_by": end_held_by,
                "goal": goal,
                "id": id,
                "name": name,
                "platform": platform,
                "remote_account_id": remote_account_id,
                "remote_id": remote_id,
                "start_at": start_at,
                "start_held_by": start_held_by,
                "status": status,
                "updated_at": updated_at,
            }
        )
        if budget_held_by is not UNSET:
            field_dict["budget_held_by"] = budget_held_by
        if pacing is not UNSET:
            field_dict["pacing"] = pacing
        if reference is not UNSET:
            field_dict["reference"] = reference

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.ad_delivery import AdDelivery
        from ..models.pacing import Pacing

        d = dict(src_dict)

        def _parse_budget_amount(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        budget_amount = _parse_budget_amount(d.pop("budget_amount"))

        def _parse_budget_period(data: object) -> FlatBudgetPeriod | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                budget_period_type_0 = FlatBudgetPeriod(data)

                return budget_period_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(FlatBudgetPeriod | None, data)

        budget_period = _parse_budget_period(d.pop("budget_period"))

        connection_id = d.pop("connection_id")

        def _parse_created_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                created_at_type_0 = datetime.datetime.fromisoformat(data)

                return created_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        created_at = _parse_created_at(d.pop("created_at"))

        currency = d.pop("currency")

        def _parse_delivery(data: object) -> AdDelivery | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                delivery_type_0 = AdDelivery.from_dict(data)

                return delivery_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(AdDelivery | None, data)

        delivery = _parse_delivery(d.pop("delivery"))

        def _parse_end_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                end_at_type_0 = datetime.datetime.fromisoformat(data)

                return end_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        end_at = _parse_end_at(d.pop("end_at"))

        def _parse_end_held_by(data: object) -> DateHolder | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                end_held_by_type_0 = DateHolder(data)

                return end_held_by_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(DateHolder | None, data)

        end_held_by = _parse_end_held_by(d.pop("end_held_by"))

        def _parse_goal(data: object) -> FlatGoal | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                goal_type_0 = FlatGoal(data)

                return goal_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(FlatGoal | None, data)

        goal = _parse_goal(d.pop("goal"))

        id = d.pop("id")

        name = d.pop("name")

        platform = Platform(d.pop("platform"))

        remote_account_id = d.pop("remote_account_id")

        remote_id = d.pop("remote_id")

        def _parse_start_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                start_at_type_0 = datetime.datetime.fromisoformat(data)

                return start_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        start_at = _parse_start_at(d.pop("start_at"))

        def _parse_start_held_by(data: object) -> DateHolder | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                start_held_by_type_0 = DateHolder(data)

                return start_held_by_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(DateHolder | None, data)

        start_held_by = _parse_start_held_by(d.pop("start_held_by"))

        def _parse_status(data: object) -> FlatStatus | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                status_type_0 = FlatStatus(data)

                return status_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(FlatStatus | None, data)

        status = _parse_status(d.pop("status"))

        def _parse_updated_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                updated_at_type_0 = datetime.datetime.fromisoformat(data)

                return updated_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        updated_at = _parse_updated_at(d.pop("updated_at"))

        _budget_held_by = d.pop("budget_held_by", UNSET)
        budget_held_by: BudgetHolder | Unset
        if isinstance(_budget_held_by, Unset):
            budget_held_by = UNSET
        else:
            budget_held_by = BudgetHolder(_budget_held_by)

        _pacing = d.pop("pacing", UNSET)
        pacing: Pacing | Unset
        if isinstance(_pacing, Unset):
            pacing = UNSET
        else:
            pacing = Pacing.from_dict(_pacing)

        reference = d.pop("reference", UNSET)

        flat_campaign = cls(
            budget_amount=budget_amount,
            budget_period=budget_period,
            connection_id=connection_id,
            created_at=created_at,
            currency=currency,
            delivery=delivery,
            end_at=end_at,
            end_held_by=end_held_by,
            goal=goal,
            id=id,
            name=name,
            platform=platform,
            remote_account_id=remote_account_id,
            remote_id=remote_id,
            start_at=start_at,
            start_held_by=start_held_by,
            status=status,
            updated_at=updated_at,
            budget_held_by=budget_held_by,
            pacing=pacing,
            reference=reference,
        )

        flat_campaign.additional_properties = d
        return flat_campaign

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
