from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.pagination import Pagination
    from ..models.usage_log_entry import UsageLogEntry


T = TypeVar("T", bound="UsageLogList")


@_attrs_define(kw_only=True)
class UsageLogList:
    """A page of the usage log.

    Attributes:
        pagination (Pagination): Whether a list has a next page, and where.
        usage_logs (list[UsageLogEntry]): Newest first.
    """

    pagination: Pagination
    usage_logs: list[UsageLogEntry]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        pagination = self.pagination.to_dict()

        usage_logs = []
        for usage_logs_item_data in self.usage_logs:
            usage_logs_item = usage_logs_item_data.to_dict()
            usage_logs.append(usage_logs_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "pagination": pagination,
                "usage_logs": usage_logs,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.pagination import Pagination
        from ..models.usage_log_entry import UsageLogEntry

        d = dict(src_dict)
        pagination = Pagination.from_dict(d.pop("pagination"))

        usage_logs = []
        _usage_logs = d.pop("usage_logs")
        for usage_logs_item_data in _usage_logs:
            usage_logs_item = UsageLogEntry.from_dict(usage_logs_item_data)

            usage_logs.append(usage_logs_item)

        usage_log_list = cls(
            pagination=pagination,
            usage_logs=usage_logs,
        )

        usage_log_list.additional_properties = d
        return usage_log_list

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
