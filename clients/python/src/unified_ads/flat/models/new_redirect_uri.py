from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="NewRedirectUri")


@_attrs_define(kw_only=True)
class NewRedirectUri:
    """A redirect URI.

    Attributes:
        uri (str): An absolute, normalized URL (no default port, no upper-case host) with `https`, or `http` for
            `localhost` and `127.0.0.1`. No user name, no fragment, at most 2,048 bytes.
    """

    uri: str

    def to_dict(self) -> dict[str, Any]:
        uri = self.uri

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "uri": uri,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        uri = d.pop("uri")

        new_redirect_uri = cls(
            uri=uri,
        )

        return new_redirect_uri
