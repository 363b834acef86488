from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.plan import Plan

T = TypeVar("T", bound="QuotaAtEvent")


@_attrs_define(kw_only=True)
class QuotaAtEvent:
    """The use of the plan's quota.

    Attributes:
        period_end (datetime.datetime): End of the period.
        period_start (datetime.datetime): Start of the period.
        plan (Plan): A plan.
        requests_limit (int): The quota.
        requests_used (int): Requests that count, in this period.
    """

    period_end: datetime.datetime
    period_start: datetime.datetime
    plan: Plan
    requests_limit: int
    requests_used: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        period_end = self.period_end.isoformat()

        period_start = self.period_start.isoformat()

        plan = self.plan.value

        requests_limit = self.requests_limit

        requests_used = self.requests_used

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "period_end": period_end,
                "period_start": period_start,
                "plan": plan,
                "requests_limit": requests_limit,
                "requests_used": requests_used,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        period_end = datetime.datetime.fromisoformat(d.pop("period_end"))

        period_start = datetime.datetime.fromisoformat(d.pop("period_start"))

        plan = Plan(d.pop("plan"))

        requests_limit = d.pop("requests_limit")

        requests_used = d.pop("requests_used")

        quota_at_event = cls(
            period_end=period_end,
            period_start=period_start,
            plan=plan,
            requests_limit=requests_limit,
            requests_used=requests_used,
        )

        quota_at_event.additional_properties = d
        return quota_at_event

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
