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
from ..models.enveloped_budget_period import EnvelopedBudgetPeriod
from ..models.enveloped_goal import EnvelopedGoal
from ..models.enveloped_platform import EnvelopedPlatform
from ..models.enveloped_status import EnvelopedStatus
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.ad_delivery import AdDelivery
    from ..models.json_object import JsonObject
    from ..models.pacing import Pacing


T = TypeVar("T", bound="EnvelopedCampaign")


@_attrs_define(kw_only=True)
class EnvelopedCampaign:
    """A campaign in the enveloped shape.

    Attributes:
        budget_amount (Decimal | None): In `currency`. Null if the campaign has no budget of its own.
        budget_period (EnvelopedBudgetPeriod | None):
        connection_id (str): Connection id. It stays the same when the account is authorized again.
        created_at (datetime.datetime | None): Null if unknown to the platform and to this service.
        currency (str): ISO 4217 code. Always the ad account's currency.
        delivery (AdDelivery | None): Whether its ads are shown. Null in answers to writes: a platform's words lag
            behind them.
        end_at (datetime.datetime | None): End time. Null if the campaign has no end.
        end_held_by (DateHolder | None): Who ends it. Null without an end.
        goal (EnvelopedGoal): Campaign goal in the enveloped shape. `UNSPECIFIED` is read-only.
        id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this API have one too.
        name (str): Name.
        organization_id (str): The ad account on the platform.
        platform (EnvelopedPlatform): An ad platform in the enveloped shape.
        raw (JsonObject): Any JSON object.
        start_at (datetime.datetime | None): Start time.
        start_held_by (DateHolder | None): Who starts it. Null without a start.
        status (EnvelopedStatus): Campaign status in the enveloped shape. `UNSPECIFIED` and `DRAFT` are read-only;
            `ARCHIVED` and `SCHEDULED_FOR_DELETION` are final.
        total_spend_amount (Decimal | None): Total spend so far, in `currency`. Null if the platform does not report it.
        updated_at (datetime.datetime | None): Null if unknown to the platform and to this service.
        budget_held_by (BudgetHolder | Unset): Who keeps a campaign within its budget: the platform, or this service.
        pacing (Pacing | Unset): How far the month of a MONTHLY budget is spent. Amounts are in `currency`. Only on a
            campaign with such a budget.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    budget_amount: Decimal | None = _attrs_field(converter=as_amount_or_none)
    budget_period: EnvelopedBudgetPeriod | None
    connection_id: str
    created_at: datetime.datetime | None
    currency: str
    delivery: AdDelivery | None
    end_at: datetime.datetime | None
    end_held_by: DateHolder | None
    goal: EnvelopedGoal
    id: str
    name: str
    organization_id: str
    platform: EnvelopedPlatform
    raw: JsonObject
    start_at: datetime.datetime | None
    start_held_by: DateHolder | None
    status: EnvelopedStatus
    total_spend_amount: Decimal | None = _attrs_field(converter=as_amount_or_none)
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
        if isinstance(self.budget_period, EnvelopedBudgetPeriod):
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

        goal = self.goal.value

        id = self.id

        name = self.name

        organization_id = self.organization_id

        platform = self.platform.value

        raw = self.raw.to_dict()

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

        status = self.status.value

        total_spend_amount: Decimal | None
        total_spend_amount = self.total_spend_amount

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
                "organization_id": organization_id,
                "platform": platform,
                "raw": raw,
                "start_at": start_at,
                "start_held_by": start_held_by,
                "status": status,
                "total_spend_amount": total_spend_amount,
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
        from ..models.json_object import JsonObject
        from ..models.pacing import Pacing

        d = dict(src_dict)

        def _parse_budget_amount(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        budget_amount = _parse_budget_amount(d.pop("budget_amount"))

        def _parse_budget_period(data: object) -> EnvelopedBudgetPeriod | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                budget_period_type_0 = EnvelopedBudgetPeriod(data)

                return budget_period_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(EnvelopedBudgetPeriod | None, data)

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

        goal = EnvelopedGoal(d.pop("goal"))

        id = d.pop("id")

        name = d.pop("name")

        organization_id = d.pop("organization_id")

        platform = EnvelopedPlatform(d.pop("platform"))

        raw = JsonObject.from_dict(d.pop("raw"))

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

        status = EnvelopedStatus(d.pop("status"))

        def _parse_total_spend_amount(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        total_spend_amount = _parse_total_spend_amount(d.pop("total_spend_amount"))

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

        enveloped_campaign = cls(
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
            organization_id=organization_id,
            platform=platform,
            raw=raw,
            start_at=start_at,
            start_held_by=start_held_by,
            status=status,
            total_spend_amount=total_spend_amount,
            updated_at=updated_at,
            budget_held_by=budget_held_by,
            pacing=pacing,
            reference=reference,
        )

        enveloped_campaign.additional_properties = d
        return enveloped_campaign

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
