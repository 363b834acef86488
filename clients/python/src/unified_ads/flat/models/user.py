from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.user_erasure import UserErasure
    from ..models.user_spending_limit_answer import UserSpendingLimitAnswer


T = TypeVar("T", bound="User")


@_attrs_define(kw_only=True)
class User:
    """One of your users: whoever your `external_ref` of connections names.

    Attributes:
        erasure (None | UserErasure): Its erasure, and how far that is. Null for a user that stays.
        external_ref (str): Your own name for a user.
        is_paused (bool): Whether it is paused: nothing is activated or raised for it.
        label (None | str): Your own name for it, for people.
        spending_limit (None | UserSpendingLimitAnswer): The limit of a user. Null for none.
    """

    erasure: None | UserErasure
    external_ref: str
    is_paused: bool
    label: None | str
    spending_limit: None | UserSpendingLimitAnswer
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.user_erasure import UserErasure
        from ..models.user_spending_limit_answer import UserSpendingLimitAnswer

        erasure: dict[str, Any] | None
        if isinstance(self.erasure, UserErasure):
            erasure = self.erasure.to_dict()
        else:
            erasure = self.erasure

        external_ref = self.external_ref

        is_paused = self.is_paused

        label: None | str
        label = self.label

        spending_limit: dict[str, Any] | None
        if isinstance(self.spending_limit, UserSpendingLimitAnswer):
            spending_limit = self.spending_limit.to_dict()
        else:
            spending_limit = self.spending_limit

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "erasure": erasure,
                "external_ref": external_ref,
                "is_paused": is_paused,
                "label": label,
                "spending_limit": spending_limit,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.user_erasure import UserErasure
        from ..models.user_spending_limit_answer import UserSpendingLimitAnswer

        d = dict(src_dict)

        def _parse_erasure(data: object) -> None | UserErasure:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_nullable_user_erasure_type_0 = UserErasure.from_dict(data)

                return componentsschemas_nullable_user_erasure_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UserErasure, data)

        erasure = _parse_erasure(d.pop("erasure"))

        external_ref = d.pop("external_ref")

        is_paused = d.pop("is_paused")

        def _parse_label(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        label = _parse_label(d.pop("label"))

        def _parse_spending_limit(data: object) -> None | UserSpendingLimitAnswer:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_nullable_user_spending_limit_answer_type_0 = UserSpendingLimitAnswer.from_dict(data)

                return componentsschemas_nullable_user_spending_limit_answer_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UserSpendingLimitAnswer, data)

        spending_limit = _parse_spending_limit(d.pop("spending_limit"))

        user = cls(
            erasure=erasure,
            external_ref=external_ref,
            is_paused=is_paused,
            label=label,
            spending_limit=spending_limit,
        )

        user.additional_properties = d
        return user

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
