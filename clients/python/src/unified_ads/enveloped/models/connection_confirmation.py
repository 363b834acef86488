from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ConnectionConfirmation")


@_attrs_define(kw_only=True)
class ConnectionConfirmation:
    """The code with which the redirect has come back.

    Attributes:
        confirmation_code (str): `confirmation_code` of the redirect.
    """

    confirmation_code: str

    def to_dict(self) -> dict[str, Any]:
        confirmation_code = self.confirmation_code

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "confirmation_code": confirmation_code,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        confirmation_code = d.pop("confirmation_code")

        connection_confirmation = cls(
            confirmation_code=confirmation_code,
        )

        return connection_confirmation
