from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ChangeApproval")


@_attrs_define(kw_only=True)
class ChangeApproval:
    """The decision of a person to make a change.

    Attributes:
        approved_by (str): Your own word for the person who has decided, such as the id that they have with you: one
            line of visible characters. It stands in the history beside the API key.
        version (str): Stands for what the person has seen: another campaign has another version.
    """

    approved_by: str
    version: str

    def to_dict(self) -> dict[str, Any]:
        approved_by = self.approved_by

        version = self.version

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "approved_by": approved_by,
                "version": version,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        approved_by = d.pop("approved_by")

        version = d.pop("version")

        change_approval = cls(
            approved_by=approved_by,
            version=version,
        )

        return change_approval
