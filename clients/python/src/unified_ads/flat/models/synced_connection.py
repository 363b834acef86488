from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.connection_status import ConnectionStatus
from ..models.platform import Platform
from ..types import UNSET, Unset

T = TypeVar("T", bound="SyncedConnection")


@_attrs_define(kw_only=True)
class SyncedConnection:
    """A connection after a check.

    Attributes:
        id (str): Connection id. It stays the same when the account is authorized again.
        last_synced_at (datetime.datetime | None): Time of the last successful check.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        status (ConnectionStatus): `ACTIVE`: calls succeed. `PENDING`: the user has not completed the consent page.
            `REVOKED`: the consent has ended; authorize again. `ERROR`: the platform rejects calls for another reason, see
            `status_reason`.
        status_message (str | Unset): For people: what `REVOKED` or `ERROR` means, and what to do. Absent otherwise.
        status_reason (str | Unset): What the platform said, often a code, for `REVOKED` or `ERROR`. Absent otherwise.
    """

    id: str
    last_synced_at: datetime.datetime | None
    platform: Platform
    status: ConnectionStatus
    status_message: str | Unset = UNSET
    status_reason: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        last_synced_at: None | str
        if isinstance(self.last_synced_at, datetime.datetime):
            last_synced_at = self.last_synced_at.isoformat()
        else:
            last_synced_at = self.last_synced_at

        platform = self.platform.value

        status = self.status.value

        status_message = self.status_message

        status_reason = self.status_reason

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "last_synced_at": last_synced_at,
                "platform": platform,
                "status": status,
            }
        )
        if status_message is not UNSET:
            field_dict["status_message"] = status_message
        if status_reason is not UNSET:
            field_dict["status_reason"] = status_reason

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        def _parse_last_synced_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_synced_at_type_0 = datetime.datetime.fromisoformat(data)

                return last_synced_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last_synced_at = _parse_last_synced_at(d.pop("last_synced_at"))

        platform = Platform(d.pop("platform"))

        status = ConnectionStatus(d.pop("status"))

        status_message = d.pop("status_message", UNSET)

        status_reason = d.pop("status_reason", UNSET)

        synced_connection = cls(
            id=id,
            last_synced_at=last_synced_at,
            platform=platform,
            status=status,
            status_message=status_message,
            status_reason=status_reason,
        )

        synced_connection.additional_properties = d
        return synced_connection

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
