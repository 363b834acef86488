from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from unified_ads.amounts import as_amount_or_none

from ..models.checked_by import CheckedBy
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.flat_change import FlatChange
    from ..models.flat_change_values import FlatChangeValues
    from ..models.flat_error import FlatError
    from ..models.limits import Limits
    from ..models.platform_request import PlatformRequest


T = TypeVar("T", bound="FlatChangeReview")


@_attrs_define(kw_only=True)
class FlatChangeReview:
    """What a person decides on, in the flat shape: the change, and what would happen if it were approved now.

    Attributes:
        after (FlatChangeValues | None): The campaign as it would be. Null for a removal.
        approve_until (datetime.datetime): The change expires then: seven days after it was asked for, or at its
            `apply_at`.
        before (FlatChangeValues | None): The campaign as it is, with the dates that this service holds. Null for a
            create.
        change (FlatChange): Something that was done to a campaign, in the flat shape.
        checked_by (CheckedBy): `platform` if the platform itself checked the request without executing it; `service` if
            this service checked it and read the ad account.
        limits (Limits): What is left of the limit of a key or of a user. Without a limit only `limited`.
        raised_from (Decimal | None): The lowest budget from which the campaign was raised today under a rule that asks, 0
            if a change has made it run. Null if none has. All raises of a day are one question.
        requests (list[PlatformRequest]): The exact requests that would be sent, in their order. Empty if the campaign
            has these values already, and if it cannot be approved.
        version (str): Stands for what the person has seen: another campaign has another version.
        error (FlatError | Unset): An error in the flat shape.
    """

    after: FlatChangeValues | None
    approve_until: datetime.datetime
    before: FlatChangeValues | None
    change: FlatChange
    checked_by: CheckedBy
    limits: Limits
    raised_from: Decimal | None = _attrs_field(converter=as_amount_or_none)
    requests: list[PlatformRequest]
    version: str
    error: FlatError | Unset = UNSET
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

        change = self.change.to_dict()

        checked_by = self.checked_by.value

        limits = self.limits.to_dict()

        raised_from: Decimal | None
        raised_from = self.raised_from

        requests = []
        for requests_item_data in self.requests:
            requests_item = requests_item_data.to_dict()
            requests.append(requests_item)

        version = self.version

        error: dict[str, Any] | Unset = UNSET
        if not isinstance(self.error, Unset):
            error = self.error.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "after": after,
                "approve_until": approve_until,
                "before": before,
                "change": change,
                "checked_by": checked_by,
                "limits": limits,
                "raised_from": raised_from,
                "requests": requests,
                "version": version,
            }
        )
        if error is not UNSET:
            field_dict["error"] = error

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.flat_change import FlatChange
        from ..models.flat_change_values import FlatChangeValues
        from ..models.flat_error import FlatError
        from ..models.limits import Limits
        from ..models.platform_request import PlatformRequest

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

        change = FlatChange.from_dict(d.pop("change"))

        checked_by = CheckedBy(d.pop("checked_by"))

        limits = Limits.from_dict(d.pop("limits"))

        def _parse_raised_from(data: object) -> Decimal | None:
            if data is None:
                return data
            return cast(Decimal | None, data)

        raised_from = _parse_raised_from(d.pop("raised_from"))

        requests = []
        _requests = d.pop("requests")
        for requests_item_data in _requests:
            requests_item = PlatformRequest.from_dict(requests_item_data)

            requests.append(requests_item)

        version = d.pop("version")

        _error = d.pop("error", UNSET)
        error: FlatError | Unset
        if isinstance(_error, Unset):
            error = UNSET
        else:
            error = FlatError.from_dict(_error)

        flat_change_review = cls(
            after=after,
            approve_until=approve_until,
            before=before,
            change=change,
            checked_by=checked_by,
            limits=limits,
            raised_from=raised_from,
            requests=requests,
            version=version,
            error=error,
        )

        flat_change_review.additional_properties = d
        return flat_change_review

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
