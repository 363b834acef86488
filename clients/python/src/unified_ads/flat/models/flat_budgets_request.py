from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.platform import Platform
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_budget import NewBudget


T = TypeVar("T", bound="FlatBudgetsRequest")


@_attrs_define(kw_only=True)
class FlatBudgetsRequest:
    """`percent` with the campaigns, which are `ids` or one of the others; or `budgets` alone.

    Attributes:
        all_ (bool | Unset): All campaigns of all connections. True, or absent. Not together with the others.
        budgets (list[NewBudget] | Unset): An amount for each of these campaigns. Not together with the others.
        connection_id (str | Unset): Connection id. It stays the same when the account is authorized again.
        ids (list[str] | Unset): These campaigns. With one that does not exist, or that cannot have the new budget,
            nothing is done.
        percent (str | Unset): A percentage with at most two decimals: above -100, at most 1000, and not 0. In a request
            a number is accepted, too.
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in connections.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    all_: bool | Unset = UNSET
    budgets: list[NewBudget] | Unset = UNSET
    connection_id: str | Unset = UNSET
    ids: list[str] | Unset = UNSET
    percent: str | Unset = UNSET
    platform: Platform | Unset = UNSET
    reference: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        all_ = self.all_

        budgets: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.budgets, Unset):
            budgets = []
            for budgets_item_data in self.budgets:
                budgets_item = budgets_item_data.to_dict()
                budgets.append(budgets_item)

        connection_id = self.connection_id

        ids: list[str] | Unset = UNSET
        if not isinstance(self.ids, Unset):
            ids = self.ids

        percent = self.percent

        platform: str | Unset = UNSET
        if not isinstance(self.platform, Unset):
            platform = self.platform.value

        reference = self.reference

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if all_ is not UNSET:
            field_dict["all"] = all_
        if budgets is not UNSET:
            field_dict["budgets"] = budgets
        if connection_id is not UNSET:
            field_dict["connection_id"] = connection_id
        if ids is not UNSET:
            field_dict["ids"] = ids
        if percent is not UNSET:
            field_dict["percent"] = percent
        if platform is not UNSET:
            field_dict["platform"] = platform
        if reference is not UNSET:
            field_dict["reference"] = reference

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.new_budget import NewBudget

        d = dict(src_dict)
        all_ = d.pop("all", UNSET)

        _budgets = d.pop("budgets", UNSET)
        budgets: list[NewBudget] | Unset = UNSET
        if _budgets is not UNSET:
            budgets = []
            for budgets_item_data in _budgets:
                budgets_item = NewBudget.from_dict(budgets_item_data)

                budgets.append(budgets_item)

        connection_id = d.pop("connection_id", UNSET)

        ids = cast(list[str], d.pop("ids", UNSET))

        percent = d.pop("percent", UNSET)

        _platform = d.pop("platform", UNSET)
        platform: Platform | Unset
        if isinstance(_platform, Unset):
            platform = UNSET
        else:
            platform = Platform(_platform)

        reference = d.pop("reference", UNSET)

        flat_budgets_request = cls(
            all_=all_,
            budgets=budgets,
            connection_id=connection_id,
            ids=ids,
            percent=percent,
            platform=platform,
            reference=reference,
        )

        return flat_budgets_request
