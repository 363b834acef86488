from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="AdCounts")


@_attrs_define(kw_only=True)
class AdCounts:
    """How many ads are in each state. The states add up to `total`; a rejected ad is counted in its state too.

    Attributes:
        blocked (int): Not shown.
        can_run (int): May be shown.
        off (int): Switched off.
        rejected (int): Rejected by a review.
        total (int): All ads.
        unknown (int): The platform does not say it.
        waiting (int): Not shown yet.
    """

    blocked: int
    can_run: int
    off: int
    rejected: int
    total: int
    unknown: int
    waiting: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        blocked = self.blocked

        can_run = self.can_run

        off = self.off

        rejected = self.rejected

        total = self.total

        unknown = self.unknown

        waiting = self.waiting

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "blocked": blocked,
                "can_run": can_run,
                "off": off,
                "rejected": rejected,
                "total": total,
                "unknown": unknown,
                "waiting": waiting,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        blocked = d.pop("blocked")

        can_run = d.pop("can_run")

        off = d.pop("off")

        rejected = d.pop("rejected")

        total = d.pop("total")

        unknown = d.pop("unknown")

        waiting = d.pop("waiting")

        ad_counts = cls(
            blocked=blocked,
            can_run=can_run,
            off=off,
            rejected=rejected,
            total=total,
            unknown=unknown,
            waiting=waiting,
        )

        ad_counts.additional_properties = d
        return ad_counts

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
