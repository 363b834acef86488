from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.plan import Plan

T = TypeVar("T", bound="CheckoutRequest")


@_attrs_define(kw_only=True)
class CheckoutRequest:
    """Plan to buy.

    Attributes:
        plan (Plan): A plan.
    """

    plan: Plan

    def to_dict(self) -> dict[str, Any]:
        plan = self.plan.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "plan": plan,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        plan = Plan(d.pop("plan"))

        checkout_request = cls(
            plan=plan,
        )

        return checkout_request
