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
    from ..models.user_limits import UserLimits


T = TypeVar("T", bound="Limits")


@_attrs_define(kw_only=True)
class Limits:
    """What is left of the limit of a key or of a user. Without a limit only `limited`.

    Attributes:
        limited (bool): Whether there is a spending limit.
        amounts (list[LimitLeft] | Unset): What is left in each currency.
        approval (ApprovalRuleAnswer | None | Unset): The changes that a person has to approve, on the dashboard or in
            your own product. Null, or absent, for none.
        connections (list[str] | Unset): The connections whose campaigns the key may change.
        creates (LimitCreates | Unset): Campaigns that the key, or all who act for the user, have created today (UTC),
            and may create.
        user (UserLimits | Unset): What a user has left. Without a limit only the first three.
    """

    limited: bool
    amounts: list[LimitLeft] | Unset = UNSET
    approval: ApprovalRuleAnswer | None | Unset = UNSET
    connections: list[str] | Unset = UNSET
    creates: LimitCreates | Unset = UNSET
    user: UserLimits | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.approval_rule_answer import ApprovalRuleAnswer

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

        connections: list[str] | Unset = UNSET
        if not isinstance(self.connections, Unset):
            connections = self.connections

        creates: dict[str, Any] | Unset = UNSET
        if not isinstance(self.creates, Unset):
            creates = self.creates.to_dict()

        user: dict[str, Any] | Unset = UNSET
        if not isinstance(self.user, Unset):
            user = self.user.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "limited": limited,
            }
        )
        if amounts is not UNSET:
            field_dict["amounts"] = amounts
        if approval is not UNSET:
            field_dict["approval"] = approval
        if connections is not UNSET:
            field_dict["connections"] = connections
        if creates is not UNSET:
            field_dict["creates"] = creates
        if user is not UNSET:
            field_dict["user"] = user

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.approval_rule_answer import ApprovalRuleAnswer
        from ..models.limit_creates import LimitCreates
        from ..models.limit_left import LimitLeft
        from ..models.user_limits import UserLimits

        d = dict(src_dict)
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

        connections = cast(list[str], d.pop("connections", UNSET))

        _creates = d.pop("creates", UNSET)
        creates: LimitCreates | Unset
        if isinstance(_creates, Unset):
            creates = UNSET
        else:
            creates = LimitCreates.from_dict(_creates)

        _user = d.pop("user", UNSET)
        user: UserLimits | Unset
        if isinstance(_user, Unset):
            user = UNSET
        else:
            user = UserLimits.from_dict(_user)

        limits = cls(
            limited=limited,
            amounts=amounts,
            approval=approval,
            connections=connections,
            creates=creates,
            user=user,
        )

        limits.additional_properties = d
        return limits

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
