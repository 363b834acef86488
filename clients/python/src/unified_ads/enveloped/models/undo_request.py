from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="UndoRequest")


@_attrs_define(kw_only=True)
class UndoRequest:
    """What is undone of a bulk change, or together with a change.

    Attributes:
        changes (list[str] | Unset): Changes that are undone together with the one of the path, as one bulk change.
            Absent for a bulk change.
        connection_id (str | Unset): Connection id. It stays the same when the account is authorized again.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    changes: list[str] | Unset = UNSET
    connection_id: str | Unset = UNSET
    reference: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        changes: list[str] | Unset = UNSET
        if not isinstance(self.changes, Unset):
            changes = self.changes

        connection_id = self.connection_id

        reference = self.reference

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if changes is not UNSET:
            field_dict["changes"] = changes
        if connection_id is not UNSET:
            field_dict["connection_id"] = connection_id
        if reference is not UNSET:
            field_dict["reference"] = reference

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        changes = cast(list[str], d.pop("changes", UNSET))

        connection_id = d.pop("connection_id", UNSET)

        reference = d.pop("reference", UNSET)

        undo_request = cls(
            changes=changes,
            connection_id=connection_id,
            reference=reference,
        )

        return undo_request
