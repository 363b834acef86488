from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.plan import Plan

if TYPE_CHECKING:
    from ..models.billing_usage import BillingUsage


T = TypeVar("T", bound="BillingStatus")


@_attrs_define(kw_only=True)
class BillingStatus:
    """Billing status of the customer.

    Attributes:
        current_period_end (datetime.datetime):
        current_period_start (datetime.datetime):
        plan (Plan): A plan.
        status (str): Subscription status of the payment provider: `active`, `trialing`, `past_due`, `canceled`,
            `unpaid`, `incomplete`, `incomplete_expired`, `paused`, or a new one. `active` without a subscription.
        usage (BillingUsage): Requests of the billing period.
    """

    current_period_end: datetime.datetime
    current_period_start: datetime.datetime
    plan: Plan
    status: str
    usage: BillingUsage
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        current_period_end = self.current_period_end.isoformat()

        current_period_start = self.current_period_start.isoformat()

        plan = self.plan.value

        status = self.status

        usage = self.usage.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "current_period_end": current_period_end,
                "current_period_start": current_period_start,
                "plan": plan,
                "status": status,
                "usage": usage,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.billing_usage import BillingUsage

        d = dict(src_dict)
        current_period_end = datetime.datetime.fromisoformat(d.pop("current_period_end"))

        current_period_start = datetime.datetime.fromisoformat(d.pop("current_period_start"))

        plan = Plan(d.pop("plan"))

        status = d.pop("status")

        usage = BillingUsage.from_dict(d.pop("usage"))

        billing_status = cls(
            current_period_end=current_period_end,
            current_period_start=current_period_start,
            plan=plan,
            status=status,
            usage=usage,
        )

        billing_status.additional_properties = d
        return billing_status

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
