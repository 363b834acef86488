from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.plan import Plan

T = TypeVar("T", bound="Customer")


@_attrs_define(kw_only=True)
class Customer:
    """Customer of the API key.

    Attributes:
        connections_count (int): Number of connected ad accounts, without `PENDING` connections.
        created_at (datetime.datetime):
        email (str): Email address.
        id (UUID): Customer id.
        payment_customer_id (None | str): Customer id of the payment provider. Null before the first purchase.
        plan (Plan): A plan.
    """

    connections_count: int
    created_at: datetime.datetime
    email: str
    id: UUID
    payment_customer_id: None | str
    plan: Plan
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        connections_count = self.connections_count

        created_at = self.created_at.isoformat()

        email = self.email

        id = str(self.id)

        payment_customer_id: None | str
        payment_customer_id = self.payment_customer_id

        plan = self.plan.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "connections_count": connections_count,
                "created_at": created_at,
                "email": email,
                "id": id,
                "payment_customer_id": payment_customer_id,
                "plan": plan,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        connections_count = d.pop("connections_count")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        email = d.pop("email")

        id = UUID(d.pop("id"))

        def _parse_payment_customer_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        payment_customer_id = _parse_payment_customer_id(d.pop("payment_customer_id"))

        plan = Plan(d.pop("plan"))

        customer = cls(
            connections_count=connections_count,
            created_at=created_at,
            email=email,
            id=id,
            payment_customer_id=payment_customer_id,
            plan=plan,
        )

        customer.additional_properties = d
        return customer

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
