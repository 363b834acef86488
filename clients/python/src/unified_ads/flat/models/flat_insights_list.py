from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.granularity import Granularity
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.flat_account_insights import FlatAccountInsights
    from ..models.flat_list_failure import FlatListFailure
    from ..models.pagination import Pagination


T = TypeVar("T", bound="FlatInsightsList")


@_attrs_define(kw_only=True)
class FlatInsightsList:
    """A page of insights in the flat shape.

    Attributes:
        accounts (list[FlatAccountInsights]): Ad accounts that were read, sorted by platform, then account.
        from_ (datetime.date): First day.
        granularity (Granularity): A row for each day, or one for the whole range.
        pagination (Pagination): Whether a list has a next page, and where.
        to (datetime.date): Last day.
        errors (list[FlatListFailure] | Unset): Connections that could not be read. Absent if there are none.
    """

    accounts: list[FlatAccountInsights]
    from_: datetime.date
    granularity: Granularity
    pagination: Pagination
    to: datetime.date
    errors: list[FlatListFailure] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        accounts = []
        for accounts_item_data in self.accounts:
            accounts_item = accounts_item_data.to_dict()
            accounts.append(accounts_item)

        from_ = self.from_.isoformat()

        granularity = self.granularity.value

        pagination = self.pagination.to_dict()

        to = self.to.isoformat()

        errors: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.errors, Unset):
            errors = []
            for errors_item_data in self.errors:
                errors_item = errors_item_data.to_dict()
                errors.append(errors_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "accounts": accounts,
                "from": from_,
                "granularity": granularity,
                "pagination": pagination,
                "to": to,
            }
        )
        if errors is not UNSET:
            field_dict["errors"] = errors

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.flat_account_insights import FlatAccountInsights
        from ..models.flat_list_failure import FlatListFailure
        from ..models.pagination import Pagination

        d = dict(src_dict)
        accounts = []
        _accounts = d.pop("accounts")
        for accounts_item_data in _accounts:
            accounts_item = FlatAccountInsights.from_dict(accounts_item_data)

            accounts.append(accounts_item)

        from_ = datetime.date.fromisoformat(d.pop("from"))

        granularity = Granularity(d.pop("granularity"))

        pagination = Pagination.from_dict(d.pop("pagination"))

        to = datetime.date.fromisoformat(d.pop("to"))

        _errors = d.pop("errors", UNSET)
        errors: list[FlatListFailure] | Unset = UNSET
        if _errors is not UNSET:
            errors = []
            for errors_item_data in _errors:
                errors_item = FlatListFailure.from_dict(errors_item_data)

                errors.append(errors_item)

        flat_insights_list = cls(
            accounts=accounts,
            from_=from_,
            granularity=granularity,
            pagination=pagination,
            to=to,
            errors=errors,
        )

        flat_insights_list.additional_properties = d
        return flat_insights_list

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
