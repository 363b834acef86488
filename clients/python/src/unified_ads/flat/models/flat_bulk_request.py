from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.bulk_target import BulkTarget
from ..models.platform import Platform
from ..types import UNSET, Unset

T = TypeVar("T", bound="FlatBulkRequest")


@_attrs_define(kw_only=True)
class FlatBulkRequest:
    """The new status, and the campaigns: `ids`, or one of the others.

    Attributes:
        status (BulkTarget): The new status of many campaigns.
        all_ (bool | Unset): All campaigns of all connections. True, or absent. Not together with the others.
        connection_id (str | Unset): Connection id. It stays the same when the account is authorized again.
        ids (list[str] | Unset): These campaigns. With one that does not exist nothing is done.
        platform (Platform | Unset): An ad platform in the flat shape, in paths and in connections.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    status: BulkTarget
    all_: bool | Unset = UNSET
    connection_id: str | Unset = UNSET
    ids: list[str] | Unset = UNSET
    platform: Platform | Unset = UNSET
    reference: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        status = self.status.value

        all_ = self.all_

        connection_id = self.connection_id

        ids: list[str] | Unset = UNSET
        if not isinstance(self.ids, Unset):
            ids = self.ids

        platform: str | Unset = UNSET
        if not isinstance(self.platform, Unset):
            platform = self.platform.value

        reference = self.reference

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "status": status,
            }
        )
        if all_ is not UNSET:
            field_dict["all"] = all_
        if connection_id is not UNSET:
            field_dict["connection_id"] = connection_id
        if ids is not UNSET:
            field_dict["ids"] = ids
        if platform is not UNSET:
            field_dict["platform"] = platform
        if reference is not UNSET:
            field_dict["reference"] = reference

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        status = BulkTarget(d.pop("status"))

        all_ = d.pop("all", UNSET)

        connection_id = d.pop("connection_id", UNSET)

        ids = cast(list[str], d.pop("ids", UNSET))

        _platform = d.pop("platform", UNSET)
        platform: Platform | Unset
        if isinstance(_platform, Unset):
            platform = UNSET
        else:
            platform = Platform(_platform)

        reference = d.pop("reference", UNSET)

        flat_bulk_request = cls(
            status=status,
            all_=all_,
            connection_id=connection_id,
            ids=ids,
            platform=platform,
            reference=reference,
        )

        return flat_bulk_request
