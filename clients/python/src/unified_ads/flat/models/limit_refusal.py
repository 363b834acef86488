from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount_or_none

from ..models.limit_name import LimitName
from ..models.limit_owner import LimitOwner

T = TypeVar("T", bound="LimitRefusal")


@_attrs_define(kw_only=True)
class LimitRefusal:
    """The spending limit that refuses the request. Nothing was sent.

    Attributes:
        amount (Decimal | None): The limit; null if it is no amount.
        currency (None | str): The currency of the amounts.
        left (Decimal | None): What is left.
        limit (LimitName): The part of a spending limit that refuses a request.
        needed (Decimal | None): What the request needs of it.
        of (LimitOwner): Whose limit it is: that of the API key, or that of the user of the connection.
        reserved (Decimal | None): What counts against it.
    """

    amount: Decimal | None = _attrs_field(converter=as_amount_or_none)
    currency: None | str
    left: Decimal | None = _attrs_field(converter=as_amount_or_none)
    limit: LimitName
    needed: Decimal | None = _attrs_field(converter=as_amount_or_none)
    of: LimitOwner
    reserved: Decimal | None = _attrs_field(converter=as_amount_or_none)
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        amount: Decimal | None
        amount = self.amount

        currency: None | str
        currency = self.currency

        left: Decimal | None
        left = self.left

        limit = self.limit.value

        needed: Decimal | None
        needed = self.needed

        of = self.of.value

        reserved: Decimal | None
        reserved = self.reserved

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "amount": amount,
                "currency": currency,
                "left": left,
                "limit": limit,
                "needed": needed,
                "of": of,
                "reserved": reserved,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_amount(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        amount = _parse_amount(d.pop("amount"))

        def _parse_currency(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        currency = _parse_currency(d.pop("currency"))

        def _parse_left(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        left = _parse_left(d.pop("left"))

        limit = LimitName(d.pop("limit"))

        def _parse_needed(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        needed = _parse_needed(d.pop("needed"))

        of = LimitOwner(d.pop("of"))

        def _parse_reserved(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        reserved = _parse_reserved(d.pop("reserved"))

        limit_refusal = cls(
            amount=amount,
            currency=currency,
            left=left,
            limit=limit,
            needed=needed,
            of=of,
            reserved=reserved,
        )

        limit_refusal.additional_properties = d
        return limit_refusal

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
