from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.approval_rule_answer import ApprovalRuleAnswer
    from ..models.currency_limit_answer import CurrencyLimitAnswer


T = TypeVar("T", bound="UserSpendingLimitAnswer")


@_attrs_define(kw_only=True)
class UserSpendingLimitAnswer:
    """What may be added to what runs in the connections of a user, by all keys, people and schedules together.

    Attributes:
        amounts (list[CurrencyLimitAnswer]): A limit for each currency. Budgets in any other are refused.
        approval (ApprovalRuleAnswer | None | Unset): The changes that a person has to approve, on the dashboard or in
            your own product. Null, or absent, for none.
        creates_per_day (int | Unset): Most campaigns that may be created in a day (UTC). Default: 20.
    """

    amounts: list[CurrencyLimitAnswer]
    approval: ApprovalRuleAnswer | None | Unset = UNSET
    creates_per_day: int | Unset = 20
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.approval_rule_answer import ApprovalRuleAnswer

        amounts = []
        for amounts_item_data in self.amounts:
            amounts_item = amounts_item_data.to_dict()
            amounts.append(amounts_item)

        approval: dict[str, Any] | None | Unset
        if isinstance(self.approval, Unset):
            approval = UNSET
        elif isinstance(self.approval, ApprovalRuleAnswer):
            approval = self.approval.to_dict()
        else:
            approval = self.approval

        creates_per_day = self.creates_per_day

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
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
        from ..models.approval_rule_answer import ApprovalRuleAnswer
        from ..models.currency_limit_answer import CurrencyLimitAnswer

        d = dict(src_dict)
        amounts = []
        _amounts = d.pop("amounts")
        for amounts_item_data in _amounts:
            amounts_item = CurrencyLimitAnswer.from_dict(amounts_item_data)

            amounts.append(amounts_item)

        def _parse_approval(data: object) -> ApprovalRuleAnswer | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_nullable_approval_rule_answer_type_0 = ApprovalRuleAnswer.from_dict(data)

                return componentsschemas_nullable_approval_rule_answer_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ApprovalRuleAnswer | None | Unset, data)

        approval = _parse_approval(d.pop("approval", UNSET))

        creates_per_day = d.pop("creates_per_day", UNSET)

        user_spending_limit_answer = cls(
            amounts=amounts,
            approval=approval,
            creates_per_day=creates_per_day,
        )

        user_spending_limit_answer.additional_properties = d
        return user_spending_limit_answer

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
