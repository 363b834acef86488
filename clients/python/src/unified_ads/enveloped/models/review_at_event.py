from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.flat_change_values import FlatChangeValues


T = TypeVar("T", bound="ReviewAtEvent")


@_attrs_define(kw_only=True)
class ReviewAtEvent:
    """What a person decides on, as it was when they were asked. `GET /v1/changes/{id}/review` has it as it is now, with
    the exact requests and what the key has left.

        Attributes:
            after (FlatChangeValues | None): The campaign as it would be. Null for a removal.
            approve_until (datetime.datetime): The change expires then.
            before (FlatChangeValues | None): The campaign as it was. Null for a create.
            version (str): Stands for what the person has seen: another campaign has another version.
    """

    after: FlatChangeValues | None
    approve_until: datetime.datetime
    before: FlatChangeValues | None
    version: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.flat_change_values import FlatChangeValues

        after: dict[str, Any] | None
        if isinstance(self.after, FlatChangeValues):
            after = self.after.to_dict()
        else:
            after = self.after

        approve_until = self.approve_until.isoformat()

        before: dict[str, Any] | None
        if isinstance(self.before, FlatChangeValues):
            before = self.before.to_dict()
        else:
            before = self.before

        version = self.version

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "after": after,
                "approve_until": approve_until,
                "before": before,
                "version": version,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.flat_change_values import FlatChangeValues

        d = dict(src_dict)

        def _parse_after(data: object) -> FlatChangeValues | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                after_type_0 = FlatChangeValues.from_dict(data)

                return after_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(FlatChangeValues | None, data)

        after = _parse_after(d.pop("after"))

        approve_until = datetime.datetime.fromisoformat(d.pop("approve_until"))

        def _parse_before(data: object) -> FlatChangeValues | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                before_type_0 = FlatChangeValues.from_dict(data)

                return before_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(FlatChangeValues | None, data)

        before = _parse_before(d.pop("before"))

        version = d.pop("version")

        review_at_event = cls(
            after=after,
            approve_until=approve_until,
            before=before,
            version=version,
        )

        review_at_event.additional_properties = d
        return review_at_event

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
