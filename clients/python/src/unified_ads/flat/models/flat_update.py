from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.flat_budget_period import FlatBudgetPeriod
from ..models.flat_status import FlatStatus
from ..types import UNSET, Unset, as_amount_or_unset

T = TypeVar("T", bound="FlatUpdate")


@_attrs_define(kw_only=True)
class FlatUpdate:
    """Changes to a campaign, in the flat shape. Absent fields do not change.

    Attributes:
        budget_amount (Decimal | Unset): Greater than 0, at least the platform's minimum, with no more decimals than the
            currency has.
        budget_period (FlatBudgetPeriod | Unset): Budget period in the flat shape.
        currency (str | Unset): ISO 4217 code. Always the ad account's currency.
        end_at (None | str | Unset): New end. Null takes it away.
        name (str | Unset): 1 to 255 characters; no control characters, no space at either end.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
        start_at (None | str | Unset): New start. Null takes it away. Where this service holds it, a waiting activation
            moves with it.
        status (FlatStatus | Unset): Campaign status in the flat shape. `ENDED` is read-only; `REMOVED` is final.
    """

    budget_amount: Decimal | Unset = _attrs_field(default=UNSET, converter=as_amount_or_unset)
    budget_period: FlatBudgetPeriod | Unset = UNSET
    currency: str | Unset = UNSET
    end_at: None | str | Unset = UNSET
    name: str | Unset = UNSET
    reference: str | Unset = UNSET
    start_at: None | str | Unset = UNSET
    status: FlatStatus | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        budget_amount = self.budget_amount

        budget_period: str | Unset = UNSET
        if not isinstance(self.budget_period, Unset):
            budget_period = self.budget_period.value

        currency = self.currency

        end_at: None | str | Unset
        if isinstance(self.end_at, Unset):
            end_at = UNSET
        else:
            end_at = self.end_at

        name = self.name

        reference = self.reference

        start_at: None | str | Unset
        if isinstance(self.start_at, Unset):
            start_at = UNSET
        else:
            start_at = self.start_at

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status.value

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if budget_amount is not UNSET:
            field_dict["budget_amount"] = budget_amount
        if budget_period is not UNSET:
            field_dict["budget_period"] = budget_period
        if currency is not UNSET:
            field_dict["currency"] = currency
        if end_at is not UNSET:
            field_dict["end_at"] = end_at
        if name is not UNSET:
            field_dict["name"] = name
        if reference is not UNSET:
            field_dict["reference"] = reference
        if start_at is not UNSET:
            field_dict["start_at"] = start_at
        if status is not UNSET:
            field_dict["status"] = status

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        budget_amount = d.pop("budget_amount", UNSET)

        _budget_period = d.pop("budget_period", UNSET)
        budget_period: FlatBudgetPeriod | Unset
        if isinstance(_budget_period, Unset):
            budget_period = UNSET
        else:
            budget_period = FlatBudgetPeriod(_budget_period)

        currency = d.pop("currency", UNSET)

        def _parse_end_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        end_at = _parse_end_at(d.pop("end_at", UNSET))

        name = d.pop("name", UNSET)

        reference = d.pop("reference", UNSET)

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

        flat_update = cls(
            budget_amount=budget_amount,
            budget_period=budget_period,
            currency=currency,
            end_at=end_at,
            name=name,
            reference=reference,
            start_at=start_at,
            status=status,
        )

        return flat_update
