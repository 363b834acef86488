from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.synced_connection import SyncedConnection


T = TypeVar("T", bound="SyncResult")


@_attrs_define(kw_only=True)
class SyncResult:
    """Connections after a check with the platforms.

    Attributes:
        connections (list[SyncedConnection]): All that are not `PENDING`.
        synced (int): Number of connections that their platform confirmed.
        remaining (int | Unset): Number of connections that this request had no time to check. They are returned as
            before and checked within minutes: see `last_synced_at` in `GET /connections`. Absent when all were checked.
    """

    connections: list[SyncedConnection]
    synced: int
    remaining: int | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        connections = []
        for connections_item_data in self.connections:
            connections_item = connections_item_data.to_dict()
            connections.append(connections_item)

        synced = self.synced

        remaining = self.remaining

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "connections": connections,
                "synced": synced,
            }
        )
        if remaining is not UNSET:
            field_dict["remaining"] = remaining

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.synced_connection import SyncedConnection

        d = dict(src_dict)
        connections = []
        _connections = d.pop("connections")
        for connections_item_data in _connections:
            connections_item = SyncedConnection.from_dict(connections_item_data)

            connections.append(connections_item)

        synced = d.pop("synced")

        remaining = d.pop("remaining", UNSET)

        sync_result = cls(
            connections=connections,
            synced=synced,
            remaining=remaining,
        )

        sync_result.additional_properties = d
        return sync_result

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
