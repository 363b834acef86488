from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.flat_list_failure import FlatListFailure
    from ..models.user_waiting import UserWaiting


T = TypeVar("T", bound="RemovalPreview")


@_attrs_define(kw_only=True)
class RemovalPreview:
    """What the removal of a connection would leave behind. A campaign may be in several of the numbers.

    Attributes:
        active_campaigns (int | None): Campaigns that are ACTIVE at the platform now: they go on spending. Null if the
            platform could not be asked: see `error`.
        connection_id (str): Connection id. It stays the same when the account is authorized again.
        has_more_active (bool): Whether there are more, beyond 1,000.
        held_campaigns (int): Campaigns with a start or an end ahead that this service holds: it does not come.
        monthly_campaigns (int): Campaigns with a monthly budget: the daily budget of the moment stays.
        waiting (UserWaiting): Changes in its ad accounts that wait. They come from an index, so one of a moment ago may
            be missing.
        error (FlatListFailure | Unset): A connection that could not be read.
    """

    active_campaigns: int | None
    connection_id: str
    has_more_active: bool
    held_campaigns: int
    monthly_campaigns: int
    waiting: UserWaiting
    error: FlatListFailure | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        active_campaigns: int | None
        active_campaigns = self.active_campaigns

        connection_id = self.connection_id

        has_more_active = self.has_more_active

        held_campaigns = self.held_campaigns

        monthly_campaigns = self.monthly_campaigns

        waiting = self.waiting.to_dict()

        error: dict[str, Any] | Unset = UNSET
        if not isinstance(self.error, Unset):
            error = self.error.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "active_campaigns": active_campaigns,
                "connection_id": connection_id,
                "has_more_active": has_more_active,
                "held_campaigns": held_campaigns,
                "monthly_campaigns": monthly_campaigns,
                "waiting": waiting,
            }
        )
        if error is not UNSET:
            field_dict["error"] = error

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.flat_list_failure import FlatListFailure
        from ..models.user_waiting import UserWaiting

        d = dict(src_dict)

        def _parse_active_campaigns(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        active_campaigns = _parse_active_campaigns(d.pop("active_campaigns"))

        connection_id = d.pop("connection_id")

        has_more_active = d.pop("has_more_active")

        held_campaigns = d.pop("held_campaigns")

        monthly_campaigns = d.pop("monthly_campaigns")

        waiting = UserWaiting.from_dict(d.pop("waiting"))

        _error = d.pop("error", UNSET)
        error: FlatListFailure | Unset
        if isinstance(_error, Unset):
            error = UNSET
        else:
            error = FlatListFailure.from_dict(_error)

        removal_preview = cls(
            active_campaigns=active_campaigns,
            connection_id=connection_id,
            has_more_active=has_more_active,
            held_campaigns=held_campaigns,
            monthly_campaigns=monthly_campaigns,
            waiting=waiting,
            error=error,
        )

        removal_preview.additional_properties = d
        return removal_preview

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
