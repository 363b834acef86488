from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.approval_rule import ApprovalRule
    from ..models.currency_limit import CurrencyLimit


T = TypeVar("T", bound="UserSpendingLimit")


@_attrs_define(kw_only=True)
class UserSpendingLimit:
    """What may be added to what runs in the connections of a user, by all keys, people and schedules together.

    Attributes:
        amounts (list[CurrencyLimit]): A limit for each currency. Budgets in any other are refused.
        approval (ApprovalRule | None | Unset): The changes that a person has to approve, on the dashboard or in your
            own product. Null, or absent, for none.
        creates_per_day (int | Unset): Most campaigns that may be created in a day (UTC). Default: 20.
    """

    amounts: list[CurrencyLimit]
    approval: ApprovalRule | None | Unset = UNSET
    creates_per_day: int | Unset = 20

    def to_dict(self) -> dict[str, Any]:
        from ..models.approval_rule import ApprovalRule

        amounts = []
        for amounts_item_data in self.amounts:
            amounts_item = amounts_item_data.to_dict()
            amounts.append(amounts_item)

        approval: dict[str, Any] | None | Unset
        if isinstance(self.approval, Unset):
            approval = UNSET
        elif isinstance(self.approval, ApprovalRule):
            approval = self.approval.to_dict()
        else:
            approval = self.approval

        creates_per_day = self.creates_per_day

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "amounts": amounts,
            }
        )
        if approval is not UNSET:
            field_dict["approval"] = approval
        if creates_per_day is not UNSET:
            field_dict["creates_per_day"] = creates_per_day

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.approval_rule import ApprovalRule
        from ..models.currency_limit import CurrencyLimit

        d = dict(src_dict)
        amounts = []
        _amounts = d.pop("amounts")
        for amounts_item_data in _amounts:
            amounts_item = CurrencyLimit.from_dict(amounts_item_data)

            amounts.append(amounts_item)

        def _parse_approval(data: object) -> ApprovalRule | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_nullable_approval_rule_type_0 = ApprovalRule.from_dict(data)

                return componentsschemas_nullable_approval_rule_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ApprovalRule | None | Unset, data)

        approval = _parse_approval(d.pop("approval", UNSET))

        creates_per_day = d.pop("creates_per_day", UNSET)

        user_spending_limit = cls(
            amounts=amounts,
            approval=approval,
            creates_per_day=creates_per_day,
        )

        return user_spending_limit
