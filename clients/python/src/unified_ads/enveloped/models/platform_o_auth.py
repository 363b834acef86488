from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="PlatformOAuth")


@_attrs_define(kw_only=True)
class PlatformOAuth:
    """How the service asks for consent.

    Attributes:
        pkce (bool): Whether the authorization uses PKCE.
        scopes (list[str]): Requested OAuth scopes.
    """

    pkce: bool
    scopes: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        pkce = self.pkce

        scopes = self.scopes

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "pkce": pkce,
                "scopes": scopes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        pkce = d.pop("pkce")

        scopes = cast(list[str], d.pop("scopes"))

        platform_o_auth = cls(
            pkce=pkce,
            scopes=scopes,
        )

        platform_o_auth.additional_properties = d
        return platform_o_auth

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
