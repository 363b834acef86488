from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount_or_none

if TYPE_CHECKING:
    from ..models.limit_sum import LimitSum


T = TypeVar("T", bound="LimitLeft")


@_attrs_define(kw_only=True)
class LimitLeft:
    """What is left in a currency.

    Attributes:
        currency (str): A code of ISO 4217.
        daily (LimitSum): A limit, and what counts against it, in the currency's major unit.
        lifetime (LimitSum): A limit, and what counts against it, in the currency's major unit.
        per_change (Decimal | None): Most that one change may add.
    """

    currency: str
    daily: LimitSum
    lifetime: LimitSum
    per_change: Decimal | None = _attrs_field(converter=as_amount_or_none)
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        currency = self.currency

        daily = self.daily.to_dict()

        lifetime = self.lifetime.to_dict()

        per_change: Decimal | None
        per_change = self.per_change

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "currency": currency,
                "daily": daily,
                "lifetime": lifetime,
                "per_change": per_change,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.limit_sum import LimitSum

        d = dict(src_dict)
        currency = d.pop("currency")

        daily = LimitSum.from_dict(d.pop("daily"))

        lifetime = LimitSum.from_dict(d.pop("lifetime"))

        def _parse_per_change(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        per_change = _parse_per_change(d.pop("per_change"))

        limit_left = cls(
            currency=currency,
            daily=daily,
            lifetime=lifetime,
            per_change=per_change,
        )

        limit_left.additional_properties = d
        return limit_left

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
