from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.user_spending_limit import UserSpendingLimit


T = TypeVar("T", bound="UserUpdate")


@_attrs_define(kw_only=True)
class UserUpdate:
    """What to set of a user. A field that is absent stays as it is; null removes it.

    Attributes:
        label (None | str | Unset): Your own name for it, for people.
        spending_limit (None | Unset | UserSpendingLimit): The limit of a user. Null for none: it takes the limit away,
            and forgets what counted.
    """

    label: None | str | Unset = UNSET
    spending_limit: None | Unset | UserSpendingLimit = UNSET

    def to_dict(self) -> dict[str, Any]:
        from ..models.user_spending_limit import UserSpendingLimit

        label: None | str | Unset
        if isinstance(self.label, Unset):
            label = UNSET
        else:
            label = self.label

        spending_limit: dict[str, Any] | None | Unset
        if isinstance(self.spending_limit, Unset):
            spending_limit = UNSET
        elif isinstance(self.spending_limit, UserSpendingLimit):
            spending_limit = self.spending_limit.to_dict()
        else:
            spending_limit = self.spending_limit

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if label is not UNSET:
            field_dict["label"] = label
        if spending_limit is not UNSET:
            field_dict["spending_limit"] = spending_limit

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.user_spending_limit import UserSpendingLimit

        d = dict(src_dict)

        def _parse_label(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        label = _parse_label(d.pop("label", UNSET))

        def _parse_spending_limit(data: object) -> None | Unset | UserSpendingLimit:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_nullable_user_spending_limit_type_0 = UserSpendingLimit.from_dict(data)

                return componentsschemas_nullable_user_spending_limit_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Unset | UserSpendingLimit, data)

        spending_limit = _parse_spending_limit(d.pop("spending_limit", UNSET))

        user_update = cls(
            label=label,
            spending_limit=spending_limit,
        )

        return user_update
