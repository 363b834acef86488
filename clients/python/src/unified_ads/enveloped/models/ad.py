from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.ad_review import AdReview
from ..models.ad_state import AdState

if TYPE_CHECKING:
    from ..models.ad_reason import AdReason
    from ..models.ad_rejection import AdRejection


T = TypeVar("T", bound="Ad")


@_attrs_define(kw_only=True)
class Ad:
    """An ad of a campaign. Removed ads are left out.

    Attributes:
        group_id (None | str): The group of ads on the platform.
        group_name (None | str): Null if the platform does not say it.
        id (str): Ad id on the platform.
        name (None | str): Null if it has none.
        reasons (list[AdReason]): What holds it back.
        rejections (list[AdRejection]): Why the review rejected or limited it, in the platform's words.
        review (AdReview): What the platform's review of an ad has found. `UNKNOWN` if it does not say it: some
            platforms mask it while a group is off.
        state (AdState): Whether an ad may be shown.
    """

    group_id: None | str
    group_name: None | str
    id: str
    name: None | str
    reasons: list[AdReason]
    rejections: list[AdRejection]
    review: AdReview
    state: AdState
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        group_id: None | str
        group_id = self.group_id

        group_name: None | str
        group_name = self.group_name

        id = self.id

        name: None | str
        name = self.name

        reasons = []
        for reasons_item_data in self.reasons:
            reasons_item = reasons_item_data.to_dict()
            reasons.append(reasons_item)

        rejections = []
        for rejections_item_data in self.rejections:
            rejections_item = rejections_item_data.to_dict()
            rejections.append(rejections_item)

        review = self.review.value

        state = self.state.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "group_id": group_id,
                "group_name": group_name,
                "id": id,
                "name": name,
                "reasons": reasons,
                "rejections": rejections,
                "review": review,
                "state": state,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.ad_reason import AdReason
        from ..models.ad_rejection import AdRejection

        d = dict(src_dict)

        def _parse_group_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        group_id = _parse_group_id(d.pop("group_id"))

        def _parse_group_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        group_name = _parse_group_name(d.pop("group_name"))

        id = d.pop("id")

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        reasons = []
        _reasons = d.pop("reasons")
        for reasons_item_data in _reasons:
            reasons_item = AdReason.from_dict(reasons_item_data)

            reasons.append(reasons_item)

        rejections = []
        _rejections = d.pop("rejections")
        for rejections_item_data in _rejections:
            rejections_item = AdRejection.from_dict(rejections_item_data)

            rejections.append(rejections_item)

        review = AdReview(d.pop("review"))

        state = AdState(d.pop("state"))

        ad = cls(
            group_id=group_id,
            group_name=group_name,
            id=id,
            name=name,
            reasons=reasons,
            rejections=rejections,
            review=review,
            state=state,
        )

        ad.additional_properties = d
        return ad

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
