from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.approval_amount import ApprovalAmount


T = TypeVar("T", bound="ApprovalRule")


@_attrs_define(kw_only=True)
class ApprovalRule:
    """The changes that a person has to approve. They are answered with 202, and wait for seven days. One of `activation`
    and `amounts` must ask for something.

        Attributes:
            activation (bool | Unset): Every change after which a campaign that does not run may run. Default: False.
            amounts (list[ApprovalAmount] | Unset): Every change that adds more than an amount, together with what was
                raised of its campaign on the same day of the ad account; a create adds its budget. Each currency once, and only
                those of the limit.
    """

    activation: bool | Unset = False
    amounts: list[ApprovalAmount] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        activation = self.activation

        amounts: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.amounts, Unset):
            amounts = []
            for amounts_item_data in self.amounts:
                amounts_item = amounts_item_data.to_dict()
                amounts.append(amounts_item)

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if activation is not UNSET:
            field_dict["activation"] = activation
        if amounts is not UNSET:
            field_dict["amounts"] = amounts

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.approval_amount import ApprovalAmount

        d = dict(src_dict)
        activation = d.pop("activation", UNSET)

        _amounts = d.pop("amounts", UNSET)
        amounts: list[ApprovalAmount] | Unset = UNSET
        if _amounts is not UNSET:
            amounts = []
            for amounts_item_data in _amounts:
                amounts_item = ApprovalAmount.from_dict(amounts_item_data)

                amounts.append(amounts_item)

        approval_rule = cls(
            activation=activation,
            amounts=amounts,
        )

        return approval_rule
