from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.approval_rule_answer import ApprovalRuleAnswer
    from ..models.limit_creates import LimitCreates
    from ..models.limit_left import LimitLeft


T = TypeVar("T", bound="UserLimits")


@_attrs_define(kw_only=True)
class UserLimits:
    """What a user has left. Without a limit only the first three.

    Attributes:
        external_ref (str): Your own name for a user.
        is_paused (bool): Whether it is paused.
        limited (bool): Whether it has a spending limit.
        amounts (list[LimitLeft] | Unset): What is left in each currency.
        approval (ApprovalRuleAnswer | None | Unset): The changes that a person has to approve, on the dashboard or in
            your own product. Null, or absent, for none.
        creates (LimitCreates | Unset): Campaigns that the key, or all who act for the user, have created today (UTC),
            and may create.
    """

    external_ref: str
    is_paused: bool
    limited: bool
    amounts: list[LimitLeft] | Unset = UNSET
    approval: ApprovalRuleAnswer | None | Unset = UNSET
    creates: LimitCreates | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.approval_rule_answer import ApprovalRuleAnswer

        external_ref = self.external_ref

        is_paused = self.is_paused

        limited = self.limited

        amounts: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.amounts, Unset):
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

        creates: dict[str, Any] | Unset = UNSET
        if not isinstance(self.creates, Unset):
            creates = self.creates.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "external_ref": external_ref,
                "is_paused": is_paused,
                "limited": limited,
            }
        )
        if amounts is not UNSET:
            field_dict["amounts"] = amounts
        if approval is not UNSET:
            field_dict["approval"] = approval
        if creates is not UNSET:
            field_dict["creates"] = creates

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.approval_rule_answer import ApprovalRuleAnswer
        from ..models.limit_creates import LimitCreates
        from ..models.limit_left import LimitLeft

        d = dict(src_dict)
        external_ref = d.pop("external_ref")

        is_paused = d.pop("is_paused")

        limited = d.pop("limited")

        _amounts = d.pop("amounts", UNSET)
        amounts: list[LimitLeft] | Unset = UNSET
        if _amounts is not UNSET:
            amounts = []
            for amounts_item_data in _amounts:
                amounts_item = LimitLeft.from_dict(amounts_item_data)

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

        _creates = d.pop("creates", UNSET)
        creates: LimitCreates | Unset
        if isinstance(_creates, Unset):
            creates = UNSET
        else:
            creates = LimitCreates.from_dict(_creates)

        user_limits = cls(
            external_ref=external_ref,
            is_paused=is_paused,
            limited=limited,
            amounts=amounts,
            approval=approval,
            creates=creates,
        )

        user_limits.additional_properties = d
        return user_limits

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
