from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="TargetSummary")


@_attrs_define(kw_only=True)
class TargetSummary:
    """How many targets have which result.

    Attributes:
        created (int): Number of targets.
        failed (int): Number of targets.
        total (int): Number of targets.
        unknown (int): Number of targets.
    """

    created: int
    failed: int
    total: int
    unknown: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        created = self.created

        failed = self.failed

        total = self.total

        unknown = self.unknown

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "created": created,
                "failed": failed,
                "total": total,
                "unknown": unknown,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        created = d.pop("created")

        failed = d.pop("failed")

        total = d.pop("total")

        unknown = d.pop("unknown")

        target_summary = cls(
            created=created,
            failed=failed,
            total=total,
            unknown=unknown,
        )

        target_summary.additional_properties = d
        return target_summary

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
