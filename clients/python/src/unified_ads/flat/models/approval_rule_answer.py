from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.approval_amount_answer import ApprovalAmountAnswer


T = TypeVar("T", bound="ApprovalRuleAnswer")


@_attrs_define(kw_only=True)
class ApprovalRuleAnswer:
    """The changes that a person has to approve. They are answered with 202, and wait for seven days. One of `activation`
    and `amounts` must ask for something.

        Attributes:
            activation (bool | Unset): Every change after which a campaign that does not run may run. Default: False.
            amounts (list[ApprovalAmountAnswer] | Unset): Every change that adds more than an amount, together with what was
                raised of its campaign on the same day of the ad account; a create adds its budget. Each currency once, and only
                those of the limit.
    """

    activation: bool | Unset = False
    amounts: list[ApprovalAmountAnswer] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        activation = self.activation

        amounts: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.amounts, Unset):
            amounts = []
            for amounts_item_data in self.amounts:
                amounts_item = amounts_item_data.to_dict()
                amounts.append(amounts_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if activation is not UNSET:
            field_dict["activation"] = activation
        if amounts is not UNSET:
            field_dict["amounts"] = amounts

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.approval_amount_answer import ApprovalAmountAnswer

        d = dict(src_dict)
        activation = d.pop("activation", UNSET)

        _amounts = d.pop("amounts", UNSET)
        amounts: list[ApprovalAmountAnswer] | Unset = UNSET
        if _amounts is not UNSET:
            amounts = []
            for amounts_item_data in _amounts:
                amounts_item = ApprovalAmountAnswer.from_dict(amounts_item_data)

                amounts.append(amounts_item)

        approval_rule_answer = cls(
            activation=activation,
            amounts=amounts,
        )

        approval_rule_answer.additional_properties = d
        return approval_rule_answer

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
