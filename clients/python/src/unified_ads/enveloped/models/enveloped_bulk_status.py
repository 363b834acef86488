from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.bulk_target import BulkTarget
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.enveloped_bulk_account import EnvelopedBulkAccount


T = TypeVar("T", bound="EnvelopedBulkStatus")


@_attrs_define(kw_only=True)
class EnvelopedBulkStatus:
    """How far a bulk change is, in the enveloped shape.

    Attributes:
        accounts (list[EnvelopedBulkAccount]):
        budget_percent (None | str): The percentage by which budgets change; null if it is another change, as one to
            amounts.
        bulk_id (str): Id of a bulk change.
        settled (bool): Nothing is tried any more: every change has its outcome. An ad account with `listed` false was
            not read for a day, so its campaigns are unchanged.
        status (BulkTarget | None): The status that it sets, also by undoing another change; null if it changes budgets
            or undoes a set of changes.
        undoes (None | str): The bulk change that it undoes; null if it is none, or undoes a set of changes.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    accounts: list[EnvelopedBulkAccount]
    budget_percent: None | str
    bulk_id: str
    settled: bool
    status: BulkTarget | None
    undoes: None | str
    reference: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        accounts = []
        for accounts_item_data in self.accounts:
            accounts_item = accounts_item_data.to_dict()
            accounts.append(accounts_item)

        budget_percent: None | str
        budget_percent = self.budget_percent

        bulk_id = self.bulk_id

        settled = self.settled

        status: None | str
        if isinstance(self.status, BulkTarget):
            status = self.status.value
        else:
            status = self.status

        undoes: None | str
        undoes = self.undoes

        reference = self.reference

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "accounts": accounts,
                "budget_percent": budget_percent,
                "bulk_id": bulk_id,
                "settled": settled,
                "status": status,
                "undoes": undoes,
            }
        )
        if reference is not UNSET:
            field_dict["reference"] = reference

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.enveloped_bulk_account import EnvelopedBulkAccount

        d = dict(src_dict)
        accounts = []
        _accounts = d.pop("accounts")
        for accounts_item_data in _accounts:
            accounts_item = EnvelopedBulkAccount.from_dict(accounts_item_data)

            accounts.append(accounts_item)

        def _parse_budget_percent(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        budget_percent = _parse_budget_percent(d.pop("budget_percent"))

        bulk_id = d.pop("bulk_id")

        settled = d.pop("settled")

        def _parse_status(data: object) -> BulkTarget | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                status_type_0 = BulkTarget(data)

                return status_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(BulkTarget | None, data)

        status = _parse_status(d.pop("status"))

        def _parse_undoes(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        undoes = _parse_undoes(d.pop("undoes"))

        reference = d.pop("reference", UNSET)

        enveloped_bulk_status = cls(
            accounts=accounts,
            budget_percent=budget_percent,
            bulk_id=bulk_id,
            settled=settled,
            status=status,
            undoes=undoes,
            reference=reference,
        )

        enveloped_bulk_status.additional_properties = d
        return enveloped_bulk_status

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
