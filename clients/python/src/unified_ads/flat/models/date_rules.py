from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.date_precision import DatePrecision

if TYPE_CHECKING:
    from ..models.date_rule import DateRule


T = TypeVar("T", bound="DateRules")


@_attrs_define(kw_only=True)
class DateRules:
    """Start and end of campaigns.

    Attributes:
        end_at (DateRule): The times that a date can be set to.
        end_before (datetime.date | None): The end is before this day. Null without such a limit.
        maximum_days_ahead (int | None): Both dates are at most so many days ahead. Null without such a limit.
        precision (DatePrecision): `day`: dates are whole days of the ad account's time zone; send plain dates.
            `second`: any whole second.
        start_at (DateRule): The times that a date can be set to.
    """

    end_at: DateRule
    end_before: datetime.date | None
    maximum_days_ahead: int | None
    precision: DatePrecision
    start_at: DateRule
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        end_at = self.end_at.to_dict()

        end_before: None | str
        if isinstance(self.end_before, datetime.date):
            end_before = self.end_before.isoformat()
        else:
            end_before = self.end_before

        maximum_days_ahead: int | None
        maximum_days_ahead = self.maximum_days_ahead

        precision = self.precision.value

        start_at = self.start_at.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "end_at": end_at,
                "end_before": end_before,
                "maximum_days_ahead": maximum_days_ahead,
                "precision": precision,
                "start_at": start_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.date_rule import DateRule

        d = dict(src_dict)
        end_at = DateRule.from_dict(d.pop("end_at"))

        def _parse_end_before(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                end_before_type_0 = datetime.date.fromisoformat(data)

                return end_before_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        end_before = _parse_end_before(d.pop("end_before"))

        def _parse_maximum_days_ahead(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        maximum_days_ahead = _parse_maximum_days_ahead(d.pop("maximum_days_ahead"))

        precision = DatePrecision(d.pop("precision"))

        start_at = DateRule.from_dict(d.pop("start_at"))

        date_rules = cls(
            end_at=end_at,
            end_before=end_before,
            maximum_days_ahead=maximum_days_ahead,
            precision=precision,
            start_at=start_at,
        )

        date_rules.additional_properties = d
        return date_rules

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
