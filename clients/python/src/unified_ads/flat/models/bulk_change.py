from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.change_state import ChangeState

if TYPE_CHECKING:
    from ..models.change_error import ChangeError


T = TypeVar("T", bound="BulkChange")


@_attrs_define(kw_only=True)
class BulkChange:
    """The change of one campaign.

    Attributes:
        campaign_id (str): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this API have one
            too.
        error (ChangeError | None): Why all or a part of it was not applied.
        id (str): Change id. Ids sort by time.
        state (ChangeState): `scheduled`: it waits for its time. `awaiting_approval`: it waits for a person, as the
            spending limit of the key asks for. `canceled`: it was taken back before anything was sent. `rejected`: a person
            has rejected it. `expired`: nobody approved it within seven days, or before its time. `sending`: on its way to
            the platform. `unknown`: it may or may not have been applied; the platform is read until it is known. `applied`:
            the campaign has all of it. `partly_applied`: the campaign has a part of it. `failed`: the campaign has none of
            it.
    """

    campaign_id: str
    error: ChangeError | None
    id: str
    state: ChangeState
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.change_error import ChangeError

        campaign_id = self.campaign_id

        error: dict[str, Any] | None
        if isinstance(self.error, ChangeError):
            error = self.error.to_dict()
        else:
            error = self.error

        id = self.id

        state = self.state.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "campaign_id": campaign_id,
                "error": error,
                "id": id,
                "state": state,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.change_error import ChangeError

        d = dict(src_dict)
        campaign_id = d.pop("campaign_id")

        def _parse_error(data: object) -> ChangeError | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                error_type_0 = ChangeError.from_dict(data)

                return error_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ChangeError | None, data)

        error = _parse_error(d.pop("error"))

        id = d.pop("id")

        state = ChangeState(d.pop("state"))

        bulk_change = cls(
            campaign_id=campaign_id,
            error=error,
            id=id,
            state=state,
        )

        bulk_change.additional_properties = d
        return bulk_change

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
