from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.platform import Platform

T = TypeVar("T", bound="AuthorizeResult")


@_attrs_define(kw_only=True)
class AuthorizeResult:
    """Start of an authorization.

    Attributes:
        authorize_url (str): URL of the platform's consent page. Open it in the user's browser within 10 minutes.
        connection_id (str): Connection id. It stays the same when the account is authorized again.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
    """

    authorize_url: str
    connection_id: str
    platform: Platform
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        authorize_url = self.authorize_url

        connection_id = self.connection_id

        platform = self.platform.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "authorize_url": authorize_url,
                "connection_id": connection_id,
                "platform": platform,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        authorize_url = d.pop("authorize_url")

        connection_id = d.pop("connection_id")

        platform = Platform(d.pop("platform"))

        authorize_result = cls(
            authorize_url=authorize_url,
            connection_id=connection_id,
            platform=platform,
        )

        authorize_result.additional_properties = d
        return authorize_result

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
