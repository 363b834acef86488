from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.enveloped_budget_period import EnvelopedBudgetPeriod
from ..models.enveloped_status import EnvelopedStatus
from ..types import UNSET, Unset, as_amount_or_unset

T = TypeVar("T", bound="EnvelopedUpdate")


@_attrs_define(kw_only=True)
class EnvelopedUpdate:
    """Changes to a campaign, in the enveloped shape. Absent fields do not change.

    Attributes:
        budget_amount (Decimal | Unset): Greater than 0, at least the platform's minimum, with no more decimals than the
            currency has.
        budget_period (EnvelopedBudgetPeriod | Unset): Budget period in the enveloped shape. `TOTAL` and `LIFETIME` both
            cover the whole run of the campaign.
        currency (str | Unset): ISO 4217 code. Always the ad account's currency.
        end_at (None | str | Unset): New end. Null takes it away.
        name (str | Unset): 1 to 255 characters; no control characters, no space at either end.
        organization_id (str | Unset): Expected ad account of the campaign. Any other account is 404.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
        start_at (None | str | Unset): New start. Null takes it away. Where this service holds it, a waiting activation
            moves with it.
        status (EnvelopedStatus | Unset): Campaign status in the enveloped shape. `UNSPECIFIED` and `DRAFT` are read-
            only; `ARCHIVED` and `SCHEDULED_FOR_DELETION` are final.
    """

    budget_amount: Decimal | Unset = _attrs_field(default=UNSET, converter=as_amount_or_unset)
    budget_period: EnvelopedBudgetPeriod | Unset = UNSET
    currency: str | Unset = UNSET
    end_at: None | str | Unset = UNSET
    name: str | Unset = UNSET
    organization_id: str | Unset = UNSET
    reference: str | Unset = UNSET
    start_at: None | str | Unset = UNSET
    status: EnvelopedStatus | Unset = UNSET

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

        organization_id = self.organization_id

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
        if organization_id is not UNSET:
            field_dict["organization_id"] = organization_id
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
        budget_period: EnvelopedBudgetPeriod | Unset
        if isinstance(_budget_period, Unset):
            budget_period = UNSET
        else:
            budget_period = EnvelopedBudgetPeriod(_budget_period)

        currency = d.pop("currency", UNSET)

        def _parse_end_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        end_at = _parse_end_at(d.pop("end_at", UNSET))

        name = d.pop("name", UNSET)

        organization_id = d.pop("organization_id", UNSET)

        reference = d.pop("reference", UNSET)

        def _parse_start_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        start_at = _parse_start_at(d.pop("start_at", UNSET))

        _status = d.pop("status", UNSET)
        status: EnvelopedStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = EnvelopedStatus(_status)

        enveloped_update = cls(
            budget_amount=budget_amount,
            budget_period=budget_period,
            currency=currency,
            end_at=end_at,
            name=name,
            organization_id=organization_id,
            reference=reference,
            start_at=start_at,
            status=status,
        )

        return enveloped_update
